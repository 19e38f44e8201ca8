import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import AdaBoost, Opinion
from hardy.weighting.noise_detecting import NoiseDetection, is_noisy

Y = [0, 0, 0, 1, 1, 1]
HARDNESS = np.array([0.8, 0.4, 0.0, 0.5, 0.6, 1.0])  # rows 0, 4 and 5 are noisy


def weights(rule):
    (request,) = rule.requests()
    return request.weights


@pytest.fixture
def started(training):
    def start(y=Y, hardness=HARDNESS, **settings):
        rule = NoiseDetection(lambda training: hardness, **settings)
        rule.start(training(y))
        return rule

    return start


def test_two_rounds_worked_by_hand(started):
    rule = started()
    # Rows 3 and 4 are wrong, 4 is noisy: ε = 1/6, α = ½ ln 5. Row 3 × √5, all others × 1/√5.
    step = rule.update([Opinion(np.array([0, 0, 0, 0, 0, 1]))])
    assert (step.error, step.coefficient) == pytest.approx((1 / 6, np.log(5) / 2))
    assert_allclose(weights(rule), np.array([1, 1, 1, 5, 1, 1]) / 10)

    # Rows 0, 1 and 2 are wrong, 0 is noisy: ε = 2/10, α = ln 2. Rows 1 and 2 × 2, others × 1/2.
    step = rule.update([Opinion(np.array([1, 1, 1, 1, 1, 1]))])
    assert (step.error, step.coefficient) == pytest.approx((2 / 10, np.log(2)))
    assert_allclose(weights(rule), np.array([1, 4, 4, 5, 1, 1]) / 16)


def test_all_noisy_labels_may_be_flipped(started):
    rule = started(flip="all")
    # Rows 3 and 4 are wrong; of the noisy rows 0, 4 and 5, 4 counts as right, 0 and 5 as wrong:
    # ε = 3/6 is a guess.
    assert not rule.update([Opinion(np.array([0, 0, 0, 0, 0, 1]))]).keep

    rule = started(flip="all")
    # Rows 4 and 5 are wrong: only row 0 counts as a mistake, ε = 1/6.
    step = rule.update([Opinion(np.array([0, 0, 0, 1, 0, 0]))])
    assert step.error == pytest.approx(1 / 6)
    assert_allclose(weights(rule), np.array([5, 1, 1, 1, 1, 1]) / 10)


def test_a_round_of_three_classes_worked_by_hand(started):
    rule = started([0, 1, 2, 0, 1], np.array([0, 0, 0, 1.0, 0]))
    # Rows 3 and 4 are wrong, 3 is noisy and counts as right: ε = 1/5, α = ln 4 + ln 2 = ln 8.
    step = rule.update([Opinion(np.array([0, 1, 2, 2, 2]))])
    assert step.coefficient == pytest.approx(np.log(8))
    assert_allclose(weights(rule), np.array([1, 1, 1, 1, 8]) / 12)


def test_a_guess_on_the_labels_as_they_are_is_dropped(started):
    rule = started()
    # Rows 0, 4 and 5 are wrong, a half of them, though all are noisy.
    step = rule.update([Opinion(np.array([1, 0, 0, 1, 0, 0]))])
    assert (step.keep, step.stop, step.error) == (False, True, pytest.approx(0.5))
    assert "that of a guess" in step.reason


def test_noisy_mistakes_only_end_the_rounds_as_a_perfect_member_does(started):
    rule = started()
    step = rule.update([Opinion(np.array([0, 0, 0, 1, 0, 0]))])
    assert (step.keep, step.stop, step.error) == (True, True, 0.0)
    assert step.coefficient == pytest.approx(np.log(11) / 2)  # half of six rows


@pytest.mark.parametrize("flip", ["mistakes", "all"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_noisy_rows_it_is_adaboost(started, training, n_classes, flip):
    rng = np.random.default_rng(1)
    y = np.arange(40) % n_classes
    rule, adaboost = started(y, np.full(40, 0.5), flip=flip), AdaBoost()
    adaboost.start(training(y))
    for _ in range(6):
        opinion = Opinion(np.where(rng.random(40) < 0.3, (y + 1) % n_classes, y))
        assert rule.update([opinion]) == adaboost.update([opinion])
        assert_array_equal(weights(rule), weights(adaboost))


def test_a_half_is_not_noisy_whatever_the_rounding():
    assert_array_equal(is_noisy(np.array([0.5, np.nextafter(0.5, 1), 0.51])), [False, False, True])
