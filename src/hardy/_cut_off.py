"""Long work that can be cut off: the place of what is done, how far it is, and the time left."""

import json
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hardy._files import writing
from hardy._shelf import DiskShelf, is_whole
from hardy._steps import Progress, Step
from hardy.exceptions import InputError

# What a step takes of the whole, from and to.
Shares = Mapping[Step, tuple[float, float]]

_FACTS, _LOCK = "work.json", "lock"
_REMEDY = "Free some room there, or choose an output on another disk."
_TOLD = 1000


@contextmanager
def working_place(output: Path, facts: Mapping[str, Any]) -> Iterator[DiskShelf]:
    """Give a place beside an output for what is kept while it is made.

    What another run left there is used again if it was of the same facts, such as the file's
    checksum, and is as it was left. The place is removed at the end, and where the input can't be
    used; it stays where the run is cut off.

    Parameters
    ----------
    output : Path
        The file or folder that is made.
    facts : mapping
        Plain values.

    Yields
    ------
    DiskShelf
        In a hidden folder.

    Raises
    ------
    InputError
        Where something that Hardy didn't make, or a folder of another user's, has the place's name,
        or another run is working.
    """
    place = output.parent / f".{output.name}.part"
    with writing(place, _REMEDY):
        _make(place)
        with (place / _LOCK).open("a") as lock:
            _refuse_second(lock, output)
            # In this order: a pipe that somebody has put there would be read for ever.
            if not is_whole(place) or _read_facts(place) != facts:
                _clear(place)
                (place / _FACTS).write_text(json.dumps(facts), "utf-8")
            try:
                yield DiskShelf(place)
            # What is kept may be what can't be used.
            except (ValueError, OSError):
                shutil.rmtree(place, ignore_errors=True)
                raise
    shutil.rmtree(place, ignore_errors=True)


def _make(place: Path) -> None:
    """Make the folder or take the one of before; nothing is ever written through a link."""
    try:
        place.mkdir(mode=stat.S_IRWXU)
    except FileExistsError:
        if not stat.S_ISDIR(place.lstat().st_mode):
            raise InputError(
                f"{place}, where Hardy would keep its work, is no folder; remove it."
            ) from None
        _refuse_others(place)
    lock = place / _LOCK
    try:
        is_file = stat.S_ISREG(lock.lstat().st_mode)
    except FileNotFoundError:
        if any(place.iterdir()):
            raise InputError(
                f"{place}, where Hardy would keep its work, holds something else; move it away."
            ) from None
    else:
        if not is_file:
            raise InputError(f"{lock} is no regular file; remove it.")


def _refuse_others(place: Path) -> None:
    """Refuse a folder of another user, who could swap its files while they are used."""
    # Not by the number of this user: some disks give all that is made on them to another one.
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".", suffix=".part") as own:
        if place.lstat().st_uid == Path(own).stat().st_uid:
            return
    raise InputError(
        f"{place}, where Hardy would keep its work, belongs to another user; remove it, or choose "
        "an output in another folder."
    )


def _read_facts(place: Path) -> Any:
    try:
        return json.loads((place / _FACTS).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _clear(place: Path) -> None:
    for entry in place.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != _LOCK:
            entry.unlink()


def _refuse_second(lock: IO[str], output: Path) -> None:
    """Refuse to work at a place where another process is working; its end frees the place."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"Another run is working at {output}; wait for its end.") from None


class Clock:
    """What is being done, how much of the whole is done, and how long the rest will take.

    Parameters
    ----------
    progress : callable or None
        Called with a text, the number of thousandths done, and 1,000.
    shares : mapping of Step to tuple of two floats
        From where to where each step takes of the whole.
    """

    def __init__(self, progress: Progress | None, shares: Shares) -> None:
        self._progress = progress
        self._shares = shares
        self._start = time.monotonic()
        self._first: float | None = None
        self._told = ("", -1)
        self._member = ("", 0, 1)

    def tell(self, text: str, done: int, total: int) -> None:
        """Tell how much of a step is done."""
        if self._progress is None:
            return
        if text.startswith(Step.ASKING):
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
            (ends for start, ends in self._shares.items() if text.startswith(start)), (0.0, 0.0)
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
