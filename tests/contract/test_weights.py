"""A weight is a repetition, and a weight of 0 is absence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import hardy
from contract.registry import (
    blobs,
    every_booster_setting,
    every_weighted_setting,
    outputs,
    statistical_reason,
)
from hardy.exceptions import InputError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every_weighted_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_repetition(case, settings, n_classes):
    if statistical_reason(case(**settings)):
        pytest.skip("on average only: see the next test")
    X, y = blobs(n_classes)
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = case(**settings).fit(X, y, sample_weight=weights)
    repeated = case(**settings).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_allclose(outputs(weighted, X), outputs(repeated, X), atol=1e-7)


@every_weighted_setting
def test_weights_are_repetition_on_average(case, settings):
    if not statistical_reason(case(**settings)):
        pytest.skip("exactly: see the test before")
    X, y = blobs()
    weights = np.where(X[:, 0] > 1, 3, 1)

    def mean_output(*data):
        fits = [case(**settings, random_state=seed).fit(*data) for seed in range(25)]
        said = [getattr(fit, "predict_proba", fit.predict)(X) for fit in fits]
        return np.array([out[:, 1].mean() if out.ndim == 2 else out.mean() for out in said])

    weighted = mean_output(X, y, weights)
    repeated = mean_output(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    error = np.hypot(weighted.std(), repeated.std()) / 5
    assert abs(weighted.mean() - repeated.mean()) < max(4 * error, 0.01)
    with_weights = case(**settings).fit(X, y, sample_weight=weights)
    assert (outputs(with_weights, X) != outputs(case(**settings).fit(X, y), X)).any()


@every_weighted_setting
def test_weight_0_is_absence(case, settings):
    X, y = blobs(n_classes=3)
    weights = (y < 2).astype(float)
    weighted = case(**settings).fit(X, y, sample_weight=weights)
    absent = case(**settings).fit(X[y < 2], y[y < 2])
    assert_array_equal(getattr(weighted, "classes_", [0, 1]), [0, 1])
    assert_array_equal(outputs(weighted, X), outputs(absent, X))


@every_weighted_setting
def test_weights_that_are_no_use(case, settings):
    X, y = np.arange(6.0).reshape(3, 2), [0, 0, 1]
    with pytest.raises(ValueError, match=r"zero|weight 0"):
        case(**settings).fit(X, y, sample_weight=[0, 0, 0])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        case(**settings).fit(X, y, sample_weight=[1, 1, -1])
    if hasattr(case(), "predict_proba"):
        with pytest.raises(ValueError, match="one class"):
            case(**settings).fit(X, y, sample_weight=[1, 1, 0])


@every_booster_setting
@pytest.mark.parametrize("size", [1e300, 5e-324])
def test_weights_that_no_sum_can_hold(case, settings, size):
    X, y = blobs()
    with pytest.raises(ValueError, match="for row 0; weights other than 0 must lie between"):
        case(**settings).fit(X, y, sample_weight=np.full(120, size))


@pytest.mark.parametrize("name", ["AdaBoost", "MadaBoost", "NoiseReducingBoost"])
@pytest.mark.parametrize("weight", [np.nan, None, np.inf, -1.0, 1e-300])
def test_a_class_weight_that_is_none_is_refused(name, weight):
    X, y = blobs(n_classes=3)
    member = hardy.DecisionStumpClassifier(class_weight={1: weight})
    if name == "NoiseReducingBoost":
        member = hardy.ParallelPerceptronClassifier(class_weight={1: weight})
    with pytest.raises(InputError, match=r"class_weight is .* for the label 1"):
        getattr(hardy, f"{name}Classifier")(member).fit(X, y)


def test_class_weights_that_leave_nothing_are_refused():
    X, y = blobs(n_classes=3)
    member = hardy.DecisionStumpClassifier(class_weight={0: 0})
    with pytest.raises(InputError, match="class_weight is 0 for the label 0, but each class"):
        hardy.MadaBoostClassifier(member).fit(X, y)
    with pytest.raises(InputError, match="class_weight is 0 for all labels here"):
        hardy.LinearPerceptronClassifier(class_weight={0: 0}).partial_fit(
            X[y == 0], y[y == 0], [0, 1]
        )
