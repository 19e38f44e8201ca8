"""LogitBoost: Newton steps of regressors on the log-likelihood."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from hardy.weighting.base import MemberKind, Opinion, Request, Step, WeightingRule
from hardy.weighting.training_set import Floats, TrainingSet

_LARGEST_RESPONSE = 4.0
_LEAST_SLOPE = 1e-10
_GRID = 2.0**-12


class LogitBoost(WeightingRule):
    """LogitBoost for two classes ([1]_, algorithm 3) and several ([1]_, algorithm 6).

    A member is a regressor of the working response z = (y* − p)/(p (1 − p)), cut off at ±4, under
    weights (y* − p)/z; y* is 1 for the rows of the class and 0 for others. Two classes have one
    member in a round, and F ← F + ½ f, p = 1/(1 + exp(−2F)). K classes have K members, and
    F_k ← F_k + (K − 1)/K (f_k − mean f), p the softmax of F.

    The weights are p (1 − p), as published, where z isn't cut off. Where it is, they are larger,
    so that weight times z stays y* − p, the slope of the log-likelihood: with p (1 − p) there too,
    the steps would not balance for a class of less than a fifth of the rows, whose p would go to 0.

    The error of a member is its weighted mean squared error of z. z is rounded to 1/4096, so that
    the order of rows, or their repetition, doesn't decide between equally good splits.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of each step, positive.

    References
    ----------
    .. [1] J. Friedman, T. Hastie, R. Tibshirani, "Additive logistic regression: a statistical view
       of boosting", Annals of Statistics 28 (2000), 337–407.

    Examples
    --------
    At the start p = ½, so that z is 2 or −2 and all rows weigh the same.

    >>> import numpy as np
    >>> from hardy.weighting import LogitBoost, TrainingSet
    >>> y = np.array([0, 1, 1])
    >>> rule = LogitBoost()
    >>> rule.start(TrainingSet(None, y, 2, np.ones(3), np.arange(3), None))
    >>> rule.requests()[0].targets
    array([-2.,  2.,  2.])
    """

    member_kind = MemberKind.REGRESSOR

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate = learning_rate

    def start(self, training: TrainingSet) -> None:
        """Start from equal probabilities; see `WeightingRule.start`."""
        n_rows, self._n_classes = len(training.y), training.n_classes
        self._initial = training.distribution
        # One column for each member: of two classes the second one's.
        codes = [1] if self._n_classes == 2 else range(self._n_classes)
        self._is_own = np.column_stack([training.y == code for code in codes])
        self._scores: Floats = np.zeros((n_rows, self._is_own.shape[1]))

    def requests(self) -> Sequence[Request]:
        """Ask for a regressor of the working response of each class."""
        p = expit(2.0 * self._scores) if self._n_classes == 2 else softmax(self._scores, axis=1)
        least = 1.0 / _LARGEST_RESPONSE
        response = np.where(
            self._is_own, 1.0 / np.maximum(p, least), -1.0 / np.maximum(1 - p, least)
        )
        slope = np.maximum(np.abs(self._is_own - p), _LEAST_SLOPE)
        weights = self._initial[:, None] * slope / np.abs(response)
        # On a grid, so that sums of weighted responses are the same in whatever order, and equally
        # good splits are not told apart by rounding.
        response = np.rint(response / _GRID) * _GRID
        self._requests = [Request(z, w) for z, w in zip(response.T, weights.T, strict=True)]
        return self._requests

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Take the step."""
        outputs = [opinion.output for opinion in opinions]
        errors = np.array(
            [
                np.average((request.targets - output) ** 2, weights=request.weights)
                for request, output in zip(self._requests, outputs, strict=True)
            ]
        )
        step = self.scores(outputs, self._n_classes).reshape(self._scores.shape)
        self._scores = self._scores + self.learning_rate * step
        return Step(self.learning_rate, float(errors.mean()))

    def scores(self, outputs: Sequence[NDArray[Any]], n_classes: int) -> Floats:
        """Turn regressions into steps of F; see `WeightingRule.scores`."""
        if n_classes == 2:
            return np.asarray(0.5 * outputs[0])
        steps = np.column_stack(outputs)
        centred = steps - steps.mean(axis=1, keepdims=True)
        return np.asarray((n_classes - 1) / n_classes * centred)
