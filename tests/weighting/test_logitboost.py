"""LogitBoost, round by round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import LogitBoost, Opinion

Y = np.array([0, 0, 1, 1])


def test_logitboost_of_two_classes_by_hand(training):
    rule = LogitBoost()
    rule.start(training(Y))
    (request,) = rule.requests()
    assert_array_equal(request.targets, [-2, -2, 2, 2])
    assert_allclose(request.weights, 1 / 16)
    rule.update([Opinion(np.array([-2.0, -2.0, 2.0, -2.0]))])
    # F = −1 or 1, p = 1/(1 + e²) = .1192 or .8808; z = .8808/(.1192 · .8808) = 8.39, cut at 4.
    (request,) = rule.requests()
    assert_allclose(request.targets, [-1 / 0.880797, -1 / 0.880797, 1 / 0.880797, 4], atol=2e-4)
    # p (1 − p), but .8808/4 where z was cut, so that weight times z is y* − p in every row.
    assert_allclose(request.weights, 0.25 * np.array([0.104994] * 3 + [0.220199]), atol=1e-6)


def test_logitboost_of_several_classes_is_algorithm_6(training):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    rule = LogitBoost()
    rule.start(training(y))
    F = np.zeros((40, 3))
    for _ in range(3):
        p = np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)
        requests = rule.requests()
        for j, request in enumerate(requests):
            z = ((y == j) - p[:, j]) / (p[:, j] * (1 - p[:, j]))
            assert_allclose(request.targets, np.clip(z, -4, 4), atol=2e-4)
            published = p[:, j] * (1 - p[:, j])
            cut = np.abs(z) > 4
            assert_allclose(request.weights[~cut], published[~cut] / 40)
            assert_allclose(request.weights[cut], np.abs((y == j) - p[:, j])[cut] / 4 / 40)
        outputs = [rng.normal(size=40) for _ in range(3)]
        step = rule.update([Opinion(output) for output in outputs])
        f = np.column_stack(outputs)
        F += 2 / 3 * (f - f.mean(axis=1, keepdims=True))
        errors = [
            np.average((r.targets - o) ** 2, weights=r.weights)
            for r, o in zip(requests, outputs, strict=True)
        ]
        assert step.error == pytest.approx(np.mean(errors))
