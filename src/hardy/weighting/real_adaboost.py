"""Real AdaBoost: members vote with the logarithms of their probabilities."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from hardy.weighting.base import MemberKind, Opinion, Request, Step, WeightingRule
from hardy.weighting.training_set import Floats, TrainingSet

# A leaf that is pure in training is not certain: −ln of this is the most that a vote counts.
LEAST_PROBABILITY = 1e-5


class RealAdaBoost(WeightingRule):
    """Real AdaBoost for two classes [1]_, SAMME.R for several [2]_.

    A member's vote is h = ½ ln(p₁/p₀) for two classes ([1]_, algorithm 2) and
    h_k = ln p_k − mean ln p for K ([2]_, algorithm 4, over K − 1: no decision changes, and the
    softmax of F is right for a member that is). The distribution is d ← d exp(−y h), and
    d ← d exp(−h of the row's class). Probabilities are taken as at least 10⁻⁵.

    Every member counts; one that says the same of all rows changes nothing. A member that gets no
    row wrong ends the rounds.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of h, positive.

    References
    ----------
    .. [1] J. Friedman, T. Hastie, R. Tibshirani, "Additive logistic regression: a statistical view
       of boosting", Annals of Statistics 28 (2000), 337–407.
    .. [2] J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost", Statistics and Its
       Interface 2 (2009), 349–360.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Opinion, RealAdaBoost, TrainingSet
    >>> y = np.array([0, 1])
    >>> rule = RealAdaBoost()
    >>> rule.start(TrainingSet(None, y, 2, np.ones(2), np.arange(2), None))
    >>> step = rule.update([Opinion(np.array([[0.8, 0.2], [0.5, 0.5]]))])
    >>> rule.requests()[0].weights.round(4)
    array([0.3333, 0.6667])
    """

    member_kind = MemberKind.PROBABILITIES

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate = learning_rate

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        self._y = training.y
        self._is_drawn = training.is_drawn
        self._log_weights: Floats = np.log(training.distribution)

    def requests(self) -> Sequence[Request]:
        """Ask for one classifier under the present distribution."""
        return [Request(self._y, softmax(self._log_weights))]

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Weigh the rows by what the member gives their classes."""
        (opinion,) = opinions
        wrong = opinion.output.argmax(axis=1) != self._y
        error = float(softmax(self._log_weights)[wrong].sum())
        votes = _log_ratios(opinion.output)[np.arange(len(self._y)), self._y]
        self._log_weights = self._log_weights - self.learning_rate * votes
        if wrong.any() or self._is_drawn:
            return Step(self.learning_rate, error)
        reason = "no training row was wrong"
        return Step(self.learning_rate, error, stop=True, reason=reason)

    def scores(self, outputs: Sequence[NDArray[Any]], n_classes: int) -> Floats:
        """Turn probabilities into votes; see `WeightingRule.scores`."""
        if n_classes > 2:
            return _log_ratios(outputs[0])
        other, own = np.maximum(outputs[0], LEAST_PROBABILITY).T
        return np.asarray(0.5 * np.log(own / other))


def _log_ratios(probabilities: NDArray[Any]) -> Floats:
    """Give ln p − mean ln p, which for two classes is ½ ln(p₁/p₀) and its opposite."""
    logs = np.log(np.maximum(probabilities, LEAST_PROBABILITY))
    return np.asarray(logs - logs.mean(axis=1, keepdims=True))
