"""Sums of the batch delta rule: what one pass over rows says, which adds up over blocks of rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._rows import squared_lengths

_ROWS_AT_ONCE = 4096


def sum_pass(
    X: Any,
    own: NDArray[np.intp],
    weight: NDArray[np.float64],
    weights: NDArray[np.float64],
    bias: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Give the sums of s e x, of s e, and of s e², for each sub-problem.

    A row of weight s misses its target, +1 in its own sub-problem and −1 elsewhere, by e.
    """
    steps, bias_steps = np.zeros_like(weights), np.zeros_like(bias)
    squares = np.zeros_like(bias)
    for some in _slices(len(own)):
        rows = X[some].astype(np.float64)
        targets = np.where(own[some, None] == np.arange(len(bias)), 1.0, -1.0)
        errors = targets - (np.asarray(rows @ weights.T) + bias)
        weighted = weight[some, None] * errors
        steps += np.asarray(rows.T @ weighted).T
        bias_steps += weighted.sum(axis=0)
        squares += np.einsum("ij,ij->j", weighted, errors)
    return steps, bias_steps, squares


def sum_lengths(X: Any, weight: NDArray[np.float64]) -> np.float64:
    """Give the sum of s ‖x‖²."""
    return np.float64(squared_lengths(X) @ weight)


def _slices(n_rows: int) -> Iterator[slice]:
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        yield slice(start, start + _ROWS_AT_ONCE)
