"""The number of a given rank among all rows of blocks, without sorting or moving them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks

_DIGIT = 8  # bits


def select_ranks(
    values: Blocks, columns: NDArray[np.intp], ranks: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Give the number of each rank, counted from 0 upwards, in each of the columns.

    `values` are matrices of numbers that aren't negative: their bits, read as whole numbers, are in
    the same order. The digits are told one after the other, each from the counts of all blocks.
    """
    prefix = np.zeros(len(columns), dtype=np.uint64)
    ranks = ranks.astype(np.int64)
    for shift in range(64 - _DIGIT, -1, -_DIGIT):
        counts = values.total(_count_digits, columns, prefix, shift)
        upto = counts.cumsum(axis=1)
        digits = (upto <= ranks[:, None]).sum(axis=1)
        ranks -= np.where(digits > 0, upto[np.arange(len(upto)), digits - 1], 0)
        prefix = (prefix << np.uint64(_DIGIT)) | digits.astype(np.uint64)
    return prefix.view(np.float64)


def _count_digits(
    values: NDArray[np.float64], columns: NDArray[np.intp], prefix: NDArray[Any], shift: int
) -> NDArray[np.int64]:
    """Count the next digits of the numbers that begin as the one looked for does."""
    counts = np.empty((len(columns), 1 << _DIGIT), dtype=np.int64)
    for number, column in enumerate(columns):
        # Adding 0 turns −0 into 0.
        bits = (np.ascontiguousarray(values[:, column]) + 0.0).view(np.uint64) >> np.uint64(shift)
        # A shift by all 64 bits has no meaning, but before the first digit all begin alike.
        alike = (bits >> np.uint64(_DIGIT)) == prefix[number]
        digits = bits[alike] & np.uint64((1 << _DIGIT) - 1)
        counts[number] = np.bincount(digits.astype(np.intp), minlength=1 << _DIGIT)
    return counts
