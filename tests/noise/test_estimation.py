import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardy.exceptions import InputError
from hardy.noise import estimate_noise, flip_labels
from hardy.noise.estimation import confident_joint, given_from_joint

Y = np.repeat([0, 1, 2], [6, 5, 4])
PROBA = np.array(
    [
        *([0.8, 0.1, 0.1], [0.7, 0.2, 0.1], [0.1, 0.8, 0.1]),
        *([0.6, 0.3, 0.1], [0.2, 0.1, 0.7], [0.5, 0.3, 0.2]),
        *([0.1, 0.8, 0.1], [0.2, 0.7, 0.1], [0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.3, 0.4, 0.3]),
        *([0.1, 0.1, 0.8], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6]),
    ]
)
# cleanlab 2.9.0, given classes down and true ones across:
# cleanlab.count.compute_confident_joint(Y, PROBA, calibrate=False)
CLEANLAB = np.array([[4, 1, 1], [1, 3, 0], [0, 1, 3]])
COUNTS = np.array([6, 5, 4])


def by_the_formula(codes, proba):
    """Count one row at a time: equations 1 and 3 of the paper, and no more than to expect."""
    n, k = proba.shape
    of_class = [[row for row in range(n) if codes[row] == j] for j in range(k)]
    thresholds = [
        np.mean([proba[row, j] for row in rows]) if rows else np.inf
        for j, rows in enumerate(of_class)
    ]
    joint = np.zeros((k, k))
    for row in range(n):
        sure = [j for j in range(k) if proba[row, j] >= thresholds[j] - 1e-9]
        if sure:
            joint[max(sure, key=lambda j: proba[row, j]), codes[row]] += 1
    for j in range(k):
        if joint[:, j].sum() == 0:
            joint[j, j] = 1
        joint[:, j] *= len(of_class[j]) / n / joint[:, j].sum()
        for i in set(range(k)) - {j}:
            most = sum(proba[row, i] for row in of_class[j]) / n
            joint[j, j] += max(joint[i, j] - most, 0)
            joint[i, j] = min(joint[i, j], most)
    return joint


def test_equals_cleanlab():
    # Each given class is scaled to its share of the 15 rows.
    expected = (CLEANLAB / CLEANLAB.sum(axis=1, keepdims=True) * COUNTS[:, None] / 15).T
    joint = confident_joint(Y, PROBA)
    np.testing.assert_allclose(joint, expected, atol=1e-12)
    estimate = estimate_noise(Y, PROBA)
    # 6 · 4/6 of the first class, 5 · 3/4 of the second, and 4 · 3/4 of the third are kept.
    assert estimate.noise_rate == pytest.approx(1 - (4 + 3.75 + 3) / 15)
    np.testing.assert_allclose(
        estimate.transition_matrix, expected / expected.sum(axis=1, keepdims=True)
    )


def test_by_hand():
    codes = np.array([0, 0, 0, 1, 1])
    proba = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]])
    # Class 0: the mean of .9, .5 and .1 is .5, which rows 0, 1 and 3 reach. Class 1: the mean of
    # .2 and .8 is .5, which rows 1, 2 and 4 reach; row 1 is of the first of two equal classes.
    expected = np.array([[2 / 3 * 3 / 5, 1 / 2 * 2 / 5], [1 / 3 * 3 / 5, 1 / 2 * 2 / 5]])
    np.testing.assert_allclose(confident_joint(codes, proba), expected)
    assert estimate_noise(codes, proba).noise_rate == pytest.approx(0.4)


@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 40),
    k=st.integers(1, 4),
    decimals=st.sampled_from([1, 8]),
)
def test_equals_the_formula(seed, n, k, decimals):
    rng = np.random.RandomState(seed)
    codes = rng.randint(0, k, n)
    proba = rng.dirichlet(np.ones(k), n).round(decimals)
    proba[:, -1] = np.maximum(1 - proba[:, :-1].sum(axis=1), 0)
    joint = confident_joint(codes, proba)
    np.testing.assert_allclose(joint, by_the_formula(codes, proba), atol=1e-12)
    np.testing.assert_allclose(joint.sum(axis=0), np.bincount(codes, minlength=k) / n)
    transition = given_from_joint(joint)
    np.testing.assert_allclose(transition.sum(axis=1), 1)
    assert transition.min() >= 0


def test_equal_probabilities_reach_their_own_mean():
    # The mean of three times .1 is not .1 in floating point.
    codes = np.array([0, 0, 0, 1, 1, 1])
    proba = np.array([[0.1, 0.9]] * 3 + [[0.7, 0.3]] * 3)
    joint = confident_joint(codes, proba)
    np.testing.assert_allclose(joint, by_the_formula(codes, proba))
    # All rows count for the other class, but their probabilities for it are .9 and .7 only.
    assert np.trace(joint) == pytest.approx((3 * 0.1 + 3 * 0.3) / 6)


