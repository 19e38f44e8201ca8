import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles.madaboost import MadaBoostClassifier
from hardy.noise import flip_labels


def test_the_members_see_weights_cut_off_at_the_users(recorder, blobs):
    X, y = blobs()
    weights = np.where(np.arange(len(y)) % 3, 1.0, 2.0)
    model = MadaBoostClassifier(recorder, n_estimators=12, random_state=0).fit(X, y, weights)
    F, grown = np.zeros(len(y)), 0
    for member, after in zip(model.estimators_, model.staged_decision_function(X), strict=True):
        expected = weights * np.minimum(1, np.exp(-(2 * y - 1) * F))
        seen = member.seen_[2]
        assert_allclose(seen / seen.sum(), expected / expected.sum(), rtol=1e-5)
        grown += ((2 * y - 1) * F < -0.1).any()
        F = after
    assert grown > 5


def test_the_first_member_is_adaboosts(blobs):
    X, y = blobs()
    model = MadaBoostClassifier(n_estimators=1).fit(X, y)
    adaboost = AdaBoostClassifier(n_estimators=1).fit(X, y)
    assert_array_equal(model.decision_function(X), adaboost.decision_function(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_flipped_rows_hurt_less_than_in_adaboost(twonorm):
    X_test, y_test = twonorm(1000, seed=99)
    scores = []
    for seed in range(4):
        X, y = twonorm(200, seed)
        y, _ = flip_labels(y, 0.2, exact=True, random_state=seed)
        models = MadaBoostClassifier(n_estimators=60), AdaBoostClassifier(n_estimators=60)
        scores.append([model.fit(X, y).score(X_test, y_test) for model in models])
    capped, plain = np.mean(scores, axis=0)
    assert capped > plain + 0.01


def test_several_classes_have_a_member_each(blobs):
    X, y = blobs(3)
    model = MadaBoostClassifier(n_estimators=10).fit(X, y)
    assert [len(members) for members in model.estimators_] == [3] * 10
    assert model.estimator_weights_.shape == (10, 3)
    last = list(model.staged_predict_proba(X))[-1]
    assert_array_equal(model.predict(X), model.classes_[last.argmax(axis=1)])
    assert model.score(X, y) > 0.7


def test_a_perfect_first_member_stands_alone():
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 50 .* round 1: no training row was wrong"):
        model = MadaBoostClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert_allclose(model.predict_proba(X)[5:, 1], 0.95)


def test_a_useless_first_member_leaves_the_shares():
    X, y = np.ones((8, 2)), np.repeat([0, 1], 4)
    with pytest.warns(ConvergenceWarning, match="0 of 50 .* round 1: its weighted error"):
        model = MadaBoostClassifier().fit(X, y)
    assert_allclose(model.predict_proba(X), 0.5)
