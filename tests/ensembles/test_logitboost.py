import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hardy.ensembles.logitboost import LogitBoostClassifier
from hardy.exceptions import InputError


def _tree(X, z, weights):
    return DecisionTreeRegressor(max_depth=1, random_state=0).fit(X, z, weights).predict(X)


def _two_classes(X, y, n_rounds):
    """Algorithm 3 of Friedman, Hastie and Tibshirani, with the slope kept where z is cut off."""
    F = np.zeros(len(y))
    for _ in range(n_rounds):
        p = 1 / (1 + np.exp(-2 * F))
        z = np.clip((y - p) / (p * (1 - p)), -4, 4)
        F += 0.5 * _tree(X, z, (y - p) / z)
    p = 1 / (1 + np.exp(-2 * F))
    return np.column_stack([1 - p, p])


def _several_classes(X, y, n_rounds):
    """Algorithm 6 of Friedman, Hastie and Tibshirani, with the slope kept where z is cut off."""
    n_classes = y.max() + 1
    F = np.zeros((len(y), n_classes))
    for _ in range(n_rounds):
        p = np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)
        slopes = np.eye(n_classes)[y] - p
        z = np.clip(slopes / (p * (1 - p)), -4, 4)
        weights = slopes / z
        f = np.column_stack([_tree(X, z[:, j], weights[:, j]) for j in range(n_classes)])
        F += (n_classes - 1) / n_classes * (f - f.mean(axis=1, keepdims=True))
    return np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("n_classes", "twin"), [(2, _two_classes), (3, _several_classes)])
def test_it_is_the_published_algorithm(blobs, n_classes, twin):
    X, y = blobs(n_classes)
    model = LogitBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    assert_allclose(model.predict_proba(X), twin(X, y, 10), atol=2e-3)
    assert model.estimator_errors_.shape == model.estimator_weights_.shape == (10,)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_log_loss_falls_with_small_steps(blobs, n_classes):
    X, y = blobs(n_classes)
    model = LogitBoostClassifier(n_estimators=30, learning_rate=0.3, random_state=0).fit(X, y)
    losses = [log_loss(y, p) for p in model.staged_predict_proba(X)]
    assert losses[0] < np.log(n_classes)
    assert (np.diff(losses) < 0).all()


def test_it_is_about_as_good_as_gradient_boosting():
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    ours = LogitBoostClassifier(n_estimators=40, random_state=0).fit(X_train, y_train)
    theirs = GradientBoostingClassifier(max_depth=1, learning_rate=0.5, n_estimators=40)
    theirs.fit(X_train, y_train)
    assert ours.score(X_test, y_test) == pytest.approx(theirs.score(X_test, y_test), abs=0.03)
    difference = ours.predict_proba(X_test)[:, 1] - theirs.predict_proba(X_test)[:, 1]
    assert np.abs(difference).mean() < 0.05


def test_separable_classes_end_in_finite_scores():
    X, y = np.arange(10.0)[:, None], np.repeat([0, 1], 5)
    model = LogitBoostClassifier(n_estimators=60, random_state=0).fit(X, y)
    assert len(model.estimators_) == 60
    assert np.isfinite(model.decision_function(X)).all()
    assert_array_equal(model.predict(X), y)


def test_labels_without_a_rule_in_them_stay_near_their_shares():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 2)), (rng.random(2000) < 0.3).astype(int)
    model = LogitBoostClassifier(n_estimators=5, random_state=0).fit(X, y)
    assert_allclose(model.predict_proba(X)[:, 1].mean(), y.mean(), atol=0.01)
    assert model.predict_proba(X)[:, 1].std() < 0.1


def test_one_row_of_almost_all_weight_is_learned(blobs):
    X, y = blobs()
    weights = np.ones(len(y))
    weights[7] = 1e6
    model = LogitBoostClassifier(n_estimators=10, random_state=0).fit(X, y, weights)
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.predict(X[[7]]) == y[7]


def test_classifiers_are_refused_as_members(blobs):
    with pytest.raises(InputError, match=r"regressors.*DecisionTreeClassifier"):
        LogitBoostClassifier(DecisionTreeClassifier()).fit(*blobs())


@pytest.mark.parametrize("shares", [[0.9, 0.1], [0.97, 0.03], [0.85, 0.1, 0.05]])
def test_where_nothing_can_be_learned_probabilities_are_the_shares(shares):
    """A gradient that is cut off must not drive rare classes to 0."""
    y = np.repeat(np.arange(len(shares)), np.round(np.array(shares) * 1000).astype(int))
    model = LogitBoostClassifier(n_estimators=60).fit(np.zeros((1000, 1)), y)
    assert_allclose(model.predict_proba(np.zeros((1, 1)))[0], shares, atol=0.005)
