"""Perceptrons side by side: what every learner made of them shares."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hardy.exceptions import InputError
from hardy.learners._kernels import parallel_perceptron as kernels
from hardy.learners._rows import check_rows, kernel_rows, kernel_weights


class VotingUnits(BaseEstimator):
    """Sub-problems of equally many perceptrons ("units"), held and trained in one array."""

    n_perceptrons: int
    learning_rate: float
    learning_rate_decay: float
    margin: float
    margin_update: str
    mode: str
    update_rule: str

    def activations(self, X: ArrayLike) -> NDArray[Any]:
        """Give the activation w · x of every perceptron for every row, bias included.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_subproblems, n_perceptrons)
            In the floating-point type of `X`. A row's activations are the same whatever rows
            come with it.
        """
        check_is_fitted(self)
        rows = check_rows(self, X)
        n_subproblems, size, n_features = self.coef_.shape
        out: NDArray[Any] = np.empty((rows.shape[0], n_subproblems * size), dtype=rows.dtype)
        units = kernel_weights(self.coef_.reshape(-1, n_features), rows, rows.dtype)
        bias = self.intercept_.ravel().astype(rows.dtype)
        kernels.fill_activations(*kernel_rows(rows), units, bias, out)
        return out.reshape(-1, n_subproblems, size)

    def _start(self, n_subproblems: int, X: Any, rng: np.random.RandomState) -> None:
        """Draw units of length 1; they don't depend on the number of rows."""
        units = rng.standard_normal((n_subproblems, self.n_perceptrons, X.shape[1] + 1))
        units /= np.linalg.norm(units, axis=2, keepdims=True)
        self.coef_ = units[..., :-1].astype(X.dtype)
        self.intercept_ = units[..., -1].astype(X.dtype)
        self.margin_ = np.full(n_subproblems, float(self.margin))
        self._squares = np.zeros(2)

    def _train(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        """Go on from the present units and margins, with a learning rate that starts anew.

        `own` is the sub-problem in which each row is positive. Without `rng`, rows come in their
        own order and what earlier passes measured stays.
        """
        shape = self.coef_.shape
        online = self.mode == "online"
        dtype = np.float64 if online else X.dtype
        margins = self.margin_.copy()
        rates = np.full(shape[0], float(self.learning_rate))
        units = kernel_weights(self.coef_.reshape(-1, shape[2]), X, dtype)
        bias = self.intercept_.ravel().astype(dtype)
        rows = (*kernel_rows(X), own, weight)
        rule = (self.learning_rate_decay, self.margin_update == "mean", self.update_rule != "nr")
        if online:
            last_wrong = np.full(shape[0], np.inf)
            for _ in range(n_passes):
                order = np.arange(X.shape[0]) if rng is None else rng.permutation(X.shape[0])
                tally = kernels.train_online(
                    *rows, order, units, bias, margins, rates, last_wrong, *rule
                )
        else:
            tally = kernels.train_batch(*rows, n_passes, units, bias, margins, rates, *rule)
        measured = np.array([tally[:, kernels.SQUARES].sum(), weight.sum() * len(bias)])
        self._squares = measured if rng is not None else self._squares + measured
        scale = np.sqrt(self._squares[0] / self._squares[1])
        if not np.isfinite(scale):
            raise InputError("The values of X are so large that activations overflow: scale them.")
        self.activation_scale_ = float(scale) or 1.0
        self.coef_ = np.ascontiguousarray(units, dtype=self.coef_.dtype).reshape(shape)
        self.intercept_ = bias.astype(self.intercept_.dtype).reshape(shape[:2])
        self.margin_ = margins
        self.n_iter_ += n_passes
