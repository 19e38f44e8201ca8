"""What the pages show of a row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hardy._quoting import shown
from hardy.audit._plain import has_ids
from hardy.audit.decisions import Decision
from hardy.review.evidence import Neighbor, Text
from hardy.review.pictures import Picture
from hardy.review.queue import suggested_code
from hardy.review.session import State

N_PICTURES = 8
_MOST_KEYS = 9


@dataclass(frozen=True)
class LabelChoice:
    """A label that a row may be given, with the panel's probability of it, and its key."""

    code: int
    name: str
    probability: float
    key: str


@dataclass(frozen=True)
class RowPage:
    """A row with all that helps to decide on it."""

    number: int
    line: int | None
    id_name: str
    id: str | None
    given: str
    suggested: str
    has_label: bool
    is_suspect: bool
    doubt: float
    reasons: list[str]
    choices: list[LabelChoice]
    pictures: list[Picture]
    more_pictures: list[Picture]
    texts: list[Text]
    others: list[tuple[str, str]]
    columns: list[str]
    nearest: list[Neighbor]
    missing: str
    decision: Decision | None
    version: int
    history: list[tuple[Decision, str]]


@dataclass(frozen=True)
class Line:
    """A row in the table."""

    number: int
    id: str | None
    given: str
    suggested: str
    doubt: float | None
    reason: str
    decision: str
    note: str


class Saved(NamedTuple):
    """What was decided a moment ago: on which row, what, whether it undid, or was only a note."""

    number: int
    what: str
    undoes: bool
    is_note: bool


def describe_row(state: State, row: int, latest: Mapping[int, Decision]) -> RowPage:
    """Describe a row for its page."""
    audit, evidence = state.audit, state.evidence
    given, suggested = int(audit.given_codes[row]), suggested_code(audit, row)
    pictures = evidence.pictures(row, given, suggested)
    columns, nearest = evidence.nearest(row, [p.name for p in pictures], given, suggested)
    decision = latest.get(row)
    return RowPage(
        number=row + audit.first_row,
        line=None if audit.lines is None else int(audit.lines[row]),
        id_name=str(audit.index.name or "id"),
        id=shown(audit.index[row], 120) if has_ids(audit.index) else None,
        given=shown(audit.given_labels[row], 120) if given >= 0 else "no label",
        suggested=shown(audit.classes[suggested], 120),
        has_label=given >= 0,
        is_suspect=bool(audit.is_suspect[row]),
        doubt=float(audit.doubt[row]),
        reasons=audit.explain(row),
        choices=_list_choices(state, row, given),
        pictures=pictures[:N_PICTURES],
        more_pictures=pictures[N_PICTURES:],
        texts=evidence.texts(row, given, suggested),
        others=evidence.others(row),
        columns=columns,
        nearest=nearest,
        missing=evidence.missing,
        decision=decision,
        version=decision.number if decision else 0,
        history=[(d, describe(d)) for d in reversed(state.decisions.history()) if d.row == row],
    )


def list_lines(state: State, rows: Iterable[int], latest: Mapping[int, Decision]) -> list[Line]:
    """Describe rows for the table."""
    audit = state.audit
    named = has_ids(audit.index)
    return [
        Line(
            number=row + audit.first_row,
            id=shown(audit.index[row], 60) if named else None,
            given=shown(audit.given_labels[row], 60),
            suggested=shown(audit.classes[suggested_code(audit, row)], 60),
            doubt=None if audit.given_codes[row] < 0 else float(audit.doubt[row]),
            reason=audit.explain(row)[0],
            decision=describe(latest[row]) if row in latest else "",
            note=latest[row].note if row in latest else "",
        )
        for row in rows
    ]


def describe(decision: Decision) -> str:
    """Say in a word or two what was decided."""
    done = {"keep": "kept", "drop": "dropped", "skip": "skipped", "open": "open"}
    return done.get(decision.verdict) or f"now {shown(decision.label, 60)}"


def describe_saved(state: State, number: int | None) -> Saved | None:
    """Describe a decision to whoever has just made it; None where there is none of the number."""
    decision = next((d for d in state.decisions.history() if d.number == number), None)
    if decision is None:
        return None
    return Saved(
        decision.row + state.audit.first_row,
        describe(decision),
        decision.undoes is not None,
        decision.verdict == "open" and bool(decision.note) and decision.undoes is None,
    )


def _list_choices(state: State, row: int, given: int) -> list[LabelChoice]:
    """Give the labels that the row doesn't have, the likeliest first."""
    classes: Any = state.audit.classes
    proba = state.audit.pred_proba[row]
    codes = [code for code in np.argsort(-proba, kind="stable").tolist() if code != given]
    return [
        LabelChoice(
            code,
            shown(classes[code], 60),
            float(proba[code]),
            str(at) if at <= _MOST_KEYS else "",
        )
        for at, code in enumerate(codes, start=1)
    ]
