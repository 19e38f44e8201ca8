"""The decision stump for numbers: one question about one feature, and two means."""

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin, _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy.exceptions import InputError
from hardy.learners._binning import BinnedRows
from hardy.learners._kernels import decision_stump as kernels
from hardy.learners._rows import check_labelled_rows, validate_numbers
from hardy.learners._stump import CHECKS, BaseDecisionStump, as_weight, scale_exactly


class DecisionStumpRegressor(RegressorMixin, BaseDecisionStump):
    """Predict one of two means, by whether one feature is above a threshold.

    A regression tree of depth 1, made for boosting (`LogitBoostClassifier`): the values of each
    feature are put into bins, and only the thresholds between bins are tried. The split that leaves
    the least squared error is taken; of equally good ones that of the first feature, and there of
    the lowest threshold.

    Parameters
    ----------
    max_bins : int, default=255
        The most bins of a feature, 2 to 255. A feature with no more distinct values has one for
        each, so that every split is tried; otherwise the bins have about equal weight.

    Attributes
    ----------
    feature_ : int
        The index of the feature that is asked about; −1 where there is no split, because all
        features or all numbers are constant.
    threshold_ : float
        Rows with at most this value go left. It is infinite where missing values are split from
        all others, and where there is no split.
    missing_go_left_ : bool
        Whether missing values go left. They go to the better side; where the feature had none in
        training, to the heavier one.
    leaf_values_ : ndarray of shape (2,)
        The weighted means of the numbers on the left and on the right; twice that of all rows where
        there is no split.
    feature_importances_ : ndarray of shape (n_features,)
        1 for the feature that is asked about, 0 for the others.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    See Also
    --------
    DecisionStumpClassifier : The same for classes.

    Notes
    -----
    A row of weight w is w equal rows, one of weight 0 is absent. A sparse matrix stays sparse.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and regression trees",
       Wadsworth 1984.

    Examples
    --------
    >>> from hardy import DecisionStumpRegressor
    >>> stump = DecisionStumpRegressor().fit([[1.0], [2.0], [3.0], [4.0]], [10.0, 12.0, 30.0, 31.0])
    >>> stump.threshold_, stump.leaf_values_
    (2.5, array([11. , 30.5]))
    >>> stump.predict([[0.0], [9.0]])
    array([11. , 30.5])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_bins": [Interval(Integral, 2, kernels.MISSING, closed="both")],
    }

    def __init__(self, max_bins: int = 255) -> None:
        self.max_bins = max_bins

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: ArrayLike | BinnedRows, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Find the best split.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or BinnedRows
            The rows; NaN is a missing value. With `BinnedRows` nothing is checked.
        y : array-like of shape (n_samples,)
            The numbers to predict.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        DecisionStumpRegressor
            The fitted regressor itself.

        Raises
        ------
        InputError
            Where a number is missing or infinite, all weights are 0, or a value is infinite.
        ValueError
            Where the arrays don't fit together.
        """
        if isinstance(X, BinnedRows):
            rows, numbers, weight = X, np.asarray(y, np.float64), as_weight(sample_weight, len(X))
            self.n_features_in_ = X.shape[1]
        else:
            table, numbers, weight = check_labelled_rows(
                self, X, y, sample_weight, reset=True, validate=validate_numbers, **CHECKS
            )
            rows = self.bin_rows(table, weight)
        self._answer(rows, numbers, scale_exactly(weight))
        return self

    def _answer(
        self, rows: BinnedRows, numbers: NDArray[np.float64], weight: NDArray[np.float64]
    ) -> None:
        total = weight.sum()
        if not total:
            raise InputError("All rows have the weight 0: there is nothing to learn from.")
        self._ask_nothing()
        # Sums of large numbers must not overflow.
        unit = np.abs(numbers).max() or 1.0
        scaled = numbers / unit
        mean = np.average(scaled, weights=weight)
        self.leaf_values_ = unit * np.array([mean, mean])
        # From the middle, so that little is lost in the differences of squares.
        centred = scaled - mean
        products = weight * centred
        totals = np.array([total, products.sum()])
        slots = np.zeros(len(rows), dtype=np.uint32)
        best_score = float(products @ centred)
        self._split(rows, slots, weight, products, totals, kernels.SQUARES, best_score)
        if self.feature_ >= 0:
            sides = self._sides(rows)
            sums = np.bincount(sides, weight * scaled, minlength=2)
            self.leaf_values_ = unit * (sums / np.bincount(sides, weight, minlength=2))

    def _weigh(self, part: NDArray[np.float64]) -> float:
        return float(part[0])

    def predict(self, X: ArrayLike | BinnedRows) -> NDArray[np.float64]:
        """Give the mean of each row's side.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or BinnedRows
            The rows. `BinnedRows` must have the bins that the stump was fitted on.

        Returns
        -------
        ndarray of shape (n_samples,)
            The numbers.
        """
        check_is_fitted(self)
        predicted: NDArray[np.float64] = self.leaf_values_[self._sides(X)]
        return predicted

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Two answers explain little of most numbers.
        tags.regressor_tags.poor_score = True
        return tags
