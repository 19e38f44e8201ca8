import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles.soft_margin import SoftMarginBoostClassifier
from hardy.noise import flip_labels


def test_without_mistrust_it_is_adaboost(blobs):
    X, y = blobs()
    model = SoftMarginBoostClassifier(n_estimators=20, C=0.0).fit(X, y)
    adaboost = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert_allclose(model.estimator_weights_, adaboost.estimator_weights_, atol=1e-6)
    assert_allclose(model.decision_function(X), adaboost.decision_function(X), atol=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_more_mistrust_the_less_a_row_can_weigh(recorder, twonorm):
    X, y = twonorm(200, 0)
    y, is_flipped = flip_labels(y, 0.15, exact=True, random_state=0)
    most, on_flipped = [], []
    for C in (0.0, 0.1, 1.0):
        model = SoftMarginBoostClassifier(recorder, n_estimators=60, C=C, random_state=0)
        members = model.fit(X, y).estimators_
        seen = [
            member.seen_[2] / member.seen_[2].sum()
            for member in members
            if len(member.seen_[1]) == len(y)
        ]
        most.append(max(weights.max() for weights in seen))
        on_flipped.append(np.mean([weights[is_flipped].sum() for weights in seen]))
    assert most[0] > most[1] > most[2]
    assert on_flipped[0] > on_flipped[1] > on_flipped[2]


def test_a_row_of_weight_3_is_three_rows(blobs):
    """Mistrust counts weights in units of the initial one, so that repetition changes nothing."""
    X, y = blobs()
    weights = np.where(np.arange(len(y)) % 4, 1, 3)
    weighted = SoftMarginBoostClassifier(n_estimators=10, C=0.5).fit(X, y, weights)
    rows = np.repeat(np.arange(len(y)), weights)
    repeated = SoftMarginBoostClassifier(n_estimators=10, C=0.5).fit(X[rows], y[rows])
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-6)


def test_several_classes_have_a_member_each(blobs):
    X, y = blobs(3)
    model = SoftMarginBoostClassifier(n_estimators=10).fit(X, y)
    assert [len(members) for members in model.estimators_] == [3] * 10
    assert model.score(X, y) > 0.7


@pytest.mark.parametrize("C", [0.0, 0.1, 10.0])
def test_a_perfect_first_member_stands_alone(C):
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 50 .* round 1: no training row was wrong"):
        model = SoftMarginBoostClassifier(C=C).fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.estimator_weights_).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_labels_without_a_rule_in_them_and_a_row_of_almost_all_weight(C):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(60, 3)), np.arange(60) % 2, np.ones(60)
    weights[7] = 1e6
    for sample_weight in (None, weights):
        model = SoftMarginBoostClassifier(DecisionTreeClassifier(max_depth=2), C=C, random_state=0)
        model.fit(X, y, sample_weight)
        assert np.isfinite(model.predict_proba(X)).all()
        assert model.score(X, y, sample_weight) > 0.5


def test_negative_mistrust_is_refused(blobs):
    with pytest.raises(ValueError, match="'C' parameter"):
        SoftMarginBoostClassifier(C=-0.1).fit(*blobs())
