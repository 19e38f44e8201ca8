"""Hardness from how the classes overlap in single features."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardy.exceptions import InputError
from hardy.hardness._rows import check_dense_rows, check_labels, scale_columns
from hardy.hardness._sharing import shared

Statistic = Literal["share", "minimum", "mean", "maximum"]


def feature_overlap(
    X: ArrayLike, y: ArrayLike, *, statistic: Statistic = "share"
) -> NDArray[np.float64]:
    """Give how far each row lies where classes overlap, over its features (F1 to F4).

    In a feature f, two classes overlap between l = max(min f of one, min f of the other) and
    u = min(max f of one, max f of the other), where l ≤ u. A row's depth in that region is
    1/(1 + ∣1/2 − (u − x)/(u − l)∣), that is 1 in the middle and 2/3 at its ends, or 0 outside.
    In O(n) for each column and class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numeric features without missing values, dense. Their scales don't matter.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    statistic : {"share", "minimum", "mean", "maximum"}, default="share"
        The share of features in whose region the row lies (F1), or the minimum (F2), mean (F3) or
        maximum (F4) of its depth over the features.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; 0 where no classes overlap.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` is sparse, `X` and `y` differ in length, or
        `statistic` is unknown.

    Notes
    -----
    With more than two classes, the row's class is compared with each of the others, and the means
    over them are taken feature by feature. In a region of a single value, such as a constant
    column's, the depth is 1.

    References
    ----------
    .. [1] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: F1.
    .. [2] P. Y. A. Paiva, C. C. Moreno, K. Smith-Miles, M. G. Valeriano and A. C. Lorena,
       "Relating instance hardness to classification performance in a dataset: a visual approach",
       Machine Learning 111, 2022: F2 to F4.

    Examples
    --------
    >>> from hardy.hardness import feature_overlap
    >>> X = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [3.0, 1.0]]
    >>> feature_overlap(X, ["a", "a", "b", "b"])
    array([0. , 0.5, 0.5, 0. ])
    >>> feature_overlap(X, ["a", "a", "b", "b"], statistic="maximum").round(2)
    array([0.  , 0.67, 0.67, 0.  ])
    """
    if statistic not in _STATISTICS:
        raise InputError(
            f"statistic={statistic!r} is unknown; choose one of {', '.join(_STATISTICS)}."
        )
    share, depth = _find_overlap(X, y)
    value: NDArray[np.float64] = _STATISTICS[statistic](
        share if statistic == "share" else depth, axis=1
    )
    return value


_STATISTICS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "share": np.mean,
    "minimum": np.min,
    "mean": np.mean,
    "maximum": np.max,
}


@shared
def _find_overlap(X: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the share of the other classes that a row's class overlaps with there, and its depth.

    Both are of shape (n_samples, n_features) and means over the other classes.
    """
    rows = check_dense_rows(X, "feature_overlap")
    codes = check_labels(y, len(rows))
    scaled = scale_columns(rows)
    members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    lowest = np.array([scaled[rows_of].min(axis=0) for rows_of in members])
    highest = np.array([scaled[rows_of].max(axis=0) for rows_of in members])
    share, depth = np.zeros(scaled.shape), np.zeros(scaled.shape)
    for code, rows_of in enumerate(members):
        x = scaled[rows_of]
        for other in set(range(len(members))) - {code}:
            low = np.maximum(lowest[code], lowest[other])
            high = np.minimum(highest[code], highest[other])
            inside = (low <= x) & (x <= high)
            position = np.where(high > low, (high - x) / np.where(high > low, high - low, 1), 0.5)
            share[rows_of] += inside
            depth[rows_of] += inside / (1 + np.abs(0.5 - position))
    n_others = max(len(members) - 1, 1)
    return share / n_others, depth / n_others
