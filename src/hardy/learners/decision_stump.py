"""The decision stump: one question about one feature, and two answers."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hardy._labels import encode_labels
from hardy.exceptions import InputError
from hardy.learners._binning import BinnedRows, bin_rows
from hardy.learners._kernels import decision_stump as kernels
from hardy.learners._rows import check_labelled_rows, check_rows, weight_classes

_OPTIONS: dict[str, Any] = {"order": None, "ensure_all_finite": "allow-nan"}
_NO_WEIGHT = "All rows have the weight 0: there is nothing to learn from."


class DecisionStumpClassifier(ClassifierMixin, BaseEstimator):
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

    def bin_rows(self, X: Any, sample_weight: ArrayLike | None = None) -> BinnedRows:
        """Put the values into bins, once for many fits with other weights or labels.

        Parameters
        ----------
        X : {ndarray, sparse matrix} of shape (n_samples, n_features)
            The rows, of numbers that are finite or NaN: this is not checked.
        sample_weight : ndarray of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1. Bins have about equal weight, and rows
            of weight 0 have no say in them.

        Returns
        -------
        BinnedRows
            What `fit`, `predict` and `predict_proba` accept in the place of `X`. Indexing it by
            row numbers gives those rows, as often as they are named, in the same bins.

        Examples
        --------
        >>> import numpy as np
        >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array(["no", "yes", "yes"])
        >>> stump = DecisionStumpClassifier()
        >>> rows = stump.bin_rows(X)
        >>> stump.fit(rows, y).threshold_, stump.fit(rows, y, [1.0, 0.0, 1.0]).threshold_
        (1.5, 1.5)
        >>> stump.fit(rows[[0, 2, 2]], y[[0, 2, 2]]).predict(rows)
        array(['no', 'yes', 'yes'], dtype='<U3')
        """
        weight = _as_weight(sample_weight, X.shape[0])
        return bin_rows(X, _scale_exactly(weight), self.max_bins)

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
            The labels, of two or more classes and of any kind.
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
            rows, labels, weight = X, y, _as_weight(sample_weight, len(X))
            self.n_features_in_ = X.shape[1]
        else:
            table, labels, weight = check_labelled_rows(
                self, X, y, sample_weight, reset=True, **_OPTIONS
            )
            rows = self.bin_rows(table, weight)
        self.classes_, codes = encode_labels(labels)
        if len(self.classes_) < 2:
            raise InputError(
                f"The labels are of one class, {self.classes_.tolist()!r}, but two or more are "
                "needed."
            )
        weight = weight_classes(codes, self.classes_, weight, self.class_weight)
        self._split(rows, codes, _scale_exactly(weight))
        return self

    def _split(
        self, rows: BinnedRows, codes: NDArray[np.intp], weight: NDArray[np.float64]
    ) -> None:
        n_classes = len(self.classes_)
        totals = np.bincount(codes, weight, minlength=n_classes)
        if not totals.any():
            raise InputError(_NO_WEIGHT)
        self.feature_, self.threshold_, self.missing_go_left_ = -1, np.inf, True
        self.leaf_probabilities_ = np.tile(totals / totals.sum(), (2, 1))
        if np.count_nonzero(totals) < 2:
            return
        slots = codes.astype(np.uint32) * np.uint32(kernels.CODES)
        is_entropy = self.criterion == "entropy"
        feature, cut, missing_go_left = kernels.find_split(
            *_kernel_codes(rows), rows.n_bins, slots, weight, totals, is_entropy
        )
        if feature < 0:
            return
        self.feature_, self.missing_go_left_ = feature, missing_go_left
        cuts = rows.column_cuts(feature)
        self.threshold_ = float(cuts[cut]) if cut < len(cuts) else np.inf
        side = self._sides(rows)
        leaves = np.bincount(side * n_classes + codes, weight, minlength=2 * n_classes)
        leaves = leaves.reshape(2, n_classes)
        self.leaf_probabilities_ = leaves / leaves.sum(axis=1, keepdims=True)
        missing = rows.column_codes(feature) == kernels.MISSING
        if not weight[missing].any():
            left, right = leaves.sum(axis=1)
            self.missing_go_left_ = bool(left > right)

    def _sides(self, X: ArrayLike | BinnedRows) -> NDArray[np.intp]:
        """Tell for each row whether it goes left, 0, or right, 1."""
        if isinstance(X, BinnedRows):
            if self.feature_ < 0:
                return np.zeros(len(X), dtype=np.intp)
            codes = X.column_codes(self.feature_)
            right = codes > np.searchsorted(X.column_cuts(self.feature_), self.threshold_)
            missing = codes == kernels.MISSING
        else:
            table = check_rows(self, X, **_OPTIONS)
            if self.feature_ < 0:
                return np.zeros(table.shape[0], dtype=np.intp)
            column = table[:, [self.feature_]]
            values = (column.toarray() if sparse.issparse(column) else column).ravel()
            # A Python float would be rounded to the type of the values.
            right = values > np.float64(self.threshold_)
            missing = np.isnan(values)
        right[missing] = not self.missing_go_left_
        return right.astype(np.intp)

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

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """1 for the feature that is asked about, 0 for the others."""
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        if self.feature_ >= 0:
            importances[self.feature_] = 1
        return importances

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        # One question tells at most two classes apart.
        tags.classifier_tags.poor_score = True
        return tags


def _as_weight(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    return np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, np.float64)


def _scale_exactly(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale weights by a power of two so that their squares neither overflow nor vanish."""
    _, exponent = np.frexp(weight.max(initial=0.0))
    scaled: NDArray[np.float64] = np.ldexp(weight, -exponent)
    return scaled


def _kernel_codes(rows: BinnedRows) -> tuple[Any, Any]:
    """Give the codes as the kernel takes them."""
    if rows.zero_codes is None:
        return rows.codes, None
    codes = rows.codes
    return None, (codes.data, codes.indices, codes.indptr, rows.zero_codes)
