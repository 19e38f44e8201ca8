import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import AdaBoost, MemberKind, Opinion, TrainingSet
from hardy.weighting.soft_vote import SoftVote


def started(rule, y, n_classes):
    y = np.asarray(y)
    rule.start(TrainingSet(None, y, n_classes, np.ones(len(y)), np.arange(len(y)), None))
    return rule


def test_a_round_by_hand():
    rule = started(SoftVote(), [0, 0, 1, 1], 2)
    # Only the last row is on the wrong side: ε = 1/4, α = ½ ln 3, and it then carries one half.
    step = rule.update([Opinion(np.array([-0.5, -2.0, 0.1, -0.1]))])
    assert step.error == pytest.approx(0.25)
    assert step.coefficient == pytest.approx(0.5 * np.log(3))
    assert_allclose(rule.requests()[0].weights, [1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_zero_is_the_first_class():
    rule = started(SoftVote(), [0, 0, 0, 1], 2)
    assert rule.update([Opinion(np.array([0.0, -0.0, -1.0, 0.0]))]).error == pytest.approx(0.25)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_rounds_are_adaboosts(n_classes):
    rng = np.random.default_rng(0)
    y = np.arange(30) % n_classes
    soft, hard = started(SoftVote(0.7), y, n_classes), started(AdaBoost(0.7), y, n_classes)
    for _ in range(5):
        decisions = 0.8 * np.eye(n_classes)[y] + 0.5 * rng.normal(size=(30, n_classes))
        chosen = decisions.argmax(axis=1)
        output = decisions[:, 1] - decisions[:, 0] if n_classes == 2 else decisions
        assert soft.update([Opinion(output)]) == hard.update([Opinion(chosen)])
        assert_array_equal(soft.requests()[0].weights, hard.requests()[0].weights)


def test_the_vote_is_the_decision():
    rule = SoftVote()
    assert rule.member_kind is MemberKind.DECISIONS
    decisions = np.array([[0.5, -2.0, 0.1]])
    assert_array_equal(rule.scores([decisions[0]], 2), decisions[0])
    assert_array_equal(rule.scores([decisions], 3), decisions)


def test_decisions_in_single_precision_are_summed_in_double():
    scores = SoftVote().scores([np.array([0.5, -1.0], dtype=np.float32)], 2)
    assert scores.dtype == np.float64
