"""Real AdaBoost, round by round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, softmax

from hardy.weighting import Opinion, RealAdaBoost


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_real_adaboost_is_samme_r(training, n_classes):
    """Algorithm 4 of Zhu et al., as it stands there."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 50)
    coding = np.where(np.eye(n_classes)[y] == 1, 1.0, -1.0 / (n_classes - 1))
    weights = np.ones(50) / 50
    rule = RealAdaBoost()
    rule.start(training(y))
    total = 0.0
    for _ in range(4):
        assert_allclose(rule.requests()[0].weights, weights)
        p = rng.dirichlet(np.ones(n_classes), 50)
        step = rule.update([Opinion(p)])
        logs = np.log(np.maximum(p, 1e-5))
        weights = weights * np.exp(-(n_classes - 1) / n_classes * (coding * logs).sum(axis=1))
        weights /= weights.sum()
        total = total + (n_classes - 1) * (logs - logs.mean(axis=1, keepdims=True))
        scores = rule.scores([p], n_classes)
        ours = scores if n_classes > 2 else np.column_stack([-scores, scores])
        assert_allclose(ours * (n_classes - 1), (n_classes - 1) * (logs - logs.mean(1)[:, None]))
        assert step.coefficient == 1.0


def test_one_member_that_is_right_gives_its_probabilities():
    p = np.array([[0.2, 0.5, 0.3], [0.01, 0.01, 0.98]])
    assert_allclose(softmax(RealAdaBoost().scores([p], 3), axis=1), p)
    assert_allclose(expit(2 * RealAdaBoost().scores([p[:, :2]], 2)), p[:, 1] / p[:, :2].sum(1))


def test_a_round_by_hand(training):
    rule = RealAdaBoost(learning_rate=0.5)
    rule.start(training([0, 1, 1], weights=[2, 1, 1]))
    # h of the rows' classes: ½ ln 4, ½ ln 1/4 (wrong, a quarter of the weight) and 0.
    step = rule.update([Opinion(np.array([[0.8, 0.2], [0.8, 0.2], [0.5, 0.5]]))])
    assert step.coefficient == 0.5
    # A tie goes to the first class, which is wrong of row 2.
    assert step.error == pytest.approx(1 / 2)
    assert (step.keep, step.stop, step.reason) == (True, False, "")
    after = np.array([2 / np.sqrt(2), np.sqrt(2), 1])
    assert_allclose(rule.requests()[0].weights, after / after.sum())


def test_no_mistake_ends_the_rounds_unless_rows_are_drawn(training):
    right = Opinion(np.array([[0.7, 0.3], [0.4, 0.6]]))
    rule = RealAdaBoost(learning_rate=0.5)
    rule.start(training([0, 1]))
    step = rule.update([right])
    assert step == (0.5, 0.0, True, True, "no training row was wrong")
    rule.start(training([0, 1])._replace(is_drawn=True))
    assert rule.update([right]) == (0.5, 0.0, True, False, "")
