"""From probabilities to suspects, by hand."""

import numpy as np
import pytest

from hardy.audit.judging import judge_rows


def judge(own, codes=None, assessable=None):
    """Judge rows of class 0 (unless told otherwise) whose label has the probabilities `own`."""
    own = np.asarray(own, dtype=float)
    codes = np.zeros(len(own), dtype=np.intp) if codes is None else np.asarray(codes)
    proba = np.column_stack([own, 1 - own])
    proba[codes == 1] = proba[codes == 1, ::-1]
    assessable = codes >= 0 if assessable is None else np.asarray(assessable)
    return judge_rows(proba, codes, assessable)


def test_doubt_is_the_probability_that_the_label_lacks():
    np.testing.assert_allclose(judge([0.9, 0.4, 1.0, 0.7]).doubt, [0.1, 0.6, 0.0, 0.3])


def test_as_many_suspects_as_the_noise_rate_says():
    # Thresholds: class 0 (.9 × 8 + .3 + .25)/10 = .775, class 1 .9. Confident: 8 rows of class 0,
    # 10 of class 1; .7 and .75 for class 1 are below .9: the joint holds no error.
    own = [0.9] * 8 + [0.3, 0.25] + [0.9] * 10
    judgement = judge(own, codes=[0] * 10 + [1] * 10)
    assert judgement.noise_rate == pytest.approx(0)
    assert not judgement.is_suspect.any()
    # With .05 the second row is beyond class 1's mean: 1 of the 9 confident rows of class 0.
    own[9] = 0.05
    judgement = judge(own, codes=[0] * 10 + [1] * 10)
    assert judgement.noise_rate == pytest.approx(10 / 9 / 20)
    assert np.flatnonzero(judgement.is_suspect).tolist() == [9]


def test_four_to_one_against_a_label_is_enough_whatever_the_noise_rate():
    own = [0.99] * 8 + [0.19, 0.21] + [0.99] * 10
    judgement = judge(own, codes=[0] * 10 + [1] * 10)
    assert judgement.noise_rate == pytest.approx(0)
    assert np.flatnonzero(judgement.is_suspect).tolist() == [8]


def test_a_label_that_is_the_likeliest_is_no_suspect():
    proba = np.array([[0.4, 0.3, 0.3]] * 6 + [[0.1, 0.8, 0.1]] * 6 + [[0.1, 0.1, 0.8]] * 6)
    codes = np.repeat([0, 1, 2], 6)
    assert not judge_rows(proba, codes, np.ones(18, dtype=bool)).is_suspect.any()


def test_rows_that_cannot_be_assessed_are_neither_doubted_nor_counted():
    judgement = judge([0.9, 0.9, 0.9, 0.01, 0.01], [0, 0, 0, 0, -1], [1, 1, 1, 0, 0])
    assert judgement.doubt[3:].tolist() == [0, 0]
    assert not judgement.is_suspect[3:].any()


def test_a_row_without_a_label_has_its_likeliest_class():
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]])
    codes = np.array([0, 1, -1])
    assert judge_rows(proba, codes, codes >= 0).likeliest_other.tolist() == [1, 0, 1]


def test_transition_matrix_rows_are_distributions():
    rng = np.random.RandomState(0)
    proba = rng.dirichlet([1, 1, 1], size=200)
    judgement = judge_rows(proba, rng.randint(0, 3, 200), np.ones(200, dtype=bool))
    np.testing.assert_allclose(judgement.transition.sum(axis=1), 1)
