import warnings

import numpy as np
import pytest

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
