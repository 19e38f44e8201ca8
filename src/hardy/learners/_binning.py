"""Rows whose values are replaced by the numbers of their bins, once for many fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy.learners._kernels import decision_stump as kernels

# Columns of a row-major matrix are read a few at a time: neighbours share the cache's lines.
_BLOCK = 16


@dataclass(frozen=True, eq=False)
class BinnedRows:
    """Rows as bin numbers, with the thresholds between the bins.

    Made by ``bin_rows`` of a learner, and taken by its ``fit`` and ``predict`` in the place of
    rows, without any further check.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_rows), dtype uint8, or CSC array (n_rows, n_features)
        The bin of each cell, counted from 0; 255 where the value is missing. A sparse array holds
        the codes of the stored cells.
    zero_codes : ndarray of shape (n_features,), dtype uint8, or None
        The bin of 0 in each column, where `codes` is sparse.
    cuts : ndarray of shape (n_cuts,), dtype float64
        The thresholds of all columns, one column's after another's. The values in a column's bin
        b are at most its threshold b and above its threshold b − 1.
    starts : ndarray of shape (n_features + 1,), dtype intp
        Where each column's thresholds start in `cuts`.
    """

    codes: Any
    zero_codes: NDArray[np.uint8] | None
    cuts: NDArray[np.float64]
    starts: NDArray[np.intp]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and features."""
        n_rows = self.codes.shape[1 if self.zero_codes is None else 0]
        return n_rows, len(self.starts) - 1

    @property
    def n_bins(self) -> NDArray[np.intp]:
        """The number of bins of each column."""
        return np.diff(self.starts) + 1

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: NDArray[Any]) -> Self:
        """Select rows, in any order and number, in the same bins."""
        codes = self.codes[:, rows] if self.zero_codes is None else self.codes[rows]
        return replace(self, codes=codes)

    def column_cuts(self, feature: int) -> NDArray[np.float64]:
        """Give the thresholds of one column, rising."""
        return self.cuts[self.starts[feature] : self.starts[feature + 1]]

    def column_codes(self, feature: int) -> NDArray[np.uint8]:
        """Give the bin of each row in one column."""
        codes: NDArray[np.uint8]
        if self.zero_codes is None:
            codes = self.codes[feature]
            return codes
        stored = slice(*self.codes.indptr[feature : feature + 2])
        codes = np.full(len(self), self.zero_codes[feature])
        codes[self.codes.indices[stored]] = self.codes.data[stored]
        return codes


def bin_rows(X: Any, weight: NDArray[np.float64], max_bins: int) -> BinnedRows:
    """Put the values of each column into bins of about equal weight.

    A column with at most `max_bins` distinct values has a bin for each. Rows of weight 0 get bins,
    but have no say in them. A sparse matrix is never made dense.
    """
    return (_bin_sparse if sparse.issparse(X) else _bin_dense)(X, weight, max_bins)


def bin_by_cuts(X: NDArray[Any], cuts: Sequence[NDArray[np.float64]]) -> BinnedRows:
    """Put the values of each column of a dense matrix between given thresholds."""
    codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
    for values, found, column_codes in zip(dense_columns(X), cuts, codes, strict=True):
        kernels.fill_codes(values, found, column_codes)
    return _dense_bins(codes, cuts)


def dense_columns(X: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Give the columns of a dense matrix one after another, in single precision if they are."""
    dtype = X.dtype if X.dtype == np.float32 else np.float64
    for start in range(0, X.shape[1], _BLOCK):
        yield from np.array(X[:, start : start + _BLOCK].T, dtype=dtype, order="C")


def _bin_dense(X: NDArray[Any], weight: NDArray[np.float64], max_bins: int) -> BinnedRows:
    codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
    # Sorting is several times as fast as sorting with the weights in tow.
    equal = weight.min() == weight.max()
    cuts = []
    for values, column_codes in zip(dense_columns(X), codes, strict=True):
        if equal:
            found = kernels.find_cuts(np.sort(values), weight, max_bins)
        else:
            order = np.argsort(values)
            found = kernels.find_cuts(values[order], weight[order], max_bins)
        kernels.fill_codes(values, found, column_codes)
        cuts.append(found)
    return _dense_bins(codes, cuts)


def _dense_bins(codes: NDArray[np.uint8], cuts: Sequence[NDArray[np.float64]]) -> BinnedRows:
    starts = np.cumsum([0, *map(len, cuts)], dtype=np.intp)
    return BinnedRows(codes, None, np.concatenate(cuts), starts)


def _bin_sparse(X: Any, weight: NDArray[np.float64], max_bins: int) -> BinnedRows:
    columns = sparse.csc_array(X, dtype=np.float64, copy=True)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    codes = np.empty(columns.nnz, dtype=np.uint8)
    zero_codes = np.empty(X.shape[1], dtype=np.uint8)
    starts = np.empty(X.shape[1] + 1, dtype=np.intp)
    cuts = np.empty(np.minimum(np.diff(columns.indptr), max_bins - 1).sum())
    kernels.bin_columns(
        columns.data, columns.indices, columns.indptr, weight, max_bins, codes, zero_codes, cuts,
        starts,
    )  # fmt: skip
    codes = sparse.csc_array((codes, columns.indices, columns.indptr), shape=X.shape)
    return BinnedRows(codes, zero_codes, cuts[: starts[-1]].copy(), starts)