@pytest.mark.parametrize("n_strays", [6, 20])
def test_a_class_that_nothing_tells_makes_no_noise(n_strays):
    # Half of all rows are as likely to be of the third class as its own rows are.
    rng = np.random.default_rng(0)
    true = np.repeat([0, 1], 1000)
    codes = true.copy()
    codes[rng.choice(2000, n_strays, replace=False)] = 2
    share = n_strays / 2000
    proba = np.full((2000, 3), 0.02 * (1 - share))
    proba[np.arange(2000), true] = 0.98 * (1 - share)
    proba[:, 2] = share * rng.uniform(0.5, 1.5, 2000)
    proba /= proba.sum(axis=1, keepdims=True)
    # The strays are wrong, and as many rows may be taken for theirs.
    assert share <= estimate_noise(codes, proba).noise_rate <= 2.5 * share


def test_a_known_transition_is_recovered():
    rng = np.random.RandomState(0)
    true = np.repeat([0, 1, 2], [3000, 2000, 1000])
    transition = np.array([[0.9, 0.1, 0.0], [0.0, 0.8, 0.2], [0.1, 0.0, 0.9]])
    noisy, is_flipped = flip_labels(
        true, kind="class_conditional", transition=transition, random_state=0
    )
    # What a model that saw neither the row nor its noise would say: sure of the true class.
    proba = np.full((6000, 3), 0.02)
    proba[np.arange(6000), true] = 0.96
    proba += rng.uniform(0, 1e-3, proba.shape)
    proba /= proba.sum(axis=1, keepdims=True)
    estimate = estimate_noise(noisy, proba)
    assert estimate.noise_rate == pytest.approx(is_flipped.mean(), abs=0.005)
    np.testing.assert_allclose(estimate.transition_matrix, transition, atol=0.03)


def test_clean_labels_have_no_noise():
    estimate = estimate_noise(["a", "b", "b"], [[0.9, 0.1], [0.2, 0.8], [0.1, 0.9]])
    assert estimate.noise_rate == pytest.approx(0)
    assert estimate.transition_matrix.to_numpy().tolist() == [[1, 0], [0, 1]]


def test_axes_carry_the_users_labels():
    words = np.array(["x", "y", "z"])
    matrix = estimate_noise(words[Y], PROBA).transition_matrix
    assert matrix.index.tolist() == matrix.columns.tolist() == ["x", "y", "z"]
    assert (matrix.index.name, matrix.columns.name) == ("true", "given")
    # Of the rows that look like an "x" (4 · 6/6 and 5/4), 1.25 are called "y".
    assert matrix.loc["x", "y"] == pytest.approx(1.25 / 5.25)


@pytest.mark.parametrize("labels", [[1, 2, 5], [-1, 0, 1], ["a", "b", "c"], [0.5, 1.5, 2.5]])
def test_the_same_numbers_whatever_the_labels_are(labels):
    expected = estimate_noise(Y, PROBA)
    estimate = estimate_noise(pd.Series(np.array(labels)[Y], dtype="category"), PROBA)
    assert estimate.noise_rate == expected.noise_rate
    np.testing.assert_array_equal(estimate.transition_matrix, expected.transition_matrix)


def test_classes_name_the_columns():
    order = [2, 0, 1]
    estimate = estimate_noise(Y, PROBA[:, order], classes=order)
    expected = estimate_noise(Y, PROBA)
    assert estimate.noise_rate == pytest.approx(expected.noise_rate)
    pd.testing.assert_frame_equal(
        estimate.transition_matrix.sort_index().sort_index(axis=1), expected.transition_matrix
    )


def test_a_class_without_rows_is_seen_by_nobody():
    proba = np.hstack([PROBA, np.zeros((15, 1))])
    estimate = estimate_noise(Y, proba, classes=[0, 1, 2, 3])
    assert estimate.noise_rate == pytest.approx(estimate_noise(Y, PROBA).noise_rate)
    assert estimate.transition_matrix.loc[3].tolist() == [0, 0, 0, 1]


def test_rows_without_a_label_are_left_out():
    y = [*Y.tolist(), None]
    with_missing = estimate_noise(y, np.vstack([PROBA, [[0, 0, 1]]]))
    assert with_missing.noise_rate == estimate_noise(Y, PROBA).noise_rate


@pytest.mark.parametrize(
    ("y", "pred_proba", "message"),
    [
        ([0, 1], [[0.5, 0.5]], r"shape \(1, 2\)"),
        ([0, 1], [[0.5, 0.6], [0.5, 0.5]], "row 0 sums to 1.1"),
        ([None, None], np.empty((2, 0)), "No row has a label"),
        ([0, 0], [[0.5, 0.5], [0.5, 0.5]], r"\(2, 1\) is needed"),
    ],
)
def test_bad_input_is_named(y, pred_proba, message):
    with pytest.raises(InputError, match=message):
        estimate_noise(y, pred_proba)
