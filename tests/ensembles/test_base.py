import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.weighting import AdaBoost, OneVsRest

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_votes_that_cancel_to_within_rounding_are_a_tie(blobs):
    model = AdaBoostClassifier(n_estimators=3).fit(*blobs())
    first, second = model.estimators_[:2]
    X = np.random.default_rng(0).normal(size=(500, 4)) * 2
    split = first.predict(X) != second.predict(X)
    assert split.any()
    model.estimators_ = [first, second, second]
    model.estimator_weights_ = np.array([0.3, 0.1, 0.2])  # .1 + .2 is not .3
    assert_array_equal(model.decision_function(X)[split], 0.0)
    assert_array_equal(model.predict_proba(X)[split], 0.5)
    assert_array_equal(model.predict(X)[split], model.classes_[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
def test_members_see_floats_as_given(recorder, blobs, dtype):
    X, y = blobs()
    model = AdaBoostClassifier(recorder, n_estimators=1).fit(np.asfortranarray(X, dtype), y)
    seen = model.estimators_[0].seen_[0]
    assert seen.dtype == (np.float32 if dtype == np.float32 else np.float64)
    assert seen.flags.c_contiguous


def test_a_member_without_weights_is_drawn_for(blobs):
    """A pipeline takes no sample_weight, nor does a plain nearest-mean classifier."""

    class NearestMean(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
            return self

        def predict(self, X):
            distances = np.linalg.norm(X[:, None] - self.means_, axis=2)
            return self.classes_[distances.argmin(axis=1)]

    X, y = blobs()
    for member in (NearestMean(), make_pipeline(StandardScaler(), LogisticRegression())):
        model = AdaBoostClassifier(member, n_estimators=5, random_state=0).fit(X, y)
        assert len(np.unique(model.estimators_samples_[0])) < 120
        assert model.score(X, y) > 0.75


def test_class_weights_reach_members_that_are_trained_against_the_rest(boosted_by, blobs):
    """As if every row had the weight of its class."""
    X, y = blobs(3)
    names = np.array(["ham", "spam", "eggs"])[y]
    weights = {"ham": 1, "spam": 20, "eggs": 3}

    class Rule(OneVsRest):
        def __init__(self):
            super().__init__(AdaBoost)

    member = DecisionTreeClassifier(max_depth=1)
    weighed = boosted_by(Rule, member.set_params(class_weight=weights), n_estimators=1).fit(
        X, names
    )
    for label, own in zip(weighed.classes_, weighed.estimators_[0], strict=True):
        assert own.class_weight is None
        expected = DecisionTreeClassifier(max_depth=1).fit(
            X, names == label, [weights[name] for name in names]
        )
        assert_array_equal(own.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("n_classes", [3, 5])
def test_an_ensemble_of_several_classes_is_as_many_of_two(boosted_by, blobs, n_classes):
    X, y = blobs(n_classes)

    class Rule(OneVsRest):
        def __init__(self):
            super().__init__(AdaBoost)

    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    joint = boosted_by(Rule, stump, n_estimators=6).fit(X, y).decision_function(X)
    for code in range(n_classes):
        alone = boosted_by(AdaBoost, stump, n_estimators=6).fit(X, y == code)
        np.testing.assert_allclose(joint[:, code], alone.decision_function(X))
