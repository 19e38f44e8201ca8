"""Hardness from a row's nearest neighbours."""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import _num_samples

from hardy.exceptions import InputError
from hardy.hardness._rows import check_labels, check_rows, check_two_rows, scale_together

_BLOCK_ROWS = 4096


def k_disagreeing_neighbors(
    X: ArrayLike, y: ArrayLike, n_neighbors: int = 5
) -> NDArray[np.float64]:
    """Give the share of each row's nearest neighbours that have another label (kDN).

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    n_neighbors : int, default=5
        The number of neighbours k. With fewer than k other rows, all of them are asked.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder.

    Raises
    ------
    InputError
        Where a label is missing, `X` and `y` differ in length, or there are fewer than two rows.

    See Also
    --------
    nearest_neighbors : The neighbours themselves, with the rule for duplicates and ties.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014, equation 4.
    .. [2] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> from hardy.hardness import k_disagreeing_neighbors
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> k_disagreeing_neighbors(X, ["a", "a", "b", "b", "b", "b"], n_neighbors=2)
    array([0.5, 0.5, 1. , 0. , 0. , 0. ])
    """
    codes = check_labels(y, _num_samples(X))
    neighbors, _ = nearest_neighbors(X, n_neighbors)
    disagreeing: NDArray[np.float64] = (codes[neighbors] != codes[:, None]).mean(axis=1)
    return disagreeing


