"""NR boosting: rows that look mislabelled fade, and safe rows gain."""

import numpy as np
from numpy.typing import NDArray

from hardy.learners import RowCategory
from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import MemberKind, Opinion, Step
from hardy.weighting.training_set import Floats


class NoiseReduction(AdaBoost):
    """Boosting with the noise-reduction factor R of Cantador and Dorronsoro [1]_.

    AdaBoost with d ← d exp(−α R(x) m), m the agreement of the member with the label (y h(x) for
    two classes). R = −1 for safe rows, which so gain weight, and for label-noisy rows, which lose
    it; R = 0 for borderline rows. R ≡ 1 would be AdaBoost.

    Most of the weight comes to lie on safe rows, so that errors near 0 are the normal case: ε is
    taken as at least 0.5/N for N rows, and a member without errors doesn't end the rounds. A
    member that is no better than a guess is dropped, and the distribution starts anew.

    References
    ----------
    .. [1] I. Cantador, J. R. Dorronsoro, "Boosting Parallel Perceptrons for Label Noise Reduction
       in Classification Problems", IWINAC 2005, LNCS 3562, 586–593.

    Examples
    --------
    Four rows: right and safe, right but borderline, wrong and label-noisy, wrong but borderline
    (the first two stand for four rows each, because ε = ½ would be a guess).

    >>> import numpy as np
    >>> from hardy.learners import RowCategory
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> y, weights = np.array([0, 0, 1, 1]), np.array([4.0, 4.0, 1.0, 1.0])
    >>> rule = NoiseReduction()
    >>> rule.start(TrainingSet(None, y, 2, weights, np.arange(4), None))
    >>> categories = np.array([RowCategory.SAFE, RowCategory.BORDERLINE,
    ...                        RowCategory.NOISY, RowCategory.BORDERLINE])
    >>> step = rule.update([Opinion(np.array([0, 0, 0, 0]), categories)])
    >>> round(float(np.exp(step.coefficient)), 6)
    2.0
    >>> rule.requests()[0].weights * 1.35
    array([0.8 , 0.4 , 0.05, 0.1 ])
    """

    member_kind = MemberKind.MARGINS

    def __init__(self) -> None:
        super().__init__()

    def _coefficient(self, error: float) -> float:
        return super()._coefficient(max(error, self._least_error))

    def _factor(self, opinion: Opinion, wrong: NDArray[np.bool_], agreement: Floats) -> Floats:
        return np.where(opinion.categories == RowCategory.BORDERLINE, 0.0, -1.0)

    def _useful(self, coefficient: float, error: float) -> Step:
        return Step(coefficient, error)

    def _useless(self, error: float) -> Step:
        reason = (
            f"its weighted error was not below {self._chance:.3g}, that of a guess, so that it "
            "was dropped and the distribution started anew"
        )
        return Step(0.0, error, keep=False, reason=reason)
