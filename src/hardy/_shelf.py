"""Large arrays, in memory or in a folder, and what is done already with them."""

import json
import math
import mmap
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy._archives import read_header
from hardy._memory import give_back, resident_memory
from hardy.exceptions import InputError

# Sums over rows are made of the sums of so many, wherever the rows lie, so that they round alike.
BLOCK_ROWS = 20_000
_STEPS = "steps.txt"
# Of an array, the part that says of what it is: the numbers behind it change with every step.
_MARKED = 128
# In so little time no more than some tens of megabytes are read.
_SECONDS_BETWEEN_LOOKS = 0.005


def blocks(n_rows: int) -> Iterator[slice]:
    """Give the places of rows in parts of `BLOCK_ROWS`."""
    for start in range(0, n_rows, BLOCK_ROWS):
        yield slice(start, min(start + BLOCK_ROWS, n_rows))


def release(*arrays: NDArray[Any]) -> None:
    """Give back the memory of those arrays that lie in files; they can be used on."""
    for array in arrays:
        mapped = getattr(array, "_mmap", None)
        # Where the system can't be advised, it takes the memory back when it is short of it.
        if mapped is not None and hasattr(mapped, "madvise"):
            mapped.madvise(mmap.MADV_DONTNEED)


@contextmanager
def releasing(array: NDArray[Any], most: int) -> Iterator[None]:
    """Keep this process's memory below `most` bytes while an array in a file is worked through.

    Whoever reads the array knows nothing of it: its pages are given back whenever there is too
    much, and are read again where they are needed.
    """
    ended = Event()

    def watch() -> None:
        while not ended.wait(_SECONDS_BETWEEN_LOOKS):
            # Where it isn't known how much there is, the system sees to it.
            if resident_memory() > most:
                release(array)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


class Shelf:
    """Arrays in memory, of work that is done in one go.

    Examples
    --------
    >>> shelf = Shelf()
    >>> shelf.zeros("counts", (2,), np.int64), shelf.is_done("counting")
    (array([0, 0]), False)
    """

    def zeros(self, name: str, shape: tuple[int, ...], dtype: Any = np.float64) -> NDArray[Any]:
        """Give the array of this name: the one of before where a step of it is done, or zeros."""
        return np.zeros(shape, dtype)

    def keep(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Put an array where large ones are kept."""
        return array

    def is_done(self, step: str) -> bool:
        """Tell whether a step was finished, in this run or in one before that was cut off."""
        return False

    def finish(self, step: str, *arrays: NDArray[Any]) -> None:
        """Note that a step is finished, and that what it wrote into these arrays is whole."""

    def tell(self, share: float) -> None:
        """Tell what share of the work at hand is done."""


MEMORY = Shelf()


class DiskShelf(Shelf):
    """Arrays in files of a folder, where another run goes on from the last finished step.

    Parameters
    ----------
    folder : Path
        An existing folder of its own.
    listener : callable, optional
        Called with what :meth:`tell` is told.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = DiskShelf(Path(folder)).zeros("counts", (2,), np.int64)
    ...     counts[1] = 7
    ...     DiskShelf(Path(folder)).finish("counting", counts)
    ...     again = DiskShelf(Path(folder))
    ...     again.is_done("counting"), again.zeros("counts", (2,), np.int64).tolist()
    (True, [0, 7])
    """

    def __init__(self, folder: Path, listener: Callable[[float], None] | None = None) -> None:
        self.folder = folder
        self._listener = listener
        self._done, self._marks = _read_steps(folder)

    def zeros(self, name: str, shape: tuple[int, ...], dtype: Any = np.float64) -> NDArray[Any]:
        """Give the array of this name; see :meth:`Shelf.zeros`."""
        path = self.folder / f"{name}.npy"
        if _holds(path, shape, np.dtype(dtype)):
            return np.lib.format.open_memmap(path, mode="r+")
        self._marks.pop(path.name, None)
        unfinished = path.with_suffix(".part")
        made = np.lib.format.open_memmap(unfinished, mode="w+", dtype=dtype, shape=shape)
        # A file with holes would find out that the disk is full when it is too late to say so.
        _reserve(unfinished)
        made.flush()
        unfinished.replace(path)
        return made

    def keep(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Put an array into a file; see :meth:`Shelf.keep`."""
        kept = self.zeros(name, array.shape, array.dtype)
        for rows in blocks(len(array)):
            kept[rows] = array[rows]
            release(kept)
        return kept

    def is_done(self, step: str) -> bool:
        """Tell whether a step was finished; see :meth:`Shelf.is_done`."""
        return step in self._done

    def finish(self, step: str, *arrays: NDArray[Any]) -> None:
        """Note that a step is finished; see :meth:`Shelf.finish`."""
        for array in arrays:
            # The ignored type: arrays of this shelf are memory maps.
            array.flush()  # type: ignore[attr-defined]
            release(array)
        marks = {
            path.name: _mark(path)
            for path in self.folder.iterdir()
            if path.name not in {*self._marks, _STEPS} and path.suffix != ".part" and path.is_file()
        }
        with (self.folder / _STEPS).open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps([step, marks])}\n")
            file.flush()
            os.fsync(file.fileno())
        self._done.add(step)
        self._marks.update(marks)
        give_back()

    def tell(self, share: float) -> None:
        """Tell what share of the work at hand is done; see :meth:`Shelf.tell`."""
        if self._listener is not None:
            self._listener(share)

    def within(self, name: str, listener: Callable[[float], None] | None = None) -> "DiskShelf":
        """Give a shelf in a folder of this one."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return DiskShelf(folder, listener or self._listener)


def is_whole(folder: Path) -> bool:
    """Tell whether a shelf's files are as its finished steps left them, in folders within it too.

    Links, pipes and files that have another name elsewhere are none of a shelf's: who writes into
    them would write elsewhere.
    """
    try:
        files = set()
        for path in folder.iterdir():
            facts = path.lstat()
            if stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1:
                files.add(path.name)
            elif not stat.S_ISDIR(facts.st_mode) or not is_whole(path):
                return False
        _, marks = _read_steps(folder)
        return all(name in files and _mark(folder / name) == marks[name] for name in marks)
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _read_steps(folder: Path) -> tuple[set[str], dict[str, list[int]]]:
    """Give the finished steps, and the marks of the files that were there at the end of them."""
    done: set[str] = set()
    marks: dict[str, list[int]] = {}
    steps = folder / _STEPS
    lines = steps.read_text("utf-8").splitlines(keepends=True) if steps.exists() else []
    for line in lines:
        # A line without an end was cut off.
        if line.endswith("\n"):
            step, marked = json.loads(line)
            done.add(step)
            marks.update(marked)
    return done, marks


def _mark(path: Path) -> list[int]:
    """Give a file's length, and a sum over its beginning."""
    with path.open("rb") as file:
        return [path.stat().st_size, zlib.crc32(file.read(_MARKED))]


def _holds(path: Path, shape: tuple[int, ...], dtype: "np.dtype[Any]") -> bool:
    """Tell whether a file holds a whole array of this shape and type."""
    try:
        with path.open("rb") as file:
            *found, n_header = read_header(file)
    except (OSError, InputError):
        return False
    size = n_header + dtype.itemsize * math.prod(shape)
    return found == [shape, dtype] and path.stat().st_size == size


def _reserve(path: Path) -> None:
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
