"""A network of one hidden layer, the comparison of the parallel perceptron papers."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]


class BatchNetworkClassifier(ClassifierMixin, BaseEstimator):
    """Hidden tanh units and a linear output, trained on all rows at once by plain gradient steps.

    scikit-learn's networks can do the same, but take 13 times as long on 270 rows of 20 features
    (0.255 s against 0.019 s for 2,000 steps), and a column of the paper's table is 15,000 of these.

    Parameters
    ----------
    n_hidden : int, default=3
        The number of hidden units.
    learning_rate : float, default=0.001
        The step along the gradient of half the sum of squared errors.
    max_iter : int, default=2000
        The number of steps.
    random_state : int, RandomState instance or None, default=None
        Draws the first weights.
    """

    def __init__(
        self,
        n_hidden: int = 3,
        learning_rate: float = 0.001,
        max_iter: int = 2000,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Array, y: Array) -> Self:
        """Learn two classes from rows and their labels."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        rng = check_random_state(self.random_state)
        # Glorot and Bengio's width, scikit-learn's for such units.
        width = np.sqrt(6 / (X.shape[1] + self.n_hidden))
        self.coef_ = rng.uniform(-width, width, (self.n_hidden, X.shape[1]))
        self.intercept_ = rng.uniform(-width, width, self.n_hidden)
        width = np.sqrt(6 / (self.n_hidden + 1))
        # The weights of the output, the last one that of the constant.
        self.output_coef_ = rng.uniform(-width, width, self.n_hidden + 1)
        descend(
            np.ascontiguousarray(X, dtype=np.float64),
            2.0 * codes - 1.0,
            self.coef_,
            self.intercept_,
            self.output_coef_,
            float(self.learning_rate),
            self.max_iter,
        )
        return self

    def predict(self, X: Array) -> Array:
        """Give the labels."""
        hidden = np.tanh(X @ self.coef_.T + self.intercept_)
        is_second = hidden @ self.output_coef_[:-1] + self.output_coef_[-1] > 0
        labels: Array = self.classes_[is_second.astype(np.intp)]
        return labels


@compiled
def _tanh(x: float) -> float:
    # Several times as fast as the library's, and within its rounding where it isn't ±1.
    power = np.exp(2 * min(max(x, -20.0), 20.0))
    return float((power - 1) / (power + 1))


@compiled
def descend(
    X: Array, targets: Array, weights: Array, bias: Array, output: Array, rate: float, n_steps: int
) -> None:
    """Take steps down the gradient of half the sum of squared errors, changing the weights."""
    n_hidden = weights.shape[0]
    hidden = np.empty(n_hidden)
    for _ in range(n_steps):
        moved, moved_bias = np.zeros_like(weights), np.zeros_like(bias)
        moved_output = np.zeros_like(output)
        for i in range(X.shape[0]):
            x = X[i]
            miss = targets[i] - output[n_hidden]
            for unit in range(n_hidden):
                w = weights[unit]
                total = bias[unit]
                for j in range(x.shape[0]):
                    total += w[j] * x[j]
                hidden[unit] = _tanh(total)
                miss -= output[unit] * hidden[unit]
            moved_output[n_hidden] += miss
            for unit in range(n_hidden):
                moved_output[unit] += miss * hidden[unit]
                push = miss * output[unit] * (1 - hidden[unit] * hidden[unit])
                moved_bias[unit] += push
                sums = moved[unit]
                for j in range(x.shape[0]):
                    sums[j] += push * x[j]
        weights += rate * moved
        bias += rate * moved_bias
        output += rate * moved_output
