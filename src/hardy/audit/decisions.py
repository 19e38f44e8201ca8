"""What people decided on doubtful rows: an append-only file beside the audit."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from hardy._files import as_path
from hardy._quoting import as_utf8, quote, quote_all
from hardy.audit import _ledger
from hardy.audit._identity import FileRows, Rows, fingerprint, to_json, to_name
from hardy.audit._ledger import NotSavedError
from hardy.audit._log import VERDICTS, Log, Verdict
from hardy.exceptions import InputError

__all__ = ["ConflictError", "Decision", "Decisions", "FileRows", "NotSavedError", "Verdict"]

DECISIONS = "decisions.sqlite"
SETTLING = ("keep", "relabel", "drop")
LONGEST_NOTE = 10_000


class ConflictError(InputError):
    """Somebody else has decided on the row in the meantime; `current` is what they decided.

    Examples
    --------
    >>> from hardy.audit.decisions import ConflictError
    >>> issubclass(ConflictError, ValueError)
    True
    """

    def __init__(self, message: str, current: "Decision | None") -> None:
        super().__init__(message)
        self.current = current


@dataclass(frozen=True)
class Decision:
    """What one person said of one row at one time.

    Attributes
    ----------
    number : int
        Counts all decisions of an audit; it is the version of its row.
    row : int
        The row's position, counted from 0.
    verdict : {"keep", "relabel", "drop", "skip", "open"}
        The label is right, it should be `label`, the row is to be left out, it is for later, or
        nothing was decided (or no longer).
    label : object or None
        The right label, with ``"relabel"``.
    note : str
        Why, in the person's words.
    person : str
        Who.
    made : str
        When, in universal time.
    undoes : int or None
        The number of the decision that this one takes back.

    Examples
    --------
    >>> from hardy.audit import Decision
    >>> Decision(1, 0, "relabel", "a").is_settled, Decision(2, 3, "skip").is_settled
    (True, False)
    """

    number: int
    row: int
    verdict: Verdict
    label: Any = None
    note: str = ""
    person: str = ""
    made: str = ""
    undoes: int | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the row needs no more thought."""
        return self.verdict in SETTLING


