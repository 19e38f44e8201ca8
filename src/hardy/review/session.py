"""An audit under review: what is known of it, renewed when its folder is."""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardy._quoting import shown
from hardy.audit._folder import DOCUMENT, place_of
from hardy.audit.again import audit_again
from hardy.audit.decisions import Decision, Decisions
from hardy.audit.estimates import errors_left
from hardy.audit.result import LabelAudit
from hardy.audit.storage import load_audit
from hardy.exceptions import InputError
from hardy.review.evidence import Evidence
from hardy.review.gathering import Gathering
from hardy.review.queue import changes_of, list_rows, state_of

_MOST_CHANGES = 100


@dataclass(frozen=True)
class Progress:
    """How far a review has come.

    Attributes
    ----------
    done, total : int
        How many rows are settled, of how many.
    skipped : int
        How many are for later.
    errors, low, high : int
        The estimated wrong labels among the suspects that are left, and the interval for them.
    """

    done: int
    total: int
    skipped: int
    errors: int
    low: int
    high: int

    @property
    def next_state(self) -> str:
        """Which rows to go on with: open ones, else skipped ones, else all."""
        if self.done + self.skipped < self.total:
            return "open"
        return "skip" if self.skipped else "all"


class State:
    """An audit as it stands in its folder, with its decisions and its data.

    Parameters
    ----------
    folder : Path
        The audit's folder.
    file : path-like, optional
        The audited file, where it was moved.

    Raises
    ------
    InputError
        Where the folder holds no audit, or the file was changed since.
    """

    def __init__(self, folder: Path, file: Any = None) -> None:
        self.audit: LabelAudit = load_audit(folder)
        self.decisions = Decisions(folder, self.audit)
        self._gathering = Gathering(self.audit, file)

    @property
    def evidence(self) -> Evidence:
        """What is seen of the rows by now."""
        return self._gathering.now()

    @property
    def whole_evidence(self) -> Evidence:
        """What is seen of the rows once all is read."""
        return self._gathering.whole()

    def progress(self, latest: Mapping[int, Decision]) -> Progress:
        """Say how far the review has come."""
        rows = list_rows(self.audit, latest).tolist()
        states = Counter(state_of(latest.get(row)) for row in rows)
        settled = {row: decision for row, decision in latest.items() if decision.is_settled}
        left = errors_left(self.audit, settled)
        return Progress(states["settled"], len(rows), states["skip"], *map(round, left))

    def changes(self, latest: Mapping[int, Decision]) -> list[tuple[str, str, int]]:
        """Give each change of label that is suggested, in words, with the number of its rows."""
        counts = Counter(changes_of(self.audit, list_rows(self.audit, latest)))
        return [
            (change, " → ".join(map(self._name, change.rsplit("-", 1))), n)
            for change, n in counts.most_common(_MOST_CHANGES)
        ]

    def _name(self, code: str) -> str:
        # No label is −1, whose minus stands before the hyphen.
        return shown(self.audit.classes[int(code)], 40) if code.isdigit() else "no label"


class Session:
    """A folder under review, in any number of windows and servers.

    Parameters
    ----------
    folder : Path
        The audit's folder.
    file : path-like, optional
        The audited file, where it was moved.

    Raises
    ------
    InputError
        Where the folder holds no audit, or the file was changed since.
    """

    def __init__(self, folder: Path, file: Any = None) -> None:
        self.folder, self.file = folder, file
        self._lock = threading.Lock()
        self._stamp = self._read_stamp()
        self._state = State(folder, file)
        self._audit_again = threading.Thread()
        self.step = ("", 0, 1)
        self.failure = ""

    def state(self) -> State:
        """Give the audit as it stands; another program may have renewed it."""
        with self._lock:
            stamp = self._read_stamp()
            if stamp != self._stamp:
                self._state, self._stamp = State(self.folder, self.file), stamp
            return self._state

    @property
    def is_auditing(self) -> bool:
        """Whether the file is being audited again."""
        return self._audit_again.is_alive()

    def audit_again(self) -> None:
        """Start to audit the file again, with what was settled, unless that is going on."""
        with self._lock:
            if not self.is_auditing:
                self.failure, self.step = "", ("Reading the file", 0, 1)
                self._audit_again = threading.Thread(target=self._run, daemon=True)
                self._audit_again.start()

    def _run(self) -> None:
        def report(text: str, done: int, total: int) -> None:
            self.step = (text, done, total)

        try:
            audit_again(self.folder, file=self.file, progress=report)
        except (InputError, OSError, MemoryError) as error:
            self.failure = str(error) or "There is not enough memory for this."

    def _read_stamp(self) -> tuple[int, ...]:
        try:
            facts = place_of(self.folder, DOCUMENT).stat()
        except OSError:
            return ()
        return facts.st_mtime_ns, facts.st_size, facts.st_ino
