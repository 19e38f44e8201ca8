"""Perceptrons as members, trained at once: they are scikit-learn's, and so is their vote."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from hardy.ensembles._perceptrons import can_be_pooled
from hardy.ensembles.hardness_bagging import HardnessBaggingClassifier
from hardy.noise import flip_labels

PLAIN = Perceptron(max_iter=5, tol=None)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("row_order", ["shared", "independent"])
@pytest.mark.parametrize("kind", ["dense", "integers", "single", "sparse"])
def test_the_vote_is_that_of_the_members(blobs, n_classes, row_order, kind):
    X, y = blobs(n_classes)
    make = {
        "dense": np.asarray,
        "integers": lambda X: (10 * X).astype(int),
        "single": np.float32,
        "sparse": sparse.csr_array,
    }[kind]
    X, names = make(X), np.array(["a", "b", "c", "d"])[y]
    model = HardnessBaggingClassifier(n_estimators=9, row_order=row_order, random_state=0)
    model.fit(X, names)
    votes = np.array([member.predict(X) for member in model.estimators_])
    assert len(np.unique(votes.T, axis=0)) > 1
    expected = (votes[:, :, np.newaxis] == model.classes_).mean(axis=0)
    assert_allclose(model.predict_proba(X), expected)


def test_independent_members_are_scikit_learns_on_the_same_rows(blobs):
    """Each sees its rows in an order of its own; what they learn is as good, row by row."""
    X, y = blobs(2, n_samples=400)
    model = HardnessBaggingClassifier(n_estimators=60, row_order="independent", random_state=0)
    ours, theirs = [], []
    model.fit(X, y)
    for seed, samples in enumerate(model.estimators_samples_):
        theirs.append(clone(PLAIN).set_params(random_state=seed).fit(X[samples], y[samples]))
        ours.append(model.estimators_[seed])
    scores = np.array([[m.score(X, y) for m in members] for members in (ours, theirs)])
    error = np.std(scores[0] - scores[1], ddof=1) / np.sqrt(60)
    assert abs(scores[0].mean() - scores[1].mean()) < 4 * error


@pytest.mark.parametrize("row_order", ["shared", "independent"])
def test_the_vote_is_as_good_as_scikit_learns(blobs, row_order):
    X, y = blobs(3, n_samples=900)
    noisy, _ = flip_labels(y, 0.2, random_state=0)
    ours = HardnessBaggingClassifier(hardness=None, row_order=row_order)
    theirs = BaggingClassifier(PLAIN, 50)
    scores = [
        [model.set_params(random_state=seed).fit(X, noisy).score(X, y) for seed in range(10)]
        for model in (ours, theirs)
    ]
    assert np.mean(scores[0]) > np.mean(scores[1]) - 0.02


def test_members_are_fitted_perceptrons(blobs):
    X, y = blobs(3)
    model = HardnessBaggingClassifier(Perceptron(max_iter=3, tol=None, eta0=0.5)).fit(X, y)
    member = model.estimators_[0]
    known = clone(model.estimator_).fit(X, y)
    for name in ("coef_", "intercept_", "classes_"):
        assert getattr(member, name).shape == getattr(known, name).shape
    assert (member.n_iter_, member.t_) == (known.n_iter_, known.t_)
    assert_array_equal(np.unique(member.coef_ % 0.5 == 0), known.coef_.size and [False])
    member.partial_fit(X, y)
    member.set_params(max_iter=4).fit(X, y)


@pytest.mark.parametrize(
    "unlike",
    [
        Perceptron(max_iter=5),
        Perceptron(tol=None, penalty="l2"),
        Perceptron(tol=None, class_weight="balanced"),
        Perceptron(tol=None, class_weight={0: 1, 1: 2}),
        Perceptron(tol=None, shuffle=False),
        Perceptron(tol=None, fit_intercept=False),
        Perceptron(tol=None, early_stopping=True),
        Perceptron(tol=None, warm_start=True),
        type("Own", (Perceptron,), {})(tol=None),
    ],
)
def test_other_perceptrons_are_fitted_one_by_one(unlike, blobs):
    assert can_be_pooled(PLAIN)
    assert not can_be_pooled(unlike)
    X, y = blobs()
    model = HardnessBaggingClassifier(unlike, n_estimators=3, random_state=0).fit(X, y)
    member, samples = model.estimators_[2], model.estimators_samples_[2]
    again = clone(member).fit(X[samples], y[samples])
    assert_array_equal(member.coef_, again.coef_)


def test_members_that_never_see_two_classes_are_left_out():
    X, y = np.arange(40.0)[:, None], np.r_[0, np.ones(39, dtype=int)]
    hardness = np.r_[1.0, np.zeros(39)]
    model = HardnessBaggingClassifier(hardness=hardness, max_samples=1, n_estimators=4)
    with pytest.warns(ConvergenceWarning, match="4 of 4 members were left out"):
        model.fit(X, y)
    assert len(model.estimators_) == 1
    assert_array_equal(model.predict(X[1:]), 1)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_a_member_knows_the_classes_of_its_bag(blobs, n_classes):
    X, y = blobs(n_classes)
    few = np.sort(
        np.r_[np.flatnonzero(y < 2)[:30], [np.flatnonzero(y == k)[0] for k in range(n_classes)]]
    )
    X, names = X[few], np.array(["a", "b", "c", "d", "e"])[y[few]]
    model = HardnessBaggingClassifier(hardness=None, random_state=0).fit(X, names)
    lengths = set()
    for member, samples in zip(model.estimators_, model.estimators_samples_, strict=True):
        known = clone(member).fit(X[samples], names[samples])
        assert_array_equal(member.classes_, known.classes_)
        assert member.coef_.shape == known.coef_.shape
        lengths.add(len(member.classes_))
    assert len(lengths) > 1
    votes = np.array([member.predict(X) for member in model.estimators_])
    expected = (votes[:, :, np.newaxis] == model.classes_).mean(axis=0)
    assert_allclose(model.predict_proba(X), expected)


def test_weights_beyond_memory_draw_a_hundred_times_the_rows(blobs):
    X, y = blobs()
    model = HardnessBaggingClassifier(n_estimators=2).fit(X, y, np.full(120, 1e9))
    assert [len(samples) for samples in model.estimators_samples_] == [12_000, 12_000]


def test_the_same_as_before_a_callback_stops(blobs):
    """A shorter ensemble is the beginning of a longer one's bags."""
    X, y = blobs()
    short, long = (
        HardnessBaggingClassifier(n_estimators=n, random_state=3).fit(X, y) for n in (3, 5)
    )
    for one, other in zip(short.estimators_samples_, long.estimators_samples_, strict=False):
        assert_array_equal(one, other)


@pytest.mark.parametrize("bad", [{"eta0": -1.0}, {"max_iter": 0}, {"max_iter": 2.5}])
def test_settings_that_scikit_learn_refuses_are_refused(bad, blobs):
    member = Perceptron(tol=None).set_params(**bad)
    with pytest.raises(ValueError, match=f"'{next(iter(bad))}' parameter of Perceptron"):
        HardnessBaggingClassifier(member).fit(*blobs())
