import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import IterativeSelection


def test_the_choice_by_hand(started):
    y = [0, 0, 0, 1]
    rule = started(IterativeSelection(n_candidates=2, accuracy_weight=0.5), y)
    # The first member: entropy is 0 for a single vote. Recalls 1 and 0 against 2/3 and 1.
    assert rule.choose([np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])]) == 1
    # Class 0 gets a third wrong, class 1 nothing; 1/4 is added to both.
    chances = np.array([(1 / 3 + 1 / 4) / 3] * 3 + [1 / 4])
    assert_allclose(rule._chances, chances / chances.sum())
    # With two votes a row counts for diversity if they differ; ties go to class 0.
    # The same again: accuracy (2/3 + 1)/2, no diversity: .4167.
    # All 0: ties in rows 2 and 3, so that both are class 0: accuracy .5, rows 2 and 3 of 4
    # differ, entropy .5: .5.
    assert rule.choose([np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0])]) == 1


def test_with_smote_every_class_is_as_large_before_the_first_draw(started):
    rng = np.random.default_rng(0)
    y = np.array([0] * 90 + [1] * 10)
    rule = started(IterativeSelection(smote=True), y, rng.normal(size=(100, 3)))
    bag = rule.bag(0, np.random.RandomState(0))
    counts = np.bincount(y[bag.rows], minlength=2) + np.bincount(bag.made[1], minlength=2)
    assert_array_equal(counts, [50, 50])
    assert np.bincount(bag.made[1], minlength=2)[1] > 0


@pytest.mark.parametrize("factor", [1.0, 2.5, 10.0])
def test_with_smote_a_bag_is_as_large_as_the_weights_sum(started, factor):
    y = np.repeat([0, 1], [40, 10])
    X = np.random.default_rng(0).normal(size=(50, 3))
    weights = np.where(y == 1, 2.0, 1.0) * factor
    rule = IterativeSelection(smote=True)
    started(rule, y, X, weights)
    bag = rule.bag(0, np.random.RandomState(0))
    made = 0 if bag.made is None else bag.made[0].shape[0]
    assert len(bag.rows) + made == pytest.approx(60 * factor, abs=1)


def test_two_more_choices_by_hand(started):
    rule = started(IterativeSelection(n_candidates=2), [0, 0, 0, 1])
    rule.choose([np.array([0, 0, 1, 1])])
    # Two votes: ties in rows 2 and 3 go to class 0, recalls 1 and 0; two of four rows differ.
    assert rule._fitness(np.zeros(4, int)) == pytest.approx((0.5 + 0.5) / 2)
    rule.choose([np.zeros(4, int)])
    # Class 1 gets all wrong, class 0 nothing; 1/4 is added to both, and a class shares its chance.
    assert_allclose(rule._chances, [1 / 18, 1 / 18, 1 / 18, 5 / 6])
    # Three votes; rows 0 and 1 were right twice, rows 2 and 3 once.
    assert rule._fitness(np.array([0, 0, 0, 1])) == pytest.approx((1 + 0.5) / 2)
    assert rule._fitness(np.array([1, 1, 0, 1])) == pytest.approx(1)
    assert rule._fitness(np.array([0, 0, 1, 0])) == pytest.approx((1 / 3 + 0.5) / 2)
    rule.accuracy_weight = 0.9
    assert rule._fitness(np.array([0, 0, 0, 1])) == pytest.approx(0.9 * 1 + 0.1 * 0.5)


def test_candidates_are_drawn_by_their_chances_and_by_the_given_state_alone(started):
    rule = started(IterativeSelection(), [0, 0, 0, 1], weights=[50, 100, 150, 100])
    assert_allclose(rule._chances, [1 / 8, 1 / 4, 3 / 8, 1 / 4])
    one, same, other = (rule.bag(0, np.random.RandomState(seed)).rows for seed in (0, 0, 1))
    assert len(one) == 400
    assert_array_equal(one, same)
    assert (one != other).any()
    # Within five standard deviations of a count.
    expected = 400 * rule._chances
    assert (np.abs(np.bincount(one) - expected) < 5 * np.sqrt(expected)).all()
    even = started(IterativeSelection(smote=True), [0, 0, 0, 1], weights=[50, 100, 150, 100])
    assert_allclose(even._chances, [1 / 12, 1 / 6, 1 / 4, 1 / 2])
