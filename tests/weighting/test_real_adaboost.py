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
