import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardy.learners._binning import bin_rows


def all_codes(rows):
    return np.stack([rows.column_codes(j) for j in range(rows.shape[1])], axis=1)


def assert_same(rows, others):
    assert rows.shape == others.shape
    np.testing.assert_array_equal(rows.starts, others.starts)
    np.testing.assert_array_equal(rows.cuts, others.cuts)
    np.testing.assert_array_equal(all_codes(rows), all_codes(others))


def test_a_hand_worked_table():
    X = np.array([[1.0, 7.0], [3.0, 7.0], [np.nan, 7.0], [1.0, 7.0]])
    rows = bin_rows(X, np.ones(4), 255)
    np.testing.assert_array_equal(all_codes(rows), [[0, 0], [1, 0], [255, 0], [0, 0]])
    np.testing.assert_array_equal(rows.column_cuts(0), [2.0])
    assert rows.column_cuts(1).size == 0
    np.testing.assert_array_equal(rows.n_bins, [2, 1])
    assert (rows.shape, len(rows)) == ((4, 2), 4)


tables = st.integers(1, 20).flatmap(
    lambda n: st.lists(
        st.lists(
            st.sampled_from([-2.0, -0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 5.0, np.nan]),
            min_size=3,
            max_size=3,
        ),
        min_size=n,
        max_size=n,
    )
)


@settings(deadline=None)
@given(tables, st.integers(2, 6), st.randoms(use_true_random=False))
def test_sparse_equals_dense_and_repetition_equals_weight(table, max_bins, random):
    X = np.array(table)
    times = np.array([random.randint(0, 3) for _ in table])
    rows = bin_rows(X, times.astype(float), max_bins)
    assert_same(bin_rows(sparse.csr_array(X), times.astype(float), max_bins), rows)
    if times.any():
        copies = np.repeat(X, times, axis=0)
        again = bin_rows(copies, np.ones(len(copies)), max_bins)
        assert_same(again, rows[np.repeat(np.arange(len(X)), times)])


@settings(deadline=None)
@given(tables)
def test_a_bin_for_each_distinct_value(table):
    X = np.array(table)
    codes = all_codes(bin_rows(X, np.ones(len(X)), 255))
    for values, column in zip(X.T, codes.T, strict=True):
        distinct = np.unique(values[~np.isnan(values)])
        expected = np.where(np.isnan(values), 255, np.searchsorted(distinct, values))
        np.testing.assert_array_equal(column, expected)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_bins_of_about_equal_weight(is_sparse):
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(20_000, 17)), rng.uniform(size=20_000)
    rows = bin_rows(sparse.csr_array(X) if is_sparse else X, weight, 32)
    np.testing.assert_array_equal(rows.n_bins, np.full(17, 32))
    for j in range(17):
        codes, cuts = rows.column_codes(j), rows.column_cuts(j)
        np.testing.assert_array_equal(codes, np.searchsorted(cuts, X[:, j]))
        # A bin is too heavy by less than one row, and the others share what that is.
        np.testing.assert_allclose(np.bincount(codes, weight), weight.sum() / 32, atol=3)


def test_a_heavy_value_leaves_the_other_bins_to_the_others():
    X = np.concatenate([np.zeros(10_000), np.arange(1, 1001)])[:, None]
    counts = np.bincount(bin_rows(X, np.ones(len(X)), 11).column_codes(0))
    np.testing.assert_array_equal(counts, [10_000] + [100] * 10)


def test_rows_of_weight_0_have_no_say_but_have_bins():
    X = np.array([[1.0], [2.0], [9.0], [np.nan], [-5.0]])
    rows = bin_rows(X, np.array([1.0, 1.0, 0.0, 0.0, 0.0]), 255)
    np.testing.assert_array_equal(rows.cuts, [1.5])
    np.testing.assert_array_equal(rows.column_codes(0), [0, 1, 1, 255, 0])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("chosen", [[3, 0, 0, 2], [True, False, True, True], slice(1, 3)])
def test_selected_rows_keep_their_bins(container, chosen):
    X = np.array([[0.0, 4.0], [2.0, 0.0], [np.nan, 5.0], [3.0, 4.0]])
    rows = bin_rows(container(X), np.ones(4), 255)
    chosen = np.array(chosen) if isinstance(chosen, list) else chosen
    selected = rows[chosen]
    np.testing.assert_array_equal(all_codes(selected), all_codes(rows)[chosen])
    assert selected.cuts is rows.cuts
    assert len(selected) == len(all_codes(selected))


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_array])
def test_stored_zeros_and_cells_stored_twice(make):
    """A CSR row (0 stored, 1 + 1), and one without stored cells."""
    X = sparse.csr_array(([0.0, 1.0, 1.0], [0, 1, 1], [0, 3, 3]), shape=(2, 2))
    X = make(X)
    stored = X.nnz
    rows = bin_rows(X, np.ones(2), 255)
    np.testing.assert_array_equal(all_codes(rows), [[0, 1], [0, 0]])
    np.testing.assert_array_equal(rows.cuts, [1.0])
    assert X.nnz == stored


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_changes_nothing(dtype):
    X = np.random.default_rng(0).normal(size=(500, 3)).astype(np.float32)
    assert_same(bin_rows(X.astype(dtype), np.ones(500), 20), bin_rows(X, np.ones(500), 20))


def test_sparse_rows_are_never_made_dense():
    """Dense, the codes alone would take 1 GB; the matrix takes 1.3 MB."""
    rng = np.random.default_rng(0)
    # scipy's own draw would number all cells first.
    cells = rng.integers(10_000, size=100_000), rng.integers(100_000, size=100_000)
    X = sparse.csr_matrix((rng.normal(size=100_000), cells), shape=(10_000, 100_000))
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    tracemalloc.start()
    bin_rows(X, np.ones(10_000), 255)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * size
