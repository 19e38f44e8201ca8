"""Comparisons under noise in few numbers: scores by data set, average ranks, curves."""

from typing import Any, Self

import pandas as pd
from scipy import stats

from hardy._quoting import drawn
from hardy.exceptions import InputError
from hardy.stats import CriticalDifferenceDisplay, critical_difference
from hardy.studies.scores import LOWER_IS_BETTER, check_score


def mean_scores(results: pd.DataFrame, noise_rate: float, score: str = "accuracy") -> pd.DataFrame:
    """Average the scores at one noise rate over repetitions and folds.

    Parameters
    ----------
    results : DataFrame
        As :func:`compare_under_noise` gives it.
    noise_rate : float
        One of its rates.
    score : str, default="accuracy"
        One of the scores in it.

    Returns
    -------
    DataFrame of shape (n_datasets, n_methods)
        The means. A method that failed on a fold of a data set, or has no such score, is missing
        there.

    Raises
    ------
    InputError
        Where there is no such score or rate.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.studies import mean_scores
    >>> results = pd.DataFrame({
    ...     "dataset": ["d"] * 4, "noise_rate": [0.1] * 4, "method": list("aabb"),
    ...     "accuracy": [0.5, 0.7, 0.8, None],
    ... })
    >>> mean_scores(results, 0.1)
    method     a   b
    dataset
    d        0.6 NaN
    """
    check_score(score, results.columns)
    rates = sorted(results["noise_rate"].unique().tolist())
    if noise_rate not in rates:
        raise InputError(f"There is no noise_rate={noise_rate!r} among {rates!r}.")
    some = results[results["noise_rate"] == noise_rate]
    methods = results["method"].unique()
    grouped = some.groupby(["dataset", "method"], sort=False)[score]
    # A mean over the folds that didn't fail would compare different rows.
    means = grouped.mean().where(grouped.count() == grouped.size())
    return means.unstack().reindex(columns=pd.Index(methods, name="method"))


def rank_methods(results: pd.DataFrame, score: str = "accuracy") -> pd.DataFrame:
    """Average the ranks of the methods over the data sets, at each noise rate.

    Parameters
    ----------
    results : DataFrame
        As :func:`compare_under_noise` gives it.
    score : str, default="accuracy"
        The score that ranks: the highest is first, of ``log_loss`` and ``brier`` the lowest.

    Returns
    -------
    DataFrame of shape (n_rates, n_methods)
        Average ranks, 1 for the best. Equal methods share the mean of their ranks; methods that
        failed on a data set, or have no such score, share the last ones there. A data set on which
        no method has a score doesn't count.

    Raises
    ------
    InputError
        Where there is no such score.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.studies import rank_methods
    >>> results = pd.DataFrame({
    ...     "dataset": list("ddd"), "noise_rate": [0.1] * 3, "method": list("abc"),
    ...     "accuracy": [0.5, 0.8, None],
    ... })
    >>> rank_methods(results)
    method        a    b    c
    noise_rate
    0.1         2.0  1.0  3.0
    """
    rates = sorted(results["noise_rate"].unique().tolist())
    rows = {rate: _rank(mean_scores(results, rate, score), score).mean() for rate in rates}
    return pd.DataFrame(rows).T.rename_axis(index="noise_rate")


def draw_ranks(
    results: pd.DataFrame,
    noise_rate: float,
    score: str = "accuracy",
    *,
    alpha: float = 0.05,
    ax: Any = None,
) -> CriticalDifferenceDisplay:
    """Draw the critical-difference diagram of the ranks at one noise rate.

    Parameters
    ----------
    results : DataFrame
        As :func:`compare_under_noise` gives it.
    noise_rate : float
        One of its rates.
    score : str, default="accuracy"
        The score that ranks.
    alpha : float, default=0.05
        The level of Nemenyi's test, between 0 and 1.
    ax : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    CriticalDifferenceDisplay
        The drawn diagram. Its ranks are those of :func:`rank_methods`, in which a method that
        failed on a data set is last there.

    Raises
    ------
    InputError
        Where there is no such score or rate, or fewer than two methods or two data sets with
        scores.

    See Also
    --------
    hardy.stats.friedman_test : Whether methods differ at all; look at it first.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from hardy.studies import draw_ranks
    >>> results = pd.DataFrame({
    ...     "dataset": list("ddee"), "noise_rate": [0.1] * 4, "method": list("abab"),
    ...     "accuracy": [0.5, 0.8, 0.6, None],
    ... })
    >>> draw_ranks(results, 0.1).average_ranks.to_dict()
    {'a': 1.5, 'b': 1.5}
    """
    ranks = _rank(mean_scores(results, noise_rate, score), score)
    n_datasets, n_methods = ranks.shape
    if min(ranks.shape) < 2:
        raise InputError(
            f"There are {n_methods} methods and {n_datasets} data sets with scores; two of both "
            "are needed for a diagram of ranks."
        )
    difference = critical_difference(n_methods, n_datasets, alpha)
    return CriticalDifferenceDisplay(ranks.mean(), difference, alpha).plot(ax)


