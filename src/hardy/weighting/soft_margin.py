"""Soft-margin AdaBoost: rows that have weighed much are mistrusted."""

from collections.abc import Sequence

from scipy.optimize import brentq
from scipy.special import softmax

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import Opinion, Step
from hardy.weighting.training_set import Floats, TrainingSet


class SoftMargin(AdaBoost):
    """AdaBoost_Reg of Rätsch, Onoda and Müller [1]_, for two classes.

    A row's mistrust is the weight that it has had, ζ(x) = Σ_r α_r w_r(x) / Σ_r α_r, and what is
    made large is the soft margin, y F(x) / Σ α + C ζ(x): a row that stays wrong in spite of all its
    weight is given up in part. Hence d(x) ∝ exp(−y F(x) − C Σ_r α_r w_r(x)), and α makes the sum of
    these smallest, over 0 ≤ α ≤ ½ ln(2N − 1) for N rows. C = 0 is AdaBoost.

    A row's weight w_r is counted in units of its initial weight, 1 on average. In [1]_ weights have
    the sum 1, which makes C smaller here by a factor of N.

    Parameters
    ----------
    C : float, default=0.1
        How much mistrust counts, not negative.
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] G. Rätsch, T. Onoda, K.-R. Müller, "Soft Margins for AdaBoost", Machine Learning 42
       (2001), 287–320.

    Examples
    --------
    Without mistrust α is AdaBoost's, ½ ln 3 for an error of a quarter.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, SoftMargin, TrainingSet
    >>> y = np.array([0, 0, 1, 1])
    >>> rule = SoftMargin(C=0.0)
    >>> rule.start(TrainingSet(None, y, 2, np.ones(4), np.arange(4), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0]))])
    >>> round(step.coefficient, 4)
    0.5493
    """

    def __init__(self, C: float = 0.1, learning_rate: float = 1.0) -> None:
        super().__init__(learning_rate)
        self.C = C

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        super().start(training)
        self._initial_weights = training.distribution

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Weigh the member's vote by a line search, and the rows by mistakes and mistrust."""
        (opinion,) = opinions
        wrong = self._wrong(opinion)
        error = self._error(wrong)
        if error >= self._chance - 1e-12:
            return self._useless(error)
        gain = self._agreement(wrong) + self.C * self._distribution / self._initial_weights
        coefficient = self.learning_rate * self._best_step(gain)
        self._set_weights(self._log_weights - coefficient * gain)
        return self._useful(coefficient, error)

    def _best_step(self, gain: Floats) -> float:
        """Find the α that makes Σ d exp(−α gain) smallest; the sum is convex."""
        largest = self._coefficient(0.0) / self.learning_rate

        def slope(step: float) -> float:
            return float(-softmax(self._log_weights - step * gain) @ gain)

        return largest if slope(largest) <= 0 else float(brentq(slope, 0.0, largest, xtol=1e-12))
