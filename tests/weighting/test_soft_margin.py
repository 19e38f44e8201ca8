"""Soft margins, round by round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax

from hardy.weighting import AdaBoost, Opinion, SoftMargin


def test_without_mistrust_it_is_adaboost(random_rounds):
    for (y, output, step), (_, _, theirs) in zip(
        random_rounds(SoftMargin(C=0.0)),
        random_rounds(AdaBoost()),
        strict=True,
    ):
        assert len(y) == len(output)
        assert_allclose(step.coefficient, theirs.coefficient, atol=1e-9)
        assert_allclose(step.error, theirs.error, atol=1e-9)


def test_soft_margins_by_brute_force(random_rounds):
    C, n = 0.4, 60
    rule = SoftMargin(C=C)
    exponent = np.zeros(n)
    for y, output, step in random_rounds(rule):
        weights = softmax(-exponent)
        agreement = np.where(output == y, 1, -1)
        gain = agreement + C * n * weights
        grid = np.linspace(0, 0.5 * np.log(2 * n - 1), 20001)
        sums = np.exp(-exponent[:, None] - grid * gain[:, None]).sum(axis=0)
        assert step.coefficient == pytest.approx(grid[sums.argmin()], abs=2e-4)
        exponent += step.coefficient * gain
        assert_allclose(rule.requests()[0].weights, softmax(-exponent), rtol=1e-6)


def test_a_member_that_is_no_better_than_a_guess_ends_the_rounds(training):
    rule = SoftMargin()
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 1, 1, 0]))])
    assert (step.keep, step.stop) == (False, True)
    assert "guess" in step.reason


def test_a_perfect_member(training):
    rule = SoftMargin()
    rule.start(training([0, 0, 1, 1]))
    step = rule.update([Opinion(np.array([0, 0, 1, 1]))])
    assert step.keep
    assert step.stop
    assert 0 < step.coefficient < np.inf
