"""MadaBoost, Real AdaBoost, LogitBoost, soft margins and RobustBoost, round by round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import erf, expit, softmax

from hardy.weighting import (
    AdaBoost,
    LogitBoost,
    MadaBoost,
    Opinion,
    RealAdaBoost,
    RobustBoost,
    SoftMargin,
)

Y = np.array([0, 0, 1, 1])
LAST_WRONG = np.array([0, 0, 1, 0])


def _random_rounds(rule, training, n_rows=60, n_rounds=8, seed=0):
    """Start a rule, and give it members that are right on about 70 % of the weight."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    rule.start(training(y))
    for _ in range(n_rounds):
        rule.requests()
        output = np.where(rng.random(n_rows) < 0.3, 1 - y, y)
        yield y, output, rule.update([Opinion(output)])


# MadaBoost


def test_madaboost_by_hand(training):
    rule = MadaBoost()
    rule.start(training(Y))
    step = rule.update([Opinion(LAST_WRONG)])
    assert_allclose(step.coefficient, np.log(3) / 2)
    weights = np.array([3**-0.5] * 3 + [1])
    assert_allclose(rule.requests()[0].weights, weights / weights.sum())
    # The same again: the last row has margin −ln 3 and still weighs 1, the others 1/3.
    error = weights[3] / weights.sum()
    step = rule.update([Opinion(LAST_WRONG)])
    alpha = 0.5 * np.log((1 - error) / error)
    assert_allclose(step.coefficient, alpha)
    weights[:3] *= np.exp(-alpha)
    assert_allclose(rule.requests()[0].weights, weights / weights.sum())


def test_no_row_weighs_more_than_at_the_start_against_a_row_that_does_not(training):
    rule = MadaBoost()
    margins = 0.0
    for y, output, step in _random_rounds(rule, training):
        margins = margins + step.coefficient * np.where(output == y, 1, -1)
        expected = np.minimum(1, np.exp(-margins))
        assert_allclose(rule.requests()[0].weights, expected / expected.sum())


# Real AdaBoost


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


# LogitBoost


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
    assert_allclose(request.weights, 0.25 * 0.104994, atol=1e-6)


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
            assert_allclose(request.weights, p[:, j] * (1 - p[:, j]) / 40)
        outputs = [rng.normal(size=40) for _ in range(3)]
        step = rule.update([Opinion(output) for output in outputs])
        f = np.column_stack(outputs)
        F += 2 / 3 * (f - f.mean(axis=1, keepdims=True))
        errors = [
            np.average((r.targets - o) ** 2, weights=r.weights)
            for r, o in zip(requests, outputs, strict=True)
        ]
        assert step.error == pytest.approx(np.mean(errors))


# Soft margins


def test_without_mistrust_it_is_adaboost(training):
    for (y, output, step), (_, _, theirs) in zip(
        _random_rounds(SoftMargin(C=0.0), training),
        _random_rounds(AdaBoost(), training),
        strict=True,
    ):
        assert len(y) == len(output)
        assert_allclose(step.coefficient, theirs.coefficient, atol=1e-9)
        assert_allclose(step.error, theirs.error, atol=1e-9)


def test_soft_margins_by_brute_force(training):
    C, n = 0.4, 60
    rule = SoftMargin(C=C)
    exponent = np.zeros(n)
    for y, output, step in _random_rounds(rule, training):
        weights = softmax(-exponent)
        agreement = np.where(output == y, 1, -1)
        gain = agreement + C * n * weights
        grid = np.linspace(0, 0.5 * np.log(2 * n - 1), 20001)
        sums = np.exp(-exponent[:, None] - grid * gain[:, None]).sum(axis=0)
        assert step.coefficient == pytest.approx(grid[sums.argmin()], abs=2e-4)
        exponent += step.coefficient * gain
        assert_allclose(rule.requests()[0].weights, softmax(-exponent), rtol=1e-6)


