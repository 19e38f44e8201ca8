import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier
from hardy.weighting import (
    AdaBoost,
    HardnessBagging,
    HardnessFactor,
    IterativeSelection,
    LogitBoost,
    MadaBoost,
    MemberKind,
    NoiseDetection,
    OneVsRest,
    RandomSubspace,
    RealAdaBoost,
    RobustBoost,
    Selective,
    SMOTEBags,
    SoftMargin,
    TrainingSet,
    check_member,
    linear_weights,
    repetitions,
)


class WantsProbabilities(AdaBoost):
    member_kind = MemberKind.PROBABILITIES


class WantsRegressors(AdaBoost):
    member_kind = MemberKind.REGRESSOR


class WantsMargins(AdaBoost):
    member_kind = MemberKind.MARGINS


@pytest.mark.parametrize(
    ("rule", "able"),
    [
        (AdaBoost(), Perceptron()),
        (AdaBoost(), make_pipeline(StandardScaler(), Perceptron())),
        (WantsProbabilities(), LogisticRegression()),
        (WantsRegressors(), DecisionTreeRegressor()),
        (WantsMargins(), ParallelPerceptronClassifier()),
    ],
)
def test_an_able_member_passes(rule, able):
    check_member(rule, able)


@pytest.mark.parametrize(
    ("rule", "unable", "need"),
    [
        (AdaBoost(), DecisionTreeRegressor(), "predict"),
        (AdaBoost(), StandardScaler(), "predict"),
        (WantsProbabilities(), Perceptron(), "predict_proba"),
        (WantsRegressors(), DecisionTreeClassifier(), "predict"),
        (WantsMargins(), DecisionTreeClassifier(), "categorize"),
    ],
)
def test_an_unable_member_is_refused_by_both_names(rule, unable, need):
    with pytest.raises(InputError, match=need) as caught:
        check_member(rule, unable)
    assert type(rule).__name__ in str(caught.value)
    assert type(unable).__name__ in str(caught.value)


def test_votes_of_one_against_rest_members_are_signs_by_class():
    outputs = [np.array([1, 0]), np.array([0, 0]), np.array([1, 1])]
    assert_array_equal(AdaBoost().scores(outputs, 3), [[1, -1, 1], [-1, -1, 1]])


def test_a_training_set_tells_its_size_and_distribution():
    y = np.array([0, 1, 1])
    training = TrainingSet(None, y, 2, np.array([1.0, 2.0, 5.0]), np.arange(3), None)
    assert training.size == 8.0
    assert_array_equal(training.distribution, [0.125, 0.25, 0.625])


def test_a_rule_for_several_classes_is_called_by_its_own_name():
    with pytest.raises(InputError, match="The rule MadaBoost needs members"):
        check_member(OneVsRest(MadaBoost), Ridge())


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0.2, 1.4, 1.6], [1, 1, 2]),
        ([1e9, 1e9], [100, 100]),
        # A weight that is nearly all: the others still come once.
        ([1.0] * 99 + [1e12], [1] * 99 + [10_000]),
    ],
)
def test_repetitions(weights, expected):
    assert repetitions(np.array(weights)).tolist() == expected


@pytest.mark.parametrize(
    ("rule", "given", "settings"),
    [
        (AdaBoost, (), {"learning_rate": 1.0}),
        (HardnessFactor, (len,), {"mitigate": "all", "learning_rate": 1.0}),
        (IterativeSelection, (), {"n_candidates": 5, "accuracy_weight": 0.5}),
        (IterativeSelection, (), {"smote": False, "n_neighbors": 5}),
        (HardnessBagging, (), {"hardness": None, "weighting": linear_weights, "max_samples": 1.0}),
        (LogitBoost, (), {"learning_rate": 1.0}),
        (NoiseDetection, (len,), {"flip": "mistakes", "learning_rate": 1.0}),
        (RandomSubspace, (), {"max_features": 0.5}),
        (RealAdaBoost, (), {"learning_rate": 1.0}),
        (RobustBoost, (), {"error_goal": 0.1, "margin_goal": 0.0, "margin_sigma": 0.1}),
        (Selective, (len,), {"accumulation": "weight", "mitigate": "mistakes"}),
        (Selective, (len,), {"learning_rate": 1.0}),
        (SMOTEBags, (), {"n_neighbors": 5}),
        (SoftMargin, (), {"C": 0.1, "learning_rate": 1.0}),
        (IterativeSelection, (2, 0.3, True, 7), {"n_candidates": 2, "accuracy_weight": 0.3}),
        (IterativeSelection, (2, 0.3, True, 7), {"smote": True, "n_neighbors": 7}),
    ],
)
def test_settings_are_those_of_the_documentation(rule, given, settings):
    made = rule(*given)
    assert {name: getattr(made, name) for name in settings} == settings
