"""Limits of memory, as people write them, and the memory of this process."""

import ctypes
import mmap
import re
import sys
from contextlib import suppress
from pathlib import Path

from hardy.exceptions import InputError

_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_memory_limit(limit: object) -> int:
    """Read a limit of memory.

    Parameters
    ----------
    limit : str or int
        A number of bytes, or words such as ``"500MB"``, ``"2 GB"`` or ``"1.5GiB"``: kB, MB, GB
        and TB are powers of 1,000, KiB, MiB, GiB and TiB powers of 1,024.

    Returns
    -------
    int
        The number of bytes.

    Raises
    ------
    InputError
        Where it is no size above 0.

    Examples
    --------
    >>> parse_memory_limit("500MB"), parse_memory_limit("1.5 GiB")
    (500000000, 1610612736)
    """
    found = None
    if isinstance(limit, str | int) and not isinstance(limit, bool):
        found = _SIZE.fullmatch(str(limit))
    if found is not None:
        number, unit, binary = found.groups()
        size = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.lower()])
        if size > 0 and not (binary and not unit):
            return size
    raise InputError(f"{limit!r} is no limit of memory: give a size above 0, such as 500MB or 2GB.")


def peak_memory() -> int:
    """Give the most memory that this process has had, in bytes; 0 where it can't be told."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def resident_memory() -> int:
    """Give the memory that this process has now, mapped files included, in bytes; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * mmap.PAGESIZE


def give_back() -> None:
    """Give free memory back to the system at once, where the C library can, and pyarrow's too."""
    # What keeps much for later once it was used; it is imported only where it is needed.
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def held_memory() -> int:
    """Give what this process can't do without now, in bytes: what is in use and the libraries.

    What it has held before and given back isn't counted, save where only the peak can be told.
    """
    give_back()
    return resident_memory() or peak_memory()


def written_size(size: float) -> str:
    """Write a size in MB, rounded up to tens."""
    return f"{-(-int(size) // 10_000_000) * 10}MB"


def written_limit(limit: int) -> str:
    """Write a limit in MB, rounded down, so that it isn't as much as a size that is more.

    Examples
    --------
    >>> written_limit(459_900_000), written_limit(1_000)
    ('459MB', '1,000 bytes')
    """
    megabytes = limit // 1_000_000
    return f"{megabytes}MB" if megabytes else f"{limit:,} bytes"
