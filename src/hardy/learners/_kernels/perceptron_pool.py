"""The compiled passes of many perceptrons at once, and of one perceptron alone.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix
without duplicates; the other one is None. numba drops the branches that a None rules out.

Perceptrons that are trained together, a crew, lie side by side: the weights of feature j are
``weights[j * LANES : (j + 1) * LANES]``, one for each member, and lanes without a member stay 0.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]

# How many members make a crew: whole registers that hold the usual 50. A constant lets the
# compiler unroll the loops over members and see that the weights of two features never overlap,
# which is worth a third of the time.
LANES = 64
# Features are padded with zeros to a multiple of this: so many are taken in one loop over members.
STEP = 4
# Rows copied together, so that the waits for memory overlap.
_BLOCK = 64


@compiled
def _fill_pushes(
    counts: Array, first: int, row: int, sign: float, is_active: Array, pushes: Array
) -> None:
    """Set how far each member would move along the row, were it wrong there."""
    bag = counts[row, first : first + is_active.shape[0]]
    for m in range(bag.shape[0]):
        pushes[m] = bag[m]
    for m in range(bag.shape[0]):
        pushes[m] *= sign * is_active[m]


@compiled
def _keep_wrong(pushes: Array, sign: float, activations: Array) -> None:
    """Leave members alone that have the row on the right side."""
    for m in range(LANES):
        pushes[m] = pushes[m] if sign * activations[m] <= 0 else pushes.dtype.type(0)


@compiled
def _move_biases(pushes: Array, bias_scale: Array, bias: Array, activations: Array) -> None:
    """Move the biases; the activations of the next row start from them."""
    for m in range(LANES):
        bias[m] += bias_scale[0] * pushes[m]
        activations[m] = bias[m]


@compiled
def _train_block(
    rows: Array,
    n_rows: int,
    signs: Array,
    pushes: Array,
    bias_scale: Array,
    weights: Array,
    bias: Array,
    activations: Array,
) -> None:
    """Take a block of padded rows; a row's update and the next one's activations are one loop."""
    n_padded = rows.shape[1]
    activations[:] = bias
    for j in range(n_padded):
        w = weights[j * LANES : (j + 1) * LANES]
        for m in range(LANES):
            activations[m] += rows[0, j] * w[m]
    for t in range(n_rows):
        push = pushes[t]
        _keep_wrong(push, signs[t], activations)
        _move_biases(push, bias_scale, bias, activations)
        x = rows[t]
        y = rows[min(t + 1, n_rows - 1)]
        for j in range(0, n_padded, STEP):
            x0, x1, x2, x3 = x[j], x[j + 1], x[j + 2], x[j + 3]
            y0, y1, y2, y3 = y[j], y[j + 1], y[j + 2], y[j + 3]
            w = weights[j * LANES : (j + STEP) * LANES]
            for m in range(LANES):
                w0 = w[m] + x0 * push[m]
                w1 = w[m + LANES] + x1 * push[m]
                w2 = w[m + 2 * LANES] + x2 * push[m]
                w3 = w[m + 3 * LANES] + x3 * push[m]
                w[m] = w0
                w[m + LANES] = w1
                w[m + 2 * LANES] = w2
                w[m + 3 * LANES] = w3
                activations[m] += y0 * w0 + y1 * w1 + y2 * w2 + y3 * w3


@compiled
def train_crew(
    dense: Array | None,
    csr: Csr | None,
    signs: Array,
    counts: Array,
    first: int,
    stream: Array,
    is_active: Array,
    bias_scale: Array,
    weights: Array,
    bias: Array,
) -> None:
    """Show the rows of ``stream`` to the members ``first``, ``first + 1``, ... all at once.

    A member that has a row, of sign ±1, on the wrong side moves by sign × count × row, and its
    bias by sign × count × ``bias_scale[0]``. ``is_active`` holds for each member 1, or 0 where it
    sits these visits out. ``weights`` holds the padded features of dense rows, the features of
    sparse ones. All numbers but counts and stream are of the same floating-point type.
    """
    activations = np.empty(LANES, weights.dtype)
    pushes = np.zeros((_BLOCK, LANES), weights.dtype)
    if dense is not None:
        n_features = dense.shape[1]
        rows = np.zeros((_BLOCK, weights.shape[0] // LANES), weights.dtype)
        row_signs = np.empty(_BLOCK, weights.dtype)
        for start in range(0, stream.shape[0], _BLOCK):
            visits = stream[start : start + _BLOCK]
            for t in range(visits.shape[0]):
                x, copy = dense[visits[t]], rows[t]
                for j in range(n_features):
                    copy[j] = x[j]
            for t in range(visits.shape[0]):
                row_signs[t] = signs[visits[t]]
                _fill_pushes(counts, first, visits[t], row_signs[t], is_active, pushes[t])
            _train_block(
                rows, visits.shape[0], row_signs, pushes, bias_scale, weights, bias, activations
            )
    if csr is not None:
        data, indices, indptr = csr
        push = pushes[0]
        activations[:] = bias
        for row in stream:
            _fill_pushes(counts, first, row, signs[row], is_active, push)
            for entry in range(indptr[row], indptr[row + 1]):
                w = weights[indices[entry] * LANES : (indices[entry] + 1) * LANES]
                for m in range(LANES):
                    activations[m] += data[entry] * w[m]
            _keep_wrong(push, signs[row], activations)
            _move_biases(push, bias_scale, bias, activations)
            for entry in range(indptr[row], indptr[row + 1]):
                w = weights[indices[entry] * LANES : (indices[entry] + 1) * LANES]
                for m in range(LANES):
                    w[m] += data[entry] * push[m]


@compiled
def train_alone(
    dense: Array | None,
    csr: Csr | None,
    signs: Array,
    visits: Array,
    bias_scale: Array,
    weights: Array,
    bias: Array,
) -> None:
    """Show the rows of ``visits`` to one perceptron, of weights (features,) and one bias."""
    for row in visits:
        sign = signs[row]
        activation = bias[0]
        if dense is not None:
            x = dense[row]
            for j in range(x.shape[0]):
                activation += x[j] * weights[j]
        if csr is not None:
            data, indices, indptr = csr
            for entry in range(indptr[row], indptr[row + 1]):
                activation += data[entry] * weights[indices[entry]]
        if sign * activation <= 0:
            bias[0] += sign * bias_scale[0]
            if dense is not None:
                x = dense[row]
                for j in range(x.shape[0]):
                    weights[j] += sign * x[j]
            if csr is not None:
                data, indices, indptr = csr
                for entry in range(indptr[row], indptr[row + 1]):
                    weights[indices[entry]] += sign * data[entry]
