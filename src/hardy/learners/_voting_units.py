"""Perceptrons side by side: what every learner made of them shares."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hardy.exceptions import InputError
from hardy.learners._kernels.activations import fill_activations
from hardy.learners._predictions import fill_rows
from hardy.learners._rows import kernel_weights, refuse_misshapen


class VotingUnits(BaseEstimator):
    """Perceptrons ("units") in one array, ``coef_``, whose last axis is that of the features."""

    n_perceptrons: int

    def activations(self, X: ArrayLike) -> NDArray[Any]:
        """Give the activation w · x of every perceptron for every row, bias included.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, ...), the last axes as those of `intercept_`
            In the floating-point type of `X`. A row's activations are the same whatever rows
            come with it.
        """
        check_is_fitted(self)
        out = fill_rows(self, X, fill_activations, (self.intercept_.size,))
        return out.reshape(-1, *self.intercept_.shape)

    def _check_number_of_units(self) -> None:
        """Refuse a warm start with another number of perceptrons."""
        if self.n_perceptrons != self.intercept_.shape[-1]:
            raise InputError(
                "A warm start needs the n_perceptrons of the fit before, "
                f"{self.intercept_.shape[-1]}, not {self.n_perceptrons}: set warm_start=False."
            )

    def _draw_units(self, shape: tuple[int, ...], X: Any, rng: np.random.RandomState) -> None:
        """Draw units of length 1; they don't depend on the number of rows."""
        units = rng.standard_normal((*shape, X.shape[1] + 1))
        units /= np.linalg.norm(units, axis=-1, keepdims=True)
        self.coef_ = units[..., :-1].astype(X.dtype)
        self.intercept_ = units[..., -1].astype(X.dtype)

    def _copy_units(self, X: Any, dtype: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give weights (units, features) and biases as kernels take them for such rows."""
        refuse_misshapen(self, coef_=(*np.shape(self.intercept_), self.n_features_in_))
        weights = kernel_weights(self.coef_.reshape(-1, self.coef_.shape[-1]), X, dtype)
        return weights, self.intercept_.ravel().astype(dtype)

    def _store_units(self, weights: NDArray[Any], bias: NDArray[Any]) -> None:
        """Keep what a kernel has made of the copies."""
        shape, dtype = self.coef_.shape, self.coef_.dtype
        with np.errstate(over="ignore"):
            weights, bias = np.ascontiguousarray(weights, dtype=dtype), bias.astype(dtype)
        if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
            raise InputError(
                "The values of X, the weights of rows or the learning rate are so large that the "
                "perceptrons' weights overflow: scale them."
            )
        self.coef_, self.intercept_ = weights.reshape(shape), bias.reshape(shape[:-1])
