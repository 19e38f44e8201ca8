"""Outputs are checked before any work is done for them."""

import errno
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hardy._files import atomic_write
from hardy.exceptions import InputError


class _OnlyATrialError(Exception):
    """Ends the trial of an output without writing it."""


def check_output(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output file that can't be written or that would replace an input.

    Parameters
    ----------
    output : Path
        The file that is to be written; it is left as it is.
    inputs : iterable of Path
        The files that are read.

    Raises
    ------
    InputError
        The message says why.
    """
    try:
        if output.is_dir():
            raise InputError(f"The output {output} is a folder; name a file.")
        if output.exists() and any(_is_the_same(path, output) for path in inputs):
            raise InputError(f"The output {output} is also an input; name another file.")
        folder = output.absolute().parent
        if not folder.is_dir():
            raise InputError(f"There is no folder {folder} to write {output.name} to.")
        with suppress(_OnlyATrialError), atomic_write(output):
            raise _OnlyATrialError
    # Before Python 3.13 a link that leads back to itself is a RuntimeError.
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"The output {output} can't be written: {reason}.") from error


def _is_the_same(path: Path, output: Path) -> bool:
    """Whether an input, if there is one, is the file that is to be written."""
    try:
        return path.exists() and path.samefile(output)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error


def check_folder_name(folder: Path) -> None:
    """Refuse a name that the file system can't take for an output folder.

    Parameters
    ----------
    folder : Path
        The folder that is to be written; it may exist.

    Raises
    ------
    InputError
        Where the name is too long; everything else is found out later.
    """
    try:
        folder.stat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise InputError(
                f"The output folder {folder} can't be written: {error.strerror}. "
                "Choose another one with --output."
            ) from error
