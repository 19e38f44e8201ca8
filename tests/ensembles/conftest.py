import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier


class Recorder(DecisionTreeClassifier):
    """A tree that keeps what it was fitted on."""

    def fit(self, X, y, sample_weight=None):
        self.seen_ = X, y, sample_weight
        return super().fit(X, y, sample_weight)


class UnweightedRecorder(ClassifierMixin, BaseEstimator):
    """The same without a place for weights."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.seen_ = X, y, None
        self.tree_ = DecisionTreeClassifier(max_depth=1, random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class ByRule(ClassifierMixin, BaseEstimator):
    """A member that answers what a function of X says, and was never taught anything."""

    def __init__(self, answer: Callable[[Any], Any] | None = None):
        self.answer = answer

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.answer(X)


@pytest.fixture
def recorder():
    return Recorder(max_depth=1)


@pytest.fixture
def unweighted_recorder():
    return UnweightedRecorder()


@pytest.fixture
def by_rule():
    return ByRule


@pytest.fixture
def boosted_by():
    """A boosted classifier with a rule of the test's own, as a later method will be written."""

    def make(rule_class, estimator, **parameters):
        class Boosted(AdaBoostClassifier):
            def _make_rule(self):
                return rule_class()

        return Boosted(estimator, **parameters)

    return make


@pytest.fixture
def quietly():
    """Fit without the warning of fewer members than asked for."""

    def fit(model, *arguments, **keywords):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return model.fit(*arguments, **keywords)

    return fit


@pytest.fixture
def blobs():
    """Overlapping classes around different centres, on which no stump is perfect."""

    def make(n_classes=2, n_samples=120, seed=0):
        rng = np.random.default_rng(seed)
        y = np.arange(n_samples) % n_classes
        X = rng.normal(size=(n_samples, 4))
        X[:, 0] += 1.5 * y
        X[:, 1] -= (y == n_classes - 1) * 1.5
        return X, y

    return make


@pytest.fixture
def twonorm():
    """Breiman's twonorm: 20 features, means ±2/√20."""

    def make(n_samples, seed):
        rng = np.random.default_rng(seed)
        y = np.arange(n_samples) % 2
        return rng.normal(size=(n_samples, 20)) + (2 * y[:, None] - 1) * 2 / np.sqrt(20), y

    return make
