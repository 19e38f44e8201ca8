import numpy as np
import pytest

from hardy.noise import flip_labels
from hardy.noise.correction import NoiseCorrection, clearness, surest_disagreement


def noisy_world(rate, n_classes=2, n_samples=4000):
    """True probabilities of the classes, true labels, given labels, and what predicts these."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.full(n_classes, 0.3), n_samples)
    y = (rng.random((n_samples, 1)) > true.cumsum(axis=1)).sum(axis=1)
    given, _ = flip_labels(y, rate, random_state=0)
    transition = np.full((n_classes, n_classes), rate / (n_classes - 1))
    np.fill_diagonal(transition, 1 - rate)
    return true, y, given, true @ transition


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_rate_is_found_and_taken_out(rate, n_classes):
    true, y, given, proba = noisy_world(rate, n_classes)
    correction = NoiseCorrection.estimate(proba, given)
    # It is meant to be no more than there is.
    assert rate - 0.07 < correction.noise_rate < rate + 0.03
    corrected = correction.apply(proba)
    np.testing.assert_allclose(corrected.sum(axis=1), 1)
    rows = np.arange(len(y))
    losses = [-np.log(p[rows, y]).mean() for p in (corrected, proba)]
    assert losses[0] < losses[1] - 0.02
    assert np.abs(corrected - true).mean() < 0.6 * np.abs(proba - true).mean()


def test_clear_labels_are_left_as_they_are():
    true, y, _, _ = noisy_world(0.0)
    correction = NoiseCorrection.estimate(true, y)
    assert correction.noise_rate < 0.02
    np.testing.assert_allclose(correction.apply(true), true, atol=0.03)


def test_the_likeliest_class_stays_the_likeliest():
    _, _, given, proba = noisy_world(0.3, 3)
    corrected = NoiseCorrection.estimate(proba, given).apply(proba)
    np.testing.assert_array_equal(corrected.argmax(axis=1), proba.argmax(axis=1))


def test_weights_are_repetition():
    _, _, given, proba = noisy_world(0.2, n_samples=300)
    few, many = slice(0, 200), slice(200, 300)
    weights = np.repeat([1.0, 3.0], [200, 100])
    weighted = NoiseCorrection.estimate(proba, given, weights)
    copies = np.r_[np.arange(300)[few], np.repeat(np.arange(300)[many], 3)]
    repeated = NoiseCorrection.estimate(proba[copies], given[copies])
    assert weighted.given_exponent == repeated.given_exponent


def test_shares_of_the_surest_rows_by_hand():
    proba = np.repeat([[0.9, 0.1], [0.6, 0.4]], [20, 80], axis=0)
    codes = np.zeros(100, dtype=int)
    codes[:5] = 1
    assert surest_disagreement(proba, codes) == 0.25
    # Labels of two classes tell nothing any more from 0.3 on.
    assert clearness(proba, codes) == pytest.approx(1 - 0.25 / 0.3)
    assert clearness(proba, 1 - codes) == 0


@pytest.mark.parametrize(("n_classes", "most"), [(2, 0.27), (4, 0.405)])
def test_the_highest_rate_is_told_as_such(n_classes, most):
    """.9 × .6 × (k − 1) / k."""
    proba = np.full((100, n_classes), 1 / n_classes)
    lost = NoiseCorrection.estimate(proba, np.arange(100) % n_classes)
    assert lost.noise_rate == pytest.approx(most)
    assert lost.is_at_limit
    _, _, given, proba = noisy_world(0.1, n_classes)
    assert not NoiseCorrection.estimate(proba, given).is_at_limit
