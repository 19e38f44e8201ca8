"""Selective boosting: rows that neighbours and many rounds find wrong stop gaining weight."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import Opinion
from hardy.weighting.hardness import Mitigate, RowMeasure, neighbor_disagreement
from hardy.weighting.training_set import Floats, TrainingSet

Accumulation = Literal["weight", "margin", "printed"]
NoiseDegree = Literal["class_relative", "plain"]


class Selective(AdaBoost):
    """Selective boosting (sBoost) of Li, Wang and Ismail [1]_.

    AdaBoost with another term in the exponent. With L the distribution, φ the member's error under
    it and θ the noise degree of a row, round t has

    - β_t = ½ ln((1 − φ_t)/φ_t), as AdaBoost;
    - κ_t, of sum 1: how much the row stands out in this round, see `accumulation`;
    - ξ_t = Σ_s β_s κ_s over the rounds s ≤ t;
    - ψ_t = β_t ξ_t / max ξ_t, the maximum being over the rows;
    - ϖ_t = ψ_t θ, the mitigation term, and
    - L_{t+1} ∝ L_t exp(−β_t y h_t − ϖ_t).

    A mistake of AdaBoost's is multiplied by exp(β_t) and a right row by exp(−β_t). Here a mistake
    on a row of noise degree 1 that has stood out more than all others is multiplied by 1. θ ≡ 0 is
    AdaBoost.

    Several classes go by SAMME: the term is added to the exponent of `AdaBoost`, with half of α in
    the place of β in ψ, which is the same for two classes.

    Parameters
    ----------
    noise_degree : callable
        Gives θ of each row of a `TrainingSet`, in [0, 1]; see `noise_degrees`.
    accumulation : {"weight", "margin", "printed"}, default="weight"
        What κ is. ``"weight"``: the distribution L_t. ``"margin"``: ∝ exp(−ρ), where the margin
        ρ in [−1, 1] is the share of the votes up to this round, counted by their coefficients, for
        the row's label less that for the strongest other. ``"printed"``: ∝ exp(+ρ), which is how
        the formula is printed, against the words around it; it favours rows that are right.
    mitigate : {"mistakes", "all"}, default="mistakes"
        Whether ϖ acts on the rows that the member got wrong, or on all, as printed.
    learning_rate : float, default=1.0
        Factor of β, positive.

    References
    ----------
    .. [1] Li, Wang and Ismail, on selective boosting (sBoost), 2015.

    Examples
    --------
    Four rows, the last is wrong: β = ½ ln 3. AdaBoost would give it three times the weight of the
    others; with θ = 1 it gets √3 times as much.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> from hardy.weighting.selective import Selective
    >>> rule = Selective(lambda training: np.array([0.0, 0.0, 0.0, 1.0]))
    >>> y = np.array([0, 0, 1, 1])
    >>> rule.start(TrainingSet(None, y, 2, np.ones(4), np.arange(4), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0]))])
    >>> weights = rule.requests()[0].weights
    >>> (weights / weights[0]).round(4)
    array([1.    , 1.    , 1.    , 1.7321])
    """

    def __init__(
        self,
        noise_degree: RowMeasure,
        accumulation: Accumulation = "weight",
        mitigate: Mitigate = "mistakes",
        learning_rate: float = 1.0,
    ) -> None:
        super().__init__(learning_rate)
        self.noise_degree = noise_degree
        self.accumulation = accumulation
        self.mitigate = mitigate

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        super().start(training)
        n_rows = len(training.y)
        self._weights = training.weights
        self._noise_degrees = self.noise_degree(training)
        self._accumulated = np.zeros(n_rows)
        self._votes = np.zeros((n_rows, training.n_classes))

    def _factor(self, opinion: Opinion, wrong: NDArray[np.bool_], agreement: Floats) -> Floats:
        """Put ϖ into the factor: β (y h) R = β (y h) + ϖ for R = 1 + ϖ/(β y h)."""
        coefficient = self._coefficient(self._error(wrong))
        self._accumulated += coefficient * self._standing_out(opinion, coefficient)
        mitigation = self._accumulated / self._accumulated.max() * self._noise_degrees
        if self.mitigate == "mistakes":
            mitigation = np.where(wrong, mitigation, 0.0)
        share_of_coefficient = 1.0 if self._n_classes == 2 else 0.5
        return np.asarray(1.0 + share_of_coefficient * mitigation / agreement)

    def _standing_out(self, opinion: Opinion, coefficient: float) -> Floats:
        """Compute κ, of each of the rows that a row stands for."""
        if self.accumulation == "weight":
            return self._distribution / self._weights
        rows = np.arange(len(self._y))
        self._votes[rows, opinion.output] += coefficient
        others = self._votes.copy()
        others[rows, self._y] = -np.inf
        margins = (self._votes[rows, self._y] - others.max(axis=1)) / self._votes.sum(axis=1)
        powers = np.exp(margins if self.accumulation == "printed" else -margins)
        return np.asarray(powers / (self._weights @ powers))


def noise_degrees(
    training: TrainingSet, n_neighbors: int, kind: NoiseDegree = "class_relative"
) -> NDArray[np.float64]:
    """Give the noise degree θ of each row [1]_.

    The plain one is θ = 1 − p/K for a row of whose K nearest neighbours p have its label; columns
    are standardised. Where a class is rare, or neighbours say nothing of the labels, all its rows
    have a high one. The class-relative one is measured from the class's mean θ̄: the positive
    part of (θ − θ̄)/(1 − θ̄), and 0 where θ̄ = 1, as for a class of one row.

    Parameters
    ----------
    training : TrainingSet
        The rows, without missing values.
    n_neighbors : int
        The number of neighbours K. With fewer other rows, all of them are asked.
    kind : {"class_relative", "plain"}, default="class_relative"
        Which of the two.

    Returns
    -------
    ndarray of shape (n_rows,)
        In [0, 1].

    References
    ----------
    .. [1] Li, Wang and Ismail, on selective boosting (sBoost), 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> from hardy.weighting.selective import noise_degrees
    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 0, 1])
    >>> training = TrainingSet(X, y, 2, np.ones(4), np.arange(4), None)
    >>> noise_degrees(training, 2, "plain")
    array([0. , 0. , 0.5, 1. ])
    >>> noise_degrees(training, 2)
    array([0. , 0. , 0.4, 0. ])
    """
    degrees = neighbor_disagreement(training, n_neighbors)
    if kind == "plain":
        return degrees
    totals = np.bincount(training.y, weights=training.weights)
    means = np.bincount(training.y, weights=training.weights * degrees) / totals
    usual = means[training.y]
    excess = degrees - usual
    return np.divide(excess, 1.0 - usual, out=np.zeros_like(excess), where=excess > 0.0)
