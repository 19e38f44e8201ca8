"""Compiled predictions of perceptrons: their activations, their votes, their medians.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix;
the other one is None. numba drops the branches that a None rules out. The perceptrons ("units") lie
in ``weights`` (units, features), which have the type of the rows.

What a row gives never depends on the rows that come with it, to the last bit. The kernels tell
whether all rows are finite, which takes less time than to look at the rows before.

Every kernel that a kernel calls is in its own module, because numba's cache on disk takes no notice
of changes in other modules.
"""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled
from hardy.learners._kernels._lines import LINE, Lines

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]

# A tile is so many rows by one cache line of units: the registers of AVX2 just hold its sums.
ROWS = 6
# Fewer units would leave too much of the line empty.
MANY = 4
# Rows are taken in blocks that stay in the processor's cache until they are used up.
BLOCK = 16 * ROWS


@intrinsic
def _fill_tile(_: Any, dense: Any, first: Any, stop: Any, tile: Any, out: Any) -> Any:
    """Fill ``out[row - first, lane]`` for ROWS rows; ``stop - 1`` stands for those behind it.

    These are LLVM's own instructions, because numba keeps a table of sums in memory rather than in
    registers, which takes three times as long.
    """

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        x, first_row, stop_row, w, sums = arguments
        index = first_row.type
        lines = Lines(builder, context.get_value_type(tile.dtype), tile.dtype.bitwidth // 8)

        def place(kind: Any, matrix: Any, row: Any, column: Any) -> Any:
            array = context.make_array(kind)(context, builder, matrix)
            return cgutils.get_item_pointer(context, builder, kind, array, (row, column))

        last = builder.sub(stop_row, index(1))
        rows = [builder.add(first_row, index(r)) for r in range(ROWS)]
        rows = [builder.select(builder.icmp_signed("<", row, last), row, last) for row in rows]
        n_features = builder.extract_value(context.make_array(dense)(context, builder, x).shape, 1)
        bias = lines.load(place(tile, w, n_features, index(0)))
        totals = [cgutils.alloca_once_value(builder, bias) for _ in rows]
        with cgutils.for_range(builder, n_features) as loop:
            weights = lines.load(place(tile, w, loop.index, index(0)))
            for row, total in zip(rows, totals, strict=True):
                number = lines.broadcast(builder.load(place(dense, x, row, loop.index)))
                # Products may be fused with sums but, unlike elsewhere, sums may not be reordered.
                product = builder.fmul(number, weights, flags=["contract"])
                builder.store(builder.fadd(builder.load(total), product, flags=["contract"]), total)
        for r, total in enumerate(totals):
            lines.store(builder.load(total), place(out, sums, index(r), index(0)))
        return context.get_dummy_value()

    return types.void(dense, first, stop, tile, out), generate


@compiled
def _lay_tiles(dense: Array | None, weights: Array, bias: Array) -> Array:
    """Lay out weights, the bias last, as (tile, feature, lane); sparse rows get no tile."""
    n_units, n_features = weights.shape
    n_lanes = LINE // weights.itemsize
    n_tiles = 0
    if dense is not None and n_units >= MANY:
        n_tiles = (n_units + n_lanes - 1) // n_lanes
    tiles = np.zeros((n_tiles, n_features + 1, n_lanes), weights.dtype)
    if n_tiles > 0:
        for unit in range(n_units):
            t, lane = unit // n_lanes, unit % n_lanes
            for j in range(n_features):
                tiles[t, j, lane] = weights[unit, j]
            tiles[t, n_features, lane] = bias[unit]
    return tiles


@compiled
def _make_block(weights: Array, tiles: Array) -> Array:
    """Make room for the activations of a block, and for the empty lanes of its last tile."""
    width = max(weights.shape[0], tiles.shape[0] * tiles.shape[2])
    return np.empty((BLOCK, width), weights.dtype)


@compiled
def _fill_block(
    dense: Array | None,
    csr: Csr | None,
    start: int,
    stop: int,
    weights: Array,
    bias: Array,
    tiles: Array,
    out: Array,
) -> bool:
    """Fill ``out[row - start, unit]``, and tell whether the rows are finite.

    A value that isn't leaves no unit of its row with a finite sum, so that one unit tells.
    """
    n_units, n_features = weights.shape
    n_tiles, _, n_lanes = tiles.shape
    if dense is not None:
        for first in range(start, stop, ROWS):
            some = out[first - start : first - start + ROWS]
            for t in range(n_tiles):
                _fill_tile(dense, first, stop, tiles[t], some[:, t * n_lanes : (t + 1) * n_lanes])
        if n_tiles == 0:
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
                    out[row - start, unit] = x_sum + bias[unit]
                    out[partner - start, unit] = z_sum + bias[unit]
    if csr is not None:
        data, indices, indptr = csr
        for row in range(start, stop):
            for unit in range(n_units):
                out[row - start, unit] = bias[unit]
            if n_units < MANY:
                for unit in range(n_units):
                    total = weights.dtype.type(0)
                    for entry in range(indptr[row], indptr[row + 1]):
                        total += data[entry] * weights[unit, indices[entry]]
                    out[row - start, unit] += total
            else:
                for entry in range(indptr[row], indptr[row + 1]):
                    for unit in range(n_units):
                        out[row - start, unit] += data[entry] * weights[unit, indices[entry]]
    are_finite = True
    for i in range(stop - start):
        are_finite &= np.isfinite(out[i, 0])
    return are_finite


@compiled
def fill_activations(
    dense: Array | None, csr: Csr | None, weights: Array, bias: Array, out: Array
) -> bool:
    """Fill ``out[row, unit]``."""
    tiles = _lay_tiles(dense, weights, bias)
    block = _make_block(weights, tiles)
    are_finite = True
    for start in range(0, out.shape[0], BLOCK):
        stop = min(start + BLOCK, out.shape[0])
        are_finite &= _fill_block(dense, csr, start, stop, weights, bias, tiles, block)
        for row in range(start, stop):
            for unit in range(weights.shape[0]):
                out[row, unit] = block[row - start, unit]
    return are_finite


@compiled
def count_upper(
    dense: Array | None, csr: Csr | None, weights: Array, bias: Array, out: Array
) -> bool:
    """Fill ``out[row]`` with the number of units whose activation is 0 or above."""
    tiles = _lay_tiles(dense, weights, bias)
    block = _make_block(weights, tiles)
    are_finite = True
    for start in range(0, out.shape[0], BLOCK):
        stop = min(start + BLOCK, out.shape[0])
        are_finite &= _fill_block(dense, csr, start, stop, weights, bias, tiles, block)
        for row in range(start, stop):
            activations = block[row - start]
            n_upper = 0
            for unit in range(weights.shape[0]):
                n_upper += activations[unit] >= 0
            out[row] = n_upper
    return are_finite


@compiled
def fill_medians(
    dense: Array | None, csr: Csr | None, weights: Array, bias: Array, out: Array
) -> bool:
    """Fill ``out[row, k]`` with the median of the k-th sub-problem's units, an odd number."""
    size = weights.shape[0] // out.shape[1]
    units = np.empty((size, BLOCK), weights.dtype)
    tiles = _lay_tiles(dense, weights, bias)
    block = _make_block(weights, tiles)
    are_finite = True
    for start in range(0, out.shape[0], BLOCK):
        stop = min(start + BLOCK, out.shape[0])
        are_finite &= _fill_block(dense, csr, start, stop, weights, bias, tiles, block)
        for k in range(out.shape[1]):
            for unit in range(size):
                for i in range(stop - start):
                    units[unit, i] = block[i, k * size + unit]
            # The lowest activations come to the front one after another, up to the median: of all
            # rows at once, which is many times as fast for few units as sorting row by row.
            for rank in range(size // 2 + 1):
                low = units[rank]
                for unit in range(rank + 1, size):
                    high = units[unit]
                    for i in range(stop - start):
                        a, b = low[i], high[i]
                        low[i], high[i] = np.minimum(a, b), np.maximum(a, b)
            for i in range(stop - start):
                out[start + i, k] = units[size // 2, i]
    return are_finite
