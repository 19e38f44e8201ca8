"""The compiled pass of the delta rule with momentum.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix
without duplicates; the other one is None. numba drops the branches that a None rules out.

One linear unit for each sub-problem lies in ``weights`` (units, features). ``own`` holds for each
row the number of the sub-problem in which its label is positive. ``steps`` and ``bias_steps`` are
the last steps Δ, of which momentum repeats a share.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]

# What a unit knows of a sparse feature: the number of rows up to its last one, its weight and its
# last step; four numbers never lie across two lines of the cache.
_N_MADE, _WEIGHT, _STEP, _N_KNOWN = 0, 1, 2, 4
_NOTHING = 2.0**-200


@compiled
def _move_densely(x: Array, pushes: Array, momentum: float, weights: Array, steps: Array) -> None:
    for unit in range(weights.shape[0]):
        w, step, push = weights[unit], steps[unit], pushes[unit]
        for j in range(x.shape[0]):
            step[j] = push * x[j] + momentum * step[j]
            w[j] += step[j]


@compiled
def _powers(momentum: float, n_rows: int) -> Array:
    """Give μ⁰, μ¹, ... up to the number of rows, or up to where they are next to nothing, as 0.

    A short table stays in the cache, and what is that small could change no sum.
    """
    powers = np.zeros(n_rows + 1)
    power = 1.0
    for k in range(n_rows + 1):
        if power < _NOTHING:
            return powers[: k + 1]
        powers[k] = power
        power *= momentum
    return powers


@compiled
def train_pass(
    dense: Array | None,
    csr: Csr | None,
    own: Array,
    row_weights: Array,
    rates: Array,
    order: Array,
    is_learning: Array,
    bias_scale: float,
    momentum: float,
    weights: Array,
    bias: Array,
    steps: Array,
    bias_steps: Array,
) -> Array:
    """Take the rows once; return the sums of weight × squared error before each row's step.

    Changes weights, bias and both steps, all of them float64. ``rates`` holds what each row's
    error is multiplied by. Units that are not learning must come with steps of 0.
    """
    n_rows = order.shape[0]
    n_units, n_features = weights.shape
    outputs = np.empty(n_units)
    pushes = np.empty(n_units)
    squares = np.zeros(n_units)
    if csr is not None:
        data, indices, indptr = csr
        # Momentum is lazy: a feature's weights make the steps Δμ, Δμ², ..., Δμᵏ that it has missed
        # since its last row when its next row comes. Their sum is Δ·μ(1 − μᵏ)/(1 − μ).
        powers = _powers(momentum, n_rows)
        last = powers.shape[0] - 1
        sums = momentum * (1 - powers) / (1 - momentum)
        # All that a unit knows of a feature lies together, to be fetched at once.
        known = np.zeros((n_units, n_features, _N_KNOWN))
        known[:, :, _WEIGHT] = weights
        known[:, :, _STEP] = steps
    for t in range(n_rows):
        row = order[t]
        for unit in range(n_units):
            outputs[unit] = bias[unit]
        if dense is not None:
            x = dense[row]
            for unit in range(n_units):
                w = weights[unit]
                total = 0.0
                for j in range(n_features):
                    total += w[j] * x[j]
                outputs[unit] += total
        if csr is not None:
            for unit in range(n_units):
                features, total = known[unit], 0.0
                for entry in range(indptr[row], indptr[row + 1]):
                    feature = indices[entry]
                    missed = min(t - int(features[feature, _N_MADE]), last)
                    step = features[feature, _STEP]
                    weight = features[feature, _WEIGHT] + sums[missed] * step
                    features[feature, _N_MADE] = t + 1
                    features[feature, _WEIGHT] = weight
                    features[feature, _STEP] = step * powers[missed]
                    total += data[entry] * weight
                outputs[unit] += total
        for unit in range(n_units):
            error = (1.0 if own[row] == unit else -1.0) - outputs[unit]
            squares[unit] += row_weights[row] * error * error
            pushes[unit] = rates[row] * error if is_learning[unit] else 0.0
            bias_steps[unit] = bias_scale * pushes[unit] + momentum * bias_steps[unit]
            bias[unit] += bias_steps[unit]
        if dense is not None:
            _move_densely(dense[row], pushes, momentum, weights, steps)
        if csr is not None:
            for unit in range(n_units):
                features, push = known[unit], pushes[unit]
                for entry in range(indptr[row], indptr[row + 1]):
                    feature = indices[entry]
                    step = push * data[entry] + momentum * features[feature, _STEP]
                    features[feature, _STEP] = step
                    features[feature, _WEIGHT] += step
    if csr is not None:
        for unit in range(n_units):
            features = known[unit]
            for feature in range(n_features):
                missed = min(n_rows - int(features[feature, _N_MADE]), last)
                step = features[feature, _STEP]
                weights[unit, feature] = features[feature, _WEIGHT] + sums[missed] * step
                steps[unit, feature] = step * powers[missed]
    return squares
