"""How many of the most doubtful rows are wrong, and how many rows have to be looked at."""

from collections.abc import Iterable

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
    inner = np.clip(means, _EDGE, 1 - _EDGE)
    reach = _QUANTILE * np.sqrt(_SPREAD**2 + 1 / (rows * inner * (1 - inner)))
    return pd.DataFrame(
        {
            "expected": means,
            "low": np.minimum(means, expit(logit(inner) - reach)),
            "high": np.maximum(means, expit(logit(inner) + reach)),
        },
        index=pd.Index(rows, name="rows"),
    )


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
