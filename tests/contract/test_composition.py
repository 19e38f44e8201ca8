"""Within scikit-learn: clones, grids, pipelines, scorers, routing and pictures of the object."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from contract.registry import (
    blobs,
    every,
    every_before_labels,
    every_of_numbers,
    every_regressor,
    every_setting,
    fit,
    outputs,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every
def test_a_grid_over_every_parameter(case):
    X, y = case.data()
    pipeline = case.in_pipeline(case.make())
    scoring = "roc_auc" if hasattr(pipeline, "predict_proba") else "r2"
    grid = {f"{case.make.__name__.lower()}__{name}": case.grid[name] for name in case.grid}
    search = GridSearchCV(pipeline, grid, cv=2, scoring=scoring, error_score="raise")
    assert np.isfinite(search.fit(X, y).cv_results_["mean_test_score"]).all()


@every_before_labels
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
    pipeline = case.in_pipeline(case())
    scores = cross_val_score(pipeline, *case.data(), cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()


@every_before_labels
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"])
def test_scorers_of_several_classes(case, scoring):
    model = case() if hasattr(case.make, "predict") else case.in_pipeline(case())
    scores = cross_val_score(model, *case.data(3), cv=3, scoring=scoring, error_score="raise")
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
    case.skip_where_it_cannot("weights")
    X, y = case.data()
    weights = np.random.default_rng(0).uniform(0.2, 3, 120)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = case.in_pipeline(case())
        for step in pipeline[:-1]:
            if has_fit_parameter(step, "sample_weight"):
                step.set_fit_request(sample_weight=False)
        pipeline[-1].set_fit_request(sample_weight=True)
        pipeline.fit(X, y, sample_weight=weights)
    rows = pipeline[:-1].transform(X)
    expected = clone(pipeline[-1]).fit(rows, y, sample_weight=weights)
    assert_array_equal(outputs(pipeline[-1], rows), outputs(expected, rows))


@every_setting
def test_a_clone_has_the_settings_and_nothing_else(case, settings):
    model = case(**settings)
    before = repr(model.get_params())
    fit(model, *case.data())
    copy = clone(model)
    assert repr(copy.get_params()) == before
    assert not [name for name in vars(copy) if name.endswith("_") and not name.startswith("_")]


@every
def test_its_pictures(case):
    model = case()
    assert case.make.__name__ in repr(model)
    assert case.make.__name__ in model._repr_html_()
    assert "fitted" in fit(model, *case.data())._repr_html_()


@every_of_numbers
def test_output_of_transformers_in_front_as_frames(case):
    X, y = blobs()
    scaler = StandardScaler().set_output(transform="pandas")
    model = fit(case(), scaler.fit_transform(X), y)
    assert_array_equal(model.feature_names_in_, ["x0", "x1", "x2", "x3"])
    scaled = StandardScaler().fit_transform(X)
    assert_array_equal(outputs(model, scaler.transform(X)), outputs(fit(case(), scaled, y), scaled))