class Decisions:
    """The decisions on the rows of an audit, in a file beside it.

    Every decision is on the disk before :meth:`record` returns. None is ever changed: undoing one
    appends another. Several people, windows and programs may write at once; who decides on a row
    says which version of it they saw, so that nobody overwrites what they haven't seen.

    Parameters
    ----------
    folder : path-like
        The audit's folder. The file in it is made by the first decision.
    audit : LabelAudit or FileRows
        The audit in it, or the rows that it is to be made of, which say which row is which.

    Examples
    --------
    >>> import tempfile
    >>> import hardy
    >>> from hardy.audit.decisions import Decisions
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     decisions = Decisions(folder, audit)
    ...     first = decisions.record(3, "relabel", label="a", person="Ada")
    ...     decisions.latest()[3].label, len(decisions.history())
    ('a', 1)
    """

    def __init__(self, folder: str | PathLike[str], audit: Rows) -> None:
        self.path = as_path(folder) / DECISIONS
        self._audit = audit
        self._classes = {to_json(label): label for label in audit.classes.tolist()}
        self._log = Log(self._recognise)

    # What takes a look at every row waits until there is a decision.
    @cached_property
    def _audited(self) -> _ledger.Audited:
        known = [self._audit.source.get(fact) for fact in ("path", "target")]
        told = (None if fact is None else as_utf8(fact) for fact in known)
        return _ledger.Audited(fingerprint(self._audit), *told)

    @cached_property
    def _place(self) -> dict[str, int]:
        """The rows by their names; none where these only count, or come twice."""
        index = self._audit.index
        if isinstance(index, pd.RangeIndex):
            return {}
        place = {to_name(name): row for row, name in enumerate(index)}
        return place if len(place) == len(index) else {}

    def record(
        self,
        row: int,
        verdict: Verdict,
        *,
        label: Any = None,
        note: str = "",
        person: str = "",
        version: int | None = None,
    ) -> Decision:
        """Write down a decision; it is on the disk when this returns.

        Parameters
        ----------
        row : int
            The row's position, counted from 0.
        verdict : {"keep", "relabel", "drop", "skip", "open"}
            See :class:`Decision`.
        label : object, optional
            The right label, one of the audit's classes; only with ``"relabel"``.
        note : str, default=""
            Why.
        person : str, default=""
            Who.
        version : int, optional
            The number of the row's last decision that the person saw, 0 where there was none. By
            default whatever is there is overruled.

        Returns
        -------
        Decision
            What was written, or what is there already where it says the same.

        Raises
        ------
        ConflictError
            Where the row has a decision that the person didn't see.
        NotSavedError
            Where it can't be written; nothing is changed then.
        InputError
            Where there is no such row, verdict or label.
        """
        self._check(row, verdict, label, note)
        note, person = as_utf8(note), as_utf8(person)
        if verdict == "relabel" and to_json(label) == to_json(self._audit.given_labels[row]):
            verdict, label = "keep", None
        with _ledger.writing(self.path) as connection:
            current = self._read(connection).get(row)
            _ledger.add_audit(connection, self._audited)
            seen = 0 if current is None else current.number
            if version is not None and version != seen:
                if current is not None and _says(current) == (verdict, label, note, person):
                    return current
                raise ConflictError(_describe_conflict(current), current)
            return self._append(connection, row, verdict, label, note, person)

    def undo(self, person: str, among: Collection[int] | None = None) -> Decision:
        """Take back a person's last decision that wasn't taken back yet.

        Parameters
        ----------
        person : str
            Who.
        among : collection of int, optional
            The numbers of the decisions that may be taken back, under whatever name they were
            made; by default all of this person's.

        Returns
        -------
        Decision
            The row's new state, which is the one before.

        Raises
        ------
        ConflictError
            Where somebody else has decided on the row since.
        InputError
            Where there is nothing to take back.
        """
        with _ledger.writing(self.path) as connection:
            log = self._list(connection)
            undone = {entry.undoes for entry in log}
            standing = [e for e in log if e.undoes is None and e.number not in undone]
            own = [
                entry
                for entry in standing
                if (entry.person == person if among is None else entry.number in among)
            ]
            if not own:
                raise InputError("There is nothing to undo.")
            last = own[-1]
            of_row = [entry for entry in standing if entry.row == last.row]
            if of_row[-1] is not last:
                raise ConflictError(_describe_conflict(of_row[-1]), of_row[-1])
            before = of_row[-2] if len(of_row) > 1 else Decision(0, last.row, "open")
            return self._append(
                connection, last.row, before.verdict, before.label, before.note, person, last.number
            )

    def latest(self) -> dict[int, Decision]:
        """Give the last decision on each row that has one.

        Returns
        -------
        dict of int to Decision
            By the position of the row.
        """
        with _ledger.reading(self.path) as connection:
            return {} if connection is None else self._read(connection)

    def settled(self) -> dict[int, Decision]:
        """Give the decisions that settle their row: keep, relabel and drop.

        Returns
        -------
        dict of int to Decision
            By the position of the row.
        """
        return {row: entry for row, entry in self.latest().items() if entry.is_settled}

    def history(self) -> list[Decision]:
        """Give every decision on rows that are there.

        Returns
        -------
        list of Decision
            The first one first.
        """
        with _ledger.reading(self.path) as connection:
            return [] if connection is None else self._list(connection)

    def lost(self) -> int:
        """Count the decisions on rows that aren't in the audit, or have another label there.

        Returns
        -------
        int
            Their number.
        """
        with _ledger.reading(self.path) as connection:
            if connection is None:
                return 0
            self._list(connection)
            return self._log.n_left_out

    def _check(self, row: int, verdict: str, label: Any, note: str) -> None:
        if not 0 <= row < len(self._audit.given_labels):
            raise InputError(f"There is no row {row + self._audit.first_row} in this audit.")
        if verdict not in VERDICTS:
            raise InputError(f"verdict={verdict!r} is unknown; choose {', '.join(VERDICTS)}.")
        if (verdict == "relabel") != (label is not None):
            raise InputError("A label belongs to the verdict relabel, and to no other.")
        if label is not None and to_json(label) not in self._classes:
            known = quote_all(self._audit.classes)
            raise InputError(f"{quote(label)} is none of the labels {known}.")
        if len(note) > LONGEST_NOTE:
            raise InputError(f"A note may have {LONGEST_NOTE:,} letters; this has {len(note):,}.")

    def _append(
        self,
        connection: sqlite3.Connection,
        row: int,
        verdict: Verdict,
        label: Any,
        note: str,
        person: str,
        undoes: int | None = None,
    ) -> Decision:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        # Never one that was given before an older copy was put back: pages and browsers know it.
        number = self._log.highest + 1
        connection.execute(
            "INSERT INTO decisions (number, row, verdict, label, note, person, made, undoes, "
            "given, name, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                row,
                verdict,
                None if label is None else to_json(label),
                note,
                person,
                made,
                undoes,
                to_json(self._audit.given_labels[row]),
                to_name(self._audit.index[row]),
                self._audited.source,
            ),
        )
        self._log.highest = number
        return Decision(number, row, verdict, label, note, person, made, undoes)

    def _read(self, connection: sqlite3.Connection) -> dict[int, Decision]:
        return {entry.row: entry for entry in self._list(connection)}

    def _list(self, connection: sqlite3.Connection) -> list[Decision]:
        _ledger.refuse_other(connection, self.path, self._audited)
        return self._log.read(connection)

    def _recognise(
        self,
        number: int,
        row: int,
        verdict: Verdict,
        label: str | None,
        note: str,
        person: str,
        made: str,
        undoes: int | None,
        given: str,
        name: str,
        source: str,
    ) -> Decision | None:
        """Find the row of a decision in this audit; None where it isn't there any more."""
        if source != self._audited.source:
            row = self._place.get(name, -1)
            if row < 0 or to_json(self._audit.given_labels[row]) != given:
                return None
        if not 0 <= row < len(self._audit.given_labels) or not (
            label is None or label in self._classes
        ):
            return None
        right = None if label is None else self._classes[label]
        return Decision(number, row, verdict, right, note, person, made, undoes)


def read_latest(folder: str | PathLike[str], audit: Rows) -> dict[int, Decision]:
    """Give the last decision on each row of an audit, and refuse a folder of other data."""
    place = as_path(folder)
    if not place.is_dir():
        raise InputError(f"There is no folder {place} of decisions; name this audit's.")
    decisions = Decisions(place, audit)
    found = decisions.latest()
    if not found and decisions.lost():
        raise InputError(
            f"None of the decisions in {decisions.path} is on a row of this audit; name its folder."
        )
    return found


def claim_decisions(folder: Path) -> None:
    """Refuse a folder in which no decision could be written, before anybody has made one."""
    _ledger.claim(folder / DECISIONS)


def _says(decision: Decision) -> tuple[Any, ...]:
    return decision.verdict, decision.label, decision.note, decision.person


def _describe_conflict(current: Decision | None) -> str:
    if current is None:
        return "The row was decided on by nobody; look at it again."
    who = current.person or "Somebody"
    what = {
        "keep": "kept the label of this row",
        "relabel": f"gave this row the label {quote(current.label)}",
        "drop": "dropped this row",
        "skip": "skipped this row",
        "open": "opened this row again",
    }[current.verdict]
    return f"{who} {what} while you were looking at it, so yours was not saved."
