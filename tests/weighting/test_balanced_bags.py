from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from hardy.weighting import (
    BalancedVariation,
    IterativeSelection,
    SMOTEBags,
    TrainingSet,
    balanced_bags,
)
from hardy.weighting.balanced_bags import import_smote, make_rows


def _started(rule, y, X=None, weights=None):
    y = np.array(y)
    X = np.arange(2.0 * len(y)).reshape(-1, 2) if X is None else X
    weights = np.ones(len(y)) if weights is None else np.array(weights, dtype=float)
    rng = np.random.RandomState(0)
    rule.start(TrainingSet(X, y, int(y.max()) + 1, weights, np.arange(len(y)), rng))
    return rule


def test_every_row_of_the_larger_classes_is_in_one_part():
    y = np.array([0] * 7 + [1] * 2 + [2] * 4)
    rule = _started(BalancedVariation(), y)
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
def test_every_bag_is_balanced_whatever_the_ratio(sizes, n_parts):
    y = np.repeat(np.arange(len(sizes)), sizes)
    rule = _started(BalancedVariation(), y)
    assert rule.n_parts == n_parts
    bags = [rule.bag(number, None).rows for number in range(n_parts)]
    for bag in bags:
        assert_array_equal(np.bincount(y[bag]), [24] * len(sizes))
    assert_array_equal(np.unique(np.concatenate(bags)), np.arange(len(y)))


def test_a_weight_is_as_many_rows():
    rule = _started(BalancedVariation(), [0, 0, 1], weights=[3, 3, 2])
    assert rule.n_parts == 3
    drawn = np.concatenate([rule.bag(number, None).rows for number in range(3)])
    assert_array_equal(np.bincount(drawn), [3, 3, 6])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_smote_fills_every_class_up(container):
    rng = np.random.default_rng(0)
    y = np.array([0] * 60 + [1] * 8 + [2])
    X = rng.normal(size=(69, 3)) + 10.0 * y[:, None]
    rule = _started(SMOTEBags(n_neighbors=3), y, container(X))
    for number, n_drawn in [(0, 6), (4, 30), (9, 60), (10, 6)]:
        bag = rule.bag(number, np.random.RandomState(number))
        assert_array_equal(np.bincount(y[bag.rows]), [60, n_drawn, n_drawn])
        if bag.made is None:
            assert n_drawn == 60
            continue
        made, codes = bag.made
        made = made.toarray() if sparse.issparse(made) else made
        assert_array_equal(np.bincount(codes), [0, 60 - n_drawn, 60 - n_drawn])
        # Between two rows of the class, hence within its box; of a single row, that row.
        assert (made[codes == 1] >= X[60:68].min(axis=0) - 1e-12).all()
        assert (made[codes == 1] <= X[60:68].max(axis=0) + 1e-12).all()
        assert not (made[codes == 1][:, None] == X[60:68]).all(axis=2).any()
        assert_array_equal(made[codes == 2], X[68:].repeat(60 - n_drawn, axis=0))


def test_the_choice_by_hand():
    y = [0, 0, 0, 1]
    rule = _started(IterativeSelection(n_candidates=2, accuracy_weight=0.5), y)
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


def test_with_smote_every_class_is_as_large_before_the_first_draw():
    rng = np.random.default_rng(0)
    y = np.array([0] * 90 + [1] * 10)
    rule = _started(IterativeSelection(smote=True), y, rng.normal(size=(100, 3)))
    bag = rule.bag(0, np.random.RandomState(0))
    counts = np.bincount(y[bag.rows], minlength=2) + np.bincount(bag.made[1], minlength=2)
    assert_array_equal(counts, [50, 50])
    assert np.bincount(bag.made[1], minlength=2)[1] > 0


