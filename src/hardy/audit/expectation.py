"""How many of the most doubtful rows are wrong, and how many rows have to be looked at."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit

Floats = NDArray[np.float64]

# In how far log-odds of the mean doubt miss those of the precision from one table to the next: so
# wide that 80 % of the intervals hold on injected flips, see benchmarks/precision.py.
_SPREAD = 1.75
_QUANTILE = 1.2816
_EDGE = 0.005
_CUTS = (1, 2, 5)


class Errors(NamedTuple):
    """A number of wrong labels.

    Attributes
    ----------
    expected : float
        How many there probably are.
    low, high : float
        The ends of an interval meant to hold them four times in five.
    """

    expected: float
    low: float
    high: float


def expect_precision(doubt: Floats, cuts: Iterable[int] | None = None) -> pd.DataFrame:
    """Tell what share of the most doubtful rows is expected to be wrong.

    Doubt is a probability, so the mean doubt of the first rows is the share of them that is
    expected to be wrong. How far that holds differs from table to table, more than chance among
    so many rows would explain: the interval has both.

    Parameters
    ----------
    doubt : ndarray of shape (n_samples,)
        The doubt of the rows that were judged.
    cuts : iterable of int, optional
        Numbers of rows, the most doubtful first; by default 1, 2, 5, 10, 20, 50 … and all.

    Returns
    -------
    DataFrame of shape (n_cuts, 3)
        `expected`, and the ends `low` and `high` of an interval meant to hold four times in five;
        the index, `rows`, is the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit.expectation import expect_precision
    >>> table = expect_precision(np.array([0.9, 0.7, 0.2, 0.2]), [1, 2])
    >>> table["expected"].round(2).tolist(), table["low"].round(2).tolist()
    ([0.9, 0.8], [0.07, 0.14])
    """
    ranked = np.sort(doubt)[::-1]
    rows = np.asarray(_default_cuts(len(ranked)) if cuts is None else list(cuts), dtype=np.intp)
    means = np.cumsum(ranked)[rows - 1] / rows
    low, high = _interval(means, rows, _SPREAD**2)
    return pd.DataFrame(
        {"expected": means, "low": low, "high": high}, index=pd.Index(rows, name="rows")
    )


def expect_errors(doubt: Floats, checked: Floats, n_wrong: int) -> Errors:
    """Tell how many of some rows are expected to be wrong, after others were looked at.

    In how far doubt is too high or too low on this table, as log-odds, is learnt from the rows
    that were looked at: the mean of what is known beforehand (see :func:`expect_precision`) and
    of what was seen, each weighted by how sure it is.

    Parameters
    ----------
    doubt : ndarray of shape (n_rows,)
        The doubt of the rows that nobody has looked at.
    checked : ndarray of shape (n_checked,)
        The doubt of those that were looked at.
    n_wrong : int
        How many of these were wrong.

    Returns
    -------
    Errors
        Before any row was looked at, the interval is that of :func:`expect_precision`.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit.expectation import expect_errors
    >>> doubt = np.full(20, 0.8)
    >>> [round(number, 1) for number in expect_errors(doubt, np.array([]), 0)]
    [16.0, 5.5, 19.5]
    >>> [round(number, 1) for number in expect_errors(doubt, doubt, n_wrong=10)]
    [10.7, 6.8, 14.4]
    """
    n_rows = len(doubt)
    if not n_rows:
        return Errors(0.0, 0.0, 0.0)
    mean, variance = np.mean(doubt), _SPREAD**2
    if len(checked):
        before = np.clip(np.mean(checked), _EDGE, 1 - _EDGE)
        # One more row, as was expected, keeps the share off 0 and 1.
        share = (n_wrong + before) / (len(checked) + 1)
        seen = 1 / (len(checked) * share * (1 - share))
        shift = logit(share) - logit(before)
        shift *= variance / (variance + seen)
        variance *= seen / (variance + seen)
        mean = expit(logit(np.clip(mean, _EDGE, 1 - _EDGE)) + shift)
    low, high = _interval(np.array([mean]), np.array([n_rows]), variance)
    return Errors(float(n_rows * mean), float(n_rows * low[0]), float(n_rows * high[0]))


def _interval(means: Floats, rows: NDArray[np.intp], variance: float) -> tuple[Floats, Floats]:
    """Give the ends of the interval around shares of so many rows."""
    inner = np.clip(means, _EDGE, 1 - _EDGE)
    reach = _QUANTILE * np.sqrt(variance + 1 / (rows * inner * (1 - inner)))
    low, high = expit(logit(inner) - reach), expit(logit(inner) + reach)
    return np.minimum(means, low), np.maximum(means, high)


def rows_to_find(doubt: Floats, n_wrong: float, share: float = 0.8) -> int | None:
    """Tell how many of the most doubtful rows hold a share of the wrong labels.

    Parameters
    ----------
    doubt : ndarray of shape (n_samples,)
        The doubt of the rows that were judged.
    n_wrong : float
        The estimated number of wrong labels.
    share : float, default=0.8
        The share of them that is to be found.

    Returns
    -------
    int or None
        The number of rows to look at; None where all of them hold fewer.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit.expectation import rows_to_find
    >>> rows_to_find(np.array([0.9, 0.7, 0.2, 0.2]), n_wrong=2)
    2
    """
    found = np.cumsum(np.sort(doubt)[::-1])
    enough = np.flatnonzero(found >= share * n_wrong - 1e-9)
    return int(enough[0]) + 1 if enough.size and n_wrong > 0 else None


def _default_cuts(n_rows: int) -> list[int]:
    cuts = [first * 10**power for power in range(len(str(n_rows))) for first in _CUTS]
    return [cut for cut in cuts if cut < n_rows] + ([n_rows] if n_rows else [])
