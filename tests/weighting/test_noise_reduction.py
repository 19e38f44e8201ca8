import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy.learners import RowCategory
from hardy.weighting import AdaBoost, MemberKind, NoiseReduction, Opinion

SAFE, NOISY, BORDERLINE = RowCategory.SAFE, RowCategory.NOISY, RowCategory.BORDERLINE


def opinion(output, categories):
    return Opinion(np.array(output), np.array(categories, dtype=np.int8))


def weights(rule):
    (request,) = rule.requests()
    return request.weights


def test_it_needs_members_with_margins():
    assert NoiseReduction.member_kind is MemberKind.MARGINS


def test_two_rounds_worked_by_hand(training):
    rule = NoiseReduction()
    rule.start(training([0, 0, 0, 1, 1]))

    # Row 4 is wrong: ε = 1/5, α = ½ ln 4 = ln 2, e^α = 2. Safe rows × 2, the borderline row × 1,
    # the label-noisy row × 1/2, of sum 7.5/5.
    step = rule.update([opinion([0, 0, 0, 1, 0], [SAFE, SAFE, BORDERLINE, SAFE, NOISY])])
    assert step.error == pytest.approx(1 / 5)
    assert step.coefficient == pytest.approx(np.log(2))
    assert_allclose(weights(rule), [4 / 15, 4 / 15, 2 / 15, 4 / 15, 1 / 15])

    # Rows 2 and 4 are wrong: ε = 3/15, α = ln 2 again. Row 2 is wrong but borderline: × 1, where
    # AdaBoost would have doubled it.
    step = rule.update([opinion([0, 0, 1, 1, 0], [SAFE, BORDERLINE, BORDERLINE, SAFE, NOISY])])
    assert step.error == pytest.approx(3 / 15)
    assert step.coefficient == pytest.approx(np.log(2))
    assert_allclose(weights(rule), [16 / 45, 8 / 45, 4 / 45, 16 / 45, 1 / 45])


def test_a_round_of_three_classes_worked_by_hand(training):
    rule = NoiseReduction()
    rule.start(training([0, 1, 2, 0, 1]))
    # ε = 1/5, α = ln 4 + ln 2 = ln 8. The agreement is 2/3 where right and −1/3 where wrong: safe
    # rows × 8^(2/3) = 4, the label-noisy row × 8^(−1/3) = 1/2, of sum 13.5/5.
    step = rule.update([opinion([0, 1, 2, 0, 2], [SAFE, SAFE, BORDERLINE, SAFE, NOISY])])
    assert step.coefficient == pytest.approx(np.log(8))
    assert_allclose(weights(rule), np.array([8, 8, 2, 8, 1]) / 27)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_r_of_1_it_is_adaboost(training, n_classes):
    class One(NoiseReduction):
        def _factor(self, opinion, wrong, agreement):
            return 1.0

    rng = np.random.default_rng(1)
    y = np.arange(40) % n_classes
    one, adaboost = One(), AdaBoost()
    one.start(training(y))
    adaboost.start(training(y))
    for _ in range(6):
        output = np.where(rng.random(40) < 0.3, (y + 1) % n_classes, y)
        steps = one.update([opinion(output, [SAFE] * 40)]), adaboost.update([Opinion(output)])
        assert steps[0].coefficient == steps[1].coefficient
        assert_array_equal(weights(one), weights(adaboost))


def test_small_errors_count_as_half_a_row(training):
    y = np.array([0, 1] * 5)
    rule = NoiseReduction()
    rule.start(training(y, weights=np.r_[np.ones(9), 0.01]))
    alpha = 0.5 * np.log((1 - 0.5 / 9.01) / (0.5 / 9.01))
    # Without an error, and with one of 0.01/9.01: both are below half a row.
    for output in (y, np.r_[y[:9], 0]):
        step = rule.update([opinion(output, [BORDERLINE] * 10)])
        assert step.coefficient == pytest.approx(alpha)
        assert (step.keep, step.stop, step.reason) == (True, False, "")


def test_a_guess_is_dropped_and_the_distribution_starts_anew(training):
    rule = NoiseReduction()
    rule.start(training([0, 0, 0, 1, 1], weights=[1, 1, 1, 1, 4]))
    start = weights(rule)
    rule.update([opinion([0, 0, 0, 0, 1], [SAFE, SAFE, BORDERLINE, NOISY, SAFE])])
    assert abs(weights(rule) - start).max() > 0.01
    step = rule.update([opinion([1, 1, 1, 0, 0], [BORDERLINE] * 5)])
    assert (step.keep, step.stop) == (False, False)
    assert "not below 0.5" in step.reason
    assert_array_equal(weights(rule), start)
