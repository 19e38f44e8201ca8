import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles.real_adaboost import RealAdaBoostClassifier
from hardy.exceptions import InputError


def _samme_r(X, y, n_rounds, depth):
    """SAMME.R as scikit-learn had it up to 1.5, with probabilities cut off at 10⁻⁵."""
    n_classes = y.max() + 1
    coding = np.where(np.eye(n_classes)[y] == 1, 1.0, -1.0 / (n_classes - 1))
    weights, total = np.full(len(y), 1 / len(y)), 0.0
    for _ in range(n_rounds):
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y, weights * len(y))
        p = np.maximum(tree.predict_proba(X), 1e-5)
        total = total + (n_classes - 1) * (np.log(p) - np.log(p).mean(axis=1, keepdims=True))
        weights *= np.exp(-(n_classes - 1) / n_classes * (coding * np.log(p)).sum(axis=1))
        weights /= weights.sum()
    return total


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("depth", [1, 2])
def test_it_is_samme_r(blobs, n_classes, depth):
    X, y = blobs(n_classes)
    tree = DecisionTreeClassifier(max_depth=depth)
    model = RealAdaBoostClassifier(tree, n_estimators=5, random_state=0).fit(X, y)
    theirs = _samme_r(X, y, 5, depth)
    ours = model.decision_function(X)
    if n_classes == 2:
        assert_allclose(ours, (theirs[:, 1] - theirs[:, 0]) / 2, atol=1e-5)
    else:
        assert_allclose(ours, theirs / (n_classes - 1), atol=1e-5)
    assert_array_equal(model.predict(X), theirs.argmax(axis=1))


def test_the_exponential_loss_falls_in_every_round(blobs):
    """A leaf's ½ ln(p₁/p₀) is the minimum of the exponential loss in it."""
    X, y = blobs()
    model = RealAdaBoostClassifier(n_estimators=20).fit(X, y)
    signs = 2 * y - 1
    losses = [np.exp(-signs * F).mean() for F in model.staged_decision_function(X)]
    assert len(losses) == 20
    assert losses[0] < 1
    assert (np.diff(losses) < 0).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_member_that_is_sure_of_nothing_speaks_for_itself(blobs, n_classes):
    X, y = blobs(n_classes)
    leaves = DecisionTreeClassifier(max_depth=2, min_samples_leaf=30, random_state=0)
    model = RealAdaBoostClassifier(leaves, n_estimators=1, random_state=0).fit(X, y)
    member = model.estimators_[0].predict_proba(X)
    assert_allclose(model.predict_proba(X), np.maximum(member, 1e-5), atol=1e-4)


def test_a_class_that_a_member_did_not_see_is_possible(blobs):
    X, y = blobs(3)
    y[y == 2] = 0
    y[0] = 2
    model = RealAdaBoostClassifier(n_estimators=12, sampling="resample", random_state=0).fit(X, y)
    assert any(len(member.classes_) == 2 for member in model.estimators_)
    probabilities = model.predict_proba(X)
    assert (probabilities > 0).all()
    assert_allclose(probabilities.sum(axis=1), 1)


def test_a_perfect_first_member_stands_alone():
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 50 .* round 1: no training row was wrong"):
        model = RealAdaBoostClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    # ½ ln(1/10⁻⁵), of which the logistic of the double is 1/(1 + 10⁻⁵).
    assert_allclose(model.predict_proba(X)[5:, 1], 1 / (1 + 1e-5))


def test_a_table_that_says_nothing_gives_the_shares():
    X, y = np.ones((20, 2)), np.arange(20) % 4
    y[y > 1] = 1
    model = RealAdaBoostClassifier(n_estimators=3).fit(X, y)
    assert_allclose(model.predict_proba(X), np.tile([0.25, 0.75], (20, 1)))


def test_members_without_probabilities_are_refused(blobs):
    with pytest.raises(InputError, match=r"predict_proba.*Perceptron"):
        RealAdaBoostClassifier(Perceptron()).fit(*blobs())
