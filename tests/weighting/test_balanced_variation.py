import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hardy.weighting import BalancedVariation


def test_every_row_of_the_larger_classes_is_in_one_part(started):
    y = np.array([0] * 7 + [1] * 2 + [2] * 4)
    rule = started(BalancedVariation(), y)
    assert rule.n_parts == 4  # 7 rows in parts of 2, the last with a row of another
    bags = [rule.bag(number, None).rows for number in range(4)]
    for bag in bags:
        assert {7, 8} <= set(bag)
        assert_array_equal(np.bincount(y[bag]), [2, 2, 2])
        assert len(set(bag)) == 6
    drawn = np.concatenate(bags)
    assert_array_equal(np.unique(drawn[y[drawn] == 0]), np.arange(7))
    assert_array_equal(np.bincount(drawn[y[drawn] == 2])[9:], [2, 2, 2, 2])
    again = rule.bag(4, None).rows
    assert set(again[y[again] == 0]) != set(bags[0][y[bags[0]] == 0])


@pytest.mark.parametrize(
    ("sizes", "n_parts"),
    [((35, 24), 2), ((24, 24), 1), ((25, 24), 2), ((48, 24), 2), ((49, 24), 3), ((35, 24, 30), 2)],
)
def test_every_bag_is_balanced_whatever_the_ratio(started, sizes, n_parts):
    y = np.repeat(np.arange(len(sizes)), sizes)
    rule = started(BalancedVariation(), y)
    assert rule.n_parts == n_parts
    bags = [rule.bag(number, None).rows for number in range(n_parts)]
    for bag in bags:
        assert_array_equal(np.bincount(y[bag]), [24] * len(sizes))
    assert_array_equal(np.unique(np.concatenate(bags)), np.arange(len(y)))


def test_a_weight_is_as_many_rows(started):
    rule = started(BalancedVariation(), [0, 0, 1], weights=[3, 3, 2])
    assert rule.n_parts == 3
    drawn = np.concatenate([rule.bag(number, None).rows for number in range(3)])
    assert_array_equal(np.bincount(drawn), [3, 3, 6])
