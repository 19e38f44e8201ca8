"""What becomes of each row when an audit's data is cleaned, and the log of what was changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hardy.audit._plain import has_ids, plain
from hardy.audit.decisions import Decision
from hardy.audit.estimates import choose_surest
from hardy.audit.result import LabelAudit
from hardy.exceptions import InputError

Action = Literal["drop", "relabel", "weight"]
_ACTIONS = ("drop", "relabel", "weight")
CHANGE_COLUMNS = ("row", "line", "id", "change", "before", "after", "who", "when", "why")
_MACHINE = "hardy"


@dataclass(frozen=True)
class CleaningPlan:
    """What becomes of each row.

    Attributes
    ----------
    drop : ndarray of shape (n_samples,), dtype bool
        The rows that are left out.
    codes : ndarray of shape (n_samples,), dtype intp
        The index of each row's new label; −1 where it has none.
    weight : ndarray of shape (n_samples,)
        How far each label can be trusted: 1 for settled rows, 1 − doubt for the others with
        ``action="weight"``, and 0 without a label.
    is_automatic : ndarray of shape (n_samples,), dtype bool
        The rows that are changed although nobody has decided on them.
    precision : float or None
        What share of the suspects among them is expected to be wrong (of the suggested labels to
        be right), by the careful reading; None where there are none.
    settled : mapping of int to Decision
        The decisions that were followed, by position.
    """

    drop: NDArray[np.bool_]
    codes: NDArray[np.intp]
    weight: NDArray[np.float64]
    is_automatic: NDArray[np.bool_]
    precision: float | None
    settled: Mapping[int, Decision]


def plan_cleaning(
    audit: LabelAudit,
    decisions: Mapping[int, Decision] | None = None,
    *,
    action: Action | None = None,
    min_precision: float | None = None,
    with_unlabelled: bool = False,
) -> CleaningPlan:
    """Say what becomes of each row.

    Decisions come first. What nobody has settled stays as it is, unless an action is named; a
    suspect that somebody has seen and skipped is left for them even then.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    decisions : mapping of int to Decision, optional
        The last decision on each row that has one, by position.
    action : {"drop", "relabel", "weight"}, optional
        What happens to suspects that nobody has decided on; by default nothing.
    min_precision : float, optional
        As many suspects are dropped or relabelled, the likeliest errors first, as there can be so
        that this share of them is expected to be wrong (of the suggested labels to be right), by
        the careful reading of :func:`hardy.audit.expectation.expect_precision`. By default all are.
    with_unlabelled : bool, default=False
        Whether rows without a label are left out too, or get the suggested label, skipped or not.

    Returns
    -------
    CleaningPlan
        See there.

    Raises
    ------
    InputError
        Where `action` is unknown or `min_precision` is no share.

    Examples
    --------
    >>> import hardy
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> int(plan_cleaning(audit, {0: Decision(1, 0, "drop")}).drop.sum())
    1
    """
    if action is not None and action not in _ACTIONS:
        raise InputError(f"action={action!r} is unknown; choose drop, relabel or weight.")
    if min_precision is not None and not (
        isinstance(min_precision, Real) and 0 <= min_precision <= 1
    ):
        raise InputError(f"min_precision={min_precision!r} must be a share, from 0 to 1.")
    decisions = decisions or {}
    settled = {row: decision for row, decision in decisions.items() if decision.is_settled}
    n_samples = len(audit.doubt)
    is_open = np.ones(n_samples, dtype=bool)
    is_open[list(settled)] = False
    drop, codes = np.zeros(n_samples, dtype=bool), audit.given_codes.copy()
    suggested = _codes_of(audit, audit.suggested_labels)
    chosen = np.zeros(n_samples, dtype=bool)
    precision = None
    if action in ("drop", "relabel"):
        probability = np.minimum(audit.error_probability, audit.doubt)
        if action == "relabel":
            probability = probability * _share_of_others(audit, suggested)
        skipped = [row for row, decision in decisions.items() if decision.verdict == "skip"]
        rows = np.setdiff1d(np.flatnonzero(audit.is_suspect & is_open), skipped)
        rows = rows[np.argsort(-probability[rows], kind="stable")]
        rows = rows[: choose_surest(probability[rows], min_precision)]
        chosen[rows] = True
        precision = float(probability[rows].mean()) if rows.size else None
    if with_unlabelled:
        chosen |= audit.is_unlabelled & is_open
    if action == "relabel":
        codes[chosen] = suggested[chosen]
    else:
        drop |= chosen
    for row, decision in settled.items():
        drop[row] = decision.verdict == "drop"
        if decision.verdict == "relabel":
            codes[row] = audit.classes.tolist().index(decision.label)
    weight = np.ones(n_samples)
    if action == "weight":
        weight[is_open] -= audit.doubt[is_open]
        weight[codes < 0] = 0
    return CleaningPlan(drop, codes, weight, chosen, precision, settled)


def list_changes(
    audit: LabelAudit, plan: CleaningPlan, *, when: datetime | None = None
) -> list[dict[str, Any]]:
    """Describe every changed row in plain Python values: the change log.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    plan : CleaningPlan
        What becomes of its rows.
    when : datetime, optional
        The time of automatic changes; by default now.

    Returns
    -------
    list of dict
        A change each, in the order of the rows, with the keys `row` (as the audit counts them),
        `line`, `id`, `change` ("drop" or "relabel"), `before`, `after`, `who`, `when` and `why`.

    Examples
    --------
    >>> import hardy
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> plan = plan_cleaning(audit, {2: Decision(1, 2, "drop", note="twice", person="Ada")})
    >>> [(change["row"], change["change"], change["who"], change["why"])
    ...  for change in list_changes(audit, plan)]
    [(2, 'drop', 'Ada', 'twice')]
    """
    now = (when or datetime.now(UTC)).isoformat(timespec="seconds")
    named = has_ids(audit.index)
    changes = []
    for row in np.flatnonzero(plan.drop | (plan.codes != audit.given_codes)).tolist():
        decision = plan.settled.get(row)
        reasons = "; ".join(audit.explain(row))
        if decision is None:
            why = f"doubt {audit.doubt[row]:.2f}: {reasons}"
        else:
            why = decision.note or reasons
        changes.append(
            {
                "row": row + audit.first_row,
                "line": None if audit.lines is None else int(audit.lines[row]),
                "id": plain(audit.index[row]) if named else None,
                "change": "drop" if plan.drop[row] else "relabel",
                "before": plain(audit.given_labels[row]),
                "after": None if plan.drop[row] else plain(audit.classes[plan.codes[row]]),
                "who": _MACHINE if decision is None else decision.person,
                "when": now if decision is None else decision.made,
                "why": why,
            }
        )
    return changes


def _share_of_others(audit: LabelAudit, codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Give how likely a class is among those that aren't the given one."""
    rows = np.arange(len(codes))
    others = 1 - audit.pred_proba[rows, audit.given_codes]
    share: NDArray[np.float64] = audit.pred_proba[rows, codes] / np.maximum(others, 1e-12)
    return np.minimum(share, 1)


def _codes_of(audit: LabelAudit, labels: NDArray[Any]) -> NDArray[np.intp]:
    place = {label: code for code, label in enumerate(audit.classes.tolist())}
    return np.array([place.get(label, -1) for label in labels.tolist()], dtype=np.intp)
