"""What a compiled kernel makes of the rows to predict for."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardy.learners._rows import check_rows, kernel_rows, kernel_weights, refuse_misshapen


def fill_rows(
    estimator: Any,
    X: ArrayLike,
    kernel: Callable[..., bool],
    shape: tuple[int, ...] = (),
    dtype: Any = None,
) -> NDArray[Any]:
    """Let a kernel fill an array of this shape for each row, by `coef_` and `intercept_`.

    Its type is that of the rows, unless told. The kernel tells whether the rows are finite, so that
    they are looked through only if not, for the error that names the cell.
    """
    rows: Any = X
    if not _are_checked(estimator, X):
        rows = check_rows(estimator, X, ensure_all_finite=False)
    coef, intercept = estimator.coef_, estimator.intercept_
    refuse_misshapen(estimator, coef_=(*np.shape(intercept), estimator.n_features_in_))
    weights = kernel_weights(coef.reshape(-1, coef.shape[-1]), rows, rows.dtype)
    filled: NDArray[Any] = np.empty((rows.shape[0], *shape), dtype=dtype or rows.dtype)
    bias = intercept.ravel().astype(rows.dtype)
    if not kernel(*kernel_rows(rows), weights, bias, filled):
        check_rows(estimator, X)
    return filled


def _are_checked(estimator: Any, X: Any) -> bool:
    """Whether all checks of rows, those of an ensemble's, say, would change and find nothing."""
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.dtype in (np.float64, np.float32)
        and X.flags.c_contiguous
        and len(X) > 0
        and X.shape[1] == estimator.n_features_in_
        and not hasattr(estimator, "feature_names_in_")
    )
