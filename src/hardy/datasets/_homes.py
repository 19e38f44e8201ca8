"""Where data sets are looked for."""

import os
from pathlib import Path

from sklearn import datasets

from hardy._files import as_path
from hardy.exceptions import InputError


def data_homes(data_home: str | os.PathLike[str] | None) -> list[Path]:
    """List the folders to look in, the one in which fetched data are kept last."""
    homes = [] if data_home is None else [as_path(data_home)]
    if homes and not homes[0].is_dir():
        raise InputError(f"data_home={str(homes[0])!r} is no folder; name one, or leave it out.")
    if folder := os.environ.get("HARDY_DATA"):
        homes.append(Path(folder))
    return [*homes, Path(datasets.get_data_home(), "hardy")]
