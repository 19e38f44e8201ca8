"""What holds for every bagged classifier beyond that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from contract.registry import blobs, every_bag
from hardy.exceptions import InputError


@every_bag
@pytest.mark.parametrize("n_jobs", [2, -1])
def test_the_number_of_jobs_changes_nothing(case, n_jobs):
    X, y = blobs(3)
    alone, together = case().fit(X, y), case(n_jobs=n_jobs).fit(X, y)
    assert_array_equal(alone.predict_proba(X), together.predict_proba(X))
    for mine, other in zip(alone.estimators_samples_, together.estimators_samples_, strict=True):
        assert_array_equal(mine, other)


@every_bag
def test_members_are_trained_on_the_rows_that_are_published(case):
    """A tree that may grow knows every distinct row that it saw."""
    X, y = blobs(3)
    model = case(estimator=DecisionTreeClassifier()).fit(X, y)
    for member, samples, features in zip(
        model.estimators_, model.estimators_samples_, model.estimators_features_, strict=True
    ):
        seen = X[samples] if features is None else X[samples][:, features]
        assert_array_equal(member.predict(seen), y[samples])
        assert samples.max() < len(y)


class Recorder(DecisionTreeClassifier):
    """A stump that remembers what it was trained on."""

    def fit(self, X, y, sample_weight=None):
        self.seen_ = X, y, sample_weight
        return super().fit(X, y, sample_weight)


@every_bag
def test_errors_are_those_on_the_rows_that_a_member_was_trained_on(case):
    X, y = blobs(3)
    weights = 1.0 + np.arange(len(y)) % 4
    model = case(estimator=Recorder(max_depth=1)).fit(X, np.array(["x", "y", "z"])[y], weights)
    expected = []
    for member in model.estimators_:
        seen, labels, weights = member.seen_
        expected.append(np.average(member.predict(seen) != labels, weights=weights))
    assert_allclose(model.estimator_errors_, expected)
    assert model.estimator_errors_.max() > 0
    assert_array_equal(model.estimator_weights_, np.ones(len(model.estimators_)))


@every_bag
@pytest.mark.parametrize("settings", [{}, {"estimator": DecisionTreeClassifier(max_depth=2)}])
def test_a_stage_is_the_vote_of_the_first_members(case, settings):
    X, y = blobs(3)
    model = case(**settings).fit(X, y)
    votes = [
        np.eye(3)[member.predict(X if features is None else X[:, features])]
        for member, features in zip(model.estimators_, model.estimators_features_, strict=True)
    ]
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == len(votes)
    for number, stage in enumerate(stages, start=1):
        assert_allclose(stage, np.mean(votes[:number], axis=0))


@every_bag
def test_a_class_that_few_bags_hold(case):
    X, _ = blobs()
    y = np.array(["many"] * 118 + ["few"] * 2)
    model = case(random_state=1).fit(X, y)
    assert len(model.estimators_) >= 1
    assert_array_equal(model.classes_, ["few", "many"])


@every_bag
@pytest.mark.parametrize("learner", [LinearRegression(), DecisionTreeRegressor(), KMeans(2)])
def test_a_learner_that_is_no_classifier_is_refused(case, learner):
    model = case(estimator=learner)
    with pytest.raises(InputError, match=rf"{type(model).__name__} needs members that are class"):
        model.fit(*blobs())


@every_bag
def test_a_boolean_is_no_number(case):
    numbers = {"n_estimators", "n_jobs", "n_neighbors", "n_candidates"}
    numbers |= {"max_samples", "max_features", "accuracy_weight"}
    for name in numbers & case.names:
        with pytest.raises(ValueError, match=f"'{name}' parameter .* Got True instead"):
            case(**{name: True}).fit(*blobs())
