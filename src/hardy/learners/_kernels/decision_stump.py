"""Compiled loops of the decision stump: where to cut the columns, and where to split the rows.

Binned rows come as ``dense``, codes of shape (features, rows), or as ``csc``, the arrays (codes,
rows, indptr, zero codes) of a CSC matrix of codes and the code of each column's absent cells; the
other one is None. numba drops the branches that a None rules out.

A histogram (classes, CODES) holds the weight of one column's rows by class and code. To predict
numbers it has two rows: the weights, and the weights times the numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled, inlined

Array = NDArray[Any]
Csc = tuple[Array, Array, Array, Array]
# The score, the column, the last bin on the left, and whether missing values go left.
Split = tuple[float, int, int, bool]

CODES = 256
MISSING = CODES - 1  # the code of a missing value, above those of all bins
GINI, ENTROPY, SQUARES = 0, 1, 2

# Values are looked up in blocks that stay in the processor's cache.
_BLOCK = 1024


@compiled
def _middle(low: float, high: float) -> float:
    """Give a threshold t with low ≤ t < high, halfway where floats lie between the two."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


@compiled
def find_cuts(values: Array, weights: Array, max_bins: int) -> Array:
    """Give the thresholds between the bins of sorted values, missing ones last.

    Each distinct value has a bin where there are enough. Otherwise a bin closes as soon as it has
    an equal share of the weight that the bins before it have left.
    """
    distinct = np.empty(len(values))
    mass = np.empty(len(values))
    n_distinct = 0
    rest = 0.0
    for i in range(len(values)):
        if np.isnan(values[i]):
            break
        if weights[i] > 0:
            if n_distinct == 0 or values[i] != distinct[n_distinct - 1]:
                distinct[n_distinct] = values[i]
                mass[n_distinct] = 0.0
                n_distinct += 1
            mass[n_distinct - 1] += weights[i]
            rest += weights[i]
    cuts = np.empty(max_bins - 1)
    n_cuts = 0
    in_bin = 0.0
    for d in range(n_distinct - 1):
        in_bin += mass[d]
        bins_left = max_bins - n_cuts
        # Products instead of quotients: with whole weights they are exact.
        if n_distinct <= max_bins or (bins_left > 1 and in_bin * bins_left >= rest):
            cuts[n_cuts] = _middle(distinct[d], distinct[d + 1])
            n_cuts += 1
            rest -= in_bin
            in_bin = 0.0
    return cuts[:n_cuts].copy()


@compiled
def fill_codes(values: Array, cuts: Array, codes: Array) -> None:
    """Fill ``codes[i]`` with the number of cuts below a value, or MISSING.

    All values of a block make one step of the binary search after another, over a table whose
    length is a power of two: that has no branches and vectorises, which is 6 times as fast. The
    table has the values' type, rounded down: a value is above that exactly if it is above the cut.
    """
    length = 1
    while length <= len(cuts):
        length *= 2
    table = np.full(length, np.inf, values.dtype)
    for c in range(len(cuts)):
        rounded = values.dtype.type(cuts[c])
        table[c] = (
            np.nextafter(rounded, values.dtype.type(-np.inf)) if rounded > cuts[c] else rounded
        )
    below = np.empty(_BLOCK, np.int32)
    for start in range(0, len(values), _BLOCK):
        block, out = values[start : start + _BLOCK], codes[start : start + _BLOCK]
        below[:] = 0
        step = length // 2
        while step > 0:
            for i in range(len(block)):
                below[i] += np.int32(step) if table[below[i] + step - 1] < block[i] else np.int32(0)
            step //= 2
        for i in range(len(block)):
            out[i] = MISSING if np.isnan(block[i]) else below[i]


@compiled
def bin_columns(
    data: Array,
    rows: Array,
    indptr: Array,
    weights: Array,
    max_bins: int,
    codes: Array,
    zero_codes: Array,
    cuts: Array,
    starts: Array,
) -> None:
    """Fill the codes of a CSC matrix without stored zeros, and the columns' cuts from ``starts``.

    A column's absent cells are one more value, a zero of the weight that the stored ones leave.
    """
    total = weights.sum()
    starts[0] = 0
    for j in range(len(zero_codes)):
        stored = data[indptr[j] : indptr[j + 1]]
        n_stored = len(stored)
        values = np.zeros(n_stored + 1)
        mass = np.empty(n_stored + 1)
        rest = total
        for i in range(n_stored):
            values[i] = stored[i]
            mass[i] = weights[rows[indptr[j] + i]]
            rest -= mass[i]
        mass[n_stored] = rest if n_stored < len(weights) else 0.0
        order = np.argsort(values)
        found = find_cuts(values[order], mass[order], max_bins)
        starts[j + 1] = starts[j] + len(found)
        cuts[starts[j] : starts[j + 1]] = found
        fill_codes(stored, found, codes[indptr[j] : indptr[j + 1]])
        fill_codes(values[n_stored:], found, zero_codes[j : j + 1])


