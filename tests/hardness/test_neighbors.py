"""kDN and the neighbours it asks, against brute force by the definition."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from hardy.exceptions import InputError
from hardy.hardness import k_disagreeing_neighbors, nearest_neighbors


def brute_force(X, n_neighbors):
    """Sort all other rows by (distance, position), one row at a time."""
    X = np.asarray(X, dtype=float)
    found = []
    for row, x in enumerate(X):
        distances = np.sqrt(((X - x) ** 2).sum(axis=1))
        others = [other for other in range(len(X)) if other != row]
        found.append(sorted(others, key=lambda other: (distances[other], other))[:n_neighbors])
    return np.array(found)


grids = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 40), st.integers(1, 3)),
    elements=st.integers(-2, 2).map(float),
)


@settings(deadline=None, max_examples=150)
@given(X=grids, n_neighbors=st.integers(1, 12))
def test_equals_brute_force_on_grids_full_of_ties_and_duplicates(X, n_neighbors):
    neighbors, distances = nearest_neighbors(X, n_neighbors)
    np.testing.assert_array_equal(neighbors, brute_force(X, n_neighbors))
    expected = np.sqrt(((X[:, None] - X[neighbors]) ** 2).sum(axis=2))
    np.testing.assert_allclose(distances, expected)


@settings(deadline=None, max_examples=50)
@given(X=grids, n_neighbors=st.integers(1, 5))
def test_sparse_equals_dense(X, n_neighbors):
    dense, _ = nearest_neighbors(X, n_neighbors)
    np.testing.assert_array_equal(nearest_neighbors(sparse.csr_matrix(X), n_neighbors)[0], dense)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_features", [2, 40])
def test_equals_brute_force_on_real_numbers(dtype, n_features):
    X = np.random.RandomState(0).normal(size=(300, n_features)).astype(dtype)
    X[150:200] = X[:50]
    np.testing.assert_array_equal(nearest_neighbors(X, 7)[0], brute_force(X, 7))


@pytest.mark.parametrize("most_asked", [0, 1 / 8, 1])
@pytest.mark.parametrize("n_candidates", [1, 100, 2**20])
def test_many_blocks_of_rows(monkeypatch, most_asked, n_candidates):
    monkeypatch.setattr("hardy.hardness.neighbors._BLOCK_ROWS", 7)
    monkeypatch.setattr("hardy.hardness.neighbors._SCANNED_ROWS", 5)
    monkeypatch.setattr("hardy.hardness.neighbors._BLOCK_CANDIDATES", n_candidates)
    monkeypatch.setattr("hardy.hardness.neighbors._MOST_ASKED", most_asked)
    X = np.random.RandomState(1).randint(0, 9, size=(120, 2)).astype(float)
    for rows in (X, sparse.csr_matrix(X)):
        np.testing.assert_array_equal(nearest_neighbors(rows, 5)[0], brute_force(X, 5))


@pytest.mark.parametrize("n_neighbors", [1, 2, 3, 7, 20, 40])
def test_the_nearest_are_kept_in_whatever_order_rows_come(monkeypatch, n_neighbors):
    # All rows are looked at, and not the nearest ones first, as a search gives them.
    monkeypatch.setattr("hardy.hardness.neighbors._MOST_ASKED", 0)
    X = np.random.RandomState(0).normal(size=(90, 3))
    np.testing.assert_array_equal(nearest_neighbors(X, n_neighbors)[0], brute_force(X, n_neighbors))


def test_as_many_neighbours_as_there_are_rows():
    X = np.random.RandomState(2).randint(0, 9, size=(100, 3)).astype(float)
    np.testing.assert_array_equal(nearest_neighbors(X, 200)[0], brute_force(X, 99))


def test_ties_of_all_rows_take_no_table_of_all_pairs():
    n_rows = 3000
    X = sparse.eye(n_rows, format="csr")
    nearest_neighbors(X[:200], 3)
    tracemalloc.start()
    neighbors, _ = nearest_neighbors(X, 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert neighbors[[0, 2, 2999]].tolist() == [[1, 2, 3], [0, 1, 3], [0, 1, 2]]
    assert peak < n_rows**2 * 8


def test_identical_rows_are_each_others_neighbours_in_order_of_position():
    neighbors, distances = nearest_neighbors(np.ones((6, 3)), 3)
    assert neighbors.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    assert not distances.any()


def test_a_large_offset_does_not_blur_distances():
    X = 1e6 + np.array([[0.0], [1e-3], [3e-3], [6e-3]])
    assert nearest_neighbors(np.tile(X, 30), 1)[0].ravel().tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize("offset", [1e4, 1e8, 1.7e9, 2.0**45])
@pytest.mark.parametrize("n_columns", [3, 20])
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_an_offset_leaves_neighbours_as_they_are(offset, n_columns, form):
    X = np.random.RandomState(0).randint(-8, 9, size=(150, n_columns)) / 4
    expected = brute_force(X, 5)
    np.testing.assert_array_equal(nearest_neighbors(form(X + offset), 5)[0], expected)
    # One column of times is enough to blur dot products.
    X[:, 0] += offset
    np.testing.assert_array_equal(nearest_neighbors(form(X), 5)[0], expected)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_clusters_far_from_each_other_keep_their_neighbours(form):
    # No centre is near to all rows.
    X = np.random.RandomState(0).randint(-8, 9, size=(150, 20)) / 4
    X[:, 3] += np.repeat([0, 2.0**30, 2.0**40], 50)
    np.testing.assert_array_equal(nearest_neighbors(form(X), 5)[0], brute_force(X, 5))


def test_float32_rows_are_compared_as_exactly_as_others():
    X = np.random.RandomState(0).normal(size=(200, 20)).astype(np.float32) + np.float32(1e4)
    neighbors, distances = nearest_neighbors(X, 5)
    expected, far = nearest_neighbors(X.astype(np.float64), 5)
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_array_equal(distances, far)


def test_kdn_by_hand():
    # Two nearest others: row 0 sees rows 1 (a) and 2 (b); row 2 sees rows 1 (a) and 0 (a).
    X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    hardness = k_disagreeing_neighbors(X, ["a", "a", "b", "b", "b", "b"], n_neighbors=2)
    assert hardness.tolist() == [0.5, 0.5, 1.0, 0.0, 0.0, 0.0]


def test_a_mislabelled_duplicate_counts():
    # Dropping the first answer of a search instead of the row itself would miss the duplicate.
    X = [[0.0], [0.0], [5.0], [5.0]]
    assert k_disagreeing_neighbors(X, [0, 1, 0, 0], n_neighbors=1).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [0, 5], ["no", "yes"], [False, True]])
def test_labels_of_any_kind(labels):
    rng = np.random.RandomState(0)
    X, codes = rng.normal(size=(50, 2)), rng.randint(0, 2, 50)
    np.testing.assert_array_equal(
        k_disagreeing_neighbors(X, np.array(labels)[codes]), k_disagreeing_neighbors(X, codes)
    )


def test_fewer_rows_than_neighbours():
    assert k_disagreeing_neighbors([[0.0], [1.0], [2.0]], [0, 0, 1], 5).tolist() == [0.5, 0.5, 1]


@pytest.mark.parametrize(
    ("X", "y", "n_neighbors", "message"),
    [
        ([[0.0]], [1], 5, "Neighbours need at least 2 rows, but X has 1"),
        ([[0.0], [1.0]], [1, None], 5, "Row 1 has no label"),
        ([[0.0], [1.0]], [1, 2, 3], 5, "3 labels"),
        ([[0.0], [1.0]], [1, 2], 0, "n_neighbors=0"),
        ([[0.0], [1.0]], [1, 2], "5", "n_neighbors='5' must be a whole number"),
        ([[0.0], [1.0]], [1, 2], 1.5, "n_neighbors=1.5 must be a whole number"),
        ([[0.0], [1.0]], [1, 2], None, "n_neighbors=None"),
        ([[0.0], [1.0]], [1, 2], True, "n_neighbors=True"),
    ],
)
def test_bad_input_is_named(X, y, n_neighbors, message):
    with pytest.raises(InputError, match=message):
        k_disagreeing_neighbors(X, y, n_neighbors)


@pytest.mark.parametrize("size", [2.0**1000, 2.0**-1000])
def test_the_largest_and_smallest_numbers_keep_their_order(size):
    X = np.random.RandomState(0).normal(size=(50, 2))
    neighbors, distances = nearest_neighbors(X, 3)
    np.testing.assert_array_equal(nearest_neighbors(X * size, 3)[0], neighbors)
    np.testing.assert_array_equal(nearest_neighbors(X * size, 3)[1], distances * size)


def test_a_missing_cell_is_named():
    with pytest.raises(InputError, match="NaN: column 0, row 1"):
        nearest_neighbors([[0.0], [np.nan], [1.0]])


def test_no_number_of_jobs():
    with pytest.raises(InputError, match="n_jobs=0 has no meaning"):
        k_disagreeing_neighbors([[0.0], [1.0]], ["a", "b"], n_jobs=0)
