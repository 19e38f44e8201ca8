"""Compiled passes of the parallel perceptron.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix;
the other one is None. numba drops the branches that a None rules out, so that one text serves both.

The perceptrons ("units") of all sub-problems lie one after another in ``weights`` (units,
features), equally many for each sub-problem. ``own`` holds for each row the number of the
sub-problem in which its label is positive.

All of a pass's sums are float64, whatever the rows are: they then depend so little on the order
of the rows that a row of weight 2 does what two rows do.

Everything that a kernel calls is in its own module, because numba's cache on disk takes no notice
of changes in other modules.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]

# Rows are taken in blocks that stay in the processor's cache from activations to updates.
BLOCK = 128

# What a pass tallies, one row of these for each sub-problem.
WRONG = 0  # weight of the rows classified wrongly
RIGHT = 1  # weight of the rows classified rightly
MARGIN_STEP = 2  # sum over the right rows of weight × margin step
SQUARES = 3  # sum over rows and units of weight × activation²
N_TALLIES = 4


@compiled
def _fill_activations(
    dense: Array | None,
    csr: Csr | None,
    start: int,
    stop: int,
    weights: Array,
    bias: Array,
    out: Array,
) -> None:
    """Fill ``out[unit, row - start]``."""
    n_units, n_features = weights.shape
    if dense is not None:
        # Two rows share each load of the weights. An odd last row is its own partner, so that
        # every row is summed in the same order wherever it stands.
        for row in range(start, stop, 2):
            partner = min(row + 1, stop - 1)
            x, z = dense[row], dense[partner]
            for unit in range(n_units):
                w = weights[unit]
                x_sum = w.dtype.type(0)
                z_sum = w.dtype.type(0)
                for j in range(n_features):
                    x_sum += w[j] * x[j]
                    z_sum += w[j] * z[j]
                out[unit, row - start] = x_sum + bias[unit]
                out[unit, partner - start] = z_sum + bias[unit]
    if csr is not None:
        data, indices, indptr = csr
        for row in range(start, stop):
            for unit in range(n_units):
                out[unit, row - start] = bias[unit]
            for entry in range(indptr[row], indptr[row + 1]):
                for unit in range(n_units):
                    out[unit, row - start] += data[entry] * weights[unit, indices[entry]]


@compiled
def _choose_updates(
    activations: Array,
    own: Array,
    row_weights: Array,
    margins: Array,
    p_delta: bool,
    pushes: Array,
    tally: Array,
) -> None:
    """Fill ``pushes[unit, row]``, the multiple of a block's row that moves the unit, and tally.

    Loops over rows have no branches and sums are kept in local variables: both are needed for
    numba to vectorise them, which is 6 times as fast.
    """
    n_rows = own.shape[0]
    size = activations.shape[0] // margins.shape[0]
    number = activations.dtype.type
    zero, one = number(0), number(1)
    half = number(size / 2)
    sign = np.empty(n_rows, activations.dtype)
    votes = np.empty(n_rows, activations.dtype)
    inside = np.empty(n_rows, activations.dtype)
    for k in range(margins.shape[0]):
        margin = number(margins[k])
        for i in range(n_rows):
            sign[i] = one if own[i] == k else -one
            votes[i] = zero
            inside[i] = zero
        squares = 0.0
        for unit in range(k * size, (k + 1) * size):
            activation = activations[unit]
            for i in range(n_rows):
                signed = sign[i] * activation[i]
                votes[i] += one if signed > zero else zero
                inside[i] += one if (signed > zero) & (signed < margin) else zero
                squares += row_weights[i] * activation[i] * activation[i]
        total = 0.0
        right_total = 0.0
        crowded = 0.0
        for i in range(n_rows):
            right = votes[i] > half
            total += row_weights[i]
            right_total += row_weights[i] if right else 0.0
            crowded += row_weights[i] if right & (inside[i] > zero) else 0.0
        tally[k, WRONG] += total - right_total
        tally[k, RIGHT] += right_total
        # +0.25 for a right row whose right units all clear the margin, −0.75 for any other.
        tally[k, MARGIN_STEP] += 0.25 * right_total - crowded
        tally[k, SQUARES] += squares
        for unit in range(k * size, (k + 1) * size):
            activation, push = activations[unit], pushes[unit]
            for i in range(n_rows):
                right = votes[i] > half
                signed = sign[i] * activation[i]
                near = (signed > zero) & (signed < margin)
                forward = near if right else (signed <= zero) | (p_delta & near)
                back = p_delta & right & (signed <= zero) & (signed > -margin)
                direction = (one if forward else zero) - (one if back else zero)
                push[i] = direction * sign[i] * row_weights[i]


@compiled
def _add_updates(
    dense: Array | None,
    csr: Csr | None,
    start: int,
    stop: int,
    pushes: Array,
    weight_sums: Array,
    bias_sums: Array,
) -> None:
    """Add the pushed rows of a block to the sums of their units."""
    n_features = weight_sums.shape[1]
    chosen = np.empty(BLOCK + 3, np.int64)
    factor = np.empty(BLOCK + 3)
    for unit in range(pushes.shape[0]):
        sums = weight_sums[unit]
        n_chosen = 0
        for row in range(start, stop):
            chosen[n_chosen] = row
            factor[n_chosen] = pushes[unit, row - start]
            n_chosen += pushes[unit, row - start] != 0
        if dense is not None:
            # Four rows share each load and store of the sums; some row, zero times, fills up.
            chosen[n_chosen : n_chosen + 3] = start
            factor[n_chosen : n_chosen + 3] = 0
            for c in range(0, n_chosen, 4):
                f0, f1, f2, f3 = factor[c], factor[c + 1], factor[c + 2], factor[c + 3]
                x0, x1 = dense[chosen[c]], dense[chosen[c + 1]]
                x2, x3 = dense[chosen[c + 2]], dense[chosen[c + 3]]
                for j in range(n_features):
                    sums[j] += (f0 * x0[j] + f1 * x1[j]) + (f2 * x2[j] + f3 * x3[j])
        if csr is not None:
            data, indices, indptr = csr
            for c in range(n_chosen):
                for entry in range(indptr[chosen[c]], indptr[chosen[c] + 1]):
                    sums[indices[entry]] += factor[c] * data[entry]
        for c in range(n_chosen):
            bias_sums[unit] += factor[c]


@compiled
def _scale_to_one(square: float) -> float:
    """Give 1 / √square; an overflow becomes NaN, which stays to the end and shows there."""
    return 1 / np.sqrt(square) if np.isfinite(square) else np.nan


@compiled
def _move_and_normalise(
    weights: Array, bias: Array, weight_sums: Array, bias_sums: Array, rates: Array
) -> None:
    """Move every unit by its sums times its sub-problem's rate, then scale it to length 1."""
    n_units, n_features = weights.shape
    size = n_units // rates.shape[0]
    for unit in range(n_units):
        rate, moved = rates[unit // size], weight_sums[unit]
        moved_bias = bias[unit] + rate * bias_sums[unit]
        square = moved_bias * moved_bias
        for j in range(n_features):
            moved[j] = weights[unit, j] + rate * moved[j]
            square += moved[j] * moved[j]
        # A unit that its rows move exactly onto zero has no direction: it stays where it was.
        if square > 0:
            scale = _scale_to_one(square)
            bias[unit] = scale * moved_bias
            for j in range(n_features):
                weights[unit, j] = scale * moved[j]


@compiled
def _move_margins(margins: Array, rates: Array, tally: Array, divide: bool) -> None:
    """Move the margins by the sum of the steps, or by their mean over the right rows."""
    for k in range(margins.shape[0]):
        step = rates[k] * tally[k, MARGIN_STEP]
        if divide and tally[k, RIGHT] > 0:
            step /= tally[k, RIGHT]
        margins[k] = max(margins[k] + step, 0.0)


@compiled
def _decay_rates(rates: Array, tally: Array, last_wrong: Array, decay: float) -> None:
    """Lower the rates of the sub-problems whose error rose, and remember the error."""
    for k in range(rates.shape[0]):
        wrong = tally[k, WRONG]
        # Equal weights summed in another order differ by rounding: that is no rise.
        if wrong > last_wrong[k] * (1 + 1e-9):
            rates[k] *= decay
        last_wrong[k] = wrong


@compiled
def sum_pass(
    dense: Array | None,
    csr: Csr | None,
    own: Array,
    row_weights: Array,
    weights: Array,
    bias: Array,
    margins: Array,
    p_delta: bool,
) -> tuple[Array, Array, Array]:
    """Give a pass's sums: by how much the weights and the biases are to move, and the tally.

    Those of several parts of the rows add up to those of all rows.
    """
    n_rows = own.shape[0]
    activations = np.empty((weights.shape[0], BLOCK), weights.dtype)
    pushes = np.empty((weights.shape[0], BLOCK))
    weight_sums = np.zeros(weights.shape)
    bias_sums = np.zeros(weights.shape[0])
    tally = np.zeros((margins.shape[0], N_TALLIES))
    for start in range(0, n_rows, BLOCK):
        stop = min(start + BLOCK, n_rows)
        _fill_activations(dense, csr, start, stop, weights, bias, activations)
        _choose_updates(
            activations, own[start:stop], row_weights[start:stop], margins, p_delta, pushes, tally
        )
        _add_updates(dense, csr, start, stop, pushes, weight_sums, bias_sums)
    return weight_sums, bias_sums, tally


@compiled
def take_step(
    weight_sums: Array,
    bias_sums: Array,
    tally: Array,
    weights: Array,
    bias: Array,
    margins: Array,
    rates: Array,
    last_wrong: Array,
    decay: float,
    mean_margin: bool,
) -> None:
    """Change weights, bias, margins, rates and the last error by the sums of a pass."""
    _move_and_normalise(weights, bias, weight_sums, bias_sums, rates)
    _move_margins(margins, rates, tally, mean_margin)
    _decay_rates(rates, tally, last_wrong, decay)


@compiled
def train_batch(
    dense: Array | None,
    csr: Csr | None,
    own: Array,
    row_weights: Array,
    n_passes: int,
    weights: Array,
    bias: Array,
    margins: Array,
    rates: Array,
    last_wrong: Array,
    decay: float,
    mean_margin: bool,
    p_delta: bool,
) -> Array:
    """Make batch passes: change all from weights to ``last_wrong``, return the last's tally."""
    tally = np.empty((margins.shape[0], N_TALLIES))
    for _ in range(n_passes):
        weight_sums, bias_sums, tally = sum_pass(
            dense, csr, own, row_weights, weights, bias, margins, p_delta
        )
        take_step(
            weight_sums, bias_sums, tally, weights, bias, margins, rates, last_wrong, decay,
            mean_margin,
        )  # fmt: skip
    return tally


@compiled
def _square_length(dense: Array | None, csr: Csr | None, row: int) -> float:
    """Give the squared length of a row, the 1 that stands for the bias included."""
    square = 1.0
    if dense is not None:
        for j in range(dense.shape[1]):
            square += float(dense[row, j]) ** 2
    if csr is not None:
        data, _, indptr = csr
        for entry in range(indptr[row], indptr[row + 1]):
            square += float(data[entry]) ** 2
    return square


@compiled
def _normalise_unit(weights: Array, bias: Array, unit: int) -> None:
    square = bias[unit] * bias[unit]
    for j in range(weights.shape[1]):
        square += weights[unit, j] * weights[unit, j]
    scale = _scale_to_one(square)
    bias[unit] *= scale
    for j in range(weights.shape[1]):
        weights[unit, j] *= scale


@compiled
def train_online(
    dense: Array | None,
    csr: Csr | None,
    own: Array,
    row_weights: Array,
    order: Array,
    weights: Array,
    bias: Array,
    margins: Array,
    rates: Array,
    last_wrong: Array,
    decay: float,
    mean_margin: bool,
    p_delta: bool,
) -> Array:
    """Make one pass that moves and normalises the units after each row; return its tally.

    A unit is kept as a multiple of its length-1 self, with the multiple in ``lengths``: what a
    row costs then depends on its non-zeros alone. ``weights`` and ``bias`` must be float64.
    """
    n_units = weights.shape[0]
    size = n_units // margins.shape[0]
    lengths = np.ones(n_units)
    activations = np.empty((n_units, 1))
    pushes = np.empty((n_units, 1))
    row_tally = np.empty((margins.shape[0], N_TALLIES))
    tally = np.zeros((margins.shape[0], N_TALLIES))
    for row in order:
        _fill_activations(dense, csr, row, row + 1, weights, bias, activations)
        for unit in range(n_units):
            activations[unit, 0] /= lengths[unit]
        row_tally[:] = 0
        _choose_updates(
            activations, own[row : row + 1], row_weights[row : row + 1], margins, p_delta,
            pushes, row_tally,
        )  # fmt: skip
        tally += row_tally
        square = _square_length(dense, csr, row)
        for unit in range(n_units):
            step = rates[unit // size] * pushes[unit, 0]
            # The length-1 unit u becomes u + step·x, whose squared length is this.
            moved_square = 1 + 2 * step * activations[unit, 0] + step * step * square
            pushes[unit, 0] = step * lengths[unit]
            lengths[unit] *= np.sqrt(max(moved_square, 0.0))
        _add_updates(dense, csr, row, row + 1, pushes, weights, bias)
        for unit in range(n_units):
            # Before the multiple leaves a float64's safe range or cancellation has spoilt it.
            if not 1e-3 < lengths[unit] < 1e9:
                _normalise_unit(weights, bias, unit)
                lengths[unit] = 1
        if not mean_margin:
            _move_margins(margins, rates, row_tally, False)
    for unit in range(n_units):
        _normalise_unit(weights, bias, unit)
    if mean_margin:
        _move_margins(margins, rates, tally, True)
    _decay_rates(rates, tally, last_wrong, decay)
    return tally
