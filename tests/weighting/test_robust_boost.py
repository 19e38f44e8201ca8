import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import erf

from hardy.weighting import AdaBoost, Opinion, RobustBoost, TrainingSet


def _started(rule, y, weights=None):
    y = np.asarray(y)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    rule.start(TrainingSet(None, y, 2, weights, np.arange(len(y)), None))
    return rule


def _potential(agreement, step, duration, rho, sigma_f=0.1):
    """The mean potential after a first round, written out."""
    rest = 1 - duration
    sigma = np.sqrt((sigma_f**2 + 1) * np.exp(2 * rest) - 1)
    mu = -2 * rho * np.exp(rest) + 2 * rho
    return np.mean(0.5 * (1 - erf((step * agreement - mu) / sigma)))


def test_a_first_round_by_brute_force():
    """Of all (Δs, Δt) that leave the potential as it was, the one found takes most time."""
    y = np.arange(10) % 2
    wrong = np.array([True, True, True] + [False] * 7)
    rule = _started(RobustBoost(error_goal=0.25), y)
    step = rule.update([Opinion(np.where(wrong, 1 - y, y))])
    sigma_0 = np.sqrt(1.01 * np.exp(2) - 1)
    # Φ(0, 0) = ¼: erf(−μ(0)/σ(0)) = ½, and erf(0.476936) = ½.
    rho = 0.4769362762 * sigma_0 / (2 * (np.e - 1))
    agreement = np.where(wrong, -1, 1)
    assert _potential(agreement, 0.0, 0.0, rho) == pytest.approx(0.25)

    def longest(delta):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            fits = _potential(agreement, delta, middle, rho) <= 0.25
            low, high = (middle, high) if fits else (low, middle)
        return low

    grid = np.linspace(0.0, 2.0, 4001)
    durations = np.array([longest(delta) for delta in grid])
    best = durations.argmax()
    assert 0 < durations[best] < 1
    assert rule.time == pytest.approx(durations[best], abs=1e-6)
    assert step.coefficient * np.exp(1 - rule.time) == pytest.approx(grid[best], abs=2e-3)


def test_the_ensembles_sum_is_the_margins_at_the_end():
    """Σ Δs_s e^{T_s − 1} h_s, at whatever time the rounds end, is the margins times e^{T − 1}."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    rule, total = _started(RobustBoost(0.05), y), np.zeros(50)
    for _ in range(4):
        agreement = np.where(rng.random(50) < 0.4, -1, 1)
        rule.requests()
        step = rule.update([Opinion(np.where(agreement > 0, y, 1 - y))])
        total += step.coefficient * agreement
        # The weights tell the margins: w = exp(−((m − μ)/σ)²).
        margins = total * np.exp(1 - rule.time)
        exponent = -(((margins - rule._mu(rule.time)) / rule._sigma(rule.time)) ** 2)
        expected = np.exp(exponent) / np.exp(exponent).sum()
        assert_allclose(rule.requests()[0].weights, expected, rtol=1e-6)
    assert 0 < rule.time < 1


@pytest.mark.parametrize("edge", [1e-3, 1e-6, 1e-8, 1e-9, 1e-10])
@pytest.mark.parametrize("error_goal", [0.05, 0.1, 0.2, 0.3, 0.45])
def test_a_member_with_hardly_any_edge_is_no_trouble(edge, error_goal):
    rule = _started(RobustBoost(error_goal), [0, 1], weights=[1 + 2 * edge, 1])
    step = rule.update([Opinion(np.array([0, 0]))])
    assert step.keep
    assert 0 < step.coefficient < 10 * edge
    assert_allclose(rule.requests()[0].weights, 0.5, rtol=1e-7)


@pytest.mark.parametrize("margin_goal", [0.0, 0.5])
def test_a_margin_can_be_as_sharp_as_wanted(margin_goal):
    """With σ_f → 0 a row is either at the margin or given up when time is used up."""
    y = np.arange(40) % 2
    rng = np.random.default_rng(0)
    rule = _started(RobustBoost(0.2, margin_goal, margin_sigma=1e-9), y)
    margins = np.zeros(40)
    for _ in range(200):
        weights = rule.requests()[0].weights
        assert np.isfinite(weights).all()
        output = np.where(rng.random(40) < 0.15, 1 - y, y)
        output[:4] = 1 - y[:4]
        step = rule.update([Opinion(output)])
        margins += step.coefficient * np.where(output == y, 1, -1)
        if step.stop:
            break
    assert rule.time == 1.0
    assert "time was used up" in step.reason
    assert (margins < margin_goal).mean() <= 0.2 + 1e-9


@pytest.mark.parametrize("error_goal", [0.05, 0.2])
@pytest.mark.parametrize("margin_goal", [0.0, 0.3])
def test_potential_stays_and_the_edge_is_gone(random_rounds, error_goal, margin_goal):
    rule = RobustBoost(error_goal, margin_goal, margin_sigma=0.1)
    for y, output, step in random_rounds(rule, n_rounds=30):
        if step.stop:
            break
        assert rule.potential == pytest.approx(error_goal, abs=1e-8)
        assert (step.keep, step.reason) == (True, "")
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
    trained = _started(rule, [0, 0, 1, 1])
    assert trained._mu(0.4) == pytest.approx((0.2 - 2 * rho) * np.exp(0.6) + 2 * rho)
    assert trained._sigma(0.4) == pytest.approx(sigma(0.4))


def _erfinv(value):
    low, high = -6.0, 6.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if erf(middle) < value else (low, middle)
    return middle


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
    rule = RobustBoost()
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 1, 1, 0]))])
    reason = "its weighted error was not below 0.5, that of a guess"
    assert step == (0.0, pytest.approx(0.5), False, True, reason)


def test_a_perfect_member(training):
    rule = RobustBoost(0.3)
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 0, 1, 1]))])
    assert step.keep
    assert step.stop
    assert 0 < step.coefficient < np.inf
