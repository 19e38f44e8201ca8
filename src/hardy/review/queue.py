"""Which rows a person sees, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from hardy._labels import encode_labels
from hardy._quoting import shown
from hardy.audit._plain import has_ids
from hardy.audit.decisions import Decision
from hardy.audit.result import LabelAudit
from hardy.review._numbers import read_number

ORDERS = {"doubt": "Most doubtful first", "useful": "Most useful first", "row": "By row"}
STATES = {
    "open": "Open",
    "skip": "Skipped",
    "settled": "Settled",
    "all": "All",
}
_LONGEST_SEARCH = 200


@dataclass(frozen=True)
class View:
    """What a person asked to see.

    Attributes
    ----------
    order : str, default="doubt"
        One of `ORDERS`.
    state : str, default="open"
        One of `STATES`.
    change : str, default=""
        Only rows with this change of label, by the number of its given and suggested class.
    search : str, default=""
        Only rows in whose number, name, labels, reasons or note this stands.

    Examples
    --------
    >>> View(search="F01").query(state="all")
    '?state=all&search=F01'
    """

    order: str = "doubt"
    state: str = "open"
    change: str = ""
    search: str = ""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "View":
        """Take what is known from a query or a form."""
        order, state = values.get("order", ""), values.get("state", "")
        return cls(
            order if order in ORDERS else "doubt",
            state if state in STATES else "open",
            values.get("change", "")[:40],
            values.get("search", "").strip()[:_LONGEST_SEARCH],
        )

    def fields(self, **changes: str) -> dict[str, str]:
        """Give what differs from the defaults, by name."""
        default = View()
        values = {**vars(self), **changes}
        return {name: value for name, value in values.items() if value != getattr(default, name)}

    def query(self, **changes: str) -> str:
        """Give it as the end of an address."""
        fields = self.fields(**changes)
        return f"?{urlencode(fields)}" if fields else ""


def list_rows(audit: LabelAudit, decisions: Mapping[int, Decision]) -> NDArray[np.intp]:
    """Give the rows that there is something to decide on, or was, the most doubtful first."""
    rows = np.union1d(np.flatnonzero(audit.is_suspect | audit.is_unlabelled), list(decisions))
    return _by_doubt(audit, rows)


def usefulness(audit: LabelAudit, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    r"""Say how much is learnt from a decision on each of some rows.

    It is :math:`4 p (1 - p) (1 + m)`, where p is the doubt of the row, and m
    is how many of the other rows have it among their nearest ones: what a decision says is the
    less known beforehand, and tells of the more rows. Where there are many rows the nearest ones
    of the most doubtful are known alone, and count.
    """
    p, nearest = audit.doubt[rows], audit.nearest_rows[rows]
    among = np.bincount(nearest[nearest >= 0], minlength=len(audit.doubt))
    return np.asarray(4 * p * (1 - p) * (1 + among[rows]))


def select(audit: LabelAudit, decisions: Mapping[int, Decision], view: View) -> list[int]:
    """Give the rows that a person asked for, in the order they asked for."""
    rows = list_rows(audit, decisions)
    if view.search and view.state == "all":
        rows = _by_doubt(audit, np.union1d(rows, _find_named(audit, view.search)))
    if view.order == "row":
        rows = np.sort(rows)
    elif view.order == "useful":
        is_open = np.array([state_of(decisions.get(row)) == "open" for row in rows.tolist()], bool)
        useful = np.zeros(len(rows))
        useful[is_open] = usefulness(audit, rows[is_open])
        rows = rows[np.argsort(-useful, kind="stable")]
    if view.change:
        rows = rows[np.array([c == view.change for c in changes_of(audit, rows)], dtype=bool)]
    words = view.search.casefold().split()
    return [
        row
        for row in rows.tolist()
        if view.state in ("all", state_of(decisions.get(row)))
        and (not words or _has_all(words, audit, row, decisions.get(row)))
    ]


def state_of(decision: Decision | None) -> str:
    """Say whether a row is open, skipped or settled."""
    if decision is None or decision.verdict == "open":
        return "open"
    return "settled" if decision.is_settled else "skip"


def changes_of(audit: LabelAudit, rows: NDArray[np.intp]) -> list[str]:
    """Name the change of label that an audit suggests for each row, by the classes' numbers."""
    pairs = zip(audit.given_codes[rows].tolist(), suggested_codes(audit, rows), strict=True)
    return [f"{given}-{suggested}" for given, suggested in pairs]


def suggested_code(audit: LabelAudit, row: int) -> int:
    """Give the suggested class, or the likeliest beside the given one where none is suggested."""
    return suggested_codes(audit, np.array([row]))[0]


def suggested_codes(audit: LabelAudit, rows: NDArray[np.intp]) -> list[int]:
    """Give the suggested class of each row, as :func:`suggested_code` does."""
    given = audit.given_codes[rows]
    codes = encode_labels(audit.suggested_labels[rows], audit.classes).codes
    proba = audit.pred_proba[rows].copy()
    labelled = np.flatnonzero(given >= 0)
    proba[labelled, given[labelled]] = -1
    is_suggested = (codes >= 0) & (codes != given)
    chosen: list[int] = np.where(is_suggested, codes, proba.argmax(axis=1)).tolist()
    return chosen


def _by_doubt(audit: LabelAudit, rows: NDArray[Any]) -> NDArray[np.intp]:
    rows = rows.astype(np.intp)
    return rows[np.argsort(-audit.doubt[rows], kind="stable")]


def _find_named(audit: LabelAudit, search: str) -> NDArray[np.intp]:
    """Find the rows of a number or a name, whether there is something to decide on or not."""
    is_named = np.zeros(len(audit.doubt), dtype=bool)
    if has_ids(audit.index):
        is_named |= np.asarray(audit.index.astype(str).str.casefold() == search.casefold())
    number = read_number(search)
    if number is not None and 0 <= number - audit.first_row < len(is_named):
        is_named[number - audit.first_row] = True
    return np.flatnonzero(is_named)


def _has_all(words: list[str], audit: LabelAudit, row: int, decision: Decision | None) -> bool:
    values = [audit.given_labels[row], audit.suggested_labels[row], *audit.explain(row)]
    if has_ids(audit.index):
        values.append(audit.index[row])
    if decision is not None:
        values += [decision.note, decision.person, decision.label]
    if row in audit.values.index:
        values += list(audit.values.loc[row])
    text = " ".join(shown(value, 2000) for value in values).casefold()
    number = str(row + audit.first_row)
    return all(word in text or word == number for word in words)
