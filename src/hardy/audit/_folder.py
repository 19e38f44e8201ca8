"""The folder of an audit: which files are current, and how all of them are renewed at once.

A folder's files can't be replaced together. So those of a renewal wait, complete, in a folder of
their own within it; from the moment it has its name they are the audit's, and are moved to their
places one by one. Whoever reads looks there first, and what was cut off is finished by the next
that reads or writes. Where the system has locks, one at a time changes places, and nobody reads
meanwhile.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from hardy._files import reading
from hardy._json import LISTS, read_json
from hardy.exceptions import InputError
from hardy.tabular._decoding import refuse_stream

FORMAT = "hardy-audit"
REPORT, SUSPECTS, ARRAYS, DOCUMENT = "report.html", "suspects.csv", "arrays.npz", "audit.json"
FINDINGS, CONSENSUS = "findings.csv", "consensus.csv"
# The document last: as long as a renewal holds it, the other files may be there too.
FILES = (REPORT, SUSPECTS, FINDINGS, CONSENSUS, ARRAYS, DOCUMENT)
_UNFINISHED = (".hardy-", ".part")
_RENEWAL = "renewal".join(_UNFINISHED)
# Each suspect and each finding has some.
_MOST_LISTS = 10_000_000


def place_of(folder: Path, name: str) -> Path:
    """Say where a file of the audit is, though its renewal may have been cut off."""
    waiting = folder / _RENEWAL / name
    return waiting if _is_renewed(folder) and waiting.exists() else folder / name


def read_document(folder: Path) -> dict[str, Any] | None:
    """Read the audit's JSON document; None where there is none, or another one."""
    with reading(folder):
        return _read(place_of(folder, DOCUMENT))


def is_unfinished(path: Path) -> bool:
    """Whether it is what a run leaves that was killed, or that is still at work."""
    start, end = _UNFINISHED
    return path.name.startswith(start) and path.name.endswith(end)


@contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """Give a folder for unfinished files on the same file system, and remove it afterwards.

    Those that were left by a process that is gone are removed too.
    """
    place = folder if folder.is_dir() else folder.parent
    with ExitStack() as stack:
        with _locked(place):
            _remove_left(place)
            start, end = _UNFINISHED
            staging = Path(tempfile.mkdtemp(dir=place, prefix=start, suffix=end))
            stack.callback(shutil.rmtree, staging, ignore_errors=True)
            # Told by it from those whose process is gone.
            stack.enter_context(_locked(staging))
        yield staging


def publish(staging: Path, folder: Path) -> None:
    """Make the files of a staging folder those of the audit."""
    # mkdtemp makes folders that only their owner can read; an ordinary one follows the umask.
    umask = os.umask(0)
    os.umask(umask)
    staging.chmod(0o777 & ~umask)
    if not folder.is_dir():
        staging.rename(folder)
        return
    with _locked(folder):
        _finish(folder)
        staging.rename(folder / _RENEWAL)
        _finish(folder)


def finish_renewal(folder: Path) -> None:
    """Move the files of a renewal that was cut off to their places, if there are any."""
    if (folder / _RENEWAL).exists():
        with _locked(folder):
            _finish(folder)


@contextmanager
def reading_one(folder: Path) -> Iterator[None]:
    """Let nobody change the audit during the block."""
    with _locked(folder, shared=True):
        yield


def _finish(folder: Path) -> None:
    waiting = folder / _RENEWAL
    if _is_renewed(folder):
        earlier, renewed = _read(folder / DOCUMENT), _read(waiting / DOCUMENT)
        if earlier and earlier.get("annotators") and not (renewed and renewed.get("annotators")):
            # It is of the earlier audit, and would pass for one of this.
            (folder / CONSENSUS).unlink(missing_ok=True)
        for name in FILES:
            # It may have been moved before the cut.
            with suppress(FileNotFoundError):
                (waiting / name).replace(folder / name)
    elif waiting.is_dir() and not waiting.is_symlink():
        # Without a document they are no renewal's.
        for name in FILES:
            (waiting / name).unlink(missing_ok=True)
    with suppress(OSError):
        waiting.rmdir()
    if os.path.lexists(waiting):
        raise InputError(f"{waiting} is none of Hardy's renewals; remove it.")


def _remove_left(place: Path) -> None:
    start, end = _UNFINISHED
    for left in place.glob(f"{start}*{end}"):
        if left.name == _RENEWAL or left.is_symlink():
            continue
        with suppress(OSError), _locked(left, wait=False) as is_left:
            if is_left:
                shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _locked(place: Path, *, shared: bool = False, wait: bool = True) -> Iterator[bool]:
    """Lock a folder during the block where the system can; say whether it was."""
    try:
        import fcntl
    except ImportError:
        yield False
        return
    try:
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        # Whoever can't open it is told by what comes next.
        yield False
        return
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    is_locked = False
    try:
        # It may be held by another process, or not to be had on this disk.
        with suppress(OSError):
            fcntl.flock(folder, kind if wait else kind | fcntl.LOCK_NB)
            is_locked = True
        yield is_locked
    finally:
        os.close(folder)


def _is_renewed(folder: Path) -> bool:
    waiting = folder / _RENEWAL
    # Through a link another folder's files would be moved.
    return waiting.is_dir() and not waiting.is_symlink() and (waiting / DOCUMENT).exists()


def _read(path: Path) -> dict[str, Any] | None:
    refuse_stream(path)
    try:
        document = read_json(path.read_bytes(), _MOST_LISTS, LISTS)
    except (OSError, ValueError, RecursionError):
        return None
    is_audit = isinstance(document, dict) and document.get("format") == FORMAT
    return document if is_audit else None
