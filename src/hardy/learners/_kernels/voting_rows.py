"""Compiled passes, row by row, of the committee machine and of the parallel perceptron for numbers.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix;
the other one is None. numba drops the branches that a None rules out.

The perceptrons ("units") lie in ``weights`` (units, features), those of one sub-problem one after
another. What moves them is added to ``moved`` and ``moved_bias``: an on-line pass gives the weights
themselves for these, a batch pass gives zeros, which it adds to the weights afterwards. All of the
four are float64.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]


@compiled
def _activate(
    dense: Array | None, csr: Csr | None, row: int, weights: Array, bias: Array, out: Array
) -> None:
    """Fill ``out[unit]``."""
    n_units, n_features = weights.shape
    for unit in range(n_units):
        out[unit] = bias[unit]
    if dense is not None:
        x = dense[row]
        for unit in range(n_units):
            w = weights[unit]
            total = 0.0
            for j in range(n_features):
                total += w[j] * x[j]
            out[unit] += total
    if csr is not None:
        data, indices, indptr = csr
        for entry in range(indptr[row], indptr[row + 1]):
            for unit in range(n_units):
                out[unit] += data[entry] * weights[unit, indices[entry]]


@compiled
def _move(
    dense: Array | None, csr: Csr | None, row: int, pushes: Array, moved: Array, moved_bias: Array
) -> None:
    """Add the row, ``pushes[unit]`` times, to every unit."""
    for unit in range(pushes.shape[0]):
        push = pushes[unit]
        if push != 0:
            moved_bias[unit] += push
            if dense is not None:
                x, sums = dense[row], moved[unit]
                for j in range(x.shape[0]):
                    sums[j] += push * x[j]
            if csr is not None:
                data, indices, indptr = csr
                for entry in range(indptr[row], indptr[row + 1]):
                    moved[unit, indices[entry]] += push * data[entry]


@compiled
def _weakest_wrong(activations: Array, sign: float, pushes: Array, push: float) -> bool:
    """Push the wrong units nearest to zero, as many as turn the vote; tell whether it was wrong."""
    size = activations.shape[0]
    lead = 0
    for unit in range(size):
        pushes[unit] = 0
        lead += 1 if sign * activations[unit] > 0 else -1
    if lead > 0:
        return False
    for _ in range((1 - lead) // 2):
        nearest = -1
        for unit in range(size):
            is_wrong = sign * activations[unit] <= 0 and pushes[unit] == 0
            if is_wrong and (
                nearest < 0 or abs(activations[unit]) < abs(activations[nearest])
            ):
                nearest = unit
        pushes[nearest] = push
    return True


@compiled
def committee_pass(
    dense: Array | None,
    csr: Csr | None,
    own: Array,
    row_weights: Array,
    order: Array,
    rate: float,
    n_subproblems: int,
    weights: Array,
    bias: Array,
    moved: Array,
    moved_bias: Array,
) -> tuple[int, float]:
    """Take the rows once; return the number of mistakes and the sum of weight × activation².

    ``own`` holds for each row the number of the sub-problem in which its label is positive.
    """
    n_units = weights.shape[0]
    size = n_units // n_subproblems
    activations = np.empty(n_units)
    pushes = np.empty(n_units)
    mistakes = 0
    squares = 0.0
    for row in order:
        _activate(dense, csr, row, weights, bias, activations)
        row_mistakes = 0
        for k in range(n_subproblems):
            sign = 1.0 if own[row] == k else -1.0
            first, stop = k * size, (k + 1) * size
            row_mistakes += _weakest_wrong(
                activations[first:stop], sign, pushes[first:stop], rate * sign * row_weights[row]
            )
        for unit in range(n_units):
            squares += row_weights[row] * activations[unit] * activations[unit]
        if row_mistakes > 0:
            mistakes += row_mistakes
            _move(dense, csr, row, pushes, moved, moved_bias)
    return mistakes, squares


@compiled
def p_delta_pushes(
    activations: Array, excess: float, epsilon: float, margin: float, margin_weight: float,
    pushes: Array,
) -> int:  # fmt: skip
    """Fill ``pushes[unit]``, the multiple of the row that moves the unit by the p-delta rule.

    ``excess`` is the output less the target. Returns how many units are pushed off the margin.
    """
    inside = 0
    for unit in range(activations.shape[0]):
        is_positive = activations[unit] >= 0
        if is_positive and excess > epsilon:
            pushes[unit] = -1
        elif not is_positive and excess < -epsilon:
            pushes[unit] = 1
        elif abs(activations[unit]) < margin:
            pushes[unit] = margin_weight if is_positive else -margin_weight
            inside += 1
        else:
            pushes[unit] = 0
    return inside
