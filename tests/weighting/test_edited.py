from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import AdaBoost, Opinion, TrainingSet
from hardy.weighting.edited import Edited, _vote_shares, find_contradicted


def contradicted_by_brute_force(points, y, k):
    """Vote with one over the distance, duplicates alone where there are any; exact fractions."""
    found, shares = [], []
    for i in range(len(y)):
        others = [(np.sqrt(sum((points[i] - points[j]) ** 2)), j) for j in range(len(y)) if j != i]
        nearest = sorted(others)[:k]
        twins = [(d, j) for d, j in nearest if d == 0]
        votes = dict.fromkeys(set(y), 0.0)
        for distance, j in twins or nearest:
            votes[y[j]] += 1 if twins else 1 / distance
        own = votes.pop(y[i])
        found.append(max(votes.values(), default=0) > own + 1e-9)
        shares.append(own / (own + sum(votes.values())))
    for code in set(y):
        rows = [i for i in range(len(y)) if y[i] == code]
        if all(found[i] for i in rows):
            for i in rows:
                found[i] = shares[i] < max(shares[j] for j in rows) - 1e-12
    return found


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=14
    ),
    k=st.integers(1, 5),
)
def test_the_vote_by_brute_force(rows, k):
    points, y = np.array(rows, dtype=float)[:, :2], np.array(rows)[:, 2]
    found = find_contradicted(points, y, np.ones(len(y)), k)
    assert_array_equal(found, contradicted_by_brute_force(points, y.tolist(), k))
    assert set(y[~found]) == set(y)


def test_the_nearer_counts_more():
    points = np.array([[0.0], [1.0], [3.0], [-2.5], [-2.4]])
    # Row 0 has a neighbour of the other class at 1, and one of its own at 2.4, one at 2.5.
    y = np.array([0, 1, 1, 0, 0])
    assert find_contradicted(points, y, np.ones(5), 3)[0]  # 1/2.4 + 1/2.5 = 0.82 < 1
    points[3:] = [[-1.9], [-2.0]]
    assert not find_contradicted(points, y, np.ones(5), 3)[0]  # 1/1.9 + 1/2 = 1.03


def test_a_class_keeps_its_least_contradicted_rows():
    points = np.array([[0.0], [1.0], [2.0], [3.0], [0.5], [2.9]])
    y = np.array([0, 0, 0, 0, 1, 1])
    # Row 4 has two neighbours at the same distance, row 5 one that is much nearer: none agrees.
    assert_array_equal(find_contradicted(points, y, np.ones(6), 2)[4:], [False, False])
    # With three neighbours likewise; with five, each has the other at 2.4 among them.
    shares = [1 / 2.4 / s for s in (1 / 2.4 + 4.667 + 0.4, 1 / 2.4 + 10 + 1.1111 + 0.5263 + 0.345)]
    assert shares[0] > shares[1]
    assert_array_equal(find_contradicted(points, y, np.ones(6), 5)[4:], [False, True])


def test_a_weight_is_as_many_equal_rows():
    points, y = np.array([[0.0], [1.0], [1.2], [1.4]]), np.array([0, 0, 1, 1])
    counts = np.array([1, 2, 1, 1])
    assert_array_equal(find_contradicted(points, y, np.ones(4), 2), [False, True, False, False])
    # Its twin agrees with row 1; the two are all the neighbours of row 2.
    assert_array_equal(find_contradicted(points, y, counts * 1.0, 2), [False, False, True, False])
    repeated = np.repeat(points, counts, axis=0), np.repeat(y, counts)
    found = find_contradicted(*repeated, np.ones(5), 2)
    assert_array_equal(found, [False, False, False, True, False])


def test_the_rule_is_adaboost_of_the_rows_that_are_left():
    rng = np.random.default_rng(0)
    y, out = np.arange(30) % 3, rng.random(30) < 0.3
    rule, adaboost = Edited(lambda training: out), AdaBoost()
    weights = rng.uniform(1, 3, 30)
    rule.start(TrainingSet(None, y, 3, weights, np.arange(30), None))
    adaboost.start(TrainingSet(None, y[~out], 3, weights[~out], np.flatnonzero(~out), None))
    for _ in range(5):
        output = np.where(rng.random(30) < 0.3, (y + 1) % 3, y)
        step, expected = rule.update([Opinion(output)]), adaboost.update([Opinion(output[~out])])
        assert_allclose([step.coefficient, step.error], [expected.coefficient, expected.error])
        assert_array_equal(rule.requests()[0].weights[out], 0)
        assert_allclose(rule.requests()[0].weights[~out], adaboost.requests()[0].weights)


def test_half_a_row_is_one_of_those_that_are_left():
    y = np.array([0, 0, 1, 1, 1])
    rule = Edited(lambda training: np.array([False] * 4 + [True]))
    rule.start(TrainingSet(None, y, 2, np.ones(5), np.arange(5), None))
    step = rule.update([Opinion(np.array([0, 0, 1, 1, 0]))])
    assert (step.error, step.stop) == (0.0, True)
    assert step.coefficient == pytest.approx(np.log(7) / 2)


@pytest.mark.parametrize("weight", [0.3, 1 + 4e-16, 1.0000001])
def test_a_twin_of_hardly_any_weight_has_hardly_a_vote(weight):
    rng = np.random.default_rng(0)
    points, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    expected = find_contradicted(points, y, np.ones(40), 5)
    assert 5 < expected.sum() < 35
    assert_array_equal(find_contradicted(points, y, np.full(40, weight), 5), expected)


def test_the_more_a_row_weighs_the_more_it_agrees_with_itself():
    rng = np.random.default_rng(0)
    points, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    found = [find_contradicted(points, y, np.full(40, w), 5).sum() for w in (1, 1.2, 1.4, 1.7, 2)]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) > 3
    assert found[-1] == 0


def test_distances_too_small_to_be_inverted_count_by_their_ratio():
    y = np.array([0, 0, 1])
    rows = np.array([[1, 2], [0, 2], [0, 1]])
    masses = np.ones((3, 2))
    distances = np.array([[1.0, 2.0], [1.0, 4.0], [2.0, 2.0]])
    expected = [[2 / 3, 1 / 3], [4 / 5, 1 / 5], [1.0, 0.0]]
    mixed = np.array([[5e-324], [1.0], [1e300]])
    for unit in (1.0, 5e-324, mixed):
        near = SimpleNamespace(rows=rows, masses=masses, distances=distances * unit)
        assert_allclose(_vote_shares(near, y), expected, rtol=1e-12)
    twins = SimpleNamespace(rows=rows, masses=masses, distances=np.zeros((3, 2)))
    assert_allclose(_vote_shares(twins, y), [[0.5, 0.5], [0.5, 0.5], [1, 0]])


def test_five_neighbours_vote_by_default():
    rng = np.random.default_rng(0)
    points, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    of_five = find_contradicted(points, y, np.ones(60), 5)
    assert_array_equal(find_contradicted(points, y, np.ones(60)), of_five)
    assert (find_contradicted(points, y, np.ones(60), 6) != of_five).any()
