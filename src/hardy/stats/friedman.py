"""Friedman's test: whether methods differ at all."""

from dataclasses import dataclass

import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from hardy.exceptions import InputError
from hardy.stats._scores import check_scores, rank_methods


@dataclass(frozen=True)
class FriedmanResult:
    """The result of :func:`friedman_test`.

    Attributes
    ----------
    statistic : float
        Friedman's chi-square, corrected for ties.
    pvalue : float
        How likely such a statistic is where all methods are the same, by the chi-square
        distribution.
    iman_davenport_statistic : float
        Iman and Davenport's F, which is less conservative.
    iman_davenport_pvalue : float
        The same by the F distribution.
    average_ranks : Series
        The mean rank of each method over the data sets, 1 for the best, on the methods' names.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.stats import friedman_test
    >>> scores = pd.DataFrame({"forest": [0.9, 0.8, 0.7], "stump": [0.7, 0.6, 0.5]})
    >>> scores["tree"] = [0.8, 0.7, 0.6]
    >>> result = friedman_test(scores)
    >>> result.average_ranks.to_dict()
    {'forest': 1.0, 'stump': 3.0, 'tree': 2.0}
    >>> result.statistic
    6.0
    """

    statistic: float
    pvalue: float
    iman_davenport_statistic: float
    iman_davenport_pvalue: float
    average_ranks: pd.Series


def friedman_test(
    scores: pd.DataFrame | ArrayLike, higher_is_better: bool = True
) -> FriedmanResult:
    """Test whether some methods rank better than others over many data sets.

    With k methods, N data sets, and R_j the mean rank of method j,
    χ² = 12 N / (k (k + 1)) (Σ R_j² − k (k + 1)² / 4), divided by 1 − Σ (t³ − t) / (N (k³ − k)) over
    all groups of t equal scores on a data set; F = (N − 1) χ² / (N (k − 1) − χ²), with k − 1 and
    (k − 1)(N − 1) degrees of freedom [1]_.

    Parameters
    ----------
    scores : DataFrame or array-like of shape (n_datasets, n_methods)
        A row for each data set, a column for each method; three methods or more.
    higher_is_better : bool, default=True
        Whether the highest score has the rank 1. It doesn't change the p-values.

    Returns
    -------
    FriedmanResult
        Both statistics with their p-values, and the average ranks.

    Raises
    ------
    InputError
        Where a score is missing or no number, two methods have one name, there are fewer than
        three methods or two data sets, or all methods have the same score everywhere.

    See Also
    --------
    nemenyi_test : Which of all pairs differ.
    wilcoxon_holm : Which methods differ from one of them.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.stats import friedman_test
    >>> scores = pd.DataFrame({"a": [9, 8, 9, 7], "b": [7, 7, 6, 6], "c": [5, 6, 7, 5]})
    >>> result = friedman_test(scores)
    >>> result.statistic, round(result.pvalue, 4), result.average_ranks.to_dict()
    (6.5, 0.0388, {'a': 1.0, 'b': 2.25, 'c': 2.75})
    """
    table = check_scores(scores, least_methods=3)
    if (table.nunique(axis=1) == 1).all():
        raise InputError("All methods have the same score on every data set: nothing to test.")
    found = stats.friedmanchisquare(*table.to_numpy().T)
    n_datasets, n_methods = table.shape
    largest = n_datasets * (n_methods - 1)
    # All data sets rank the methods alike: F is infinite.
    rest = largest - found.statistic
    f = float("inf") if rest <= 1e-12 * largest else (n_datasets - 1) * found.statistic / rest
    return FriedmanResult(
        statistic=float(found.statistic),
        pvalue=float(found.pvalue),
        iman_davenport_statistic=float(f),
        iman_davenport_pvalue=float(
            stats.f.sf(f, n_methods - 1, (n_methods - 1) * (n_datasets - 1))
        ),
        average_ranks=rank_methods(table, higher_is_better=higher_is_better).mean(),
    )
