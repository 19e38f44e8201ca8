"""Classifiers in which an odd number of perceptrons votes."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hardy.exceptions import InputError
from hardy.learners._kernels.activations import fill_medians
from hardy.learners._one_vs_rest import OneVsRestLearner, has_known_class_weights
from hardy.learners._predictions import fill_rows
from hardy.learners._voting_units import VotingUnits


def _can_learn_on(estimator: "VotingClassifier") -> bool:
    return estimator._check_learning_on()


# Beyond so many perceptrons numpy finds their median faster than the kernel, which sorts them.
_MANY = 200


class VotingClassifier(OneVsRestLearner, VotingUnits):
    """Sub-problems of equally many perceptrons, decided by the majority.

    A learner adds its parameters and `_train`, which calls `_store_units` and `_measure_scale`.
    """

    mode: str

    # Sum of weight × activation² and sum of weight, over rows and perceptrons.
    _squares: NDArray[np.float64]

    @available_if(_can_learn_on)
    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn on from some more rows: one pass in the order given, in on-line mode only.

        The learning rate stays as it is set, because errors on different rows can't be compared.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like of shape (n_classes,), optional
            All labels that can come; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        object
            The classifier itself.

        Raises
        ------
        AttributeError
            In batch mode, or where `class_weight` is "balanced".
        InputError
            Where the first call lacks `classes` or gives fewer than two, a later call gives other
            ones, a label is none of them, or as in `fit`.
        """
        fitted: Self = super().partial_fit(X, y, classes, sample_weight)
        return fitted

    def decision_function(self, X: ArrayLike) -> NDArray[Any]:
        """Give the median activation, which is above zero where most perceptrons are.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One number for each row with two classes, otherwise one for each class.
        """
        check_is_fitted(self)
        medians: NDArray[Any] = (
            fill_rows(self, X, fill_medians, self.intercept_.shape[:1])
            if self.intercept_.shape[-1] <= _MANY
            else np.median(self.activations(X), axis=2)
        )
        return medians[:, 0] if medians.shape[1] == 1 else medians

    def _check_learning_on(self) -> bool:
        """Tell whether there is a `partial_fit`, or raise an AttributeError that says why not."""
        if self.mode != "online":
            raise AttributeError(
                f"partial_fit needs mode='online', but mode is {self.mode!r}: a batch pass "
                "needs all rows at once."
            )
        return has_known_class_weights(self)

    def _decision_scale(self) -> float:
        scale: float = self.activation_scale_
        return scale

    def _check_warm_start(self, classes: NDArray[Any]) -> None:
        super()._check_warm_start(classes)
        self._check_number_of_units()

    def _initialize(self, classes: NDArray[Any], X: Any, rng: np.random.RandomState) -> None:
        if self.n_perceptrons % 2 == 0:
            raise InputError(
                f"n_perceptrons is {self.n_perceptrons}, but must be odd: an even number of votes "
                "can be a draw."
            )
        super()._initialize(classes, X, rng)

    def _start(self, n_subproblems: int, X: Any, rng: np.random.RandomState) -> None:
        self._draw_units((n_subproblems, self.n_perceptrons), X, rng)
        self._squares = np.zeros(2)

    def _measure_scale(
        self, squares: float, total_weight: float, rng: np.random.RandomState | None
    ) -> None:
        """Set `activation_scale_` from a pass's weighted squares of all activations.

        Without `rng`, what earlier passes measured stays.
        """
        measured = np.array([squares, total_weight * self.intercept_.size])
        self._squares = measured if rng is not None else self._squares + measured
        scale = np.sqrt(self._squares[0] / self._squares[1])
        if not scale <= np.finfo(self.coef_.dtype).max:
            raise InputError(
                "The values of X, the weights of rows or the learning rate are so large that "
                "activations overflow: scale them."
            )
        self.activation_scale_ = float(scale) or 1.0
