"""How many labels are wrong, by what an audit believes and what people have found."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hardy.audit.decisions import Decision
from hardy.audit.expectation import Errors, expect_errors
from hardy.audit.result import LabelAudit


def errors_left(audit: LabelAudit, settled: Mapping[int, Decision]) -> Errors:
    """Estimate how many wrong labels are left among the suspects.

    Where fewer of the settled suspects were wrong than expected, so are fewer of the others, the
    more surely the more were settled.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    settled : mapping of int to Decision
        The decisions that settle their row, by position.

    Returns
    -------
    Errors
        Their number, and how sure it is.

    Examples
    --------
    >>> import hardy
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> errors_left(audit, {})
    Errors(expected=0.0, low=0.0, high=0.0)
    """
    doubt = audit.doubt
    suspects = audit.suspects.tolist()
    done = [row for row in suspects if row in settled]
    left = [row for row in suspects if row not in settled]
    found = sum(settled[row].verdict != "keep" for row in done)
    return expect_errors(doubt[left], doubt[done], found)


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
