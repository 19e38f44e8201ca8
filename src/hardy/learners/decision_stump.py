"""The decision stump: one question about one feature, and two answers."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy._classifier import LabelClassifierMixin
from hardy._labels import EncodedLabels, encode_labels
from hardy._quoting import quote_all
from hardy.exceptions import InputError
from hardy.learners._binning import BinnedRows
from hardy.learners._kernels import decision_stump as kernels
from hardy.learners._rows import check_labelled_rows, weight_classes
from hardy.learners._stump import CHECKS, BaseDecisionStump, as_weight, scale_exactly


class DecisionStumpClassifier(LabelClassifierMixin, BaseDecisionStump):
    """Classify by whether one feature is above a threshold.

    A decision tree of depth 1, made for boosting: the values of each feature are put into bins,
    and only the thresholds between bins are tried. Rows can be put into their bins once for many
    fits with other weights, see `bin_rows`.

    Of equally good splits that of the first feature, and there of the lowest threshold, is taken.
    A split is made wherever there are two classes and a feature that isn't constant.

    Parameters
    ----------
    max_bins : int, default=255
        The most bins of a feature, 2 to 255. A feature with no more distinct values has one for
        each, so that every split is tried; otherwise the bins have about equal weight.
    criterion : {"gini", "entropy"}, default="gini"
        The impurity that is made as low as possible: Gini's 1 − Σ p², or the entropy −Σ p ln p.
    class_weight : dict, "balanced" or None, default=None
        What the weight of a row is multiplied by, for each label; labels that the dict lacks count
        as 1. ``"balanced"`` gives all classes the same total weight, with the same sum as before.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    feature_ : int
        The index of the feature that is asked about; −1 where there is no split, because all
        features are constant or all weight is on one class.
    threshold_ : float
        Rows with at most this value go left. It is infinite where missing values are split from
        all others, and where there is no split.
    missing_go_left_ : bool
        Whether missing values go left. They go to the better side; where the feature had none in
        training, to the heavier one.
    leaf_probabilities_ : ndarray of shape (2, n_classes)
        The shares of the classes, by weight, on the left and on the right; twice those of all rows
        where there is no split.
    feature_importances_ : ndarray of shape (n_features,)
        1 for the feature that is asked about, 0 for the others.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    Notes
    -----
    A row of weight w is w equal rows, one of weight 0 is absent.

    A sparse matrix stays sparse: only its stored values are put into bins, and what they leave of
    the classes' weights is that of the zeros.

    References
    ----------
    .. [1] W. Iba, P. Langley, "Induction of one-level decision trees", ICML 1992.
    .. [2] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and regression trees",
       Wadsworth 1984 (the criteria).

    Examples
    --------
    >>> from hardy import DecisionStumpClassifier
    >>> X = [[1.0, 20.0], [2.0, 10.0], [2.0, 40.0], [1.0, 50.0]]
    >>> stump = DecisionStumpClassifier().fit(X, ["low", "low", "high", "high"])
    >>> stump.feature_, stump.threshold_
    (1, 30.0)
    >>> stump.predict([[9.0, 25.0], [0.0, 35.0]])
    array(['low', 'high'], dtype=object)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_bins": [Interval(Integral, 2, kernels.MISSING, closed="both")],
        "criterion": [StrOptions({"gini", "entropy"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        max_bins: int = 255,
        *,
        criterion: Literal["gini", "entropy"] = "gini",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
    ) -> None:
        self.max_bins = max_bins
        self.criterion = criterion
        self.class_weight = class_weight

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: ArrayLike | BinnedRows,
        y: ArrayLike | EncodedLabels,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the best split.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or BinnedRows
            The rows; NaN is a missing value. With `BinnedRows` nothing is checked.
        y : array-like of shape (n_samples,)
            The labels, of two or more classes and of any kind. With `BinnedRows` they may be
            `EncodedLabels`, which saves looking for the classes in many fits.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        DecisionStumpClassifier
            The fitted classifier itself.

        Raises
        ------
        InputError
            Where a label is missing, fewer than two classes have weight, or a value is infinite.
        ValueError
            Where the arrays don't fit together.
        """
        if isinstance(X, BinnedRows):
            rows, labels, weight = X, y, as_weight(sample_weight, len(X))
            self.n_features_in_ = X.shape[1]
        else:
            table, labels, weight = check_labelled_rows(
                self, X, y, sample_weight, reset=True, **CHECKS
            )
            rows = self.bin_rows(table, weight)
        classes, codes = labels if isinstance(labels, EncodedLabels) else encode_labels(labels)
        self._take_classes(classes)
        weight = weight_classes(codes, classes, weight, self.class_weight)
        self._answer(rows, codes, scale_exactly(weight))
        return self

    def _take_classes(self, classes: NDArray[Any]) -> None:
        if len(classes) < 2:
            raise InputError(
                f"The labels are of one class, {quote_all(classes)}, but two or more are needed."
            )
        self.classes_ = classes

    def _answer(
        self, rows: BinnedRows, codes: NDArray[np.intp], weight: NDArray[np.float64]
    ) -> None:
        n_classes = len(self.classes_)
        totals = np.bincount(codes, weight, minlength=n_classes).astype(np.float64)
        if not self._answer_shares(totals):
            return
        leaves = self._split(
            rows, class_slots(codes), weight, None, totals, self._impurity, float(totals.sum())
        )
        self._set_leaves(leaves)

    def _answer_shares(self, totals: NDArray[np.float64]) -> bool:
        """Give every row the shares of the classes; whether there is something to ask."""
        if not totals.any():
            raise InputError("All rows have the weight 0: there is nothing to learn from.")
        self._ask_nothing()
        self.leaf_probabilities_ = np.tile(totals / totals.sum(), (2, 1))
        return bool(np.count_nonzero(totals) > 1)

    def _set_leaves(self, leaves: NDArray[np.float64]) -> None:
        """Answer with the shares of the classes on each side, where a question is asked."""
        if self.feature_ >= 0:
            self.leaf_probabilities_ = leaves / leaves.sum(axis=1, keepdims=True)

    def _weigh(self, part: NDArray[np.float64]) -> float:
        return float(part.sum())

    @property
    def _impurity(self) -> int:
        """The kernels' number of the criterion."""
        return kernels.ENTROPY if self.criterion == "entropy" else kernels.GINI

    def predict_proba(self, X: ArrayLike | BinnedRows) -> NDArray[np.float64]:
        """Give the shares of the classes on each row's side.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or BinnedRows
            The rows. `BinnedRows` must have the bins that the stump was fitted on.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of `classes_`.
        """
        check_is_fitted(self)
        probabilities: NDArray[np.float64] = self.leaf_probabilities_[self._sides(X)]
        return probabilities

    def predict(self, X: ArrayLike | BinnedRows) -> NDArray[Any]:
        """Give the label of the highest probability, the first in `classes_` among equals.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or BinnedRows
            The rows. `BinnedRows` must have the bins that the stump was fitted on.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        check_is_fitted(self)
        sides = self._sides(X)
        predicted: NDArray[Any] = self.classes_[self.leaf_probabilities_.argmax(axis=1)[sides]]
        return predicted

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # One question tells at most two classes apart.
        tags.classifier_tags.poor_score = True
        return tags


def class_slots(codes: NDArray[np.intp]) -> NDArray[np.uint32]:
    """Give the place of each row's class in a histogram."""
    return codes.astype(np.uint32) * np.uint32(kernels.CODES)
