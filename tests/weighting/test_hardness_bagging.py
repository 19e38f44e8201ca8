import numpy as np
import pytest
from numpy.testing import assert_allclose

from hardy.exceptions import InputError
from hardy.weighting import (
    HardnessBagging,
    TrainingSet,
    linear_weights,
    softmax_weights,
)


def _training(n_rows, n_features=4, weights=None):
    weights = np.ones(n_rows) if weights is None else np.array(weights, dtype=float)
    X, y = np.zeros((n_rows, n_features)), np.arange(n_rows) % 2
    return TrainingSet(X, y, 2, weights, np.arange(n_rows), np.random.RandomState(0))


def test_probabilities_by_hand():
    hardness = np.array([0.0, 0.2, 0.6, 1.0])
    rule = HardnessBagging(hardness)
    rule.start(_training(4))
    # 1/4 + (1 − h): 1.25, 1.05, 0.65, 0.25, of sum 3.2.
    assert_allclose(rule.probabilities, np.array([1.25, 1.05, 0.65, 0.25]) / 3.2)
    rule = HardnessBagging(hardness, softmax_weights)
    rule.start(_training(4))
    weights = np.array([2.718281828, 2.225540928, 1.491824698, 1.0])
    assert_allclose(rule.probabilities, weights / weights.sum())


@pytest.mark.parametrize("scale", [1e308, 1e-308, 5e-324])
def test_only_the_ratios_of_the_weights_count(scale):
    rule = HardnessBagging(np.array([0.0, 0.2, 1.0]), lambda hardness: scale * (hardness < 0.5))
    rule.start(_training(3))
    assert_allclose(rule.probabilities, [0.5, 0.5, 0.0])


def test_a_rows_weight_multiplies_its_chance():
    rule = HardnessBagging(np.array([0.0, 1.0]), linear_weights)
    rule.start(_training(2, weights=[1, 3]))
    assert_allclose(rule.probabilities, [0.5, 0.5])  # 1.5 : 3 × 0.5
    assert len(rule.bag(0, np.random.RandomState(0)).rows) == 4


@pytest.mark.parametrize(("share", "size"), [(1.0, 10), (0.5, 5), (0.01, 1), (2.0, 20)])
def test_the_size_of_a_bag(share, size):
    rule = HardnessBagging(max_samples=share)
    rule.start(_training(10))
    assert len(rule.bag(0, np.random.RandomState(0)).rows) == size


def test_rows_are_drawn_as_often_as_their_probabilities_say():
    rule = HardnessBagging(np.linspace(0, 1, 10))
    rule.start(_training(10))
    random_state = np.random.RandomState(0)
    drawn = np.concatenate([rule.bag(n, random_state).rows for n in range(2000)])
    assert_allclose(np.bincount(drawn) / len(drawn), rule.probabilities, atol=0.01)


@pytest.mark.parametrize(
    ("weighting", "message"),
    [
        (lambda hardness: hardness[:2], r"shape \(2,\) for 3 rows"),
        (lambda hardness: hardness - 0.5, r"row 0 the weight -0.5"),
        (lambda hardness: np.where(hardness > 0.8, np.nan, 1.0), r"row 2 the weight nan"),
        (lambda hardness: 0 * hardness, r"every row 0"),
        (lambda hardness: "a", r"weighting gives must be numbers"),
        (lambda hardness: [{}] * 3, r"weighting gives must be numbers"),
    ],
)
def test_weights_that_are_no_use(weighting, message):
    with pytest.raises(InputError, match=message):
        HardnessBagging(np.array([0.0, 0.5, 1.0]), weighting).start(_training(3))
