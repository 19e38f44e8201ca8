"""What every learner does with the rows that it is given, before its own part begins."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, column_or_1d, compute_class_weight

from hardy._quoting import quote, quote_all
from hardy._validation import (
    EXTREME_WEIGHTS,
    check_weights,
    refuse_not_finite,
    validate_labels,
    validate_rows,
)
from hardy.exceptions import InputError

_VALIDATION: dict[str, Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32],
    "order": "C",
}


def check_rows(estimator: BaseEstimator, X: ArrayLike, **options: Any) -> Any:
    """Check rows to predict for: a CSR or a C-contiguous matrix, float32 or float64."""
    return validate_rows(estimator, X, reset=False, **{**_VALIDATION, **options})


def check_labelled_rows(
    estimator: BaseEstimator,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    reset: bool,
    validate: Callable[[BaseEstimator, ArrayLike], NDArray[Any]] = validate_labels,
    **options: Any,
) -> tuple[Any, NDArray[Any], NDArray[np.float64]]:
    """Check rows to learn from, and leave out those of weight 0: they count as absent.

    Returns the rows, their labels as the user wrote them, or what else `validate` makes of them,
    and their weights. `options` change scikit-learn's checks of the rows.
    """
    rows = validate_rows(estimator, X, reset=reset, **{**_VALIDATION, **options})
    labels = validate(estimator, y)
    check_consistent_length(rows, labels)
    weight = check_weights(sample_weight, rows)
    present = weight > 0
    if not present.any():
        raise InputError("All rows have the weight 0: there is nothing to learn from.")
    if not present.all():
        rows, labels, weight = rows[present], labels[present], weight[present]
    return rows, labels, weight


def validate_numbers(estimator: BaseEstimator, y: ArrayLike) -> NDArray[np.float64]:
    """Check that these are finite numbers to predict, one for each row."""
    if y is None:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    numbers: NDArray[np.float64] = column_or_1d(y, dtype=np.float64, warn=True)
    refuse_not_finite(numbers)
    return numbers


def weight_classes(
    codes: NDArray[np.intp],
    classes: NDArray[Any],
    weight: NDArray[np.float64],
    class_weight: Any,
) -> NDArray[np.float64]:
    """Multiply the weights of rows by those of their classes."""
    if class_weight is None:
        return weight
    totals: NDArray[np.float64] = np.bincount(codes, weight, len(classes)).astype(np.float64)
    factors = class_factors(classes, class_weight, totals, weight.sum())
    weighted: NDArray[np.float64] = weight * factors[codes]
    if not weighted.any():
        raise InputError("class_weight is 0 for all labels here: there is nothing to learn.")
    return weighted


def class_factors(
    classes: NDArray[Any], class_weight: Any, totals: NDArray[np.float64], total: float
) -> NDArray[np.float64]:
    """Give what the weights of each class's rows are multiplied by.

    `totals` are the sums of the classes' weights, `total` is that of all.

    "balanced" counts by weight, not by row, so that a row of weight 2 stays two rows.
    """
    factors: NDArray[np.float64]
    if class_weight == "balanced":
        factors = total / (len(classes) * totals)
        return factors
    return label_factors(class_weight, classes)


def label_factors(
    class_weight: Mapping[Any, float] | None, classes: NDArray[Any]
) -> NDArray[np.float64]:
    """Give what a dict says of each label, or 1, and refuse what is no weight."""
    _refuse_unknown(class_weight or {}, classes.tolist())
    factors = np.asarray(
        compute_class_weight(class_weight, classes=classes, y=classes), dtype=np.float64
    )
    smallest, largest = EXTREME_WEIGHTS
    is_weight = (factors == 0) | ((factors >= smallest) & (factors <= largest))
    if not is_weight.all():
        bad = int(np.flatnonzero(~is_weight)[0])
        raise InputError(
            f"class_weight is {factors[bad]} for the label {quote(classes[bad])}; weights "
            f"other than 0 must lie between {smallest:g} and {largest:g}."
        )
    return factors


def _refuse_unknown(class_weight: Mapping[Any, float], labels: list[Any]) -> None:
    for label, weight in class_weight.items():
        if not isinstance(weight, Real):
            raise InputError(
                f"class_weight is {weight!r} for the label {quote(label)}; it must be a number."
            )
    unknown = [label for label in class_weight if label not in labels]
    # A dict that says more than is asked for may be meant for other rows too.
    if unknown and any(label not in class_weight for label in labels):
        raise InputError(
            f"class_weight names {quote(unknown[0])}, which is none of the labels "
            f"{quote_all(labels)}."
        )


def squared_lengths(X: Any) -> NDArray[np.float64]:
    """Give the squared length of each row, summed as float64."""
    with np.errstate(over="ignore"):
        if sparse.issparse(X):
            squares = X.astype(np.float64).power(2).sum(axis=1)
        else:
            squares = np.einsum("ij,ij->i", X, X, dtype=np.float64)
    if not np.isfinite(squares).all():
        raise InputError("The values of X are so large that their squares overflow: scale them.")
    lengths: NDArray[np.float64] = np.asarray(squares).ravel()
    return lengths


def refuse_misshapen(estimator: BaseEstimator, **expected: tuple[int, ...]) -> None:
    """Refuse fitted arrays of other shapes than they have together, which no kernel may read.

    A damaged model file can hold such.
    """
    for name, shape in expected.items():
        found = np.shape(getattr(estimator, name))
        if found != shape or 0 in shape:
            instead = "which is empty" if found == shape else f"not {shape}"
            raise InputError(
                f"This {type(estimator).__name__} is damaged: {name} has the shape {found}, "
                f"{instead}. Fit it again."
            )


def kernel_rows(X: Any) -> tuple[Any, Any]:
    """Give the rows as every kernel takes them: a matrix, or the arrays of a CSR matrix.

    They can't be written to, whether or not `X` can be, as in a memory map: a kernel would be
    compiled once more for the other kind.
    """
    if not sparse.issparse(X):
        return _read_only(X), None
    return None, (_read_only(X.data), _read_only(X.indices), _read_only(X.indptr))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def kernel_weights(weights: NDArray[Any], X: Any, dtype: Any) -> NDArray[Any]:
    """Copy weights (units, features) in the layout that suits the rows.

    A sparse row's non-zero meets the weights of all units at once: they lie side by side there.
    """
    return np.array(weights, dtype=dtype, order="F" if sparse.issparse(X) else "C")


def stack_rows(parts: Sequence[Any]) -> Any:
    """Put matrices, all of them sparse or none, one below the other."""
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.vstack(parts)
