import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from hardy.annotators.dawid_skene import fit_as_far_as_told, fit_dawid_skene

# Four annotators of 38 rows, "-" where one gave no label, and what crowd-kit 1.4.2 makes of them:
# DawidSkene(n_iter=200, tol=1e-12).
VOTES = (
    "2222 1111 22-2 22-2 11-1 2222 22-2 00-0 00-0 000- 2212 2-0- 0-12 1121 -12- 01-0 122- "
    "0020 11-1 2222 1111 00-0 221- 0021 2-22 12-0 -112 1111 -111 1111 1201 220- "
    "2222 2221 -222 1111 1--1 12--"
)
PRIOR = [0.19001132, 0.41553141, 0.39445727]
UNSURE = {14: [0.22043, 0.77957, 0.0], 34: [0.0, 0.010624, 0.989376]}


def as_codes(votes):
    return np.array([[-1 if vote == "-" else int(vote) for vote in row] for row in votes.split()])


def test_without_a_prior_belief_it_is_the_model_of_another_library():
    model = fit_dawid_skene(as_codes(VOTES), 3, strength=0, tol=1e-12, max_iter=500)
    np.testing.assert_allclose(model.prior, PRIOR, atol=1e-7)
    for row, proba in UNSURE.items():
        np.testing.assert_allclose(model.proba[row], proba, atol=1e-5)
    sure = np.delete(model.proba, list(UNSURE), axis=0)
    assert sure.max(axis=1).min() > 0.999


def slow_step(codes, proba, n_classes):
    """Take the equations of the paper literally, with loops."""
    n_samples, n_annotators = codes.shape
    confusion = np.full((n_annotators, n_classes, n_classes), 1e-10)
    for row, who in itertools.product(range(n_samples), range(n_annotators)):
        if codes[row, who] >= 0:
            confusion[who, :, codes[row, who]] += proba[row]
    confusion /= confusion.sum(axis=2, keepdims=True)
    prior = proba.mean(axis=0)
    following = np.empty_like(proba)
    for row in range(n_samples):
        for true in range(n_classes):
            following[row, true] = prior[true] * np.prod(
                [confusion[who, true, said] for who, said in enumerate(codes[row]) if said >= 0]
            )
        following[row] /= following[row].sum()
    return following


def test_steps_are_those_of_the_equations():
    codes = as_codes(VOTES)
    proba = fit_dawid_skene(codes, 3, strength=0, max_iter=0).proba
    for n_steps in (1, 2, 3):
        proba = slow_step(codes, proba, 3)
        model = fit_dawid_skene(codes, 3, strength=0, max_iter=n_steps, tol=0)
        np.testing.assert_allclose(model.proba, proba, atol=1e-6)


def test_a_careless_annotator_counts_less():
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=400)
    accuracy = np.array([0.95, 0.9, 0.6, 0.55, 0.55])
    codes = np.where(rng.random((400, 5)) < accuracy, true[:, None], 1 - true[:, None])
    model = fit_dawid_skene(codes, 2)
    majority = fit_dawid_skene(codes, 2, max_iter=0)
    assert accuracy_score(true, model.proba.argmax(axis=1)) > 0.95
    assert accuracy_score(true, majority.proba.argmax(axis=1)) < 0.92
    right = (model.prior[:, None] * model.confusion[0]).trace()
    assert right == pytest.approx((codes[:, 0] == true).mean(), abs=0.04)


def draw_by_class(n_rows, n_classes, right):
    """True classes, and labels by annotators who are right as often as told, class by class."""
    rng = np.random.default_rng(0)
    true = rng.integers(n_classes, size=n_rows)
    wrong = (true[:, None] + rng.integers(1, n_classes, (n_rows, len(right)))) % n_classes
    is_right = rng.random((n_rows, len(right))) < np.array(right).T[true]
    return true, np.where(is_right, true[:, None], wrong)


def test_annotators_differ_as_far_as_many_rows_tell():
    right = np.array([[0.95, 0.6], [0.6, 0.95], [0.9, 0.9]])
    _, codes = draw_by_class(3000, 2, right)
    model = fit_as_far_as_told(codes, 2)
    np.testing.assert_allclose(model.confusion.diagonal(axis1=1, axis2=2), right, atol=0.06)


def test_annotators_are_alike_where_few_rows_tell_no_other():
    true, codes = draw_by_class(60, 2, np.full((3, 2), 0.8))
    model = fit_as_far_as_told(codes, 2)
    assert np.ptp(model.confusion, axis=0).max() == 0
    votes = codes.mean(axis=1)
    assert ((model.proba[:, 1] > 0.5) == true).mean() >= ((votes > 0.5) == true).mean()


def test_shares_of_the_votes_count_for_so_many_rows():
    _, codes = draw_by_class(40, 2, np.full((3, 2), 0.7))
    votes = np.bincount(codes.ravel(), minlength=2) / codes.size
    prior = fit_dawid_skene(codes, 2, pull=1e9).prior
    np.testing.assert_allclose(prior, votes, atol=1e-6)


@pytest.mark.parametrize("codes", [[[0, 0, 1]], [[0, -1, -1], [-1, 1, -1]], [[0, 0, 0]] * 4])
def test_what_few_rows_tell_is_taken(codes):
    model = fit_as_far_as_told(np.array(codes), 2)
    assert np.isfinite(model.proba).all()
    assert model.proba.argmax(axis=1)[0] == 0


def test_rows_with_one_label_say_nothing_of_their_annotator():
    codes = as_codes(VOTES)
    alone = np.full((50, 4), -1)
    alone[:, 0] = np.arange(50) % 3
    confusion = fit_dawid_skene(np.vstack([codes, alone]), 3, max_iter=0).confusion
    np.testing.assert_allclose(confusion, fit_dawid_skene(codes, 3, max_iter=0).confusion)


@given(st.lists(st.lists(st.integers(-1, 3), min_size=3, max_size=3), min_size=1, max_size=20))
@settings(deadline=None)
def test_probabilities_are_such_whatever_is_given(votes):
    codes = np.array(votes)
    if (codes < 0).all():
        codes[0, 0] = 0
    model = fit_dawid_skene(codes, 4)
    for values in (model.proba, model.confusion, model.prior):
        assert (values >= 0).all()
        np.testing.assert_allclose(values.sum(axis=-1), 1)
    for row in np.flatnonzero((codes < 0).all(axis=1)):
        np.testing.assert_allclose(model.proba[row], model.prior, atol=1e-3)