@compiled
def _add_columns(
    codes: Array, first: int, class_slots: Array, weights: Array, histograms: Array
) -> None:
    """Add four columns to four histograms; after the last column, that one again fills up.

    Four share each load of a weight, and the sums of one seldom wait for each other.
    """
    last = len(codes) - 1
    c0, c1 = codes[first], codes[min(first + 1, last)]
    c2, c3 = codes[min(first + 2, last)], codes[min(first + 3, last)]
    h0, h1, h2, h3 = histograms[0], histograms[1], histograms[2], histograms[3]
    for i in range(len(weights)):
        slot, weight = class_slots[i], weights[i]
        h0[slot + c0[i]] += weight
        h1[slot + c1[i]] += weight
        h2[slot + c2[i]] += weight
        h3[slot + c3[i]] += weight


@compiled
def _add_sparse_column(
    csc: Csc,
    j: int,
    class_slots: Array,
    weights: Array,
    totals: Array,
    signed: bool,
    histogram: Array,
) -> None:
    """Add a column's stored cells; its absent ones have what those leave of the class totals."""
    codes, rows, indptr, zero_codes = csc
    rest = totals.copy()
    for i in range(indptr[j], indptr[j + 1]):
        slot, weight = class_slots[rows[i]], weights[rows[i]]
        histogram[slot + codes[i]] += weight
        rest[slot // CODES] -= weight
    if indptr[j + 1] - indptr[j] < len(weights):
        for k in range(len(totals)):
            # Rounding may leave less than nothing.
            histogram[k * CODES + zero_codes[j]] += rest[k] if signed else max(rest[k], 0.0)


@inlined
def _x_log_x(x: float) -> float:
    return x * np.log(x) if x > 0 else 0.0


@inlined
def _score_of_means(left: Array, missing: Array, to_left: bool, totals: Array) -> float:
    """Judge a split by its sides' means: minus the squared errors after it, up to a constant."""
    weight = left[0] + missing[0] if to_left else left[0]
    product = left[1] + missing[1] if to_left else left[1]
    other_weight, other_product = totals[0] - weight, totals[1] - product
    if other_weight <= 0:
        return -np.inf
    score: float = product * product / weight + other_product * other_product / other_weight
    return score


@inlined
def _score(left: Array, missing: Array, to_left: bool, totals: Array, criterion: int) -> float:
    """Judge a split: minus the impurity after it times the weight, up to a constant."""
    if criterion == SQUARES:
        return _score_of_means(left, missing, to_left, totals)
    entropy = criterion == ENTROPY
    left_sum = 0.0
    right_sum = 0.0
    left_purity = 0.0
    right_purity = 0.0
    for k in range(len(totals)):
        a = left[k] + missing[k] if to_left else left[k]
        b = max(totals[k] - a, 0.0)
        left_sum += a
        right_sum += b
        left_purity += _x_log_x(a) if entropy else a * a
        right_purity += _x_log_x(b) if entropy else b * b
    if entropy:
        return (left_purity - _x_log_x(left_sum)) + (right_purity - _x_log_x(right_sum))
    return left_purity / left_sum + right_purity / right_sum


@inlined
def _weight(histogram: Array, b: int, criterion: int) -> float:
    """Give the weight of a bin's rows."""
    weight: float = histogram[0, b]
    if criterion != SQUARES:
        for k in range(1, histogram.shape[0]):
            weight += histogram[k, b]
    return weight


@compiled
def _split_column(
    histogram: Array, n_bins: int, totals: Array, criterion: int, rounding: float
) -> tuple[float, int, bool]:
    """Find a column's best split: its score, the last bin on the left, where missing ones go.

    The score is −∞ where there is no split. Bins without rows lie between two neighbours as
    different values do: the cut is in their middle.
    """
    missing = histogram[:, MISSING]
    has_missing = _weight(histogram, MISSING, criterion) > 0
    left = np.zeros(len(totals))
    best, best_cut, best_to_left = -np.inf, 0, False
    last = -1
    for b in range(n_bins):
        if _weight(histogram, b, criterion) > 0:
            if last >= 0:
                for side in range(2 if has_missing else 1):
                    to_left = side == 1
                    score = _score(left, missing, to_left, totals, criterion)
                    if score > best + rounding:
                        best, best_cut, best_to_left = score, (last + b - 1) // 2, to_left
            # Views of single bins would take three times as long as their sums.
            for k in range(len(totals)):
                left[k] += histogram[k, b]
            last = b
    if has_missing and last >= 0:
        score = _score(left, missing, False, totals, criterion)
        if score > best + rounding:
            best, best_cut, best_to_left = score, n_bins - 1, False
    return best, best_cut, best_to_left


@compiled
def _fill_parts(histogram: Array, cut: int, parts: Array) -> None:
    """Sum what goes left, what goes right, and what is missing."""
    for k in range(histogram.shape[0]):
        parts[0, k] = histogram[k, : cut + 1].sum()
        parts[1, k] = histogram[k, cut + 1 : MISSING].sum()
        parts[2, k] = histogram[k, MISSING]


@compiled
def _split_columns(
    histograms: Array,
    first: int,
    stop: int,
    n_bins: Array,
    totals: Array,
    criterion: int,
    rounding: float,
    best: Split,
    parts: Array,
) -> Split:
    """Give the best split of the columns from ``first`` to ``stop`` and of those before."""
    for j in range(first, stop):
        histogram = histograms[j - first].reshape(len(totals), CODES)
        score, cut, to_left = _split_column(histogram, n_bins[j], totals, criterion, rounding)
        if score > best[0] + rounding:
            best = (score, j, cut, to_left)
            _fill_parts(histogram, cut, parts)
    return best


@compiled
def sum_histograms(codes: Array, class_slots: Array, weights: Array, n_classes: int) -> Array:
    """Give the histograms of dense columns, one after another, as `find_split` makes them.

    Those of several parts of the rows add up to those of all rows.
    """
    histograms = np.empty((len(codes), n_classes * CODES))
    four = np.empty((4, n_classes * CODES))
    for first in range(0, len(codes), 4):
        four[:] = 0
        _add_columns(codes, first, class_slots, weights, four)
        for j in range(first, min(first + 4, len(codes))):
            histograms[j] = four[j - first]
    return histograms


@compiled
def split_histograms(
    histograms: Array, n_bins: Array, totals: Array, criterion: int, rounding: float
) -> tuple[int, int, bool, Array]:
    """Find the best split of the rows whose histograms these are; see `find_split`."""
    parts = np.zeros((3, len(totals)))
    best = _split_columns(
        histograms, 0, len(n_bins), n_bins, totals, criterion, rounding, (-np.inf, -1, 0, False),
        parts,
    )  # fmt: skip
    return best[1], best[2], best[3], parts


@compiled
def find_split(
    dense: Array | None,
    csc: Csc | None,
    n_bins: Array,
    class_slots: Array,
    weights: Array,
    products: Array | None,
    totals: Array,
    criterion: int,
    rounding: float,
) -> tuple[int, int, bool, Array]:
    """Find the best split of rows: the column, the last bin on the left, where missing ones go.

    What ``totals`` holds of all rows comes with it of those on the left, on the right, and missing.
    ``class_slots`` holds a row's class times CODES, ``totals`` the weights of the classes. For
    SQUARES ``products`` holds the weights times the numbers, ``totals`` the sums of both, and all
    slots are 0. The first of splits that are equally good up to ``rounding`` wins. The column is −1
    where all columns are constant.
    """
    n_classes = len(totals)
    first_totals, last_totals = totals.copy(), totals.copy()
    second_slots = class_slots
    if products is not None:
        first_totals[1], last_totals[0] = 0.0, 0.0
        second_slots = np.full_like(class_slots, CODES)
    histograms = np.empty((4, n_classes * CODES))
    parts = np.zeros((3, n_classes))
    best = (-np.inf, -1, 0, False)
    for first in range(0, len(n_bins), 4):
        stop = min(first + 4, len(n_bins))
        histograms[:] = 0
        if dense is not None:
            _add_columns(dense, first, class_slots, weights, histograms)
            if products is not None:
                _add_columns(dense, first, second_slots, products, histograms)
        if csc is not None:
            for j in range(first, stop):
                flat = histograms[j - first]
                _add_sparse_column(csc, j, class_slots, weights, first_totals, False, flat)
                if products is not None:
                    _add_sparse_column(csc, j, second_slots, products, last_totals, True, flat)
        best = _split_columns(
            histograms, first, stop, n_bins, totals, criterion, rounding, best, parts
        )
    return best[1], best[2], best[3], parts


@compiled
def add_answers(
    X: Array, features: Array, thresholds: Array, missing_left: Array, terms: Array, scores: Array
) -> None:
    """Add to ``scores[row, k]`` the term of each stump's side, ``terms[stump, side, k]``, in turn.

    A stump of feature −1 has its left side only.
    """
    for start in range(0, X.shape[0], _BLOCK):
        block, sums = X[start : start + _BLOCK], scores[start : start + _BLOCK]
        for m in range(features.shape[0]):
            feature, threshold = features[m], thresholds[m]
            for i in range(block.shape[0]):
                side = 0
                if feature >= 0:
                    value = np.float64(block[i, feature])
                    is_right = not missing_left[m] if np.isnan(value) else value > threshold
                    side = 1 if is_right else 0
                for k in range(terms.shape[2]):
                    sums[i, k] += terms[m, side, k]
