"""Nemenyi's test: which of all pairs of methods differ."""

from numbers import Integral, Real

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from hardy.exceptions import InputError
from hardy.stats._scores import check_scores, rank_methods


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Give the difference of average ranks from which on two methods differ (Nemenyi).

    q_α √(k (k + 1) / (6 N)) for k methods and N data sets, q_α the upper α quantile of the
    Studentized range of k normal variables, divided by √2 [1]_.

    Parameters
    ----------
    n_methods : int
        The number of methods k, two or more.
    n_datasets : int
        The number of data sets N.
    alpha : float, default=0.05
        The probability of a false alarm among all pairs, between 0 and 1.

    Returns
    -------
    float
        In units of ranks.

    Raises
    ------
    InputError
        Where a number is out of its range.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006.

    Examples
    --------
    >>> round(critical_difference(5, 15), 4)
    1.5749
    """
    for name, number, least in (("n_methods", n_methods, 2), ("n_datasets", n_datasets, 1)):
        if not isinstance(number, Integral) or number < least:
            raise InputError(f"{name}={number!r} must be a whole number, at least {least}.")
    if not (isinstance(alpha, Real) and 0 < alpha < 1):
        raise InputError(f"alpha={alpha!r} must lie between 0 and 1.")
    quantile = stats.studentized_range.isf(alpha, n_methods, np.inf) / np.sqrt(2)
    return float(quantile * _unit(n_methods, n_datasets))


def nemenyi_test(scores: pd.DataFrame | ArrayLike, higher_is_better: bool = True) -> pd.DataFrame:
    """Test all pairs of methods against each other by their average ranks.

    Meant for after :func:`friedman_test`. Two methods differ at the level α where their p-value is
    below it, which is where their average ranks are further apart than the critical difference
    [1]_.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
        A row for each data set, a column for each method.
    higher_is_better : bool, default=True
        Whether the highest score has the rank 1. It doesn't change the p-values.

    Returns
    -------
    DataFrame of shape (n_methods, n_methods)
        The p-value of each pair, adjusted for the number of pairs; 1 on the diagonal.

    Raises
    ------
    InputError
        Where a score is missing or no number, two methods have one name, or there are fewer than
        two methods or data sets.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.stats import nemenyi_test
    >>> scores = pd.DataFrame({"a": [9, 8, 9, 7], "b": [7, 7, 6, 6], "c": [5, 6, 7, 5]})
    >>> nemenyi_test(scores).round(3)
           a      b      c
    a  1.000  0.181  0.036
    b  0.181  1.000  0.759
    c  0.036  0.759  1.000
    """
    table = check_scores(scores)
    ranks = rank_methods(table, higher_is_better=higher_is_better).mean().to_numpy()
    n_datasets, n_methods = table.shape
    apart = np.abs(ranks[:, None] - ranks[None, :]) * np.sqrt(2) / _unit(n_methods, n_datasets)
    pvalues = stats.studentized_range.sf(apart, n_methods, np.inf)
    np.fill_diagonal(pvalues, 1.0)
    return pd.DataFrame(np.clip(pvalues, 0, 1), index=table.columns, columns=table.columns)


def _unit(n_methods: int, n_datasets: int) -> float:
    """Give the standard deviation of the difference of two average ranks."""
    return float(np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))
