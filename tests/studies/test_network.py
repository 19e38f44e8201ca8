import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import scale

from hardy.studies._network import BatchNetworkClassifier


@pytest.fixture(scope="module")
def rows():
    X, y = load_breast_cancer(return_X_y=True)
    return scale(X[:120, :6]), y[:120]


def test_its_steps_are_those_of_scikit_learns_network(rows):
    X, y = rows
    ours = BatchNetworkClassifier(n_hidden=4, learning_rate=0.001, max_iter=1, random_state=0)
    # One step from weights that are known: those of a network that took none.
    start = BatchNetworkClassifier(n_hidden=4, max_iter=0, random_state=0).fit(X, y)
    theirs = MLPRegressor(
        hidden_layer_sizes=(4,), activation="tanh", solver="sgd", batch_size=len(X), alpha=0.0,
        momentum=0.0, nesterovs_momentum=False, learning_rate_init=0.001 * len(X), shuffle=False,
        max_iter=1,
    )  # fmt: skip
    theirs.partial_fit(X, 2.0 * y - 1)
    theirs.coefs_ = [start.coef_.T.copy(), start.output_coef_[:4, None].copy()]
    theirs.intercepts_ = [start.intercept_.copy(), start.output_coef_[4:].copy()]
    theirs._optimizer.velocities = [0.0 * part for part in theirs.coefs_ + theirs.intercepts_]
    for n_steps in (1, 2, 30):
        while theirs.t_ < (n_steps + 1) * len(X):
            theirs.partial_fit(X, 2.0 * y - 1)
        ours.set_params(max_iter=n_steps).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coefs_[0].T, rtol=1e-8)
        np.testing.assert_allclose(ours.intercept_, theirs.intercepts_[0], rtol=1e-8)
        np.testing.assert_allclose(
            ours.output_coef_, [*theirs.coefs_[1][:, 0], *theirs.intercepts_[1]], rtol=1e-8
        )
        np.testing.assert_array_equal(ours.predict(X) == 1, theirs.predict(X) > 0)


def test_it_learns_labels_of_any_kind(rows):
    X, y = rows
    words = np.array(["no", "yes"])[y]
    model = BatchNetworkClassifier(random_state=0).fit(X, words)
    assert np.mean(model.predict(X) == words) > 0.9
