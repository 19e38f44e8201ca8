import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.learners import DecisionStumpClassifier


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("learning_rate", [1.0, 0.4])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_it_is_scikit_learns(recorder, blobs, n_classes, learning_rate, depth):
    X, y = blobs(n_classes, n_samples=300)
    weights = np.random.default_rng(2).uniform(0.5, 2, len(y))
    settings = {"n_estimators": 15, "learning_rate": learning_rate, "random_state": 3}
    recorder.set_params(max_depth=depth)
    ours = AdaBoostClassifier(recorder, **settings).fit(X, y, weights)
    theirs = TheirAdaBoost(recorder, **settings).fit(X, y, weights)

    half = 0.5 if n_classes == 2 else 1.0
    assert_allclose(ours.estimator_weights_, half * theirs.estimator_weights_, atol=1e-8)
    assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, atol=1e-8)
    for mine, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        seen, expected = mine.seen_[2], other.seen_[2]
        assert_allclose(seen / seen.sum(), expected / expected.sum(), atol=1e-9)
    stages = zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True)
    for mine, other in stages:
        assert_array_equal(mine, other)


def test_it_is_scikit_learns_on_real_data_with_its_stumps():
    stump = DecisionTreeClassifier(max_depth=1)
    for X, y in (load_breast_cancer(return_X_y=True), load_wine(return_X_y=True)):
        ours = AdaBoostClassifier(stump, n_estimators=20, random_state=0).fit(X, y)
        theirs = TheirAdaBoost(n_estimators=20, random_state=0).fit(X, y)
        assert_array_equal(ours.predict(X), theirs.predict(X))


def test_defaults_are_scikit_learns():
    theirs = TheirAdaBoost().get_params()
    ours = AdaBoostClassifier().get_params()
    assert {name: ours[name] for name in theirs if name in ours} == {
        name: value for name, value in theirs.items() if name in ours
    }
    member = AdaBoostClassifier(n_estimators=1).fit([[0], [1], [0], [1]], [0, 1, 1, 1]).estimator_
    assert member.get_params() == DecisionStumpClassifier().get_params()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_default_stumps_are_scikit_learns_on_few_values(n_classes, blobs):
    X, y = blobs(n_classes, n_samples=400)
    X = np.round(8 * X) / 8
    ours = AdaBoostClassifier(n_estimators=15).fit(X, y)
    theirs = TheirAdaBoost(n_estimators=15, random_state=0).fit(X, y)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.97
    assert_allclose(ours.estimator_errors_[:3], theirs.estimator_errors_[:3], atol=1e-9)


def test_the_score_is_the_sum_of_weighted_votes(blobs):
    X, y = blobs()
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    votes = np.array([2 * member.predict(X) - 1 for member in model.estimators_])
    expected = model.estimator_weights_ @ votes
    assert_allclose(model.decision_function(X), expected, atol=1e-9)
    assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * expected)), atol=1e-9)


def test_the_training_error_stays_below_its_bound_at_every_stage(blobs):
    X, y = blobs(n_samples=300)
    model = AdaBoostClassifier(n_estimators=40).fit(X, y)
    errors = [np.mean(prediction != y) for prediction in model.staged_predict(X)]
    epsilon = model.estimator_errors_
    assert np.all(errors <= np.cumprod(2 * np.sqrt(epsilon * (1 - epsilon))) + 1e-9)


def test_a_perfect_first_member_stands_alone():
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 50 .* round 1: no training row was wrong"):
        model = AdaBoostClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert_array_equal(model.estimator_errors_, [0.0])
    # Half of ten rows' worth of error.
    assert_allclose(model.predict_proba(X).max(axis=1), 0.95)


def test_a_useless_first_member_gives_the_classes_shares(by_rule):
    X = np.zeros((10, 1))
    y = np.repeat([3, 8], [4, 6])
    wrong = by_rule(lambda X: np.full(len(X), 3))
    with pytest.warns(ConvergenceWarning, match="0 of 50 .* round 1: its weighted error"):
        model = AdaBoostClassifier(wrong).fit(X, y)
    assert_allclose(model.predict_proba(X), [[0.4, 0.6]] * 10)
    assert_array_equal(model.predict(X), [8] * 10)


@pytest.mark.parametrize("sampling", ["reweight", "resample"])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.8, 0.2), (0.6, 0.3, 0.1)])
def test_pure_noise_gives_a_model_near_the_shares(quietly, shares, sampling):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 2)).astype(float)
    y = rng.choice(len(shares), 2000, p=shares)
    model = AdaBoostClassifier(sampling=sampling, random_state=0)
    quietly(model, X, y)
    assert_allclose(model.predict_proba(X).mean(axis=0), shares, atol=0.08)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("delta", [0.0, 0.05, 0.1, 0.2, 0.4])
def test_few_margins_are_small(blobs, depth, delta):
    """Schapire, Freund, Bartlett and Lee 1998, theorem 5, at every stage."""
    X, y = blobs(n_samples=200)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    model = AdaBoostClassifier(tree, n_estimators=30).fit(X, y)
    epsilon = model.estimator_errors_
    stages = model.staged_decision_function(X)
    for n_members, scores in enumerate(stages, start=1):
        margins = (2 * y - 1) * scores / model.estimator_weights_[:n_members].sum()
        factors = 2 * np.sqrt(epsilon ** (1 - delta) * (1 - epsilon) ** (1 + delta))
        assert np.mean(margins <= delta) <= np.prod(factors[:n_members]) + 1e-9
