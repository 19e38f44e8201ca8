"""Output files are checked before any work is done for them."""

import os
from collections.abc import Iterable
from pathlib import Path

from hardy._files import refuse_special_file
from hardy.exceptions import InputError


def check_output(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output file that can't be written or that would replace an input.

    Parameters
    ----------
    output : Path
        The file that is to be written.
    inputs : iterable of Path
        The files that are read.

    Raises
    ------
    InputError
        The message says why.
    """
    if output.is_dir():
        raise InputError(f"The output {output} is a folder; name a file.")
    refuse_special_file(output)
    if any(output.resolve() == path.resolve() for path in inputs):
        raise InputError(f"The output {output} is also an input; name another file.")
    folder = output.absolute().parent
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder} to write {output.name} to.")
    if not os.access(folder, os.W_OK):
        raise InputError(f"The folder {folder} is not writable.")
