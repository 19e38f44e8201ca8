from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardy.learners._kernels import decision_stump as kernels


def slow_cuts(values, weights, max_bins):
    """Give the thresholds in exact fractions, bin by bin."""
    mass = {}
    for value, weight in zip(values, weights, strict=True):
        if not np.isnan(value) and weight > 0:
            mass[value] = mass.get(value, Fraction(0)) + Fraction(weight)
    distinct = sorted(mass)
    cuts, start = [], 0
    for d in range(len(distinct) - 1):
        if len(distinct) > max_bins:
            rest = sum(mass[v] for v in distinct[start:])
            bins_left = max_bins - len(cuts)
            share = rest / bins_left
            if bins_left == 1 or sum(mass[v] for v in distinct[start : d + 1]) < share:
                continue
        cuts.append(float((Fraction(distinct[d]) + Fraction(distinct[d + 1])) / 2))
        start = d + 1
    return cuts


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-8, 8) | st.just(np.nan), st.integers(0, 4)), min_size=1, max_size=40
    ),
    st.integers(2, 12),
)
def test_cuts(cells, max_bins):
    values, weights = np.array(cells, dtype=float).T
    order = np.argsort(values)
    cuts = kernels.find_cuts(values[order], weights[order], max_bins)
    np.testing.assert_array_equal(cuts, slow_cuts(values, weights, max_bins))
    assert len(cuts) < max_bins


def test_cuts_by_hand():
    """Six values in three bins: shares 12/3, then (12 − 4)/2, then what is left."""
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    weights = np.array([3.0, 1.0, 1.0, 2.0, 2.0, 3.0])
    # 3 + 1 reaches 4 after 2; 1 + 2 + 2 reaches 4 after 5.
    np.testing.assert_array_equal(kernels.find_cuts(values, weights, 3), [2.5, 5.5])


EXTREMES = [-1.7e308, -1e300, -1.0, -5e-324, 0.0, 5e-324, 1e-323, 1.5e-323, 2e-323, 1e300, 1.7e308]
EXTREMES += [1.0, np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)]


@pytest.mark.parametrize("low", EXTREMES)
@pytest.mark.parametrize("high", EXTREMES)
def test_a_cut_parts_any_two_floats(low, high):
    if low < high:
        (cut,) = kernels.find_cuts(np.array([low, high]), np.ones(2), 255)
        assert low <= cut < high


@settings(deadline=None)
@given(
    st.lists(st.floats(-10, 10) | st.just(np.nan), max_size=30),
    st.lists(st.integers(-10, 10), unique=True, max_size=254),
)
def test_codes(values, cuts):
    values, cuts = np.array(values, dtype=float), np.sort(np.array(cuts, dtype=float))
    codes = np.empty(len(values), np.uint8)
    kernels.fill_codes(values, cuts, codes)
    expected = np.where(np.isnan(values), kernels.MISSING, np.searchsorted(cuts, values))
    np.testing.assert_array_equal(codes, expected)


@pytest.mark.parametrize("n_cuts", [0, 1, 2, 3, 4, 127, 128, 253, 254])
def test_codes_of_many_rows(n_cuts):
    """More rows than a block; each value from the cuts themselves, just above, and outside."""
    cuts = np.arange(float(n_cuts))
    values = np.tile(np.concatenate([cuts, cuts + 0.5, [-1.0, 1e9]]), 9)
    codes = np.empty(len(values), np.uint8)
    kernels.fill_codes(values, cuts, codes)
    np.testing.assert_array_equal(codes, np.searchsorted(cuts, values))


def as_csc(dense, zero_codes):
    """Leave out the cells that have the code of their column's zero."""
    stored = sparse.csc_array(zero_codes != dense.T)
    rows, columns = stored.indices, np.repeat(np.arange(len(dense)), np.diff(stored.indptr))
    return dense[columns, rows], rows, stored.indptr, zero_codes


