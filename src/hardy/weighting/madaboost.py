"""MadaBoost: AdaBoost in which no row weighs more than it did at the start."""

import numpy as np
from scipy.special import softmax

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.training_set import Floats


class MadaBoost(AdaBoost):
    """AdaBoost with weights that are cut off at the initial ones [1]_, for two classes.

    d(x) ∝ min(1, exp(−y F(x))): a row that is wrong again and again, as one with a wrong label is,
    weighs no more than a row that was wrong once.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] C. Domingo, O. Watanabe, "MadaBoost: A Modification of AdaBoost", COLT 2000, 180–189.

    Examples
    --------
    Four rows, of which the member gets the last wrong, so that exp(α) = √3. AdaBoost would weigh
    it √3 to the others' 1/√3; cut off, it weighs 1.

    >>> import numpy as np
    >>> from hardy.weighting import MadaBoost, Opinion, TrainingSet
    >>> y = np.array([0, 0, 1, 1])
    >>> rule = MadaBoost()
    >>> rule.start(TrainingSet(None, y, 2, np.ones(4), np.arange(4), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0]))])
    >>> (rule.requests()[0].weights * (np.sqrt(3) + 1)).round(4)
    array([0.5774, 0.5774, 0.5774, 1.    ])
    """

    def _set_weights(self, log_weights: Floats) -> None:
        self._log_weights = log_weights
        self._distribution = softmax(np.minimum(log_weights, self._initial))
