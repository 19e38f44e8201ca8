"""An audit that needs less memory than its table: where it keeps what, and how far it is."""

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from hardy._files import writing
from hardy._memory import parse_memory_limit, peak_memory, written_size
from hardy._shelf import DiskShelf
from hardy._versions import used_versions
from hardy.exceptions import InputError
from hardy.panel.views import MOST_ROWS
from hardy.tabular import Table
from hardy.tabular._long_texts import digest
from hardy.tabular.reading import shortest_labels
from hardy.tabular.stored import shelf_of
from hardy.tabular.streaming import stream_table

Reader = Callable[..., Table]
Progress = Callable[[str, int, int], None]

_FACTS, _LOCK = "work.json", "lock"
_REMEDY = "Free some room there, or choose an output folder on another disk."
# What a step takes of the whole, as measured with a million rows of 20 columns.
_SHARES = {
    "Checking": (0.0, 0.01),
    "Looking for": (0.01, 0.06),
    "Looking at": (0.06, 0.12),
    "Storing": (0.12, 0.2),
    "Asking": (0.2, 0.85),
    "Mixing": (0.85, 0.9),
    "Writing": (0.95, 1.0),
}
_TOLD = 1000
# Beside the libraries: numbers of the sample that the panel learns from, in the forms that it is
# held in at once, and numbers for each row of the table.
_FORMS, _PER_ROW, _LEAST = 8, 250, 40_000_000


@contextmanager
def streaming(
    path: Path,
    folder: Path,
    memory_limit: object,
    options: object,
    progress: Progress | None,
) -> Iterator[tuple[Reader, Progress]]:
    """Give what reads a table into a place on disk, and what tells of progress.

    Parameters
    ----------
    path : Path
        The table's file.
    folder : Path
        The folder of the audit.
    memory_limit : str or int
        As :func:`hardy.audit.audit_file` takes it.
    options : object
        Whatever else the result depends on, as its `repr` tells.
    progress : callable or None
        Called with a text, how much is done, and how much there is.

    Yields
    ------
    reader, progress : callables
        As :func:`hardy.tabular.read_table`, and as `progress`.
    """
    limit, base = parse_memory_limit(memory_limit), peak_memory()
    check_limit(limit, base)
    clock = Clock(progress)
    sha256 = digest(path, clock.tell)
    facts = {
        "sha256": sha256,
        "options": repr(options),
        "versions": used_versions(),
    }

    def read(path: Path, **named: Any) -> Table:
        table = stream_table(path, shelf, sha256, clock.tell, **named)
        frame = table.frame
        check_limit(limit, base, frame.shape[1], len(frame))
        if len(frame) > MOST_ROWS:
            return replace(table, frame=frame.on(shelf.within("panel", clock.tell_judged)))
        frame = frame.take(np.arange(len(frame)))
        target = named["target"]
        if table.source.format == "text" and target is not None:
            frame[target] = shortest_labels(frame[target])
        return replace(table, frame=frame)

    with working_place(folder, facts) as shelf:
        yield read, clock.tell


def with_settled(features: Any, settled: Mapping[int, Any]) -> Any:
    """Keep what is learnt from settled labels apart from what was learnt from others."""
    shelf = shelf_of(features)
    if not settled or not isinstance(shelf, DiskShelf):
        return features
    made_of = hashlib.sha256(repr(sorted(settled.items())).encode()).hexdigest()
    return features.on(shelf.within(made_of[:16]))


@contextmanager
def working_place(folder: Path, facts: Mapping[str, Any]) -> Iterator[DiskShelf]:
    """Give a place beside an audit's folder for what is kept while it is made.

    What another run left there is used again if it was of the same facts, such as the file's
    checksum. The place is removed at the end, and where the input can't be used; it stays where
    the run is cut off.

    Parameters
    ----------
    folder : Path
        The folder of the audit.
    facts : mapping
        Plain values.

    Yields
    ------
    DiskShelf
        In a hidden folder.
    """
    place = folder.parent / f".{folder.name}.part"
    with writing(place, _REMEDY):
        place.mkdir(exist_ok=True)
        with (place / _LOCK).open("w") as lock:
            _refuse_second(lock, folder)
            if _read_facts(place) != facts:
                _clear(place)
                (place / _FACTS).write_text(json.dumps(facts), "utf-8")
            try:
                yield DiskShelf(place)
            except (InputError, OSError):
                shutil.rmtree(place, ignore_errors=True)
                raise
    shutil.rmtree(place, ignore_errors=True)


def _read_facts(place: Path) -> Any:
    try:
        return json.loads((place / _FACTS).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _clear(place: Path) -> None:
    for entry in place.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != _LOCK:
            entry.unlink()


def _refuse_second(lock: IO[str], folder: Path) -> None:
    """Refuse to work at a place where another process is working; its end frees the place."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"Another run is working at {folder}; wait for its end.") from None


def check_limit(limit: int, base: int, n_columns: int = 0, n_rows: int = 0) -> None:
    """Refuse a limit of memory that is too small.

    Parameters
    ----------
    limit : int
        The limit in bytes.
    base : int
        What interpreter and libraries take.
    n_columns, n_rows : int
        The shape of the table as numbers; 0 where it isn't known yet.

    Raises
    ------
    InputError
        The message says what would do.
    """
    sampled = 8 * _FORMS * n_columns * min(n_rows, MOST_ROWS)
    needed = base + max(_LEAST, sampled) + _PER_ROW * n_rows
    if limit < needed:
        raise InputError(
            f"A memory limit of {written_size(limit)} is too small: the libraries alone take "
            f"{written_size(base)}, and this needs about {written_size(needed)} in all."
        )


class Clock:
    """What is being done, how much of the whole is done, and how long the rest will take.

    Parameters
    ----------
    progress : callable or None
        Called with a text, the number of thousandths done, and 1,000.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._start = time.monotonic()
        self._first: float | None = None
        self._told = ("", -1)
        self._member = ("", 0, 1)

    def tell(self, text: str, done: int, total: int) -> None:
        """Tell how much of a step is done."""
        if self._progress is None:
            return
        if text.startswith("Asking"):
            self._member = (text, done, total)
        share = self._share_of(text, done / max(total, 1))
        if self._first is None:
            self._first, self._start = share, time.monotonic()
        now = (text, int(_TOLD * share))
        if now != self._told:
            self._told = now
            self._progress(f"{text}{self._left(share)}", now[1], _TOLD)

    def tell_judged(self, share: float) -> None:
        """Tell what share of its rows the member that is asked has judged."""
        text, number, total = self._member
        self.tell_within(text, (number + share) / total)

    def tell_within(self, text: str, share: float) -> None:
        """Tell what share of a step is done."""
        member = self._member
        self.tell(text, int(_TOLD * share), _TOLD)
        self._member = member

    def _share_of(self, text: str, done: float) -> float:
        low, high = next(
            (ends for start, ends in _SHARES.items() if text.startswith(start)), (0.0, 0.0)
        )
        return low + (high - low) * done

    def _left(self, share: float) -> str:
        assert self._first is not None
        gone = share - self._first
        if gone < 0.02:
            return ""
        seconds = (time.monotonic() - self._start) * (1 - share) / gone
        return f", about {write_time(seconds)} left"


def write_time(seconds: float) -> str:
    """Write a time in words.

    Examples
    --------
    >>> write_time(40), write_time(100), write_time(9000)
    ('40 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
