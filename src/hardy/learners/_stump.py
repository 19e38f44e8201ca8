"""What every decision stump shares: rows in bins, the question, and the two sides."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from hardy.learners._binning import BinnedRows, bin_rows
from hardy.learners._kernels import decision_stump as kernels
from hardy.learners._rows import check_rows

# How a stump's rows are checked.
CHECKS: dict[str, Any] = {"order": None, "ensure_all_finite": "allow-nan"}
# A split is better than an earlier one if its score is higher by more than rounding, which is put
# at this share of the highest score that there could be.
ROUNDING = 1e-12


class BaseDecisionStump(BaseEstimator, ABC):
    """A question about one feature.

    A stump has the parameter ``max_bins``, calls `_split` and gives each side its answer.
    """

    max_bins: int

    # Whether rows are read where they lie, which may be on disk, and no copy of them is made.
    _reads_in_place: ClassVar[bool] = True

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
        >>> from hardy import DecisionStumpClassifier
        >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array(["no", "yes", "yes"])
        >>> stump = DecisionStumpClassifier()
        >>> rows = stump.bin_rows(X)
        >>> stump.fit(rows, y).threshold_, stump.fit(rows, y, [1.0, 0.0, 1.0]).threshold_
        (1.5, 1.5)
        >>> stump.fit(rows[[0, 2, 2]], y[[0, 2, 2]]).predict(rows)
        array(['no', 'yes', 'yes'], dtype='<U3')
        """
        weight = as_weight(sample_weight, X.shape[0])
        return bin_rows(X, scale_exactly(weight), self.max_bins)

    def _split(
        self,
        rows: BinnedRows,
        slots: NDArray[np.uint32],
        weight: NDArray[np.float64],
        products: NDArray[np.float64] | None,
        totals: NDArray[np.float64],
        criterion: int,
        best_score: float,
    ) -> NDArray[np.float64]:
        """Set the question, and give what `totals` holds of all rows for each side, if any."""
        split = kernels.find_split(
            *_kernel_codes(rows), rows.n_bins, slots, weight, products, totals, criterion,
            ROUNDING * best_score,
        )  # fmt: skip
        return self._ask(split, rows)

    def _ask(
        self, split: tuple[int, int, bool, NDArray[np.float64]], bins: BinnedRows
    ) -> NDArray[np.float64]:
        """Set the question that a split is, and give its sides' parts of the totals.

        Missing values go to the heavier side where the training has none.
        """
        feature, cut, missing_go_left, (left, right, missing) = split
        if feature < 0:
            return np.vstack([left, right])
        if not self._weigh(missing):
            missing_go_left = bool(self._weigh(left) > self._weigh(right))
        cuts = bins.column_cuts(feature)
        self.feature_, self.missing_go_left_ = feature, missing_go_left
        self.threshold_ = float(cuts[cut]) if cut < len(cuts) else np.inf
        return np.vstack([left + missing, right] if missing_go_left else [left, right + missing])

    @abstractmethod
    def _weigh(self, part: NDArray[np.float64]) -> float:
        """Give the weight of the rows of whose totals this is a part."""

    def _ask_nothing(self) -> None:
        self.feature_, self.threshold_, self.missing_go_left_ = -1, np.inf, True

    def _sides(self, X: ArrayLike | BinnedRows) -> NDArray[np.intp]:
        """Tell for each row whether it goes left, 0, or right, 1."""
        if isinstance(X, BinnedRows):
            if self.feature_ < 0:
                return np.zeros(len(X), dtype=np.intp)
            codes = X.column_codes(self.feature_)
            right = codes > np.searchsorted(X.column_cuts(self.feature_), self.threshold_)
            missing = codes == kernels.MISSING
        else:
            table = check_rows(self, X, **CHECKS)
            if self.feature_ < 0:
                return np.zeros(table.shape[0], dtype=np.intp)
            column = table[:, [self.feature_]]
            values = (column.toarray() if sparse.issparse(column) else column).ravel()
            # A Python float would be rounded to the type of the values.
            right = values > np.float64(self.threshold_)
            missing = np.isnan(values)
        if missing.any():
            right[missing] = not self.missing_go_left_
        return right.astype(np.intp)

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
        return tags


def as_weight(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    return np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, np.float64)


def scale_exactly(weight: NDArray[np.float64], largest: float | None = None) -> NDArray[np.float64]:
    """Scale weights by a power of two so that their squares neither overflow nor vanish.

    `largest` is the largest of all weights, where these are a part of them.
    """
    _, exponent = np.frexp(weight.max(initial=0.0) if largest is None else largest)
    scaled: NDArray[np.float64] = np.ldexp(weight, -exponent)
    return scaled


def _kernel_codes(rows: BinnedRows) -> tuple[Any, Any]:
    """Give the codes as the kernel takes them."""
    if rows.zero_codes is None:
        return rows.codes, None
    codes = rows.codes
    return None, (codes.data, codes.indices, codes.indptr, rows.zero_codes)
