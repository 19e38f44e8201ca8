"""Places that can't be written are told by their own names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardy.exceptions import InputError


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
