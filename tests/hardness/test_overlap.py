"""F1 to F4 against loops over pairs of classes by the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from hardness.tables import labelled_tables, table_without_ties
from hardy.exceptions import InputError
from hardy.hardness import feature_overlap

STATISTICS = ["share", "minimum", "mean", "maximum"]


def by_definition(X, y):
    """Give F1 to F4, cell by cell."""
    classes = sorted(set(y.tolist()))
    values = []
    for x, label in zip(X, y, strict=True):
        shares, depths = [], []
        for f, cell in enumerate(x):
            inside, depth = [], []
            for other in classes:
                if other == label:
                    continue
                mine, theirs = X[y == label, f], X[y == other, f]
                max_min = max(min(mine), min(theirs))
                min_max = min(max(mine), max(theirs))
                inside.append(max_min <= cell <= min_max)
                if not inside[-1]:
                    depth.append(0)
                elif max_min == min_max:
                    depth.append(1)
                else:
                    position = (min_max - cell) / (min_max - max_min)
                    depth.append(1 / (1 + abs(0.5 - position)))
            shares.append(np.mean(inside or [0]))
            depths.append(np.mean(depth or [0]))
        values.append([np.mean(shares), min(depths), np.mean(depths), max(depths)])
    return np.array(values)


def measured(X, y):
    return np.column_stack([feature_overlap(X, y, statistic=name) for name in STATISTICS])


@settings(deadline=None, max_examples=150)
@given(table=labelled_tables())
def test_it_equals_the_definition(table):
    X, y = table
    np.testing.assert_allclose(measured(X, y), by_definition(X, y), atol=1e-12)


def test_it_equals_the_definition_on_real_numbers():
    X, y = table_without_ties()
    np.testing.assert_allclose(measured(X, y), by_definition(X, y), atol=1e-12)


def test_by_hand():
    # First column: a in [0, 4], b in [2, 6], overlap [2, 4]. Second column: no overlap.
    X = [[0.0, 0.0], [3.0, 0.0], [4.0, 1.0], [2.0, 2.0], [2.5, 2.0], [6.0, 3.0]]
    expected = [
        [0, 0, 0, 0],
        [1 / 2, 0, 1 / 2, 1],
        [1 / 2, 0, 1 / 3, 2 / 3],
        [1 / 2, 0, 1 / 3, 2 / 3],
        [1 / 2, 0, 2 / 5, 4 / 5],
        [0, 0, 0, 0],
    ]
    np.testing.assert_allclose(measured(X, ["a"] * 3 + ["b"] * 3), expected)


def test_classes_that_touch_overlap_in_a_point():
    X = [[0.0], [1.0], [1.0], [2.0]]
    assert measured(X, [0, 0, 1, 1])[:, 3].tolist() == [0, 1, 1, 0]


def test_a_constant_column_is_all_overlap():
    np.testing.assert_array_equal(measured(np.full((3, 1), 1e300), [0, 1, 2]), np.ones((3, 4)))


def test_the_range_of_the_largest_numbers_is_no_obstacle():
    X = np.array([[-1.7e308], [1.0e308], [-1.0e308], [1.7e308]])
    np.testing.assert_allclose(measured(X, [0, 0, 1, 1]), measured(X / 1e308, [0, 0, 1, 1]))


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"'median' is unknown.*share, minimum"):
        feature_overlap([[0.0], [1.0]], [0, 1], statistic="median")
    with pytest.raises(InputError, match=r"feature_overlap takes no sparse X.*toarray"):
        feature_overlap(sparse.csr_matrix([[0.0], [1.0]]), [0, 1])
