"""Labels whose share changes along the rows."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import kolmogorov

from hardy._quoting import cut
from hardy.audit.findings.base import Evidence, Finding
from hardy.tabular._frames import parse_numbers

_SURE = 1e-4
_LEAST_CHANGE = 0.05
_LEAST_ODDS = 1.5
_FEWEST_ROWS = 30
# Labels in time change places nearly as often as labels drawn at random; sorted ones don't.
_FEWEST_CHANGES = 0.5
_FEWEST_MOVES = 10
_SORTED = 0.8


def find_drift(evidence: Evidence) -> Iterator[Finding]:
    """Find the label whose share changes the most along the rows, from some row on.

    For each label, the largest difference between the count of it in the first rows and what its
    share of all rows would give there is tested by Kolmogorov's distribution, times the number of
    labels; p must be below .0001, and the change 5 points and odds of 1.5 at least. Rows that are
    sorted by label, or by a column of numbers where no order is given, tell nothing of time, and
    nothing is said of them.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Yields
    ------
    Finding
        ``"label_drift"``, with the rows from that row on.
    """
    rows = moments = evidence.labelled
    if evidence.order is not None:
        moments = evidence.order[rows]
        by_time = np.argsort(moments, kind="stable")
        rows, moments = rows[by_time], moments[by_time]
    n = len(rows)
    if n < _FEWEST_ROWS or (evidence.order is None and _is_sorted_by_a_column(evidence, rows)):
        return
    codes = evidence.codes[rows]
    # A change is between two moments, not within one.
    ends = np.flatnonzero(np.diff(moments)) + 1
    best: tuple[float, int, int] = (_SURE, 0, 0)
    n_classes = len(np.unique(codes))
    for code in np.unique(codes):
        before = np.searchsorted(np.flatnonzero(codes == code), ends)
        share = (codes == code).mean()
        departure = ends * share
        np.abs(np.subtract(before, departure, out=departure), out=departure)
        departure /= np.sqrt(n * share * (1 - share))
        if departure.size:
            p = min(1.0, float(kolmogorov(departure.max())) * n_classes)
            best = min(best, (p, int(code), int(ends[departure.argmax()])))
    p, code, change = best
    if not change or _is_sorted_by_label(codes, change):
        return
    is_it = codes == code
    earlier, later = float(is_it[:change].mean()), float(is_it[change:].mean())
    odds = (later + 1 / n) * (1 - earlier + 1 / n) / (earlier + 1 / n) / (1 - later + 1 / n)
    if abs(later - earlier) < _LEAST_CHANGE or max(odds, 1 / odds) < _LEAST_ODDS:
        return
    yield Finding(
        "label_drift",
        f"From here on, {100 * later:.0f} % of the labels are `{cut(evidence.classes[code])}`; of "
        f"the {change:,} rows before, {100 * earlier:.0f} %. Did the data change, or the "
        "labelling?",
        rows[change:],
        (),
        {
            "label": evidence.classes.tolist()[code],
            "rows_before": change,
            "share_before": round(earlier, 4),
            "share_after": round(later, 4),
            "p": p,
        },
    )


def _is_sorted_by_label(codes: NDArray[np.intp], change: int) -> bool:
    """Whether neighbours have the same label far more often than in rows drawn at random."""
    expected = 0.0
    for part in (codes[:change], codes[change:]):
        shares = np.bincount(part) / len(part)
        expected += (len(part) - 1) * (1 - (shares**2).sum())
    return bool((np.diff(codes) != 0).sum() <= _FEWEST_CHANGES * expected + 1)


def _is_sorted_by_a_column(evidence: Evidence, rows: NDArray[np.intp]) -> bool:
    for column in evidence.columns:
        if column.kind == "numeric":
            with np.errstate(over="ignore", invalid="ignore"):
                steps = np.diff(column.each(parse_numbers)[rows])
            moves = np.sign(steps[~np.isnan(steps) & (steps != 0)])
            if moves.size >= _FEWEST_MOVES and abs(moves.mean()) >= _SORTED:
                return True
    return False