def _rank(means: pd.DataFrame, score: str) -> pd.DataFrame:
    """Rank the methods on each data set that says something of them; failures are last."""
    # Equal means may differ in their last digits.
    known = means.dropna(how="all").round(12)
    return known.rank(axis=1, ascending=score in LOWER_IS_BETTER, na_option="bottom")


class RobustnessDisplay:
    """Scores as curves over the noise rate, with bands of confidence.

    It is recommended to make it by `from_results`.

    Parameters
    ----------
    curves : DataFrame
        The columns ``method``, ``noise_rate``, ``mean``, ``low`` and ``high``.
    score : str
        The name of the score.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes, after `plot`.
    figure_ : matplotlib Figure
        Its figure.
    lines_ : list of matplotlib Line2D
        A curve for each method.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from hardy.studies import RobustnessDisplay
    >>> results = pd.DataFrame({
    ...     "dataset": list("dede"), "noise_rate": [0, 0, 0.1, 0.1], "method": ["a"] * 4,
    ...     "accuracy": [0.9, 0.8, 0.7, 0.8],
    ... })
    >>> RobustnessDisplay.from_results(results).curves["mean"].round(2).tolist()
    [0.85, 0.75]
    """

    def __init__(self, curves: pd.DataFrame, score: str) -> None:
        self.curves = curves
        self.score = score

    @classmethod
    def from_results(
        cls,
        results: pd.DataFrame,
        *,
        score: str = "accuracy",
        confidence: float = 0.95,
        ax: Any = None,
    ) -> Self:
        """Draw the curves of a comparison.

        Parameters
        ----------
        results : DataFrame
            As :func:`compare_under_noise` gives it.
        score : str, default="accuracy"
            One of the scores in it.
        confidence : float, default=0.95
            The probability of the bands, between 0 and 1.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        RobustnessDisplay
            The drawn curves: means over the data sets, of which a method that failed on one has
            none there. The bands are Student's interval of the mean over the data sets; of one data
            set, that over its folds, which are not independent: take it as a hint.

        Raises
        ------
        InputError
            Where there is no such score, or `confidence` is out of range.
        """
        if not 0 < confidence < 1:
            raise InputError(f"confidence={confidence!r} must lie between 0 and 1.")
        rows = []
        for rate in sorted(results["noise_rate"].unique().tolist()):
            means = mean_scores(results, rate, score)
            for method in means.columns:
                values = means[method].dropna()
                if len(means) == len(values) == 1:
                    is_it = (results["noise_rate"] == rate) & (results["method"] == method)
                    values = results.loc[is_it, score].dropna()
                rows.append({"method": method, "noise_rate": rate, **_interval(values, confidence)})
        return cls(pd.DataFrame(rows), score).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        RobustnessDisplay
            The display itself.
        """
        from matplotlib import pyplot as plt

        if ax is None:
            _, ax = plt.subplots(figsize=(8, 5), layout="constrained")
        self.ax_, self.figure_, self.lines_ = ax, ax.figure, []
        for method, curve in self.curves.groupby("method", sort=False):
            (line,) = ax.plot(curve["noise_rate"], curve["mean"], marker="o", label=drawn(method))
            ax.fill_between(
                curve["noise_rate"], curve["low"], curve["high"], color=line.get_color(), alpha=0.12
            )
            self.lines_.append(line)
        ax.set(
            xlabel="share of wrong training labels",
            ylabel=f"{self.score.replace('_', ' ')} on true labels",
        )
        ax.legend()
        return self


def _interval(values: "pd.Series[float]", confidence: float) -> dict[str, float]:
    mean = float(values.mean())
    if len(values) < 2:
        return {"mean": mean, "low": mean, "high": mean}
    half = stats.t.ppf((1 + confidence) / 2, len(values) - 1) * stats.sem(values)
    return {"mean": mean, "low": mean - float(half), "high": mean + float(half)}
