"""Local sets against loops over all pairs by the definitions."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from scipy import sparse

from hardness.tables import labelled_tables, squared_distance, table_without_ties
from hardy.exceptions import InputError
from hardy.hardness import (
    harmfulness,
    local_set_cardinality,
    local_set_radius,
    nearest_enemy_ratio,
    usefulness,
)

MEASURES = {
    "n2": nearest_enemy_ratio,
    "lsc": local_set_cardinality,
    "lsr": local_set_radius,
    "usefulness": usefulness,
    "harmfulness": harmfulness,
}


def by_definition(X, y):
    """Give all five, row by row, from sets of rows."""
    rows = range(len(X))
    d = {(i, j): math.sqrt(squared_distance(X[i], X[j])) for i in rows for j in rows}
    own = {i: [j for j in rows if y[j] == y[i]] for i in rows}
    enemies = {i: [j for j in rows if y[j] != y[i]] for i in rows}
    ne = {i: min(enemies[i], key=lambda j: d[i, j], default=None) for i in rows}
    reach = {i: math.inf if ne[i] is None else d[i, ne[i]] for i in rows}
    local_set = {i: {j for j in own[i] if d[i, j] < reach[i]} for i in rows}
    expected = {name: [] for name in MEASURES}
    for i in rows:
        nearest = min((d[i, j] for j in own[i] if j != i), default=math.inf)
        if math.isinf(reach[i]):
            expected["n2"].append(0)
        elif math.isinf(nearest):
            expected["n2"].append(1)
        elif reach[i] == 0:
            expected["n2"].append(0.5 if nearest == 0 else 1)
        else:
            expected["n2"].append(1 - 1 / (nearest / reach[i] + 1))
        expected["lsc"].append(1 - len(local_set[i]) / len(own[i]))
        farthest = max(d[i, j] for j in own[i])
        if reach[i] == 0:
            expected["lsr"].append(1)
        elif farthest == 0:
            expected["lsr"].append(0)
        else:
            expected["lsr"].append(1 - min(1, reach[i] / farthest))
        expected["usefulness"].append(1 - sum(i in local_set[j] for j in rows) / len(own[i]))
        victims = sum(ne[j] == i for j in rows)
        expected["harmfulness"].append(victims / len(enemies[i]) if enemies[i] else 0)
    return expected


@settings(deadline=None, max_examples=200)
@given(table=labelled_tables())
@example(table=(np.zeros((2, 1)), np.array([0, 1])))
@example(table=(np.zeros((2, 1)), np.array([0, 0])))
@example(table=(np.array([[0.0], [0.0], [0.0]]), np.array([0, 0, 1])))
def test_they_equal_their_definitions(table):
    X, y = table
    for name, expected in by_definition(X, y).items():
        for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
            np.testing.assert_allclose(MEASURES[name](rows, y), expected, atol=1e-12, err_msg=name)


def test_they_equal_their_definitions_on_real_numbers():
    X, y = table_without_ties()
    for name, expected in by_definition(X, y).items():
        np.testing.assert_allclose(MEASURES[name](X, y), expected, atol=1e-12, err_msg=name)


def test_many_blocks_of_rows(monkeypatch):
    X, y = table_without_ties()
    expected = {name: measure(X, y) for name, measure in MEASURES.items()}
    monkeypatch.setattr("hardy.hardness.local_sets._BLOCK_ROWS", 7)
    for name, measure in MEASURES.items():
        np.testing.assert_array_equal(measure(X, y), expected[name])


def test_by_hand():
    #    a at 0 and 2, b at 3 and 7: nearest enemies at distances 3, 1, 1, 5; own at 2, 2, 4, 4.
    X, y = [[0.0], [2.0], [3.0], [7.0]], ["a", "a", "b", "b"]
    np.testing.assert_allclose(nearest_enemy_ratio(X, y), [2 / 5, 2 / 3, 4 / 5, 4 / 9])
    # The local sets: {0, 2}, {2}, {3}, {3, 7}.
    assert local_set_cardinality(X, y).tolist() == [0, 0.5, 0.5, 0]
    assert usefulness(X, y).tolist() == [0.5, 0, 0, 0.5]
    assert local_set_radius(X, y).tolist() == [0, 0.5, 0.75, 0]
    # 3 is the nearest enemy of 0 and 2, and 2 that of 3 and 7.
    assert harmfulness(X, y).tolist() == [0, 1, 1, 0]


def test_a_rare_class_that_lies_apart_is_as_useful_as_any():
    X, y = np.append(np.arange(20.0), [100, 101])[:, None], [0] * 20 + [1] * 2
    assert not usefulness(X, y).any()
    assert not local_set_cardinality(X, y).any()


def test_of_equally_near_enemies_the_first_one_harms():
    assert harmfulness([[1.0], [0.0], [2.0]], ["a", "b", "b"]).tolist() == [1, 1, 0]


def test_a_mislabelled_duplicate_leaves_no_local_set():
    X, y = [[0.0], [0.0], [1.0], [9.0]], ["a", "b", "a", "b"]
    assert nearest_enemy_ratio(X, y)[:2].tolist() == [1, 1]
    assert local_set_cardinality(X, y)[:2].tolist() == [1, 1]
    assert local_set_radius(X, y)[:2].tolist() == [1, 1]


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_the_largest_and_smallest_numbers_keep_their_distances(size):
    X, y = table_without_ties()
    X[:, 2] = 0
    for measure in MEASURES.values():
        np.testing.assert_allclose(measure(X * size, y), measure(X, y), rtol=1e-9)


def test_a_constant_column_of_any_size_does_not_matter():
    X, y = table_without_ties()
    X *= 1e-300
    expected = {name: measure(X[:, [0, 1, 3]], y) for name, measure in MEASURES.items()}
    X[:, 2] = 1e300
    for name, measure in MEASURES.items():
        for rows in (X, sparse.csr_matrix(X)):
            np.testing.assert_allclose(measure(rows, y), expected[name], rtol=1e-9)


def test_a_large_offset_does_not_blur_distances():
    X, y = np.array([[0.0], [2.0], [3.0], [7.0]]), [0, 0, 1, 1]
    np.testing.assert_array_equal(local_set_radius(X + 2.0**40, y), local_set_radius(X, y))


@pytest.mark.parametrize("measure", MEASURES.values())
def test_bad_input_is_named(measure):
    with pytest.raises(InputError, match="Local sets need at least 2 rows, but X has 1"):
        measure([[0.0]], [1])
    with pytest.raises(InputError, match="Row 1 has no label"):
        measure([[0.0], [1.0]], [1, None])
    with pytest.raises(InputError, match="3 labels"):
        measure([[0.0], [1.0]], [1, 2, 3])