@st.composite
def binned_problems(draw):
    n_rows, n_features = draw(st.integers(2, 12)), draw(st.integers(1, 6))
    n_classes = draw(st.integers(2, 4))
    cell = st.sampled_from([0, 1, 1, 2, 5, 6, 9, kernels.MISSING])
    row = st.lists(cell, min_size=n_features, max_size=n_features)
    codes = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    small = st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows)
    weights = st.lists(st.integers(1, 3), min_size=n_rows, max_size=n_rows)
    zero_codes = st.lists(st.sampled_from([0, 1, 3, 9]), min_size=n_features, max_size=n_features)
    return (
        np.array(codes, dtype=np.uint8).T.copy(),
        np.array(draw(small)),
        np.array(draw(weights), dtype=float),
        np.array(draw(zero_codes), dtype=np.uint8),
    )


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@settings(deadline=None)
@given(problem=binned_problems())
def test_the_best_split(splits, criterion, is_sparse, problem):
    codes, classes, weights, zero_codes = problem
    n_bins = np.full(len(codes), 10)
    rows = (None, as_csc(codes, zero_codes)) if is_sparse else (codes, None)
    feature, cut, to_left, parts = kernels.find_split(
        *rows, n_bins, (classes * kernels.CODES).astype(np.uint32), weights,
        None, np.bincount(classes, weights).astype(float),
        kernels.ENTROPY if criterion == "entropy" else kernels.GINI, 1e-12 * weights.sum(),
    )  # fmt: skip
    values = np.where(codes == kernels.MISSING, np.nan, codes).T
    slow = splits(values, classes, weights, criterion)
    if feature < 0:
        assert not slow.candidates
        return
    column = codes[feature]
    sides = np.where(column == kernels.MISSING, 2, column > cut)
    expected = np.zeros_like(parts)
    np.add.at(expected, (sides, classes), weights)
    np.testing.assert_allclose(parts, expected, atol=1e-12)
    # Bins without rows are shared between the two sides: cut 3 is the middle of bins 2 and 5.
    present = np.unique(codes[feature][codes[feature] != kernels.MISSING]).astype(int)
    if cut == 9:
        threshold = np.inf
    else:
        low, high = present[present <= cut].max(), present[present > cut].min()
        assert cut == (low + high - 1) // 2
        threshold = (low + high) / 2
    slow.check(feature, threshold, to_left)


@settings(deadline=None)
@given(problem=binned_problems(), parts=st.integers(1, 3))
def test_histograms_of_parts_add_up_to_the_split_of_all(problem, parts):
    codes, classes, weights, _ = problem
    n_classes, n_bins = int(classes.max()) + 1, np.full(len(codes), 10)
    slots, totals = (classes * kernels.CODES).astype(np.uint32), np.bincount(classes, weights)
    histograms = sum(
        kernels.sum_histograms(
            np.ascontiguousarray(codes[:, part]), slots[part], weights[part], n_classes
        )
        for part in np.array_split(np.arange(len(weights)), parts)
    )
    judge = (totals.astype(float), kernels.GINI, 1e-12 * weights.sum())
    found = kernels.split_histograms(histograms, n_bins, *judge)
    expected = kernels.find_split(codes, None, n_bins, slots, weights, None, *judge)
    assert found[:3] == expected[:3]
    np.testing.assert_allclose(found[3], expected[3], atol=1e-12)


def find(codes, slots, weights, totals):
    n_bins = np.full(len(codes), 2)
    split = kernels.find_split(codes, None, n_bins, slots, weights, None, totals, kernels.GINI, 0.0)
    return split[:3]


def test_a_split_by_hand():
    """Column 1 parts 3 + 1 of class 0 from 2 of class 1 with 1 missing, which is of class 1."""
    codes = np.array([[0, 0, 1, 1], [0, 0, 1, kernels.MISSING]], dtype=np.uint8)
    classes, weights = np.array([0, 0, 1, 1]), np.array([3.0, 1.0, 2.0, 1.0])
    slots, totals = (classes * kernels.CODES).astype(np.uint32), np.array([4.0, 3.0])
    # Both columns part the classes perfectly, column 1 with its missing value on the right.
    assert find(codes, slots, weights, totals) == (0, 0, False)
    assert find(codes[1:], slots, weights, totals) == (0, 0, False)
    # If the missing one is of class 0, it belongs on the left.
    slots[3] = 0
    totals = np.array([5.0, 2.0])
    assert find(codes[1:], slots, weights, totals) == (0, 0, True)


def test_answers_by_hand():
    """Three stumps: one of a feature, one of a missing value, one without a question."""
    X = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, 7.0]])
    scores = np.ones((3, 1))
    kernels.add_answers(
        X, np.array([0, 1, -1]), np.array([2.0, np.inf, np.inf]), np.array([True, False, True]),
        np.array([[10.0, 20.0], [100.0, 200.0], [1000.0, 2000.0]])[:, :, None], scores,
    )  # fmt: skip
    np.testing.assert_array_equal(scores[:, 0], [1111, 1211, 1121])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_answers_equal_the_twin_beyond_a_block(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (2100, 3)).astype(dtype)
    X[rng.random(X.shape) < 0.1] = np.nan
    features, thresholds = rng.integers(-1, 3, 7), rng.integers(-2, 3, 7).astype(float)
    missing_left, terms = rng.random(7) < 0.5, rng.integers(-9, 9, (7, 2, 3)).astype(float)
    expected, scores = np.zeros((2100, 3)), np.zeros((2100, 3))
    for row, x in enumerate(X):
        for m, feature in enumerate(features):
            left = feature < 0 or (
                missing_left[m] if np.isnan(x[feature]) else x[feature] <= thresholds[m]
            )
            expected[row] += terms[m, 0 if left else 1]
    kernels.add_answers(X, features, thresholds, missing_left, terms, scores)
    np.testing.assert_array_equal(scores, expected)
