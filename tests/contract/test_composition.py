"""Within scikit-learn: clones, grids, pipelines, scorers, routing and pictures of the object."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from contract.registry import (
    blobs,
    every,
    every_classifier,
    every_regressor,
    every_setting,
    outputs,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every
def test_a_grid_over_every_parameter(case):
    X, y = blobs()
    scoring = "roc_auc" if hasattr(case(), "predict_proba") else "r2"
    search = GridSearchCV(case.make(), dict(case.grid), cv=2, scoring=scoring, error_score="raise")
    assert np.isfinite(search.fit(X, y).cv_results_["mean_test_score"]).all()


@every_classifier
@pytest.mark.parametrize(
    "scoring",
    [
        "accuracy",
        "average_precision",
        "balanced_accuracy",
        "f1",
        "neg_brier_score",
        "neg_log_loss",
        "roc_auc",
    ],
)
def test_scorers_in_a_pipeline(case, scoring):
    pipeline = make_pipeline(StandardScaler(), case())
    scores = cross_val_score(pipeline, *blobs(), cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()


@every_classifier
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"])
def test_scorers_of_several_classes(case, scoring):
    scores = cross_val_score(case(), *blobs(3), cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()


@every_regressor
@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error", "neg_mean_squared_error"])
def test_scorers_of_regression(case, scoring):
    X, _ = blobs()
    y = X[:, 0] - X[:, 1]
    scores = cross_val_score(case(), X, y, cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()


@every
def test_weights_are_routed_through_a_pipeline(case):
    if not has_fit_parameter(case(), "sample_weight"):
        pytest.skip("takes no weights")
    X, y = blobs()
    weights = np.random.default_rng(0).uniform(0.2, 3, 120)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), case().set_fit_request(sample_weight=True))
        pipeline[0].set_fit_request(sample_weight=False)
        pipeline.fit(X, y, sample_weight=weights)
    scaled = StandardScaler().fit_transform(X)
    expected = case().fit(scaled, y, sample_weight=weights)
    assert_array_equal(outputs(pipeline[-1], scaled), outputs(expected, scaled))


@every_setting
def test_a_clone_has_the_settings_and_nothing_else(case, settings):
    model = case(**settings)
    before = repr(model.get_params())
    model.fit(*blobs())
    copy = clone(model)
    assert repr(copy.get_params()) == before
    assert not [name for name in vars(copy) if name.endswith("_") and not name.startswith("_")]


@every
def test_its_pictures(case):
    model = case()
    assert case.make.__name__ in repr(model)
    assert case.make.__name__ in model._repr_html_()
    assert "fitted" in model.fit(*blobs())._repr_html_()


@every
def test_output_of_transformers_in_front_as_frames(case):
    X, y = blobs()
    pipeline = make_pipeline(StandardScaler(), case()).set_output(transform="pandas")
    pipeline.fit(X, y)
    assert_array_equal(pipeline[-1].feature_names_in_, ["x0", "x1", "x2", "x3"])
    assert_array_equal(
        pipeline.predict(X),
        case().fit(StandardScaler().fit_transform(X), y).predict(StandardScaler().fit_transform(X)),
    )
