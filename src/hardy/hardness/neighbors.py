"""Hardness from a row's nearest neighbours."""

from collections.abc import Iterator
from functools import cached_property
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import _num_samples

from hardy._validation import refuse_no_jobs
from hardy.exceptions import InputError
from hardy.hardness._approximate import search_graph
from hardy.hardness._kernels import take_nearest
from hardy.hardness._rows import (
    check_labels,
    check_rows,
    check_two_rows,
    leave_out_itself,
    scale_together,
)
from hardy.learners._rows import kernel_rows

Search = Literal["exact", "approximate"]

# Blocks of points and their candidates bound the memory, whatever the number of ties.
_BLOCK_ROWS = 4096
_BLOCK_CANDIDATES = 2**20
# In MiB: scikit-learn keeps this much of a table of all distances between sparse rows.
_SEARCH_MEMORY = 16
# A block of rows is compared with all others without a look at the keyboard.
_SCANNED_ROWS = 256
# A search for a larger share of the rows costs more than to look at them all.
_MOST_ASKED = 1 / 8


def k_disagreeing_neighbors(
    X: ArrayLike,
    y: ArrayLike,
    n_neighbors: int = 5,
    *,
    search: Search = "exact",
    n_jobs: int | None = None,
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
    search : {"exact", "approximate"}, default="exact"
        How neighbours are searched for; see `nearest_neighbors`.
    n_jobs : int, optional
        The number of threads for the search, as in scikit-learn. The result doesn't depend on it.

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
    neighbors, _ = nearest_neighbors(X, n_neighbors, search=search, n_jobs=n_jobs)
    disagreeing: NDArray[np.float64] = (codes[neighbors] != codes[:, None]).mean(axis=1)
    return disagreeing


def nearest_neighbors(
    X: ArrayLike,
    n_neighbors: int = 5,
    *,
    search: Search = "exact",
    n_jobs: int | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find each row's nearest other rows.

    A row is never its own neighbour, which is decided by its position: a duplicate of the row is a
    neighbour at distance 0. Among rows at exactly the same distance the one with the smaller
    position comes first, wherever the tie falls.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values.
    n_neighbors : int, default=5
        How many neighbours to find; at most ``n_samples - 1`` are.
    search : {"exact", "approximate"}, default="exact"
        ``"exact"`` compares rows until nothing nearer can be left, which takes a time that grows
        with the square of their number: minutes for 100,000. ``"approximate"`` follows a graph of
        near rows (HNSW [1]_) in single precision, and misses some, how many stands on the page on
        speed; it takes dense rows and the extra ``neighbors`` (faiss).
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
        Where there are fewer than two rows or `n_neighbors` is below 1, and where rows are sparse
        and the search is approximate.
    MissingExtraError
        Where the search is approximate and faiss is missing.

    References
    ----------
    .. [1] Y. A. Malkov, D. A. Yashunin, "Efficient and robust approximate nearest neighbor search
       using hierarchical navigable small world graphs", IEEE Transactions on Pattern Analysis and
       Machine Intelligence 42(4), 2020.

    Examples
    --------
    >>> from hardy.hardness import nearest_neighbors
    >>> nearest_neighbors([[0.0], [0.0], [3.0]], n_neighbors=1)[0].ravel()
    array([1, 0, 0])
    """
    if search not in ("exact", "approximate"):
        raise InputError(f"search={search!r} must be 'exact' or 'approximate'.")
    refuse_no_jobs(n_jobs)
    if search == "exact":
        return NeighborIndex(X, n_jobs).nearest(n_neighbors)
    rows = check_rows(X)
    check_two_rows(rows, "Neighbours")
    check_count(n_neighbors)
    return search_graph(rows, min(int(n_neighbors), rows.shape[0] - 1), n_jobs)


class NeighborIndex:
    """Rows that are prepared for finding the nearest others of each.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values, at least two rows.
    n_jobs : int, optional
        The number of threads for the search.
    """

    def __init__(self, X: ArrayLike, n_jobs: int | None = None) -> None:
        rows = check_rows(X)
        check_two_rows(rows, "Neighbours")
        rows, self._exponent = scale_together(rows.astype(np.float64))
        self._groups = Duplicates.of(rows)
        self._points = _Points(rows[self._groups.first], n_jobs)

    def nearest(
        self, n_neighbors: int, asked: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Find the nearest other rows, as :func:`nearest_neighbors` does, of all or of some.

        Parameters
        ----------
        n_neighbors : int
            How many to find; at most one less than there are rows are.
        asked : ndarray of shape (n_asked,), dtype intp, optional
            The positions of the rows to find them for; by default all.

        Returns
        -------
        neighbors, distances : ndarrays of shape (n_asked, n_found)
            Positions and Euclidean distances, nearest first.
        """
        check_count(n_neighbors)
        groups = self._groups
        asked = np.arange(len(groups.of_row)) if asked is None else asked
        n_found = min(int(n_neighbors), len(groups.of_row) - 1)
        points, of_asked = np.unique(groups.of_row[asked], return_inverse=True)
        near, squares = _rank_rows(self._points, groups, n_found + 1, points)
        near, squares = near[of_asked], squares[of_asked]
        neighbors, squares = leave_out_itself(near == asked[:, None], near, squares)
        with np.errstate(over="ignore"):
            return neighbors, np.ldexp(np.sqrt(squares), self._exponent)


def check_count(n_neighbors: Any) -> None:
    """Refuse a number of neighbours that is none."""
    is_number = isinstance(n_neighbors, Integral) and not isinstance(n_neighbors, bool)
    if not is_number or n_neighbors < 1:
        raise InputError(f"n_neighbors={n_neighbors!r} must be a whole number, at least 1.")


class Duplicates:
    """Rows that are equal, gathered: a tie among duplicates is then a matter of positions only."""

    def __init__(self, group_of_row: NDArray[np.intp]) -> None:
        self.of_row = group_of_row
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


class _Points:
    """Different rows, and what proposes candidates among them."""

    def __init__(self, rows: Any, n_jobs: int | None) -> None:
        self.rows = rows
        self.n_jobs = n_jobs

    @cached_property
    def centred(self) -> Any:
        # What all rows have in common would only blur the distances of the search.
        return self.rows if sparse.issparse(self.rows) else self.rows - np.median(self.rows, axis=0)

    @cached_property
    def index(self) -> NearestNeighbors:
        return NearestNeighbors(n_jobs=self.n_jobs).fit(self.centred)

    @cached_property
    def norms(self) -> NDArray[np.float64]:
        norms: NDArray[np.float64] = row_norms(self.centred, squared=True)
        return norms


def _rank_rows(
    points: _Points, groups: Duplicates, n_taken: int, asking: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Give the rows nearest to each asking point, its own among them, and their squared distances.

    A search proposes candidates. It may round distances, so they are computed again from
    differences, and it cuts ties at will, so it is asked for more until enough rows lie surely
    nearer than all that it left out. Where that takes too many, all points are candidates.
    """
    asked, n_points = asking, points.rows.shape[0]
    near = np.empty((n_points, n_taken), dtype=np.intp)
    squares = np.empty((n_points, n_taken))
    starts = np.append(groups.starts, len(groups.members))

    def take(asking: NDArray[np.intp], candidates: NDArray[np.intp]) -> NDArray[np.float64]:
        farthest = np.empty(len(asking))
        found = near, squares, farthest
        take_nearest(*kernel_rows(points.rows), groups.members, starts, asking, candidates, *found)
        return farthest

    n_asked = n_taken + 5
    rounding = (points.rows.shape[1] + 8) * np.finfo(np.float64).eps
    while asking.size and n_asked <= n_points * _MOST_ASKED:
        unsure = []
        for block in _blocks(asking, min(_BLOCK_ROWS, _BLOCK_CANDIDATES // n_asked)):
            with config_context(working_memory=_SEARCH_MEMORY):
                candidates = points.index.kneighbors(
                    points.centred[block], n_asked, return_distance=False
                )
            farthest = take(block, _with_itself(candidates, block))
            # For rows x and y, the search is off by less than rounding · (|x| + |y|)², which is
            # less than rounding · (8 |x|² + 2 |x − y|²): once for the farthest candidate, once for
            # a row left out, and half as much again for the squares computed anew.
            horizon = farthest * (1 - 6 * rounding) - 20 * rounding * points.norms[block]
            unsure.append(block[squares[block, 0] >= horizon])
        asking = np.concatenate(unsure)
        n_asked *= 4
    for block in _blocks(asking, _SCANNED_ROWS):
        take(block, np.broadcast_to(np.arange(n_points), (len(block), n_points)))
    near, squares = near[asked], squares[asked]
    order = np.lexsort((near, squares), axis=1)
    return np.take_along_axis(near, order, axis=1), np.take_along_axis(squares, order, axis=1)


def _blocks(positions: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(positions), max(size, 1)):
        yield positions[start : start + max(size, 1)]


def _with_itself(near: NDArray[np.intp], block: NDArray[np.intp]) -> NDArray[np.intp]:
    """Put each point among its own candidates, should rounding have pushed it out."""
    lost = ~(near == block[:, None]).any(axis=1)
    near[lost, -1] = block[lost]
    return near