def nearest_neighbors(
    X: ArrayLike, n_neighbors: int = 5, *, n_jobs: int | None = None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find each row's nearest other rows.

    A row is never its own neighbour, which is decided by its position: a duplicate of the row is a
    neighbour at distance 0. Among rows at exactly the same distance the one with the smaller
    position comes first, wherever the tie falls.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values; float32 or float64 as given.
    n_neighbors : int, default=5
        How many neighbours to find; at most ``n_samples - 1`` are.
    n_jobs : int, optional
        The number of threads for the search, as in scikit-learn. The result doesn't depend on it.

    Returns
    -------
    neighbors : ndarray of shape (n_samples, n_found), dtype intp
        Positions, nearest first.
    distances : ndarray of shape (n_samples, n_found)
        Euclidean distances.

    Raises
    ------
    InputError
        Where there are fewer than two rows or `n_neighbors` is below 1.

    Examples
    --------
    >>> from hardy.hardness import nearest_neighbors
    >>> nearest_neighbors([[0.0], [0.0], [3.0]], n_neighbors=1)[0].ravel()
    array([1, 0, 0])
    """
    rows = check_rows(X)
    check_two_rows(rows, "Neighbours")
    rows, exponent = scale_together(rows)
    n_samples = rows.shape[0]
    is_number = isinstance(n_neighbors, Integral) and not isinstance(n_neighbors, bool)
    if not is_number or n_neighbors < 1:
        raise InputError(f"n_neighbors={n_neighbors!r} must be a whole number, at least 1.")
    n_found = min(n_neighbors, n_samples - 1)
    groups = Duplicates.of(rows)
    index = NearestNeighbors(n_jobs=n_jobs).fit(rows[groups.first])
    neighbors = np.empty((n_samples, n_found), dtype=np.intp)
    distances = np.empty((n_samples, n_found))
    for start in range(0, len(groups.first), _BLOCK_ROWS):
        block = np.arange(start, min(start + _BLOCK_ROWS, len(groups.first)))
        for points, near, far in _ranked_groups(index, rows[groups.first], block, groups, n_found):
            _spread_to_rows(points, near, far, groups, neighbors, distances)
    with np.errstate(over="ignore"):
        return neighbors, np.ldexp(distances, exponent)


class Duplicates:
    """Rows that are equal, gathered: a tie among duplicates is then a matter of positions only."""

    def __init__(self, group_of_row: NDArray[np.intp]) -> None:
        self.members = np.argsort(group_of_row, kind="stable")
        self.sizes = np.bincount(group_of_row)
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.first = self.members[self.starts]

    @classmethod
    def of(cls, X: Any) -> "Duplicates":
        """Gather the equal rows of a matrix."""
        if hasattr(X, "tocsr"):
            X = X.sorted_indices()
            X.eliminate_zeros()
            bounds = zip(X.indptr[:-1], X.indptr[1:], strict=True)
            keys = [X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in bounds]
            return cls(np.unique(np.array(keys, dtype=object), return_inverse=True)[1])
        # Adding 0 turns −0 into 0, which is equal to it but for its bytes.
        plain = np.ascontiguousarray(X + 0)
        keys_of_bytes = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1])))
        return cls(np.unique(keys_of_bytes.ravel(), return_inverse=True)[1])


def _ranked_groups(
    index: NearestNeighbors,
    points: Any,
    block: NDArray[np.intp],
    groups: Duplicates,
    n_found: int,
) -> Any:
    """Yield points with candidate groups that surely hold their `n_found` nearest other rows.

    The search may round distances, so they are computed again from differences, and it cuts ties
    at will, so it is asked for more until enough rows lie strictly nearer than its last answer.
    """
    n_points = points.shape[0]
    n_asked = min(n_found + 6, n_points)
    while block.size:
        near = index.kneighbors(points[block], n_asked, return_distance=False)
        near = _with_itself(near, block)
        far = _distances(points, block, near)
        horizon = far.max(axis=1, keepdims=True) * (1 - 1e-6)
        n_sure = np.where(far < horizon, groups.sizes[near], 0).sum(axis=1) - 1
        done = (n_sure >= n_found) | (n_asked == n_points)
        if done.any():
            yield block[done], near[done], far[done]
        block = block[~done]
        n_asked = min(2 * n_asked, n_points)


def _with_itself(near: NDArray[np.intp], block: NDArray[np.intp]) -> NDArray[np.intp]:
    """Put each point among its own candidates, should rounding have pushed it out."""
    lost = ~(near == block[:, None]).any(axis=1)
    near[lost, -1] = block[lost]
    return near


def _distances(points: Any, block: NDArray[np.intp], near: NDArray[np.intp]) -> NDArray[np.float64]:
    squares = np.empty(near.shape)
    for column, candidates in enumerate(near.T):
        difference = points[block] - points[candidates]
        if hasattr(difference, "multiply"):
            squares[:, column] = np.asarray(difference.multiply(difference).sum(axis=1)).ravel()
        else:
            squares[:, column] = np.einsum("ij,ij->i", difference, difference, dtype=np.float64)
    return np.sqrt(squares)


def _spread_to_rows(
    points: NDArray[np.intp],
    near: NDArray[np.intp],
    far: NDArray[np.float64],
    groups: Duplicates,
    neighbors: NDArray[np.intp],
    distances: NDArray[np.float64],
) -> None:
    """Write the nearest rows, by distance and then by position, for all rows of each point."""
    n_found = neighbors.shape[1]
    # Of a group only the first n_found + 1 rows can be among the nearest, one being the row itself.
    taken = np.minimum(groups.sizes[near.ravel()], n_found + 1)
    owner = np.repeat(np.repeat(np.arange(len(points)), near.shape[1]), taken)
    offset = np.arange(taken.sum()) - np.repeat(np.cumsum(taken) - taken, taken)
    member = groups.members[np.repeat(groups.starts[near.ravel()], taken) + offset]
    distance = np.repeat(far.ravel(), taken)
    order = np.lexsort((member, distance, owner))
    bounds = np.searchsorted(owner[order], np.arange(len(points)))
    leading = order[bounds[:, None] + np.arange(n_found + 1)]

    sizes = groups.sizes[points]
    of_point = np.repeat(np.arange(len(points)), sizes)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row = groups.members[np.repeat(groups.starts[points], sizes) + within]
    candidates = member[leading][of_point]
    is_self = candidates == row[:, None]
    is_self[~is_self.any(axis=1), -1] = True
    neighbors[row] = candidates[~is_self].reshape(-1, n_found)
    distances[row] = distance[leading][of_point][~is_self].reshape(-1, n_found)
