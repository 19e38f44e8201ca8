import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from hardy.weighting import MadaBoost, Opinion, TrainingSet

ROUNDS = st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=8)


def _loss(margins):
    """What MadaBoost makes small: linear below margin 0, exponential above; its slope is −w."""
    return np.where(margins <= 0, 1 - margins, np.exp(-np.maximum(margins, 0)))


@given(mistakes=ROUNDS)
def test_the_loss_falls_by_the_product_that_adaboosts_falls_by(mistakes):
    """L(m + δ) ≤ L(m) + w(m)(e^{−δ} − 1), so that a round saves Σ w · (1 − 2√(ε(1 − ε)))."""
    y = np.arange(12) % 2
    rule = MadaBoost()
    rule.start(TrainingSet(None, y, 2, np.ones(12), np.arange(12), None))
    margins = np.zeros(12)
    for wrong in map(np.array, mistakes):
        total = np.minimum(1, np.exp(-margins)).sum()
        before = _loss(margins).sum()
        step = rule.update([Opinion(np.where(wrong, 1 - y, y))])
        if not step.keep or step.error == 0.0:
            break
        margins = margins + step.coefficient * np.where(wrong, -1, 1)
        saved = total * (1 - 2 * np.sqrt(step.error * (1 - step.error)))
        assert _loss(margins).sum() <= before - saved + 1e-9


def test_the_cut_is_at_each_rows_own_initial_weight(training):
    rule = MadaBoost()
    rule.start(training([0, 0, 1], weights=[1, 2, 5]))
    # Row 0 is wrong: ε = 1/8, e^α = √7. It stays at 1, the others go down to 2/√7 and 5/√7.
    rule.update([Opinion(np.array([1, 0, 1]))])
    weights = np.array([1, 2 / np.sqrt(7), 5 / np.sqrt(7)])
    assert_allclose(rule.requests()[0].weights, weights / weights.sum())


def test_madaboost_by_hand(training):
    rule = MadaBoost()
    last_wrong = np.array([0, 0, 1, 0])
    rule.start(training(np.array([0, 0, 1, 1])))
    step = rule.update([Opinion(last_wrong)])
    assert_allclose(step.coefficient, np.log(3) / 2)
    weights = np.array([3**-0.5] * 3 + [1])
    assert_allclose(rule.requests()[0].weights, weights / weights.sum())
    # The same again: the last row has margin −ln 3 and still weighs 1, the others 1/3.
    error = weights[3] / weights.sum()
    step = rule.update([Opinion(last_wrong)])
    alpha = 0.5 * np.log((1 - error) / error)
    assert_allclose(step.coefficient, alpha)
    weights[:3] *= np.exp(-alpha)
    assert_allclose(rule.requests()[0].weights, weights / weights.sum())


def test_no_row_weighs_more_than_at_the_start_against_a_row_that_does_not(random_rounds):
    rule = MadaBoost()
    margins = 0.0
    for y, output, step in random_rounds(rule):
        margins = margins + step.coefficient * np.where(output == y, 1, -1)
        expected = np.minimum(1, np.exp(-margins))
        assert_allclose(rule.requests()[0].weights, expected / expected.sum())


def test_a_member_that_is_no_better_than_a_guess_ends_the_rounds(training):
    rule = MadaBoost()
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 1, 1, 0]))])
    assert (step.keep, step.stop) == (False, True)
    assert "guess" in step.reason


def test_a_perfect_member(training):
    rule = MadaBoost()
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 0, 1, 1]))])
    assert step.keep
    assert step.stop
    assert 0 < step.coefficient < np.inf
