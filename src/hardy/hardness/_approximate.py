"""Nearest rows by an approximate index, for more rows than an exact search can compare."""

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse

from hardy._extras import import_extra
from hardy.exceptions import InputError
from hardy.hardness._rows import leave_out_itself, scale_together

# Links of each row, and how many candidates are kept while the graph is built and searched.
_N_LINKS, _N_BUILDING, _N_SEARCHING = 16, 40, 32


def search_graph(
    rows: Any, n_found: int, n_jobs: int | None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find the nearest other rows of each row in a graph of near rows (HNSW).

    Parameters
    ----------
    rows : ndarray of shape (n_samples, n_features)
        Checked rows; single precision is what counts.
    n_found : int
        How many to find, fewer than there are rows.
    n_jobs : int or None
        The number of threads of the search; the graph is built by one, so that the result doesn't
        depend on it.

    Returns
    -------
    neighbors : ndarray of shape (n_samples, n_found), dtype intp
        Positions, nearest first, the smaller position first among equals.
    distances : ndarray of shape (n_samples, n_found)
        Euclidean distances.
    """
    if sparse.issparse(rows):
        raise InputError("An approximate search takes no sparse rows: use search='exact'.")
    rows, exponent = scale_together(rows.astype(np.float64))
    faiss = import_extra("faiss", extra="neighbors", purpose="An approximate search")
    points = np.ascontiguousarray(rows - np.median(rows, axis=0), dtype=np.float32)
    index = faiss.IndexHNSWFlat(points.shape[1], _N_LINKS)
    index.hnsw.efConstruction = _N_BUILDING
    index.hnsw.efSearch = max(_N_SEARCHING, 2 * n_found)
    before = faiss.omp_get_max_threads()
    try:
        faiss.omp_set_num_threads(1)
        index.add(points)
        faiss.omp_set_num_threads(effective_n_jobs(n_jobs))
        squares, near = index.search(points, n_found + 1)
    finally:
        faiss.omp_set_num_threads(before)
    _fill_up(near, squares)
    near, squares = leave_out_itself(near == np.arange(len(near))[:, None], near, squares)
    order = np.lexsort((near, squares), axis=1)
    neighbors = np.take_along_axis(near, order, axis=1).astype(np.intp)
    distances = np.sqrt(np.take_along_axis(squares, order, axis=1).astype(np.float64))
    with np.errstate(over="ignore"):
        return neighbors, np.ldexp(distances, exponent)


def _fill_up(near: NDArray[np.int64], squares: NDArray[np.float32]) -> None:
    """Put the next rows, as far away as can be, where too few were found; none comes twice."""
    n_rows, n_asked = near.shape
    for row in np.flatnonzero((near < 0).any(axis=1)):
        is_missing = near[row] < 0
        following = (row + np.arange(n_asked)) % n_rows
        following = following[~np.isin(following, near[row])]
        near[row, is_missing] = following[: is_missing.sum()]
        squares[row, is_missing] = np.inf
