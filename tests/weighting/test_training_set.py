import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hardy.weighting import TrainingSet


def training(weights, rows):
    weights = np.array(weights, dtype=float)
    return TrainingSet(None, np.zeros(len(weights), int), 2, weights, np.array(rows), None)


def test_positions_are_places_among_all_rows():
    some = training([1, 1, 1], [0, 2, 5])
    assert_array_equal(some.given(np.array([2, 0, 0])), [5, 0, 0])
    # A row of weight 0 in between, or the last one, or none.
    assert_array_equal(training([1, 1], [0, 2]).given(np.array([1])), [2])
    assert_array_equal(training([1, 1], [1, 2]).given(np.array([0])), [1])
    assert_array_equal(training([1, 1, 1], [0, 1, 2]).given(np.array([1, 1])), [1, 1])


def test_values_are_spread_among_all_rows():
    some = training([1, 1], [1, 3])
    assert_array_equal(some.spread(np.array([0.5, 0.25]), 5), [np.nan, 0.5, np.nan, 0.25, np.nan])
    assert_array_equal(some.spread(np.array([2.0, 3.0]), 4, absent=0.0), [0, 2, 0, 3])


@pytest.mark.parametrize(
    ("weights", "n_drawn"), [([1, 1.6], 3), ([100, 100], 200), ([1e9, 1], 200), ([0.5, 0.9], 1)]
)
def test_a_draw_is_as_large_as_what_the_set_stands_for(weights, n_drawn):
    assert training(weights, [0, 1]).n_drawn == n_drawn
    assert not training(weights, [0, 1]).is_drawn
