"""The decision stump, which finds its split from the histograms of all blocks."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import _fit_context

from hardy._all_or_nothing import all_or_nothing
from hardy.distributed._binning import bin_blocks
from hardy.distributed._estimator import OnCollections, documented_as
from hardy.distributed._training import TrainingBlocks, lay_out
from hardy.learners import DecisionStumpClassifier as InMemory
from hardy.learners._binning import BinnedRows
from hardy.learners._kernels import decision_stump as kernels
from hardy.learners._stump import CHECKS, ROUNDING, scale_exactly
from hardy.learners.decision_stump import class_slots


@documented_as(InMemory)
class DecisionStumpClassifier(OnCollections, InMemory):
    """A :class:`hardy.DecisionStumpClassifier` that learns from Dask arrays and frames.

    Each block of rows gives the histogram of each of its columns, by class and bin; their sums tell
    the best split. The fitted stump is that of the class in memory on the same rows, up to the
    order in which numbers are added, however the rows are split, where the bins are the same: see
    the notes. Where the input isn't Dask's, it predicts as the class in memory does.

    Notes
    -----
    The bins are those in memory where no block has more than 4096 distinct values of a column.
    Where one has, its values are put into 4096 groups of about equal weight, each of which counts
    as its largest value: the share of the weight below a threshold is then off by at most 1/4096.

    Sparse blocks are refused: histograms of all columns would take more room than the rows.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from hardy.distributed import DecisionStumpClassifier
    >>> X = da.from_array(np.array([[1.0, 20.0], [2.0, 10.0], [2.0, 40.0], [1.0, 50.0]]), chunks=2)
    >>> y = da.from_array(np.array(["low", "low", "high", "high"]), chunks=2)
    >>> stump = DecisionStumpClassifier().fit(X, y)
    >>> stump.feature_, stump.threshold_
    (1, 30.0)
    """

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the best split.

        Parameters
        ----------
        X : {Dask array, Dask data frame} of shape (n_samples, n_features)
            The rows; NaN is a missing value.
        y : {Dask array, Dask series} of shape (n_samples,)
            The labels, of two or more classes and of any kind, in the same blocks as `X`.
        sample_weight : {Dask array, Dask series} of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        DecisionStumpClassifier
            The fitted classifier itself.

        Raises
        ------
        InputError
            Where the input isn't Dask's or its blocks don't fit together, a label is missing, fewer
            than two classes have weight, or a value is infinite.
        MissingExtraError
            Where Dask isn't installed.
        """
        data = lay_out(self, X, y, sample_weight, **DENSE)
        train_stump(self, *in_bins(data, self.max_bins))
        return self


# How the rows of stumps are checked.
DENSE = {**CHECKS, "accept_sparse": False}


def in_bins(data: TrainingBlocks, max_bins: int) -> tuple[TrainingBlocks, BinnedRows]:
    """Put the rows into bins; give the bins without rows too."""
    rows, bins = bin_blocks(data.rows, data.weight, max_bins)
    return replace(data, rows=rows), bins


def train_stump(stump: InMemory, data: TrainingBlocks, bins: BinnedRows) -> None:
    """Fit a stump, of the class in memory or of this one, on blocks of rows in bins."""
    n_classes = len(data.classes)
    stump.n_features_in_ = data.shape[1]
    stump._take_classes(data.classes)
    weight = data.weigh_classes(stump.class_weight)
    weight = weight.map(scale_exactly, max(weight.gather(np.max)))
    histograms, totals = data.rows.total(_sum_histograms, data.codes, weight, n_classes)
    if not stump._answer_shares(totals):
        return
    split = kernels.split_histograms(
        histograms, bins.n_bins, totals, stump._impurity, ROUNDING * float(totals.sum())
    )
    stump._set_leaves(stump._ask(split, bins))


def _sum_histograms(
    rows: BinnedRows, codes: NDArray[np.intp], weight: NDArray[np.float64], n_classes: int
) -> tuple[Any, Any]:
    histograms = kernels.sum_histograms(rows.codes, class_slots(codes), weight, n_classes)
    return histograms, np.bincount(codes, weight, n_classes).astype(np.float64)
