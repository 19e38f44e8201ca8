"""A fit that fails leaves an estimator as it was."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.utils.validation import has_fit_parameter

from contract.registry import blobs, every_classifier, every_of_labels, outputs
from hardy.exceptions import InputError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every_classifier
def test_a_model_that_was_fitted_stays_so(case):
    X, y = blobs()
    model = case().fit(X, y)
    before = outputs(model, X)
    with pytest.raises(InputError, match="class"):
        model.fit(X[:, :2], np.zeros(len(y), dtype=int))
    assert model.n_features_in_ == X.shape[1]
    assert_array_equal(outputs(model, X), before)


@every_classifier
def test_one_that_was_not_stays_unfitted(case):
    X, y = blobs()
    model = case()
    before = set(vars(model))
    with pytest.raises(InputError, match="class"):
        model.fit(X, np.zeros(len(y), dtype=int))
    assert set(vars(model)) == before


@every_classifier
def test_learning_on_that_fails_changes_nothing(case):
    if not hasattr(case(), "partial_fit"):
        pytest.skip("doesn't learn on")
    X, y = blobs()
    fresh = case(class_weight={7: 2.0})
    parameters = set(vars(fresh))
    with pytest.raises(InputError, match="class_weight names 7"):
        fresh.partial_fit(X, y, classes=[0, 1])
    assert set(vars(fresh)) == parameters
    model = case().partial_fit(X, y, classes=[0, 1])
    before = outputs(model, X)
    model.set_params(class_weight={7: 2.0})
    with pytest.raises(InputError, match="class_weight names 7"):
        model.partial_fit(X, y)
    assert_array_equal(outputs(model, X), before)


@every_of_labels
def test_names_weights_and_tables_without_rows_are_said(case):
    if not case.takes_numbers:
        pytest.skip("takes texts")
    X, y = blobs()
    fit = getattr(case(), "fit_resample" if case.is_sampler else "fit")
    with pytest.raises(InputError, match="Two columns are named 'a'"):
        fit(pd.DataFrame(X, columns=list("aabc")), y)
    with pytest.raises(InputError, match="The column 1 is named by the type int"):
        fit(pd.DataFrame(X, columns=["a", 1, "b", "c"]), y)
    with pytest.raises(InputError, match="no rows"):
        fit(X[:0], y[:0])
    if has_fit_parameter(case(), "sample_weight"):
        with pytest.raises(InputError, match="sample_weight must be a number for each row"):
            fit(X, y, sample_weight=["much"] * len(y))


@every_classifier
def test_weights_of_classes_are_said(case):
    if "class_weight" not in case().get_params():
        pytest.skip("has no class_weight")
    for weights, message in (
        ({1: "much"}, "class_weight is 'much' for the label 1"),
        ({7: 2.0}, r"class_weight names 7, which is none of the labels \[0, 1\]"),
    ):
        with pytest.raises(InputError, match=message):
            case(class_weight=weights).fit(*blobs())