# RobustBoost


@pytest.mark.parametrize("error_goal", [0.05, 0.2])
@pytest.mark.parametrize("margin_goal", [0.0, 0.3])
def test_potential_stays_and_the_edge_is_gone(training, error_goal, margin_goal):
    rule = RobustBoost(error_goal, margin_goal, margin_sigma=0.1)
    for y, output, step in _random_rounds(rule, training, n_rounds=30):
        if step.stop:
            break
        assert rule.potential == pytest.approx(error_goal, abs=1e-8)
        weights = rule.requests()[0].weights
        assert weights[output == y].sum() == pytest.approx(0.5, abs=1e-7)
        assert step.coefficient > 0
    assert step.stop
    assert rule.time == 1.0 or "guess" in step.reason


def test_the_potential_solves_its_equation():
    """Φ is constant along the drift −m with diffusion ½: Φ_t = m Φ_m − ½ Φ_mm + ρ-terms."""
    rule = RobustBoost(0.1, 0.2, 0.3)
    h = 1e-4

    def sigma(t):
        return np.sqrt((0.3**2 + 1) * np.exp(2 * (1 - t)) - 1)

    rho = (0.2 * np.e - sigma(0) * _erfinv(2 * 0.1 - 1)) / (2 * (np.e - 1))

    def potential(m, t):
        mu = (0.2 - 2 * rho) * np.exp(1 - t) + 2 * rho
        return 0.5 * (1 - erf((m - mu) / sigma(t)))

    assert potential(0, 0) == pytest.approx(0.1)
    for m in (-1.0, 0.3, 2.0):
        for t in (0.2, 0.7):
            by_time = (potential(m, t + h) - potential(m, t - h)) / (2 * h)
            by_margin = (potential(m + h, t) - potential(m - h, t)) / (2 * h)
            second = (potential(m + h, t) - 2 * potential(m, t) + potential(m - h, t)) / h**2
            assert by_time == pytest.approx((m - 2 * rho) * by_margin - 0.5 * second, abs=1e-5)
    trained = _started(rule)
    assert trained._mu(0.4) == pytest.approx((0.2 - 2 * rho) * np.exp(0.6) + 2 * rho)
    assert trained._sigma(0.4) == pytest.approx(sigma(0.4))


def _erfinv(value):
    low, high = -6.0, 6.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if erf(middle) < value else (low, middle)
    return middle


def _started(rule):
    from hardy.weighting import TrainingSet

    rule.start(TrainingSet(None, Y, 2, np.ones(4), np.arange(4), None))
    return rule


def test_hopeless_rows_are_given_up(training):
    """One row is always wrong: AdaBoost heaps weight on it, RobustBoost doesn't."""
    y = np.arange(40) % 2
    ada, robust = AdaBoost(), RobustBoost(0.1)
    rng = np.random.default_rng(0)
    weights = {}
    for rule in (ada, robust):
        rule.start(training(y))
        for _ in range(25):
            rule.requests()
            output = np.where(rng.random(40) < 0.25, 1 - y, y)
            output[0] = 1 - y[0]
            if rule.update([Opinion(output)]).stop:
                break
        weights[rule] = rule.requests()[0].weights
    assert weights[ada][0] > 0.2
    assert weights[robust][0] < 0.01


def test_a_member_that_is_no_better_than_a_guess_ends_the_rounds(training):
    for rule in (RobustBoost(), SoftMargin(), MadaBoost()):
        rule.start(training(Y))
        step = rule.update([Opinion(np.array([0, 1, 1, 0]))])
        assert (step.keep, step.stop) == (False, True)
        assert "guess" in step.reason


def test_a_perfect_member(training):
    for rule in (SoftMargin(), MadaBoost(), RobustBoost(0.3)):
        rule.start(training(Y))
        step = rule.update([Opinion(Y)])
        assert step.keep
        assert step.stop
        assert 0 < step.coefficient < np.inf
