"""The critical-difference diagram: average ranks on a line, and bars over what doesn't differ."""

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hardy._quoting import drawn
from hardy.exceptions import InputError
from hardy.stats._scores import check_scores, rank_methods
from hardy.stats.nemenyi import critical_difference

# In lines of text, which are a unit of the vertical axis.
_INCHES_PER_LINE = 0.27
_INCHES_PER_LETTER = 0.1
_BAR = 0.45
_MARGIN = 0.6
# More would touch each other beside long names.
_MOST_NUMBERS = 9
# The largest share of the width that names on one side may take.
_MOST_FOR_NAMES = 0.36


class CriticalDifferenceDisplay:
    """A critical-difference diagram (Demšar 2006 [1]_).

    Methods stand at their average ranks, the best on the left. A bar joins methods that are no
    further apart than the critical difference, whose length the ruler shows. It is recommended to
    make it by `from_scores`.

    Parameters
    ----------
    average_ranks : Series or dict
        The average rank of each method, by its name.
    critical_difference : float
        The difference from which on two methods differ.
    alpha : float, optional
        The level that it belongs to, for the ruler's text.

    Attributes
    ----------
    groups_ : list of tuples
        The names of the methods that each bar joins, the best first; none where all methods differ.
    ax_ : matplotlib Axes
        The axes, after `plot`.
    figure_ : matplotlib Figure
        Its figure.
    labels_ : list of matplotlib Text
        The names and ranks of the methods, the best first.

    See Also
    --------
    hardy.stats.friedman_test : Whether methods differ at all; look at it first.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from hardy.stats import CriticalDifferenceDisplay
    >>> scores = pd.DataFrame({"a": [9, 8, 9, 7], "b": [7, 7, 6, 6], "c": [5, 6, 7, 5]})
    >>> CriticalDifferenceDisplay.from_scores(scores).groups_
    [('a', 'b'), ('b', 'c')]
    """

    def __init__(
        self,
        average_ranks: pd.Series | dict[Any, float],
        critical_difference: float,
        alpha: float | None = None,
    ) -> None:
        self.average_ranks = average_ranks
        self.critical_difference = critical_difference
        self.alpha = alpha

    @classmethod
    def from_scores(
        cls,
        scores: pd.DataFrame | ArrayLike,
        *,
        alpha: float = 0.05,
        higher_is_better: bool = True,
        ax: Any = None,
    ) -> Self:
        """Draw the diagram of scores.

        Parameters
        ----------
        scores : DataFrame or array-like of shape (n_datasets, n_methods)
            A row for each data set, a column for each method.
        alpha : float, default=0.05
            The level of Nemenyi's test, between 0 and 1.
        higher_is_better : bool, default=True
            Whether the highest score has the rank 1.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure that is as high as the methods need.

        Returns
        -------
        CriticalDifferenceDisplay
            The drawn diagram.

        Raises
        ------
        InputError
            Where a score is missing or no number, two methods have one name, or there are fewer
            than two methods or data sets.
        """
        table = check_scores(scores)
        ranks = rank_methods(table, higher_is_better=higher_is_better).mean()
        n_datasets, n_methods = table.shape
        return cls(ranks, critical_difference(n_methods, n_datasets, alpha), alpha).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure that is as high as the methods need.

        Returns
        -------
        CriticalDifferenceDisplay
            The diagram itself.
        """
        from matplotlib import pyplot as plt

        ranks = pd.Series(self.average_ranks, dtype=np.float64).sort_values(kind="stable")
        if len(ranks) < 2 or not np.isfinite(ranks).all():
            raise InputError("A diagram needs two or more methods with finite average ranks.")
        # Whatever a user may have given.
        difference: Any = self.critical_difference
        if not isinstance(difference, int | float | np.number) or not 0 <= difference < np.inf:
            raise InputError(f"critical_difference={difference!r} must be a number, at least 0.")
        groups = _join(ranks.to_numpy(), self.critical_difference)
        self.groups_ = [tuple(ranks.index[first : last + 1]) for first, last in groups]
        levels = _stack(ranks.to_numpy(), groups)
        depth = _MARGIN + _BAR * (max(levels, default=-1) + 1)
        lowest = depth + (len(ranks) + 1) // 2
        if ax is None:
            height = _INCHES_PER_LINE * (lowest + 3.5)
            longest = max(len(str(name)) for name in ranks.index)
            width = max(8, 3 + 2 * _INCHES_PER_LETTER * (longest + 7))
            _, ax = plt.subplots(figsize=(width, height), layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        first = np.floor(ranks.min())
        last = max(np.ceil(ranks.max()), first + 1)
        self._draw_axis(first, last, lowest)
        self._draw_ruler(first)
        self._draw_methods(ranks, first, last, depth)
        for level, (start, stop) in zip(levels, groups, strict=True):
            y = -(_MARGIN + _BAR * level)
            ends = ranks.iloc[[start, stop]]
            # Tied methods have a bar too, though one without length.
            ax.plot(ends, [y, y], "k-", linewidth=3.5, solid_capstyle="projecting", zorder=3)
        self._make_room(first, last)
        return self

    def _make_room(self, first: float, last: float) -> None:
        """Leave so much of the width to the names on either side as they need."""
        renderer = self.figure_._get_renderer()
        whole = self.ax_.get_window_extent(renderer).width
        longest = max(label.get_window_extent(renderer).width for label in self.labels_)
        share = (longest + 10) / whole
        if share > _MOST_FOR_NAMES:
            for label in self.labels_:
                label.set_fontsize(label.get_fontsize() * _MOST_FOR_NAMES / share)
            share = _MOST_FOR_NAMES
        # What the names leave is for the axis and the gaps beside it.
        aside = (last - first) * (share / (1 - 2 * share) + 0.1)
        right = max(last + aside, first + self.critical_difference * 1.02)
        self.ax_.set_xlim(first - aside, right)

    def _draw_axis(self, first: float, last: float, lowest: float) -> None:
        ax = self.ax_
        ax.set_axis_off()
        ax.set(ylim=(-lowest - 0.3, 3.2))
        ax.plot([first, last], [0, 0], color="black", linewidth=1)
        for rank in np.arange(first, last + 1):
            ax.plot([rank, rank], [0, 0.25], color="black", linewidth=1)
            if (rank - first) % (1 if last - first <= _MOST_NUMBERS else 2) == 0:
                ax.text(rank, 0.35, f"{rank:g}", ha="center", va="bottom")

    def _draw_ruler(self, first: float) -> None:
        ax, y = self.ax_, 1.9
        end = first + self.critical_difference
        ax.plot([first, end], [y, y], color="black", linewidth=1.5)
        for x in (first, end):
            ax.plot([x, x], [y - 0.15, y + 0.15], color="black", linewidth=1.5)
        level = "" if self.alpha is None else f" (α = {self.alpha:g})"
        text = f"critical difference {self.critical_difference:.2f}{level}"
        ax.text(first, y + 0.25, text, ha="left", va="bottom")

    def _draw_methods(self, ranks: pd.Series, first: float, last: float, depth: float) -> None:
        """Lead from each rank down and out to its name, those of a side at heights of their own."""
        gap = 0.03 * (last - first)
        n_left = (len(ranks) + 1) // 2
        self.labels_ = []
        for place, (name, rank) in enumerate(ranks.items()):
            on_left = place < n_left
            shown = drawn(name)
            line = place if on_left else len(ranks) - 1 - place
            y = -(depth + line + 0.5)
            edge = first - gap if on_left else last + gap
            self.ax_.plot([rank, rank, edge], [0, y, y], color="grey", linewidth=0.8, zorder=1)
            x, text, side = (
                (edge - gap, f"{shown} ({rank:.2f})", "right")
                if on_left
                else (edge + gap, f"({rank:.2f}) {shown}", "left")
            )
            self.labels_.append(self.ax_.text(x, y, text, ha=side, va="center"))


def _join(ranks: Any, difference: float) -> list[tuple[int, int]]:
    """Give the first and last place of the largest groups that don't differ, of sorted ranks."""
    groups: list[tuple[int, int]] = []
    for start, rank in enumerate(ranks):
        # Ranks are sums of halves: what lies apart by the difference up to rounding is equal to it.
        stop = int(np.searchsorted(ranks, rank + difference * (1 - 1e-12), side="left")) - 1
        if stop > start and (not groups or stop > groups[-1][1]):
            groups.append((start, stop))
    return groups


def _stack(ranks: Any, groups: list[tuple[int, int]]) -> list[int]:
    """Give each bar the highest level at which it touches no other."""
    ends: list[float] = []
    levels = []
    gap = 0.02 * (ranks[-1] - ranks[0])
    for start, stop in groups:
        level = next((i for i, end in enumerate(ends) if end + gap < ranks[start]), len(ends))
        ends[level : level + 1] = [ranks[stop]]
        levels.append(level)
    return levels
