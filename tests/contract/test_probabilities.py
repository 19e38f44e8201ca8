"""Predictions, decisions and probabilities agree, and the probabilities can be used."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import CalibratedClassifierCV

from contract.registry import blobs, every_classifier_setting, outputs

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def _check_agreement(model, labels, probabilities, scores):
    assert_array_equal(labels, model.classes_[probabilities.argmax(axis=1)])
    if hasattr(model, "decision_function"):
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        assert_array_equal(labels, model.classes_[best])
    assert_allclose(probabilities.sum(axis=1), 1.0)
    assert probabilities.min() >= 0


@every_classifier_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_stage_agrees_with_itself(case, settings, n_classes):
    X, y = blobs(n_classes)
    model = case(**settings).fit(X, np.array(["x", "y", "z"])[y])
    X_new = np.vstack([X, np.random.default_rng(0).normal(size=(200, 4)) * 3])
    last = model.predict(X_new), model.predict_proba(X_new), outputs(model, X_new)
    _check_agreement(model, *last)
    if not hasattr(model, "staged_predict"):
        return
    decide = getattr(model, "staged_decision_function", model.staged_predict_proba)
    stages = list(
        zip(
            model.staged_predict(X_new),
            model.staged_predict_proba(X_new),
            decide(X_new),
            strict=True,
        )
    )
    assert len(stages) == len(model.estimators_)
    for stage in stages:
        _check_agreement(model, *stage)
    for mine, final in zip(stages[-1], last, strict=True):
        assert_array_equal(mine, final)


@every_classifier_setting
def test_the_mean_probability_stays_near_the_true_rate(case, settings):
    # Classes of equal weight are not as frequent as they are: calibration makes them so again.
    is_balanced = settings.get("class_weight") == "balanced"
    rng = np.random.default_rng(1)
    y = (rng.random(1500) < 0.16).astype(int)
    X = rng.normal(size=(1500, 4))
    X[:, 0] += 1.5 * y
    model = case(**settings)
    if case.extreme or is_balanced:
        model = CalibratedClassifierCV(model, cv=3)
    assert abs(model.fit(X, y).predict_proba(X)[:, 1].mean() - y.mean()) < 0.05
