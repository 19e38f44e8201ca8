"""RobustBoost: a non-convex potential in the remaining time, which gives up on hopeless rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, root
from scipy.special import erf, erfinv

from hardy.weighting.base import Opinion, Request, Step, WeightingRule
from hardy.weighting.training_set import Floats, TrainingSet

# Beyond so many σ nothing changes any more in double precision.
_FAR = 6.0
_TOLERANCE = 1e-9
_N_STEPS = 32


class RobustBoost(WeightingRule):
    """Freund's RobustBoost [1]_, for two classes.

    Time t runs from 0 to 1. A row with the margin m = y F(x) has the potential and the weight

        Φ(m, t) = ½ (1 − erf((m − μ(t))/σ(t))),  w(m, t) = exp(−(m − μ(t))²/σ(t)²)

    with σ²(t) = (σ_f² + 1) e^{2(1−t)} − 1 and μ(t) = (θ − 2ρ) e^{1−t} + 2ρ: θ is the margin to
    reach and σ_f how sharply it is drawn. ρ is such that the potential at the start, Φ(0, 0), is
    the error goal ε. A member h moves time by Δt and the margins to m e^{−Δt} + y h Δs, so that the
    sum of all potentials stays, and the member has no edge left under the new weights. Rows with
    very negative margins weigh nothing: they are given up, and at t = 1 about a share ε of the rows
    is.

    F at the end is Σ Δs_s e^{T_s − 1} h_s, with T_s the time after round s: these are the
    coefficients. Where the rounds end before time does, F is smaller than the margins by a factor
    of at most e, which changes no decision.

    BrownBoost [2]_, from which it comes, has one parameter, as this has with θ = 0 and a small σ_f;
    its margins don't shrink with time.

    Parameters
    ----------
    error_goal : float, default=0.1
        ε, the share of the training rows that may be given up, in (0, ½).
    margin_goal : float, default=0.0
        θ, the margin that the other rows are to reach.
    margin_sigma : float, default=0.1
        σ_f, positive.

    References
    ----------
    .. [1] Y. Freund, "A more robust boosting algorithm", arXiv:0905.2138 (2009).
    .. [2] Y. Freund, "An Adaptive Version of the Boost by Majority Algorithm", Machine Learning 43
       (2001), 293–318.

    Examples
    --------
    The member gets one of four rows wrong. Afterwards the potential is what it was.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, RobustBoost, TrainingSet
    >>> y = np.array([0, 0, 1, 1])
    >>> rule = RobustBoost(error_goal=0.2)
    >>> rule.start(TrainingSet(None, y, 2, np.ones(4), np.arange(4), None))
    >>> round(rule.potential, 6)
    0.2
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0]))])
    >>> round(rule.potential, 6), 0 < rule.time < 1
    (0.2, True)
    """

    def __init__(
        self, error_goal: float = 0.1, margin_goal: float = 0.0, margin_sigma: float = 0.1
    ) -> None:
        self.error_goal = error_goal
        self.margin_goal = margin_goal
        self.margin_sigma = margin_sigma

    def start(self, training: TrainingSet) -> None:
        """Start with all margins 0, at time 0; see `WeightingRule.start`."""
        self._y = training.y
        self._initial = training.distribution
        self._margins: Floats = np.zeros(len(training.y))
        self.time = 0.0
        at_start = self._sigma(0.0) * erfinv(2.0 * self.error_goal - 1.0)
        self._drift = float((self.margin_goal * np.e - at_start) / (2.0 * (np.e - 1.0)))

    @property
    def potential(self) -> float:
        """The mean potential of all rows."""
        return self._potential(self._margins, self.time)

    def _sigma(self, time: float) -> float:
        rest = 2.0 * (1.0 - time)
        # In this form nothing cancels out where σ_f is small.
        return float(np.sqrt(self.margin_sigma**2 * np.exp(rest) + np.expm1(rest)))

    def _mu(self, time: float) -> float:
        return float(
            (self.margin_goal - 2.0 * self._drift) * np.exp(1.0 - time) + 2.0 * self._drift
        )

    def _scaled(self, margins: Floats, time: float) -> Floats:
        return np.asarray((margins - self._mu(time)) / self._sigma(time))

    def _potential(self, margins: Floats, time: float) -> float:
        return float(self._initial @ (0.5 * (1.0 - erf(self._scaled(margins, time)))))

    def requests(self) -> Sequence[Request]:
        """Ask for one classifier under the weights of the present margins and time."""
        exponent = -(self._scaled(self._margins, self.time) ** 2)
        # Only ratios count, and the largest must not vanish.
        weights = self._initial * np.exp(exponent - exponent.max())
        self._distribution: Floats = weights / weights.sum()
        return [Request(self._y, self._distribution)]

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Move time and margins."""
        self.requests()
        (opinion,) = opinions
        agreement = np.where(opinion.output == self._y, 1.0, -1.0)
        error = float(self._distribution[agreement < 0].sum())
        if error >= 0.5 - 1e-12:
            reason = "its weighted error was not below 0.5, that of a guess"
            return Step(0.0, error, keep=False, stop=True, reason=reason)
        step, duration = self._solve(agreement)
        self._margins = self._margins * np.exp(-duration) + step * agreement
        self.time = min(1.0, self.time + duration)
        ended = self.time >= 1.0 - 1e-9
        reason = "the time was used up: every row has reached its margin or is given up"
        coefficient = step * float(np.exp(self.time - 1.0))
        return Step(coefficient, error, stop=ended, reason=reason if ended else "")

    def _solve(self, agreement: Floats) -> tuple[float, float]:
        """Find Δs and Δt."""
        goal = self.potential
        rest = 1.0 - self.time

        def moved(step: float, duration: float) -> Floats:
            return np.asarray(self._margins * np.exp(-duration) + step * agreement)

        def surplus(duration: float) -> float:
            step = self._best_step(agreement, duration)
            return self._potential(moved(step, duration), self.time + duration) - goal

        # At the best step for each duration the potential rises with the duration: a bracket.
        if surplus(rest) <= 0.0:
            return self._best_step(agreement, rest), rest
        if surplus(0.0) >= 0.0:
            # The edge, or what it weighs, is so small that the potential falls by rounding only.
            return self._best_step(agreement, 0.0), 0.0
        found = root(
            lambda z: self._residuals(agreement, z[0], z[1], goal),
            [min(0.1, rest), min(0.01, rest / 2)],
            tol=1e-12,
        )
        step, duration = map(float, found.x)
        solved = found.success and np.abs(found.fun).max() < _TOLERANCE
        if solved and step > 0.0 and 0.0 < duration < rest:
            return step, duration
        duration = float(brentq(surplus, 0.0, rest, xtol=1e-12))
        return self._best_step(agreement, duration), duration

    def _residuals(
        self, agreement: Floats, step: float, duration: float, goal: float
    ) -> NDArray[np.float64]:
        time = min(max(self.time + duration, self.time), 1.0)
        margins = self._margins * np.exp(-duration) + step * agreement
        # Points far away are tried too.
        with np.errstate(over="ignore"):
            exponent = -(self._scaled(margins, time) ** 2)
        weights = self._initial * np.exp(exponent - exponent.max())
        edge = weights @ agreement / weights.sum()
        return np.array([edge, self._potential(margins, time) - goal])

    def _best_step(self, agreement: Floats, duration: float) -> float:
        """Find the step with the least potential; there, right and wrong rows weigh the same.

        The potential can have several valleys: the deepest on a grid is the one to look into.
        """
        time = self.time + duration
        kept = self._margins * np.exp(-duration)
        largest = float(self._mu(time) + _FAR * self._sigma(time) - kept.min())
        if largest <= 0.0:
            return 0.0
        grid = np.linspace(0.0, largest, _N_STEPS)
        best = int(np.argmin([self._potential(kept + step * agreement, time) for step in grid]))

        def edge(step: float) -> float:
            exponent = -(self._scaled(kept + step * agreement, time) ** 2)
            return float(self._initial * np.exp(exponent - exponent.max()) @ agreement)

        lower, upper = grid[max(best - 1, 0)], grid[min(best + 1, _N_STEPS - 1)]
        if edge(lower) <= 0.0:
            return float(lower)
        return float(upper if edge(upper) >= 0.0 else brentq(edge, lower, upper, xtol=1e-12))
