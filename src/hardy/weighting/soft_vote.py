"""AdaBoost whose members vote with their decisions rather than with a sign."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import MemberKind, Opinion
from hardy.weighting.training_set import Floats


class SoftVote(AdaBoost):
    """AdaBoost in which F = Σ α f(x), f(x) being a member's decision, not its sign.

    Errors, coefficients and the distribution are those of AdaBoost, for which a member says the
    class that its decisions favour. In the vote the decisions count as they are: the members' unit
    must be the same for all, as it is where they are trained to give −1 and +1.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of α, positive.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> from hardy.weighting.soft_vote import SoftVote
    >>> rule = SoftVote()
    >>> rule.start(TrainingSet(None, np.array([0, 0, 1, 1]), 2, np.ones(4), np.arange(4), None))
    >>> step = rule.update([Opinion(np.array([-0.5, -2.0, 0.1, -0.1]))])
    >>> step.error
    0.25
    >>> rule.scores([np.array([-0.5, 0.1])], n_classes=2)
    array([-0.5,  0.1])
    """

    member_kind = MemberKind.DECISIONS

    def _wrong(self, opinion: Opinion) -> NDArray[np.bool_]:
        decisions = opinion.output
        chosen = decisions > 0 if decisions.ndim == 1 else decisions.argmax(axis=1)
        return np.asarray(chosen != self._y)

    def scores(self, outputs: Sequence[NDArray[Any]], n_classes: int) -> Floats:
        """Take the decisions as they are; see `WeightingRule.scores`."""
        (decisions,) = outputs
        return np.asarray(decisions, dtype=np.float64)
