import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import AdaBoost, Opinion, TrainingSet
from hardy.weighting.selective import Selective, noise_degrees

Y = [0, 0, 0, 1, 1]
DEGREES = np.array([0.0, 0.0, 0.0, 0.5, 1.0])
FIRST = Opinion(np.array([0, 0, 0, 1, 0]))  # row 4 is wrong: φ = 1/5, β = ln 2
SECOND = Opinion(np.array([1, 0, 0, 0, 1]))  # rows 0 and 3 are wrong


def weights(rule):
    (request,) = rule.requests()
    return request.weights


def normal(values):
    values = np.array(values, dtype=float)
    return values / values.sum()


def table(X, y, weights=None):
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    return TrainingSet(X, np.asarray(y), max(y) + 1, weights, np.arange(len(y)), None)


@pytest.fixture
def started(training):
    def start(y=Y, degrees=DEGREES, **settings):
        rule = Selective(lambda training: degrees, **settings)
        rule.start(training(y))
        return rule

    return start


def test_accumulated_weights_worked_by_hand(started):
    rule = started()
    # κ = 1/5 for all, so that ψ = β: right rows × 1/2, the wrong one × exp(β − β) = 1.
    step = rule.update([FIRST])
    assert (step.error, step.coefficient) == pytest.approx((1 / 5, np.log(2)))
    assert_allclose(weights(rule), normal([1, 1, 1, 1, 2]))

    # φ = 2/6, β = ½ ln 2. ξ = ln 2 (1/5 + 1/12) = 17/60 ln 2, but for row 4 ln 2 (1/5 + 1/6) =
    # 22/60 ln 2. Row 3 has ψ θ = β · 17/22 · 1/2, row 0 has θ = 0.
    step = rule.update([SECOND])
    assert (step.error, step.coefficient) == pytest.approx((1 / 3, np.log(2) / 2))
    assert_allclose(weights(rule), normal([2, 1, 1, 2 ** (1 - 17 / 88), 2]))


def test_accumulated_margins_worked_by_hand(started):
    rule = started(accumulation="margin")
    # ρ = 1 where right and −1 where wrong: ξ is largest for the wrong row.
    rule.update([FIRST])
    assert_allclose(weights(rule), normal([1, 1, 1, 1, 2]))

    # ρ = (ln 2 ± ½ ln 2)/(3/2 ln 2) where right before, (−ln 2 + ½ ln 2)/(3/2 ln 2) for row 4.
    rule.update([SECOND])
    first = normal(np.exp([-1, -1, -1, -1, 1]))
    second = normal(np.exp([-1 / 3, -1, -1, -1 / 3, 1 / 3]))
    accumulated = first + second / 2
    ratio = accumulated[3] / accumulated[4]
    assert ratio < 0.5
    assert_allclose(weights(rule), normal([2, 1, 1, 2 ** (1 - ratio / 4), 2]))


def test_the_printed_form_worked_by_hand(started):
    rule = started(accumulation="printed", mitigate="all")
    # κ ∝ e for right rows and 1/e for the wrong one, whose ψ is β e^−2; row 3 is right, ψ θ = β/2.
    rule.update([FIRST])
    right, half, wrong = 1 / 2, 2**-1.5, 2 ** (1 - np.exp(-2))
    assert_allclose(weights(rule), normal([right, right, right, half, wrong]))


def test_all_rows_may_be_mitigated(started):
    rule = started(mitigate="all")
    rule.update([FIRST])
    assert_allclose(weights(rule), normal([1 / 2, 1 / 2, 1 / 2, 2**-1.5, 1]))


