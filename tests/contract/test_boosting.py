"""What holds for every boosted classifier beyond that."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from contract.registry import blobs, every_booster, every_booster_setting
from hardy import AdaBoostClassifier
from hardy._callbacks import CallbackSupportMixin
from hardy.exceptions import InputError
from hardy.weighting import MemberKind


class Constant(ClassifierMixin, BaseEstimator):
    """Says the first class of all rows, whatever it was taught; can answer in every way."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[np.zeros(X.shape[0], dtype=int)]

    def decision_function(self, X):
        return np.full(X.shape[0], -1.0)

    def categorize(self, X, y):
        return np.zeros(X.shape[0], dtype=np.int8)


class NoNumber(RegressorMixin, BaseEstimator):
    """Says 0 of all rows."""

    def fit(self, X, y, sample_weight=None):
        return self

    def predict(self, X):
        return np.zeros(X.shape[0])


class Mute(BaseEstimator):
    """Is neither a classifier nor a regressor."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(X.shape[0])


def _takes_members(case):
    if "estimator" not in case.names:
        pytest.skip("its members are fixed")


@every_booster
def test_fewer_members_than_asked_for_is_said(case):
    _takes_members(case)
    if case()._make_rule().member_kind in (MemberKind.REGRESSOR, MemberKind.PROBABILITIES):
        pytest.skip("its rule weighs no members by their errors")
    X, y = np.zeros((8, 2)), np.repeat([0, 1], 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning, match=r"^0 of 6 .* rounds? 1"):
            case(estimator=Constant(), n_estimators=6).fit(X, y)


@every_booster
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_useless_members_leave_the_classes_shares(case):
    _takes_members(case)
    kind = case()._make_rule().member_kind
    member = NoNumber() if kind is MemberKind.REGRESSOR else Constant()
    X, y = np.zeros((10, 1)), np.repeat([3, 8], [4, 6])
    model = case(estimator=member).fit(X, y)
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    if kind is not MemberKind.PROBABILITIES:
        assert_array_equal(probabilities, probabilities[:1].repeat(10, axis=0))


@every_booster_setting
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_that_a_member_tells_apart_at_once(case, settings, n_classes):
    y = np.repeat(np.arange(n_classes), 20)
    X = 3.0 * np.eye(n_classes)[y] + 0.01 * np.arange(len(y))[:, None] / len(y)
    model = case(**settings).fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.decision_function(X)).all()


@every_booster
def test_members_without_what_the_rule_needs_are_refused_at_once(case):
    _takes_members(case)
    with pytest.raises(InputError, match=r"The rule \w+ needs members that are .*Mute is not"):
        case(estimator=Mute()).fit(*blobs())


@every_booster_setting
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pure_noise_gives_a_model_near_the_shares(case, settings):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 2)).astype(float)
    y = rng.choice(3, 2000, p=(0.6, 0.3, 0.1))
    model = case(**settings)
    if case.extreme:
        model = CalibratedClassifierCV(model, cv=3)
    model.fit(X, y)
    assert_allclose(model.predict_proba(X).mean(axis=0), (0.6, 0.3, 0.1), atol=0.1)
    assert np.mean(model.predict(X) == 0) > 0.9


@every_booster
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_samples_are_those_that_were_drawn(case, n_classes):
    X, y = blobs(n_classes)
    model = case(sampling="resample").fit(X, y)
    assert len(model.estimators_samples_) == len(model.estimators_)
    again = case(sampling="resample").fit(X, y)
    for samples, other in zip(model.estimators_samples_, again.estimators_samples_, strict=True):
        assert_array_equal(samples, other)
        for rows in samples if isinstance(samples, list) else [samples]:
            assert len(rows) == len(y)
            assert len(np.unique(rows)) < len(y)


@pytest.mark.skipif(
    not hasattr(CallbackSupportMixin, "set_callbacks"), reason="scikit-learn has no callbacks yet"
)
@every_booster
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_callbacks_see_every_round_and_may_end_it(case):
    scores = []

    class StopAfterTwo:
        def setup(self, estimator, context): ...

        def teardown(self, estimator, context): ...

        def on_fit_task_begin(self, estimator, context): ...

        def on_fit_task_end(self, estimator, context, *, X, y, fitted_estimator):
            scores.append((context.task_name, fitted_estimator.score(X, y)))
            return context.task_name == "round" and context.task_id == 1

    X, y = blobs()
    model = case(n_estimators=6).set_callbacks(StopAfterTwo()).fit(X, np.array(["u", "v"])[y])
    assert len(model.estimators_) == 2
    expected = [np.mean(p == np.array(["u", "v"])[y]) for p in model.staged_predict(X)]
    assert [score for name, score in scores if name == "round"] == pytest.approx(expected)
    assert scores[-1] == ("fit", pytest.approx(expected[-1]))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_drawn_rows_go_on_after_a_member_without_mistakes():
    """The next member sees other rows, so that it isn't the same again."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 5)) + 3 * y[:, None]
    tree = DecisionTreeClassifier(random_state=0)
    drawn = AdaBoostClassifier(tree, n_estimators=6, sampling="resample", random_state=0).fit(X, y)
    weighed = AdaBoostClassifier(tree, n_estimators=6, random_state=0).fit(X, y)
    assert len(weighed.estimators_) == 1
    assert len(drawn.estimators_) == 6
    assert np.isfinite(drawn.decision_function(X)).all()


def test_weights_of_any_sum_draw_a_bounded_number_of_rows():
    X, y = blobs()
    model = AdaBoostClassifier(sampling="resample", n_estimators=1, random_state=0)
    model.fit(X, y, np.full(120, 1e9))
    assert len(model.estimators_samples_[0]) == 100 * 120
