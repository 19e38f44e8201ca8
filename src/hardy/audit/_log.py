"""The entries of a file of decisions, each read once however often they are asked for."""

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry")
_SELECT = (
    "SELECT number, row, verdict, label, note, person, made, undoes, given, name, source "
    "FROM decisions"
)


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
    """

    def __init__(self, recognise: Callable[..., Entry | None]) -> None:
        self._recognise = recognise
        self._lock = threading.Lock()
        self.highest = 0
        self._forget()

    def _forget(self) -> None:
        self._last: tuple[Any, ...] | None = None
        self._entries: list[Entry] = []

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
            for self._last in new:
                entry = self._recognise(*self._last)
                if entry is not None:
                    self._entries.append(entry)
            self.highest = max(self.highest, self._last[0] if self._last is not None else 0)
            return list(self._entries)
