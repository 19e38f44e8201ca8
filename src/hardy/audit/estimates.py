"""How many labels are wrong, by what an audit believes and what people have found."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy.audit.decisions import Decision
from hardy.audit.result import LabelAudit

# So many rows' worth of trust in the audit's own probabilities, before any decision.
_TRUST = 5.0
# Of a normal distribution, 95 % lie within so many standard deviations.
_WIDTH = 1.96


class ErrorsLeft(NamedTuple):
    """The wrong labels among suspects that nobody has settled yet.

    Attributes
    ----------
    expected : float
        How many there probably are.
    margin : float
        Half the width of the range that holds them with a probability of 95 %.
    """

    expected: float
    margin: float


def error_probability(audit: LabelAudit) -> NDArray[np.float64]:
    """Give the probability that a row's given label is wrong; shape (n_samples,)."""
    return audit.doubt


def errors_left(audit: LabelAudit, settled: Mapping[int, Decision]) -> ErrorsLeft:
    """Estimate how many wrong labels are left among the suspects.

    The probabilities are scaled by what was found: where half as many of the settled suspects were
    wrong as expected, so are half as many of the others, the more surely the more were settled.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    settled : mapping of int to Decision
        The decisions that settle their row, by position.

    Returns
    -------
    ErrorsLeft
        Their number, and how sure it is.

    Examples
    --------
    >>> import hardy
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> errors_left(audit, {})
    ErrorsLeft(expected=0.0, margin=0.0)
    """
    probability = error_probability(audit)
    suspects = audit.suspects.tolist()
    done = [row for row in suspects if row in settled]
    left = [row for row in suspects if row not in settled]
    found = sum(settled[row].verdict != "keep" for row in done)
    scale = (found + _TRUST) / (float(probability[done].sum()) + _TRUST)
    p = np.clip(probability[left] * scale, 0, 1)
    return ErrorsLeft(float(p.sum()), float(_WIDTH * np.sqrt((p * (1 - p)).sum())))


def choose_surest(probability: NDArray[np.float64], min_precision: float | None) -> int:
    """Give how many of some rows, the likeliest first, can be taken at an expected precision.

    Parameters
    ----------
    probability : ndarray of shape (n_rows,)
        How likely it is that changing the row is right, falling.
    min_precision : float or None
        The least mean of the probabilities of the rows that are taken; all with None.

    Returns
    -------
    int
        The number of rows from the first one.

    Examples
    --------
    >>> choose_surest(np.array([0.9, 0.8, 0.4]), 0.8)
    2
    """
    if min_precision is None or not len(probability):
        return len(probability)
    means = np.cumsum(probability) / np.arange(1, len(probability) + 1)
    # Rounding must not shut out what is exactly on the limit.
    enough = np.flatnonzero(means >= min_precision - 1e-12)
    return int(enough[-1]) + 1 if enough.size else 0
