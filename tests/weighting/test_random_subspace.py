import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hardy.weighting import RandomSubspace, TrainingSet


@pytest.mark.parametrize(("share", "n_kept"), [(0.5, 3), (1.0, 6), (0.01, 1), (0.4, 2)])
def test_a_subspace_has_its_share_of_the_columns(share, n_kept):
    rule = RandomSubspace(share)
    weights = np.array([1.0, 2, 1, 1, 1])
    X, y = np.zeros((5, 6)), np.arange(5) % 2
    rule.start(TrainingSet(X, y, 2, weights, np.arange(5), np.random.RandomState(0)))
    seen = set()
    for seed in range(60):
        bag = rule.bag(0, np.random.RandomState(seed))
        assert len(set(bag.features)) == len(bag.features) == n_kept
        assert_array_equal(bag.rows, np.arange(5))
        assert_array_equal(bag.weights, [1, 2, 1, 1, 1])
        seen |= set(bag.features)
    assert seen == set(range(6))
