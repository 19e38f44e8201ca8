"""Passes of the delta rule over rows that may come several times in a pass."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy.learners._kernels import linear_perceptron, row_products
from hardy.learners._rows import kernel_rows

Floats = NDArray[np.float64]

# Products pay where there are so many visits for each pair of rows, and are kept small.
_VISITS_OF_A_PAIR = 1 / 64
_MOST_ROWS = 768


class VisitsByWeights:
    """Passes that change the weights at every visit; see `linear_perceptron.train_pass`."""

    def __init__(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: Floats,
        rates: Floats,
        start: tuple[Floats, Floats, Floats, Floats],
        bias_scale: float,
        momentum: float,
    ) -> None:
        self._rows = (*kernel_rows(X), own, weight, rates)
        self._scales = float(bias_scale), float(momentum)
        self._state = start

    def make_pass(self, visits: NDArray[np.intp], is_learning: NDArray[np.bool_]) -> Floats:
        """Give the sums of weight × squared error before each visit's step."""
        weights, bias, steps, bias_steps = self._state
        steps[~is_learning] = 0
        bias_steps[~is_learning] = 0
        squares: Floats = linear_perceptron.train_pass(
            *self._rows, visits, is_learning, *self._scales, weights, bias, steps, bias_steps
        )
        return squares

    def end(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Give weights, biases, and the last steps of both."""
        return self._state


class VisitsByProducts:
    """The same passes from weights of 0, by the products of the rows with each other."""

    def __init__(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: Floats,
        rates: Floats,
        n_units: int,
        bias_scale: float,
        momentum: float,
    ) -> None:
        self._X = X
        # The bias is one more feature, of this square.
        products = row_products.multiply_rows(kernel_rows(X)[1], X.shape[1]) + bias_scale
        self._rows = products, own, weight, rates
        self._bias_scale, self._momentum = float(bias_scale), float(momentum)
        self._outputs, self._steps, self._pushes, self._push_steps = np.zeros(
            (4, n_units, X.shape[0])
        )

    def make_pass(self, visits: NDArray[np.intp], is_learning: NDArray[np.bool_]) -> Floats:
        """Give the sums of weight × squared error before each visit's step."""
        self._steps[~is_learning] = 0
        squares: Floats = row_products.train_pass(
            *self._rows, visits, is_learning, self._momentum, self._outputs, self._steps,
            self._pushes, self._push_steps,
        )  # fmt: skip
        return squares

    def end(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Give weights, biases, and the last steps of both."""
        # A push and the momentum that has followed sum up to push · (1 − μᵏ) / (1 − μ).
        moved = (self._pushes - self._momentum * self._push_steps) / (1 - self._momentum)
        weights, steps = (np.asarray(rows @ self._X) for rows in (moved, self._push_steps))
        bias, bias_steps = (
            self._bias_scale * rows.sum(axis=1) for rows in (moved, self._push_steps)
        )
        return weights, bias, steps, bias_steps


def pay_as_products(X: Any, n_visits: int) -> bool:
    """Tell whether passes by the products of the rows take less time than by the weights."""
    n_rows: int = X.shape[0]
    return (
        sparse.issparse(X)
        and n_rows <= _MOST_ROWS
        and n_visits >= _VISITS_OF_A_PAIR * n_rows * n_rows
    )


def implicit_rates(learning_rate: float, weight: Floats, reach: Floats) -> Floats:
    """Give δ / e for each row, as the notes of the linear perceptron define it.

    `reach` is what a step of 1 takes off the row's error, its momentum included.
    """
    pull = learning_rate * reach
    # Divided through by what is beyond 1, so that no weight is too large.
    part = 1 / np.maximum(weight, 1)
    rates: Floats = learning_rate * np.minimum(weight, 1) / (part + pull * (1 - part))
    return rates
