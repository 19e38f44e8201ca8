import warnings

import joblib
import numpy as np
import pytest
from imblearn.pipeline import make_pipeline
from sklearn.model_selection import cross_val_score

import hardy

X = np.random.default_rng(0).normal(size=(100, 3))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    "name",
    ["AdaBoost", "NoiseReducingBoost", "LinearPerceptronBoost", "HardnessBagging"],
)
def test_warnings_name_the_line_of_the_user(name):
    model = getattr(hardy, f"{name}Classifier")(random_state=0)
    rows, labels = np.vstack([X, X[:1]]), np.r_[Y, 1 - Y[0]]
    if name == "AdaBoost":
        rows, labels = X, Y
    if name == "NoiseReducingBoost":
        # Its only member errs on every row in the same measure.
        rows, labels = np.zeros((100, 3)), np.arange(100) % 2
    if name == "HardnessBagging":
        model.set_params(n_estimators=3, max_samples=2, random_state=1)
        labels = np.r_[1, np.zeros(100, dtype=int)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(rows, labels)
    assert caught
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize(
    "fit",
    [
        lambda model: joblib.Parallel()([joblib.delayed(model.fit)(X, Y)]),
        lambda model: make_pipeline(model).fit(X, Y),
        lambda model: cross_val_score(model, X, Y),
    ],
    ids=["joblib", "imblearn", "cross-validation"],
)
def test_callers_of_other_libraries_are_passed_over(fit):
    model = hardy.AdaBoostClassifier(random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(model)
    ours = [warning for warning in caught if "members were kept" in str(warning.message)]
    assert ours
    assert {warning.filename for warning in ours} == {__file__}
