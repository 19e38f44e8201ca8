"""The compiled passes of many perceptrons at once, and of one perceptron alone.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix
without duplicates; the other one is None. numba drops the branches that a None rules out.

Perceptrons that are trained together, a crew, lie side by side: the weights of feature j are
``weights[j * LANES : (j + 1) * LANES]``, one for each member, and lanes without a member stay 0.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled
from hardy.learners._kernels._lines import LINE, Lines

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]

# How many members make a crew: whole registers that hold the usual 50.
LANES = 64
# How many lines of members go through the features together: their sums, their steps and a few
# weights are as much as the registers of AVX2 hold, and two sums seldom wait for each other.
_TOGETHER = 2
# Rows are fetched from memory so many visits before they are needed.
_AHEAD = 32


@compiled
def count_rows(rows: Array, counts: Array) -> None:
    """Count in ``counts``, of zeros, how often each row comes."""
    for row in rows:
        counts[row] += 1


@compiled
def find_classes(counts: Array, codes: Array, is_known: Array) -> None:
    """Set ``is_known[code, m]`` where column m counts a row of the class ``code``."""
    for i in range(counts.shape[0]):
        known = is_known[codes[i]]
        for m in range(counts.shape[1]):
            known[m] |= counts[i, m] > 0


@compiled
def _fill_pushes(bag: Array, sign: float, is_active: Array, pushes: Array) -> None:
    """Set how far each member would move along the row, were it wrong there."""
    for m in range(LANES):
        pushes[m] = bag[m]
    for m in range(LANES):
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


@intrinsic
def _move_and_ask(
    _: Any, x: Any, following: Any, pushes: Any, weights: Any, activations: Any
) -> Any:
    """Move all weights along the row ``x``, and add the activations of the following one.

    These are LLVM's own instructions, because numba keeps the activations in memory rather than in
    registers, which takes more than twice as long.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, argument)
            for kind, argument in zip(signature.args, arguments, strict=True)
        ]
        n_features = builder.extract_value(arrays[0].shape, 0)
        row, next_row, steps, w, sums = (array.data for array in arrays)
        index = n_features.type
        lines = Lines(builder, context.get_value_type(weights.dtype), weights.dtype.bitwidth // 8)
        flags = ["contract"]
        for first in range(0, LANES, _TOGETHER * lines.n_lanes):
            some = [index(first + k * lines.n_lanes) for k in range(_TOGETHER)]
            push = [lines.load(builder.gep(steps, [lane])) for lane in some]
            totals = [
                cgutils.alloca_once_value(builder, lines.load(builder.gep(sums, [lane])))
                for lane in some
            ]
            with cgutils.for_range(builder, n_features) as loop:
                value = lines.broadcast(builder.load(builder.gep(row, [loop.index])))
                next_value = lines.broadcast(builder.load(builder.gep(next_row, [loop.index])))
                start = builder.mul(loop.index, index(LANES))
                for k, lane in enumerate(some):
                    place = builder.gep(w, [builder.add(start, lane)])
                    step = builder.fmul(value, push[k], flags=flags)
                    moved = builder.fadd(lines.load(place), step, flags=flags)
                    lines.store(moved, place)
                    product = builder.fmul(next_value, moved, flags=flags)
                    total = builder.fadd(builder.load(totals[k]), product, flags=flags)
                    builder.store(total, totals[k])
            for lane, total in zip(some, totals, strict=True):
                lines.store(builder.load(total), builder.gep(sums, [lane]))
        return context.get_dummy_value()

    return types.void(x, following, pushes, weights, activations), generate


@intrinsic
def _fetch(_: Any, matrix: Any, row: Any) -> Any:
    """Ask for a row of a matrix, so that it is in the cache when it is read."""

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        array = context.make_array(matrix)(context, builder, arguments[0])
        flag, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        width = builder.extract_value(array.shape, 1)
        start = builder.gep(array.data, [builder.mul(arguments[1], width)])
        step = width.type(LINE // (matrix.dtype.bitwidth // 8))
        with cgutils.for_range_slice(builder, width.type(0), width, step) as (column, _):
            place = builder.bitcast(builder.gep(start, [column]), byte)
            # To read, into the second level of caches, data.
            builder.call(prefetch, [place, flag(0), flag(2), flag(1)])
        return context.get_dummy_value()

    return types.void(matrix, row), generate


@compiled
def train_crew(
    dense: Array | None,
    csr: Csr | None,
    signs: Array,
    counts: Array,
    stream: Array,
    is_active: Array,
    bias_scale: Array,
    weights: Array,
    bias: Array,
) -> None:
    """Show the rows of ``stream`` to all members of a crew at once.

    A member that has a row, of sign ±1, on the wrong side moves by sign × count × row, and its
    bias by sign × count × ``bias_scale[0]``. ``counts`` has the shape (rows, LANES).
    ``is_active`` holds for each lane 1, or 0 where its member sits these visits out. All numbers
    but counts and stream are of the same floating-point type.
    """
    activations = np.empty(LANES, weights.dtype)
    push = np.zeros(LANES, weights.dtype)
    if dense is not None:
        activations[:] = bias
        last = stream.shape[0] - 1
        for row in stream[:1]:
            for j in range(dense.shape[1]):
                w = weights[j * LANES : (j + 1) * LANES]
                for m in range(LANES):
                    activations[m] += dense[row, j] * w[m]
        for t in range(stream.shape[0]):
            ahead = stream[min(t + _AHEAD, last)]
            _fetch(dense, ahead)
            _fetch(counts, ahead)
            row = stream[t]
            _fill_pushes(counts[row], signs[row], is_active, push)
            _keep_wrong(push, signs[row], activations)
            _move_biases(push, bias_scale, bias, activations)
            _move_and_ask(dense[row], dense[stream[min(t + 1, last)]], push, weights, activations)
    if csr is not None:
        data, indices, indptr = csr
        activations[:] = bias
        for row in stream:
            _fill_pushes(counts[row], signs[row], is_active, push)
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
