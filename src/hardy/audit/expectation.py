"""How many of the most doubtful rows are wrong, and how many rows have to be looked at."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit

from hardy.audit.error_probability import SPREAD

Floats = NDArray[np.float64]

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


def expect_precision(
    probability: Floats, doubt: Floats, cuts: Iterable[int] | None = None
) -> pd.DataFrame:
    """Tell what share of the most doubtful rows is expected to be wrong.

    It is their mean doubt. How far that holds differs from table to table, more than chance among
    so many rows would explain: the interval has both, and its ends are whole rows. Doubt takes
    overlap of classes for errors, which is near the truth where people err just there. The careful
    reading takes it for none: it is the mean of the probabilities, or of the doubt where that is
    less, and the interval reaches down to where it would for it.

    Parameters
    ----------
    probability : ndarray of shape (n_samples,)
        How likely the labels of the rows that were judged are wrong, overlap set aside, as from
        :func:`hardy.audit.error_probability.error_probability`.
    doubt : ndarray of shape (n_samples,)
        Their doubt.
    cuts : iterable of int, optional
        Numbers of rows, the most doubtful first; by default 1, 2, 5, 10, 20, 50 … and all.

    Returns
    -------
    DataFrame of shape (n_cuts, 4)
        `expected`, the ends `low` and `high` of an interval meant to hold four times in five, and
        the `careful` reading; the index, `rows`, is the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit.expectation import expect_precision
    >>> doubt = np.array([0.9, 0.8, 0.4, 0.3])
    >>> table = expect_precision(np.array([0.9, 0.7, 0.2, 0.2]), doubt, [1, 2])
    >>> table["expected"].round(2).tolist(), table["low"].round(2).tolist()
    ([0.9, 0.85], [0.0, 0.0])
    """
    rows = np.asarray(_default_cuts(len(doubt)) if cuts is None else list(cuts), dtype=np.intp)
    expected, careful = (
        np.cumsum(np.sort(values)[::-1])[rows - 1] / rows
        for values in (doubt, np.minimum(probability, doubt))
    )
    low, high = interval(expected, rows)
    low = np.minimum(low, interval(careful, rows)[0])
    return pd.DataFrame(
        {"expected": expected, "low": low, "high": high, "careful": careful},
        index=pd.Index(rows, name="rows"),
    )


def expect_errors(probability: Floats, checked: Floats, n_wrong: int) -> Errors:
    """Tell how many of some rows are expected to be wrong, after others were looked at.

    In how far they are too high or too low on this table, as log-odds, is learnt from the rows
    that were looked at: the mean of what is known beforehand (see :func:`expect_precision`) and
    of what was seen, each weighted by how sure it is.

    Parameters
    ----------
    probability : ndarray of shape (n_rows,)
        How likely the labels are wrong of the rows that nobody has looked at.
    checked : ndarray of shape (n_checked,)
        The same of those that were looked at.
    n_wrong : int
        How many of these were wrong.

    Returns
    -------
    Errors
        Before any row was looked at, the interval is that of :func:`expect_precision` for rows
        whose probability is their doubt.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit.expectation import expect_errors
    >>> p = np.full(20, 0.8)
    >>> [round(number, 1) for number in expect_errors(p, np.array([]), 0)]
    [16.0, 8.0, 20.0]
    >>> [round(number, 1) for number in expect_errors(p, p, n_wrong=10)]
    [11.1, 7.0, 15.0]
    """
    n_rows = len(probability)
    if not n_rows:
        return Errors(0.0, 0.0, 0.0)
    mean, variance = np.mean(probability), SPREAD**2
    if len(checked):
        before = np.clip(np.mean(checked), _EDGE, 1 - _EDGE)
        # One more row, as was expected, keeps the share off 0 and 1.
        share = (n_wrong + before) / (len(checked) + 1)
        seen = 1 / (len(checked) * share * (1 - share))
        shift = logit(share) - logit(before)
        shift *= variance / (variance + seen)
        variance *= seen / (variance + seen)
        mean = expit(logit(np.clip(mean, _EDGE, 1 - _EDGE)) + shift)
    low, high = interval(np.array([mean]), np.array([n_rows]), variance)
    return Errors(float(n_rows * mean), float(n_rows * low[0]), float(n_rows * high[0]))


def interval(
    expected: Floats, rows: NDArray[np.intp], variance: float = SPREAD**2
) -> tuple[Floats, Floats]:
    """Give the ends of the interval for the share of wrong labels among so many rows.

    Parameters
    ----------
    expected : ndarray of shape (n_cuts,)
        The expected shares.
    rows : ndarray of shape (n_cuts,)
        The numbers of rows.
    variance : float
        That of the log-odds between tables.

    Returns
    -------
    low, high : ndarrays of shape (n_cuts,)
        Four times in five the true share is meant to lie between them; both are whole rows.
    """
    inner = np.clip(expected, _EDGE, 1 - _EDGE)
    reach = _QUANTILE * np.sqrt(variance + 1 / (rows * inner * (1 - inner)))
    low = np.floor(rows * expit(logit(inner) - reach)) / rows
    high = np.ceil(rows * expit(logit(inner) + reach)) / rows
    return np.minimum(expected, low), np.maximum(expected, high)


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
