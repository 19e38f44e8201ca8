"""The entries of a file of decisions, each read once however often they are asked for."""

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar, get_args

Verdict = Literal["keep", "relabel", "drop", "skip", "open"]
VERDICTS = get_args(Verdict)

Entry = TypeVar("Entry")
_SELECT = (
    "SELECT number, row, verdict, label, note, person, made, undoes, given, name, source "
    "FROM decisions"
)
# SQLite keeps values of any type in any column.
_TYPES = (int, int, str, str | None, str, str, str, int | None, str, str, str)
# Pages count in floats.
_HIGHEST = 2**53


class Log(Generic[Entry]):
    """What was read of a file that only grows; the next time only what is new is read.

    Parameters
    ----------
    recognise : callable
        Makes an entry of the fields of a line, or None where it doesn't count.

    Attributes
    ----------
    highest : int
        The highest number that there ever was, also where an older copy was put back since.
    n_left_out : int
        How many lines don't count.

    Raises
    ------
    sqlite3.DatabaseError
        By :meth:`read`, where a line is none that can have been written.
    """

    def __init__(self, recognise: Callable[..., Entry | None]) -> None:
        self._recognise = recognise
        self._lock = threading.Lock()
        self.highest = 0
        self._forget()

    def _forget(self) -> None:
        self._last: tuple[Any, ...] | None = None
        self._entries: list[Entry] = []
        self.n_left_out = 0

    def read(self, connection: sqlite3.Connection) -> list[Entry]:
        """Give all entries that count, the first one first."""
        with self._lock:
            if self._last is not None:
                known = connection.execute(f"{_SELECT} WHERE number = ?", self._last[:1])
                # An older copy was put back in its place.
                if known.fetchone() != self._last:
                    self._forget()
            after = self._last[0] if self._last is not None else 0
            new = connection.execute(f"{_SELECT} WHERE number > ? ORDER BY number", (after,))
            for line in new:
                _refuse_damage(line, after)
                self._last, after = line, line[0]
                entry = self._recognise(*line)
                if entry is None:
                    self.n_left_out += 1
                else:
                    self._entries.append(entry)
            self.highest = max(self.highest, self._last[0] if self._last is not None else 0)
            return list(self._entries)


def _refuse_damage(line: tuple[Any, ...], before: int) -> None:
    """Refuse a line that nothing of Hardy's has written, or that comes out of turn."""
    number, _, verdict, label = line[:4]
    if not (
        all(map(isinstance, line, _TYPES))
        and before < number < _HIGHEST
        and verdict in VERDICTS
        and (verdict == "relabel") == (label is not None)
    ):
        raise sqlite3.DatabaseError(f"decision {number} is none that can be made")
