"""Wilcoxon's signed-rank test of every method against one, with Holm's correction."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from hardy._quoting import quote_all
from hardy.exceptions import InputError
from hardy.stats._scores import check_scores

# Scores have 12 digits after the point.
_ROUNDING = 1e-9


def wilcoxon_holm(
    scores: pd.DataFrame | ArrayLike, control: Any, higher_is_better: bool = True
) -> pd.DataFrame:
    """Test every other method against one of them, the control.

    Wilcoxon's signed-rank test of the differences over the data sets, and Holm's step-down
    correction for the number of comparisons: the smallest of m p-values is multiplied by m, the
    next by m − 1, and so on, none of them less than the one before [1]_.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
        A row for each data set, a column for each method.
    control : object
        The name of the method that the others are compared with; its number for an array.
    higher_is_better : bool, default=True
        Whether a higher score is a win.

    Returns
    -------
    DataFrame of shape (n_methods - 1, 6)
        For each other method: ``statistic``, the smaller sum of signed ranks; ``pvalue``, on both
        sides; ``pvalue_holm``; and on how many data sets the control ``wins``, ``loses`` and
        ``ties``. Data sets with equal scores don't count for the test; where all are equal, the
        p-value is 1. Scores and differences are equal where they differ by no more than 1e-9.

    Raises
    ------
    InputError
        Where `control` is no method, a score is missing or no number, two methods have one name, or
        there are fewer than two methods or data sets.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6, 1979.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.stats import wilcoxon_holm
    >>> scores = pd.DataFrame({"a": [9, 8, 9, 7, 8], "b": [7, 7, 6, 3, 2], "c": [5, 9, 7, 8, 8]})
    >>> wilcoxon_holm(scores, "a")
       statistic  pvalue  pvalue_holm  wins  loses  ties
    b        0.0  0.0625        0.125     5      0     0
    c        3.0  0.6250        0.625     2      2     1
    """
    table = check_scores(scores)
    if control not in table.columns.tolist():
        raise InputError(f"control={control!r} is none of the methods {quote_all(table.columns)}.")
    own = table[control].to_numpy()
    rows = []
    for name in table.columns.drop(control):
        difference = _in_steps(own - table[name].to_numpy())
        if not higher_is_better:
            difference = -difference
        statistic, pvalue = 0.0, 1.0
        if difference.any():
            statistic, pvalue = stats.wilcoxon(difference)
        rows.append(
            {
                "statistic": float(statistic),
                "pvalue": float(pvalue),
                "wins": int((difference > 0).sum()),
                "loses": int((difference < 0).sum()),
                "ties": int((difference == 0).sum()),
            }
        )
    result = pd.DataFrame(rows, index=table.columns.drop(control))
    result.insert(2, "pvalue_holm", _holm(result["pvalue"].to_numpy()))
    return result


def _in_steps(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count the differences from the smallest size on, 0 for none; the signs stay.

    The test sees only their order. Subtracting leaves rounding errors, by which .9 − .8 isn't
    .4 − .3: each such tie would be split and its ranks given by chance. SciPy advises to round
    before; rounding would split a tie that lies on the border of two digits.
    """
    order = np.argsort(np.abs(difference), kind="stable")
    gaps = np.diff(np.abs(difference)[order], prepend=0.0)
    steps = np.empty_like(difference)
    steps[order] = np.cumsum(gaps > _ROUNDING)
    return np.sign(difference) * steps


def _holm(pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(pvalues, kind="stable")
    factors = len(pvalues) - np.arange(len(pvalues))
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.minimum(np.maximum.accumulate(pvalues[order] * factors), 1.0)
    return adjusted
