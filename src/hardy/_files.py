"""Files are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hardy.exceptions import InputError


def as_path(place: Any) -> Path:
    """Take the name of a file or folder; anything else is refused, numbers and NUL included."""
    if not isinstance(place, str | os.PathLike) or "\0" in os.fsdecode(place):
        raise InputError(f"{place!r} is no path of a file or a folder.")
    return Path(os.fsdecode(place))


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    Parameters
    ----------
    path : path-like
        Where the file is to be.
    mode : {"w", "wb"}, default="w"
        Text (UTF-8, line ends as written) or bytes.

    Yields
    ------
    file object
        Open for writing. If the block raises, `path` is left as it was.

    Raises
    ------
    InputError
        Where `path` is a folder, a device or a pipe, which a file must not replace.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_write(Path(folder) / "a.txt") as file:
    ...         _ = file.write("whole")
    ...     (Path(folder) / "a.txt").read_text()
    'whole'
    """
    # A link stays a link: the file that it names is replaced.
    try:
        target = as_path(path).resolve()
    except RuntimeError:  # Before Python 3.13.
        raise InputError(
            f"{path} is a link that leads back to itself; name another file."
        ) from None
    refuse_special_file(target)
    try:
        descriptor, name = tempfile.mkstemp(
            # Short, so that it isn't longer than the longest name that a file may have.
            dir=target.parent,
            prefix=".",
            suffix=".part",
        )
    except OSError as error:
        # The name of the temporary file would tell the user nothing.
        error.filename = str(target)
        raise
    temporary = Path(name)
    try:
        with _open(descriptor, mode) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        # A full disk is told without saying where.
        error.filename = error.filename or str(target)
        raise
    else:
        # mkstemp makes files that only their owner can read; an ordinary file follows the umask.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _open(descriptor: int, mode: str) -> IO[Any]:
    if "b" in mode:
        return os.fdopen(descriptor, mode)
    # Half a character, as names of files may have, is written as an escape.
    return os.fdopen(descriptor, mode, encoding="utf-8", errors="backslashreplace", newline="")


def refuse_special_file(path: Path) -> None:
    """Refuse devices, pipes and the like: a whole file can't be written into their place."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no regular file, so it can't be written; name another file.")


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Say where the input is that can't be used."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


@contextmanager
def reading(place: Path) -> Iterator[None]:
    """Name the place that can't be read."""
    try:
        yield
    # Before Python 3.13 a link that leads back to itself is a RuntimeError.
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{place} can't be read: {reason}.") from error


@contextmanager
def writing(place: Path, remedy: str) -> Iterator[None]:
    """Name the place that was asked for, not a temporary file in it, where it can't be written."""
    try:
        if not place.exists() and not place.parent.is_dir():
            raise InputError(f"{place} can't be made: {place.parent} is no folder. {remedy}")
        yield
    except OSError as error:
        raise InputError(
            f"{place} can't be written ({error.strerror or error}). {remedy}"
        ) from error