@pytest.mark.parametrize("factor", [1.0, 2.5, 10.0])
def test_with_smote_a_bag_is_as_large_as_the_weights_sum(factor):
    y = np.repeat([0, 1], [40, 10])
    X = np.random.default_rng(0).normal(size=(50, 3))
    weights = np.where(y == 1, 2.0, 1.0) * factor
    rule = IterativeSelection(smote=True)
    _started(rule, y, X, weights)
    bag = rule.bag(0, np.random.RandomState(0))
    made = 0 if bag.made is None else bag.made[0].shape[0]
    assert len(bag.rows) + made == pytest.approx(60 * factor, abs=1)


def test_two_more_choices_by_hand():
    rule = _started(IterativeSelection(n_candidates=2), [0, 0, 0, 1])
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


def test_candidates_are_drawn_by_their_chances_and_by_the_given_state_alone():
    rule = _started(IterativeSelection(), [0, 0, 0, 1], weights=[50, 100, 150, 100])
    assert_allclose(rule._chances, [1 / 8, 1 / 4, 3 / 8, 1 / 4])
    one, same, other = (rule.bag(0, np.random.RandomState(seed)).rows for seed in (0, 0, 1))
    assert len(one) == 400
    assert_array_equal(one, same)
    assert (one != other).any()
    # Within five standard deviations of a count.
    expected = 400 * rule._chances
    assert (np.abs(np.bincount(one) - expected) < 5 * np.sqrt(expected)).all()
    even = _started(IterativeSelection(smote=True), [0, 0, 0, 1], weights=[50, 100, 150, 100])
    assert_allclose(even._chances, [1 / 12, 1 / 6, 1 / 4, 1 / 2])


@pytest.mark.parametrize("make", [SMOTEBags, partial(IterativeSelection, smote=True)])
def test_made_rows_are_settled_by_the_given_state(make):
    y = np.repeat([0, 1], [30, 8])
    rule = _started(make(), y, np.random.default_rng(0).normal(size=(38, 2)))
    one, same, other = (rule.bag(0, np.random.RandomState(seed)) for seed in (0, 0, 1))
    assert_array_equal(one.rows, same.rows)
    assert_array_equal(one.made[0], same.made[0])
    assert one.made[0].shape != other.made[0].shape or (one.made[0] != other.made[0]).any()


def test_of_the_smallest_share_one_row_is_drawn_nevertheless():
    rule = _started(SMOTEBags(), [0] * 4 + [1] * 2)
    bag = rule.bag(0, np.random.RandomState(0))
    assert_array_equal(np.bincount(rule._y[bag.rows]), [4, 1])
    assert_array_equal(np.bincount(bag.made[1]), [0, 3])


def test_rows_are_made_between_as_many_neighbours_as_there_are():
    X = np.array([[0.0], [1.0], [100.0], [101.0], [7.0], [9.0]])
    state = np.random.RandomState(0)
    made = make_rows(import_smote(), X, np.arange(4), 50, 1, state)
    assert made.shape == (50, 1)
    assert ((made <= 1) | (made >= 100)).all()
    # With three neighbours, across the gap too.
    made = make_rows(import_smote(), X, np.arange(4), 50, 3, state)
    assert ((made > 1) & (made < 100)).any()
    # Of two rows each has one neighbour, whatever is asked for.
    made = make_rows(import_smote(), X, np.array([4, 5]), 1, 5, state)
    assert made.shape == (1, 1)
    assert 7 <= made[0, 0] <= 9
    assert_array_equal(make_rows(import_smote(), X, np.array([4]), 2, 5, state), [[7], [7]])
    assert make_rows(import_smote(), X, np.array([4, 5]), 0, 5, state).shape == (0, 1)


def test_smote_comes_from_an_extra(monkeypatch):
    asked = []
    monkeypatch.setattr(
        balanced_bags,
        "import_extra",
        lambda *names, **said: asked.append((names, said)) or SimpleNamespace(SMOTE="SMOTE"),
    )
    assert import_smote() == "SMOTE"
    assert asked == [(("imblearn.over_sampling",), {"extra": "imbalance", "purpose": "SMOTE"})]
