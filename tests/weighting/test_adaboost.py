import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from hardy.weighting import AdaBoost, Opinion, TrainingSet


def weights(rule):
    (request,) = rule.requests()
    return request.weights


def test_two_rounds_worked_by_hand(training):
    y = [0, 0, 0, 1, 1]
    rule = AdaBoost()
    rule.start(training(y))
    assert_allclose(weights(rule), [0.2] * 5)

    # Row 4 is wrong: ε = 1/5, α = ½ ln 4 = ln 2; right rows × 1/2, the wrong one × 2.
    step = rule.update([Opinion(np.array([0, 0, 0, 1, 0]))])
    assert step.error == pytest.approx(1 / 5)
    assert step.coefficient == pytest.approx(np.log(2))
    assert (step.keep, step.stop, step.reason) == (True, False, "")
    assert_allclose(weights(rule), [1 / 8, 1 / 8, 1 / 8, 1 / 8, 4 / 8])

    # Rows 0 and 1 are wrong: ε = 2/8, α = ½ ln 3; wrong rows sum to a half again.
    step = rule.update([Opinion(np.array([1, 1, 0, 1, 1]))])
    assert step.error == pytest.approx(1 / 4)
    assert step.coefficient == pytest.approx(np.log(3) / 2)
    assert_allclose(weights(rule), [3 / 12, 3 / 12, 1 / 12, 1 / 12, 4 / 12])


def test_a_round_of_three_classes_worked_by_hand(training):
    rule = AdaBoost()
    rule.start(training([0, 1, 2, 0, 1]))
    # ε = 1/5, α = ln 4 + ln 2 = ln 8: the wrong row weighs 8 times a right one.
    step = rule.update([Opinion(np.array([0, 1, 2, 0, 2]))])
    assert step.coefficient == pytest.approx(np.log(8))
    assert_allclose(weights(rule), [1 / 12, 1 / 12, 1 / 12, 1 / 12, 8 / 12])


def test_the_learning_rate_scales_the_coefficient_and_the_update(training):
    rule = AdaBoost(learning_rate=0.5)
    rule.start(training([0, 0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 0, 0, 1, 0]))])
    assert step.coefficient == pytest.approx(np.log(2) / 2)
    assert_allclose(weights(rule), [1 / 6, 1 / 6, 1 / 6, 1 / 6, 2 / 6])


def test_user_weights_are_the_initial_distribution(training):
    rule = AdaBoost()
    rule.start(training([0, 1, 1], weights=[1, 2, 5]))
    assert_allclose(weights(rule), [1 / 8, 2 / 8, 5 / 8])
    assert rule.update([Opinion(np.array([0, 0, 1]))]).error == pytest.approx(2 / 8)


def test_a_perfect_member_counts_as_half_a_row_wrong_and_ends_the_rounds(training):
    y = np.array([0, 1] * 5)
    rule = AdaBoost()
    rule.start(training(y))
    step = rule.update([Opinion(y)])
    assert (step.keep, step.stop) == (True, True)
    assert "no training row was wrong" in step.reason
    assert step.error == 0.0
    # ε = 0.5/10: the model's probability, the logistic of 2α, is then 0.95.
    assert 1 / (1 + np.exp(-2 * step.coefficient)) == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("y", "output", "chance"),
    [([0, 0, 1, 1], [0, 1, 1, 0], "0.5"), ([0, 1, 2], [0, 0, 0], "0.667")],
)
def test_a_guess_is_dropped_and_ends_the_rounds(training, y, output, chance):
    rule = AdaBoost()
    rule.start(training(y))
    step = rule.update([Opinion(np.array(output))])
    assert (step.keep, step.stop) == (False, True)
    assert chance in step.reason


def test_the_same_member_again_is_a_guess_in_spite_of_rounding(training):
    rng = np.random.default_rng(0)
    for _ in range(50):
        y = rng.permutation([0, 0, 0, 0, 1, 1, 1])
        output = np.where(rng.permutation([1, 1, 0, 0, 0, 0, 0]), 1 - y, y)
        rule = AdaBoost()
        rule.start(training(y))
        rule.update([Opinion(output)])
        assert not rule.update([Opinion(output)]).keep


ROUNDS = st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=8)


@given(mistakes=ROUNDS, n_classes=st.sampled_from([2, 3, 4]))
def test_the_distribution_is_that_of_the_published_update(mistakes, n_classes):
    """A twin in the other form: wrong rows times exp(α), α = ln((1 − ε)/ε) + ln(K − 1)."""
    y = np.arange(12) % n_classes
    rule = AdaBoost()
    rule.start(TrainingSet(None, y, n_classes, np.ones(12), np.arange(12), None))
    twin = np.full(12, 1 / 12)
    for row in mistakes:
        wrong = np.array(row)
        error = twin[wrong].sum()
        step = rule.update([Opinion(np.where(wrong, (y + 1) % n_classes, y))])
        assert step.error == pytest.approx(error, abs=1e-9)
        if step.stop:
            break
        twin = twin * np.where(wrong, (1 - error) / error * (n_classes - 1), 1.0)
        twin /= twin.sum()
        assert_allclose(weights(rule), twin, atol=1e-9)


@given(mistakes=ROUNDS)
def test_the_training_error_stays_below_its_bound(mistakes):
    """Freund and Schapire: at most Π 2 √(ε(1 − ε)) of the rows are wrong in the vote."""
    y = np.arange(12) % 2
    rule = AdaBoost()
    rule.start(TrainingSet(None, y, 2, np.ones(12), np.arange(12), None))
    margin, bound = np.zeros(12), 1.0
    for row in mistakes:
        wrong = np.array(row)
        step = rule.update([Opinion(np.where(wrong, 1 - y, y))])
        if not step.keep or step.error == 0.0:
            break
        margin += step.coefficient * np.where(wrong, -1, 1)
        bound *= 2 * np.sqrt(step.error * (1 - step.error))
        assert (margin <= 0).mean() <= bound + 1e-9
        # The reason of the bound: the mean of exp(−y F) is the product itself.
        assert np.exp(-margin).mean() == pytest.approx(bound)
