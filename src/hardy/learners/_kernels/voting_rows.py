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
            is_wrong = not sign * activations[unit] > 0 and pushes[unit] == 0
            if is_wrong and (nearest < 0 or abs(activations[unit]) < abs(activations[nearest])):
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
def _p_delta(
    activations: Array, miss: float, epsilon: float, margin: float, clearing: float, pushes: Array
) -> int:
    """Fill ``pushes[unit]``, the multiple of the row that moves the unit.

    ``miss`` is the output less the target. Returns how many units are pushed out of the margin.
    """
    n_inside = 0
    for unit in range(activations.shape[0]):
        is_up = activations[unit] >= 0
        if is_up and miss > epsilon:
            pushes[unit] = -1
        elif not is_up and miss < -epsilon:
            pushes[unit] = 1
        elif abs(activations[unit]) < margin:
            pushes[unit] = clearing if is_up else -clearing
            n_inside += 1
        else:
            pushes[unit] = 0
    return n_inside


@compiled
def _normalise(weights: Array, bias: Array, lengths: Array, unit: int) -> None:
    square = bias[unit] * bias[unit]
    for j in range(weights.shape[1]):
        square += weights[unit, j] * weights[unit, j]
    scale = 1 / np.sqrt(square)
    bias[unit] *= scale
    for j in range(weights.shape[1]):
        weights[unit, j] *= scale
    lengths[unit] = 1


@compiled
def regressor_pass(
    dense: Array | None,
    csr: Csr | None,
    row_squares: Array,
    targets: Array,
    row_weights: Array,
    order: Array,
    rate: float,
    epsilon: float,
    rho: float,
    clearing: float,
    margin: float,
    margin_rate: float,
    online: bool,
    weights: Array,
    bias: Array,
    moved: Array,
    moved_bias: Array,
) -> tuple[float, float, float]:
    """Take the rows once; units come with length 1, and leave an on-line pass with length 1.

    Returns the margin, which moves after each row by ``margin_rate`` times the row's weighted
    step, the sum of these weighted steps, and the sum of weight × squared miss before each row's
    pushes. ``row_squares`` holds the squared lengths of the rows, the 1 of the bias included.
    """
    n_units = weights.shape[0]
    activations = np.empty(n_units)
    pushes = np.empty(n_units)
    # A unit is kept as a multiple of its length-1 self: a row then costs what its non-zeros cost.
    lengths = np.ones(n_units)
    steps = 0.0
    squares = 0.0
    for row in order:
        _activate(dense, csr, row, weights, bias, activations)
        votes = 0
        for unit in range(n_units):
            activations[unit] /= lengths[unit]
            votes += 1 if activations[unit] >= 0 else -1
        miss = min(max(votes / rho, -1.0), 1.0) - targets[row]
        squares += row_weights[row] * miss * miss
        n_inside = _p_delta(activations, miss, epsilon, margin, clearing, pushes)
        step = row_weights[row] * epsilon * rho - row_weights[row] * min(
            4 * epsilon * rho, n_inside
        )
        steps += step
        margin = max(margin + margin_rate * step, 0.0)
        for unit in range(n_units):
            pushes[unit] *= rate * row_weights[row]
            if online and pushes[unit] != 0:
                # The length-1 unit u becomes u + push·x, whose squared length is this.
                square = 1 + pushes[unit] * (
                    2 * activations[unit] + pushes[unit] * row_squares[row]
                )
                # A unit moved onto zero would have no direction: it stays where it is.
                pushes[unit] *= lengths[unit] if square > 1e-12 else 0.0
                lengths[unit] *= np.sqrt(square) if square > 1e-12 else 1.0
        _move(dense, csr, row, pushes, moved, moved_bias)
        for unit in range(n_units):
            # Before the multiple leaves a float64's safe range or cancellation has spoilt it.
            if not 1e-3 < lengths[unit] < 1e9:
                _normalise(weights, bias, lengths, unit)
    if online:
        for unit in range(n_units):
            _normalise(weights, bias, lengths, unit)
    return margin, steps, squares