def test_a_round_of_three_classes_worked_by_hand(started):
    rule = started([0, 1, 2, 0, 1], np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    # α = ln 8; the wrong row would weigh 8 times a right one, and loses exp(α/2) = √8 of it.
    rule.update([Opinion(np.array([0, 1, 2, 0, 2]))])
    assert_allclose(weights(rule), normal([1, 1, 1, 1, np.sqrt(8)]))


def test_the_margin_of_several_classes_is_to_the_strongest_other(started):
    y, degrees = [0, 1, 2, 0, 1, 2, 0], np.array([0, 0, 0, 0, 0, 0, 1.0])
    rule = started(y, degrees, accumulation="margin")
    outputs = np.array([[0, 1, 2, 0, 1, 2, 1], [0, 1, 2, 0, 1, 0, 2], [0, 1, 2, 0, 1, 2, 1]])
    steps = [rule.update([Opinion(output)]) for output in outputs[:2]]
    before = weights(rule)
    alpha = [step.coefficient for step in steps]
    last = rule.update([Opinion(outputs[2])])
    alpha.append(last.coefficient)

    xi = np.zeros(7)
    for n_rounds in (1, 2, 3):
        votes = np.zeros((7, 3))
        for coefficient, output in zip(alpha[:n_rounds], outputs, strict=False):
            votes[np.arange(7), output] += coefficient
        rho = [
            (votes[i, y[i]] - max(v for k, v in enumerate(votes[i]) if k != y[i])) / votes[i].sum()
            for i in range(7)
        ]
        xi += alpha[n_rounds - 1] * normal(np.exp(-np.array(rho)))
    wrong = outputs[2] != y
    expected = before * np.exp(np.where(wrong, alpha[2] * (1 - degrees * xi / xi.max() / 2), 0))
    assert_allclose(weights(rule), normal(expected))


@pytest.mark.parametrize("mitigate", ["mistakes", "all"])
@pytest.mark.parametrize("accumulation", ["weight", "margin", "printed"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_noise_degrees_it_is_adaboost(started, training, n_classes, accumulation, mitigate):
    rng = np.random.default_rng(1)
    y = np.arange(40) % n_classes
    rule = started(y, np.zeros(40), accumulation=accumulation, mitigate=mitigate)
    adaboost = AdaBoost()
    adaboost.start(training(y))
    for _ in range(6):
        opinion = Opinion(np.where(rng.random(40) < 0.3, (y + 1) % n_classes, y))
        assert rule.update([opinion]) == adaboost.update([opinion])
        assert_array_equal(weights(rule), weights(adaboost))


@pytest.mark.parametrize("accumulation", ["weight", "margin"])
def test_a_weight_is_as_many_equal_rows(accumulation):
    rng = np.random.default_rng(0)
    y, counts = np.arange(12) % 2, rng.integers(1, 4, 12)
    degrees = rng.random(12)
    weighted = Selective(lambda training: degrees, accumulation)
    repeated = Selective(lambda training: np.repeat(degrees, counts), accumulation)
    weighted.start(table(None, y, counts))
    repeated.start(table(None, np.repeat(y, counts)))
    for _ in range(4):
        output = np.where(rng.random(12) < 0.2, 1 - y, y)
        weighted.update([Opinion(output)])
        repeated.update([Opinion(np.repeat(output, counts))])
        assert_allclose(np.repeat(weights(weighted) / counts, counts), weights(repeated))


def brute_force_degrees(X, y, k):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    degrees = []
    for i in range(len(y)):
        others = [(sum((Z[i] - Z[j]) ** 2), j) for j in range(len(y)) if j != i]
        nearest = [j for _, j in sorted(others)[:k]]
        agreeing = sum(y[j] == y[i] for j in nearest)
        degrees.append(1 - agreeing / k)
    return np.array(degrees)


def test_noise_degrees_by_brute_force():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)) * [1, 50, 0.1], rng.integers(0, 3, 50)
    plain = brute_force_degrees(X, y, 5)
    assert_allclose(noise_degrees(table(X, y), 5, "plain"), plain, atol=1e-12)
    relative = []
    for own, code in zip(plain, y, strict=True):
        mean = np.mean([d for d, c in zip(plain, y, strict=True) if c == code])
        relative.append(min(max((own - mean) / (1 - mean), 0), 1))
    assert_allclose(noise_degrees(table(X, y), 5), relative, atol=1e-12)


@pytest.mark.parametrize("counts", [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0.3]])
def test_a_class_of_rows_that_all_disagree_is_not_noisy(counts):
    X, y = np.arange(5.0)[:, None], [0, 0, 0, 0, 1]
    training = table(X, y, counts)
    assert noise_degrees(training, 2, "plain")[4] == 1
    assert noise_degrees(training, 2)[4] == 0


def test_margins_of_three_classes_by_hand():
    rule = Selective(lambda training: np.zeros(3), accumulation="margin")
    training = TrainingSet(None, np.arange(3), 3, np.array([1.0, 2.0, 1.0]), np.arange(3), None)
    rule.start(training)

    def kappa(*margins):
        powers = np.exp(-np.array(margins))
        return powers / (powers @ training.weights)

    assert_allclose(rule._standing_out(Opinion(np.array([0, 2, 2])), 1.0), kappa(1, -1, 1))
    # Row 1 has three votes for its label and one for class 2, row 2 one for its and three others.
    assert_allclose(rule._standing_out(Opinion(np.array([0, 1, 1])), 3.0), kappa(1, 0.5, -0.5))


def test_agreement_is_computed_once_a_round(monkeypatch):
    calls = []
    agreement = Selective._agreement
    monkeypatch.setattr(
        Selective, "_agreement", lambda *given: calls.append(1) or agreement(*given)
    )
    rule = Selective(lambda training: np.array([0.0, 0.0, 0.0, 1.0]))
    rule.start(TrainingSet(None, np.array([0, 0, 1, 1]), 2, np.ones(4), np.arange(4), None))
    rule.update([Opinion(np.array([0, 0, 1, 0]))])
    assert len(calls) == 1
