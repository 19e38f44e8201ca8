"""Labels of any kind, tiny classes, and labels that are no use."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_classifier

from contract.registry import (
    blobs,
    every_classifier,
    every_classifier_setting,
    every_of_labels,
    every_setting_of_labels,
    fit,
    outputs,
)
from hardy.exceptions import InputError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def _columns(y):
    pairs = {
        "one_two": [1, 2],
        "signs": [-1, 1],
        "zero_five": [0, 5],
        "floats": [0.0, 1.0],
        "strings": ["ham", "spam"],
        "bool": [False, True],
    }
    columns = {name: np.array(pair)[y] for name, pair in pairs.items()}
    return columns | {
        "list": columns["strings"].tolist(),
        "object": columns["strings"].astype(object),
        "object_numbers": columns["one_two"].astype(object),
        "category": pd.Series(columns["strings"], dtype="category"),
        "string": pd.Series(columns["strings"], dtype="string"),
        "Int64": pd.Series(columns["one_two"], dtype="Int64"),
        "boolean": pd.Series(columns["bool"], dtype="boolean"),
        "polars": pl.Series(columns["strings"].tolist()),
    }


@every_setting_of_labels
def test_labels_of_any_kind_give_the_same_model(case, settings):
    X, y = blobs()
    reference = fit(case(**settings), X, y)
    for name, labels in _columns(y).items():
        fitted = fit(case(**settings), X, labels)
        assert_array_equal(outputs(fitted, X), outputs(reference, X), name)
        expected = np.asarray(labels)[[0, 1]]
        assert_array_equal(fitted.classes_, expected, name)
        if is_classifier(fitted):
            assert_array_equal(fitted.predict_proba(X), reference.predict_proba(X), name)
            assert_array_equal(fitted.predict(X), expected[reference.predict(X)], name)
            assert fitted.score(X, labels) == reference.score(X, y), name
            assert {type(label) for label in fitted.predict(X).tolist()} <= {
                type(label) for label in expected.tolist()
            }
        for mine, other in zip(
            getattr(fitted, "estimators_samples_", []),
            getattr(reference, "estimators_samples_", []),
            strict=True,
        ):
            assert_array_equal(mine, other, name)


@every_classifier_setting
def test_a_class_of_one_or_two_rows(case, settings):
    X, _ = blobs()
    y = np.array(["a"] * 117 + ["b"] * 2 + ["c"])
    model = case(**settings).fit(X, y)
    assert model.predict_proba(X).shape == (120, 3)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@every_classifier_setting
def test_a_positive_class_of_one_row(case, settings):
    X, _ = blobs()
    y = np.array([0] * 119 + [1])
    model = case(**settings).fit(X, y)
    assert model.predict_proba(X).shape == (120, 2)
    assert np.isfinite(outputs(model, X)).all()


@every_of_labels
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["only"] * 6, "one class"),
        (["a", "b", None, "a", "b", "a"], r"Row 2 has no label \(1 row in all"),
        ([0.0, 1.0, np.nan, np.nan, 1.0, 1.0], r"Row 2 has no label \(2 rows in all"),
        ([0.0, 1.0, np.inf, 0.0, 1.0, 1.0], r"y contains infinity, first in row 2 \(1 row in all"),
    ],
)
def test_labels_that_are_no_use(case, y, message):
    with warnings.catch_warnings(action="error"), pytest.raises(InputError, match=message):
        fit(case(), np.arange(12.0).reshape(6, 2), y)


@every_classifier_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_labels_that_are_pure_noise(case, settings, n_classes):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, n_classes, 150)
    probabilities = case(**settings).fit(X, y).predict_proba(X)
    assert np.isfinite(probabilities).all()


@every_classifier
@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weights_by_the_users_labels(case, n_classes):
    name = next(
        (n for n in ("class_weight", "estimator__class_weight") if n in case().get_params()), None
    )
    if name is None and "estimator" in case.names:
        name = "estimator__class_weight"
    X, y = blobs(n_classes, n_samples=240)
    names = np.array(["ham", "spam", "eggs"])[y]
    member = {} if name == "class_weight" else {"estimator": case.member()}
    if name is None or name.split("__")[-1] not in next(iter(member.values()), case()).get_params():
        pytest.skip("neither it nor its members take class weights")
    shares = []
    for class_weight in ({"ham": 1, "spam": 20}, None, {"ham": 20, "spam": 1}):
        model = case(**member).set_params(**{name: class_weight}).fit(X, names)
        first = getattr(model, "estimators_", [model])[0]
        # Of a booster, whose later members undo it, not of a bag, whose members may see some
        # columns only; members against the rest have other labels.
        is_booster = hasattr(model, "estimator_weights_") and not hasattr(
            model, "estimators_features_"
        )
        first = first if is_booster else model
        first = model if isinstance(getattr(model, "estimators_", [first])[0], list) else first
        if hasattr(first, "predict_proba"):
            said = first.predict_proba(X)[:, list(model.classes_).index("spam")]
        else:
            said = first.predict(X) == "spam"
        shares.append(said.mean())
    assert shares[0] > shares[2]
