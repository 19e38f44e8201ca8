"""The folder of an audit: which files are current, and how all of them are renewed at once.

A folder's files can't be replaced together. So those of a renewal wait, complete, in a folder of
their own within it; from the moment it has its name they are the audit's, and are moved to their
places one by one. Whoever reads looks there first, and what was cut off is finished by the next
that writes.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hardy._files import reading
from hardy.tabular._decoding import refuse_stream

FORMAT = "hardy-audit"
REPORT, SUSPECTS, ARRAYS, DOCUMENT = "report.html", "suspects.csv", "arrays.npz", "audit.json"
FINDINGS, CONSENSUS = "findings.csv", "consensus.csv"
# The document last: as long as a renewal holds it, the other files may be there too.
FILES = (REPORT, SUSPECTS, FINDINGS, CONSENSUS, ARRAYS, DOCUMENT)
_UNFINISHED = (".hardy-", ".part")
_RENEWAL = "renewal".join(_UNFINISHED)


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
    """Give a folder for unfinished files on the same file system, and remove it afterwards."""
    place = folder if folder.is_dir() else folder.parent
    staging = Path(tempfile.mkdtemp(dir=place, prefix=_UNFINISHED[0], suffix=_UNFINISHED[1]))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def publish(staging: Path, folder: Path) -> None:
    """Make the files of a staging folder those of the audit."""
    # mkdtemp makes folders that only their owner can read; an ordinary one follows the umask.
    umask = os.umask(0)
    os.umask(umask)
    staging.chmod(0o777 & ~umask)
    if not folder.is_dir():
        staging.rename(folder)
        return
    finish_renewal(folder)
    staging.rename(folder / _RENEWAL)
    finish_renewal(folder)


def finish_renewal(folder: Path) -> None:
    """Move the files of a renewal that wait to their places, if there are any."""
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
    with suppress(OSError):
        waiting.rmdir()


def _is_renewed(folder: Path) -> bool:
    waiting = folder / _RENEWAL
    # Through a link another folder's files would be moved.
    return waiting.is_dir() and not waiting.is_symlink() and (waiting / DOCUMENT).exists()


def _read(path: Path) -> dict[str, Any] | None:
    refuse_stream(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_audit = isinstance(document, dict) and document.get("format") == FORMAT
    return document if is_audit else None
