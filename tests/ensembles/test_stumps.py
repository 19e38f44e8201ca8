"""F of boosted stumps, made at once, is the last of F made member by member."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hardy.ensembles import (
    AdaBoostClassifier,
    LogitBoostClassifier,
    MadaBoostClassifier,
    RealAdaBoostClassifier,
    RobustBoostClassifier,
    SelectiveBoostClassifier,
    SoftMarginBoostClassifier,
)
from hardy.ensembles._stumps import are_rounds_of_stumps
from hardy.learners import DecisionStumpClassifier
from hardy.noise import flip_labels


@pytest.fixture
def last_stage():
    def give(model, X):
        return list(model.staged_decision_function(X))[-1]

    return give


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("sampling", ["reweight", "resample"])
@pytest.mark.parametrize(
    "boost",
    [
        AdaBoostClassifier,
        LogitBoostClassifier,
        MadaBoostClassifier,
        RealAdaBoostClassifier,
        RobustBoostClassifier,
        SelectiveBoostClassifier,
        SoftMarginBoostClassifier,
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_f_is_the_last_stages(blobs, last_stage, boost, sampling, n_classes):
    X, y = blobs(n_classes, n_samples=200)
    y, _ = flip_labels(y, 0.2, random_state=0)
    names = np.array(["a", "b", "c", "d"])[y]
    model = boost(n_estimators=15, sampling=sampling, random_state=0).fit(X, names)
    for rows in (X, X.astype(np.float32), X[:1], np.asfortranarray(X)):
        assert_array_equal(model.decision_function(rows), last_stage(model, rows))


def test_rounds_of_several_stumps_with_missing_values(blobs, last_stage, monkeypatch):
    X, y = blobs(3)
    X[::3, 0] = X[1::4, 1] = np.nan
    y, _ = flip_labels(y, 0.2, random_state=0)
    rows = np.vstack([X, np.full((1, 4), np.nan)])
    monkeypatch.setattr("hardy.ensembles._stumps._BLOCK", 150)
    for boost in (MadaBoostClassifier, LogitBoostClassifier):
        model = boost(n_estimators=10, random_state=0).fit(X, y)
        assert are_rounds_of_stumps(model.estimators_)
        assert_array_equal(model.decision_function(rows), last_stage(model, rows))


def test_missing_values_and_constant_features(blobs, last_stage):
    X, y = blobs(3)
    X[::3, 0] = X[1::4, 1] = np.nan
    y, _ = flip_labels(y, 0.2, random_state=0)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    rows = np.vstack([X, np.full((1, 4), np.nan)])
    assert_array_equal(model.decision_function(rows), last_stage(model, rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(np.ones((120, 4)), y)
    assert_array_equal(model.decision_function(X), last_stage(model, X))
    assert len(np.unique(model.decision_function(X), axis=0)) == 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_members_that_lack_a_class(last_stage):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.r_[np.arange(59) % 2, 2]
    known = set()
    for seed in range(10):
        model = AdaBoostClassifier(n_estimators=5, sampling="resample", random_state=seed)
        model.fit(X, y)
        known.update(len(member.classes_) for member in model.estimators_)
        assert_array_equal(model.decision_function(X), last_stage(model, X))
    assert known == {2, 3}


def test_a_members_own_class_is_asked_itself(blobs):
    class Contrary(DecisionStumpClassifier):
        def predict(self, X):
            return self.classes_[::-1][np.searchsorted(self.classes_, super().predict(X))]

    X, y = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = AdaBoostClassifier(Contrary(), n_estimators=1).fit(X, y)
    model.estimator_weights_ = np.ones(1)
    plain = AdaBoostClassifier(n_estimators=1).fit(X, y)
    plain.estimator_weights_ = np.ones(1)
    assert_array_equal(model.decision_function(X) - model.baseline_, -plain.decision_function(X))
