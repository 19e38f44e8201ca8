"""AdaBoost: rows that a member got wrong weigh more in the next round."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, softmax

from hardy.weighting.base import Opinion, Request, Step, WeightingRule
from hardy.weighting.training_set import Floats, TrainingSet


class AdaBoost(WeightingRule):
    """AdaBoost for two classes [1]_, SAMME for several [2]_.

    With d the distribution over rows, ε the member's error under d, and K classes:

    - two classes: α = ½ ln((1 − ε)/ε) and d ← d exp(−α m), where the agreement m = y h(x) is +1 on
      the rows that the member got right and −1 on the others;
    - several: α = ln((1 − ε)/ε) + ln(K − 1) ([2]_, eq. 10) and the same update with the agreement
      m = (K − 1)/K or −1/K. Only the difference of the two counts, d being normalised; these two
      are what the coding of [2]_, eq. 5–6, leads to, and of sum ±1 for two classes.

    A member without any error counts as one that is wrong on half a row, ε = 0.5/N for N rows, and
    ends the rounds, because the next would repeat it, unless rows are drawn. A member that is no
    better than a guess, ε ≥ 1 − 1/K, is dropped and ends the rounds too.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] Y. Freund, R. E. Schapire, "A Decision-Theoretic Generalization of On-Line Learning and
       an Application to Boosting", Journal of Computer and System Sciences 55 (1997), 119–139.
    .. [2] J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost", Statistics and Its
       Interface 2 (2009), 349–360.

    Examples
    --------
    Four rows, of which the member gets the last wrong: ε = 1/4, α = ½ ln 3, and the wrong row
    carries half of the weight afterwards.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> y = np.array([0, 0, 1, 1])
    >>> rule = AdaBoost()
    >>> rule.start(TrainingSet(None, y, 2, np.ones(4), np.arange(4), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0]))])
    >>> round(step.coefficient, 4)
    0.5493
    >>> rule.requests()[0].weights.round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """

    _perfection = "no training row was wrong"

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate = learning_rate

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        self._y = training.y
        self._start_judging(training)
        # Logarithms, so that a row that was easy for many rounds can still come back.
        self._initial: Floats = np.log(training.distribution)
        self._set_weights(self._initial)

    def _start_judging(self, training: TrainingSet) -> None:
        """Take from the training set what needs no look at a row."""
        self._n_classes = training.n_classes
        self._is_drawn = training.is_drawn
        self._least_error = 0.5 / training.size
        self._chance = 1.0 - 1.0 / training.n_classes

    def requests(self) -> Sequence[Request]:
        """Ask for one classifier under the present distribution."""
        return [Request(self._y, self._distribution)]

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Weigh the member's vote by its error, and the rows by its mistakes."""
        (opinion,) = opinions
        wrong = self._wrong(opinion)
        step = self._judge(self._error(wrong))
        if step.keep:
            exponents = self._exponents(opinion, wrong, step.coefficient)
            self._set_weights(self._log_weights - exponents)
        elif not step.stop:
            self._set_weights(self._initial)
        return step

    def _error(self, wrong: NDArray[np.bool_]) -> float:
        return float(self._distribution @ wrong.astype(np.float64))

    def _judge(self, error: float) -> Step:
        # The former member has an error of exactly chance under the new weights, up to rounding.
        if error >= self._chance - 1e-12:
            return self._useless(error)
        return self._useful(self._coefficient(error), error)

    def _exponents(
        self, opinion: Opinion, wrong: NDArray[np.bool_], coefficient: float | Floats
    ) -> Floats:
        """Give by how much the logarithms of the weights fall, which may be less than nothing."""
        agreement = self._agreement(wrong)
        return coefficient * self._factor(opinion, wrong, agreement) * agreement

    def _set_weights(self, log_weights: Floats) -> None:
        self._log_weights = log_weights
        self._distribution: Floats = softmax(log_weights)

    def _wrong(self, opinion: Opinion) -> NDArray[np.bool_]:
        return np.asarray(opinion.output != self._y)

    def _coefficient(self, error: float) -> float:
        odds = -logit(error or self._least_error)
        coefficient = 0.5 * odds if self._n_classes == 2 else odds + np.log(self._n_classes - 1)
        return float(self.learning_rate * coefficient)

    def _agreement(self, wrong: NDArray[np.bool_]) -> Floats:
        right, other = (1.0, -1.0) if self._n_classes == 2 else (self._chance, self._chance - 1.0)
        return np.array([right, other])[wrong.view(np.uint8)]

    def _factor(
        self, opinion: Opinion, wrong: NDArray[np.bool_], agreement: Floats
    ) -> float | Floats:
        """R(x), by which a later rule changes what the mistakes do."""
        return 1.0

    def _useful(self, coefficient: float, error: float) -> Step:
        # Where rows are drawn, the next member sees others.
        perfect = error == 0.0 and not self._is_drawn
        reason = f"{self._perfection}, so that the next round would repeat it"
        return Step(coefficient, error, stop=perfect, reason=reason if perfect else "")

    def _useless(self, error: float) -> Step:
        reason = f"its weighted error was not below {self._chance:.3g}, that of a guess"
        return Step(0.0, error, keep=False, stop=True, reason=reason)
