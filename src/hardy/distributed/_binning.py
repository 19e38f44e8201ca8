"""Bins of blocks of rows: the same thresholds for all, found from what each says of its columns."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks
from hardy.learners._binning import BinnedRows, bin_by_cuts, dense_columns
from hardy.learners._kernels import decision_stump as kernels

# Of each column of a block so many values travel at most.
SKETCH_SIZE = 4096

# Of each column rising values without the missing ones, and the weight of each.
_Sketches = list[tuple[NDArray[np.float64], NDArray[np.float64]]]


def bin_blocks(rows: Blocks, weight: Blocks, max_bins: int) -> tuple[Blocks, BinnedRows]:
    """Put the values of all columns into bins; give the blocks, and the bins without rows.

    The thresholds are those in memory, exactly, where no block has more than `SKETCH_SIZE` distinct
    values of a column. Where one has, its values are put into so many groups of about equal weight,
    each of which counts as its largest value: the share of the weight below a threshold is then
    off by at most one in `SKETCH_SIZE`.
    """
    sketches = rows.gather(_sketch_columns, weight, SKETCH_SIZE)
    cuts = [kernels.find_cuts(*_merge(column), max_bins) for column in zip(*sketches, strict=True)]
    bins = bin_by_cuts(np.empty((0, len(cuts))), cuts)
    return rows.map(bin_by_cuts, cuts), bins


def _sketch_columns(X: NDArray[Any], weight: NDArray[np.float64], size: int) -> _Sketches:
    sketches = []
    for column in dense_columns(X):
        present = ~np.isnan(column)
        sketches.append(_shorten(*_weigh(column[present], weight[present]), size))
    return sketches


def _weigh(
    values: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the distinct values, rising, and the weight of each."""
    distinct, places = np.unique(values, return_inverse=True)
    return distinct, np.bincount(places, weight, len(distinct)).astype(np.float64)


def _merge(column: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values, weight = map(np.concatenate, zip(*column, strict=True))
    return _weigh(values, weight)


def _shorten(
    values: NDArray[np.float64], weight: NDArray[np.float64], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(values) <= size:
        return values, weight
    middles = np.cumsum(weight) - weight / 2
    group = np.minimum(middles * (size / weight.sum()), size - 1).astype(np.intp)
    last = np.flatnonzero(np.diff(group, append=size))
    return values[last], np.bincount(group, weight)[group[last]]
