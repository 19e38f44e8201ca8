"""Sums of the batch delta rule: what one pass over rows says, which adds up over blocks of rows."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._rows import squared_lengths

_ROWS_AT_ONCE = 4096

Floats = NDArray[np.float64]


class StepsBySums:
    """Passes that make one step each, by the sums that `sum_pass` gives for weights and biases.

    `state` holds weights, biases, and the last steps of both, which change in place.
    """

    def __init__(
        self,
        sum_pass: Callable[..., Any],
        state: tuple[Floats, Floats, Floats, Floats],
        rate: float,
        bias_scale: float,
        momentum: float,
    ) -> None:
        self._sum_pass, self._state = sum_pass, state
        self._rate, self._bias_scale, self._momentum = rate, bias_scale, momentum

    def make_pass(self, is_learning: NDArray[np.bool_]) -> Any:
        """Make a step, and give the sums of weight × squared error before it."""
        weights, bias, steps, bias_steps = self._state
        sums, bias_sums, squares = self._sum_pass(weights, bias)
        rate, kept = np.where(is_learning, self._rate, 0.0), self._momentum * is_learning
        steps[:] = rate[:, None] * sums + kept[:, None] * steps
        bias_steps[:] = rate * self._bias_scale * bias_sums + kept * bias_steps
        weights += steps
        bias += bias_steps
        return squares


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
