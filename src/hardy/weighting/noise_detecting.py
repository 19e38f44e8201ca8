"""Noise-detecting boosting: a mistake that the row's neighbours make too is none."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import Opinion, Step
from hardy.weighting.hardness import RowMeasure
from hardy.weighting.training_set import Floats, TrainingSet

Flip = Literal["mistakes", "all"]


class NoiseDetection(AdaBoost):
    """Boosting with the noise-detection loss of Cao, Kwong and Wang [1]_.

    A row is noisy where more than half of its nearest neighbours have another label. AdaBoost's
    ε, α and update are taken with the labels of noisy rows flipped: a mistake on a noisy row counts
    as right, so that it loses weight instead of gaining it.

    A member that is no better than a guess on the labels as they are is dropped and ends the
    rounds, even if all its mistakes are on noisy rows.

    Parameters
    ----------
    hardness : callable
        Gives the share of neighbours with another label of each row of a `TrainingSet`.
    flip : {"mistakes", "all"}, default="mistakes"
        Which noisy rows have their label flipped in a round: those that the member got wrong, or
        all, where one that the member got right counts as a mistake and gains weight.
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] J. Cao, S. Kwong, R. Wang, "A noise-detection based AdaBoost algorithm for mislabeled
       data", Pattern Recognition 45 (2012), 4451–4465.

    Examples
    --------
    Five rows, of which the member gets the last two wrong; the neighbours of the last agree with
    the member: ε = 1/5, and only the other one gains.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> from hardy.weighting.noise_detecting import NoiseDetection
    >>> rule = NoiseDetection(lambda training: np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    >>> y = np.array([0, 0, 1, 1, 1])
    >>> rule.start(TrainingSet(None, y, 2, np.ones(5), np.arange(5), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0, 0]))])
    >>> step.error
    0.2
    >>> rule.requests()[0].weights
    array([0.125, 0.125, 0.125, 0.5  , 0.125])
    """

    _perfection = "no training row was wrong but those whose label counts as flipped"

    def __init__(
        self, hardness: RowMeasure, flip: Flip = "mistakes", learning_rate: float = 1.0
    ) -> None:
        super().__init__(learning_rate)
        self.hardness = hardness
        self.flip = flip

    def start(self, training: TrainingSet) -> None:
        """Find the noisy rows; see `WeightingRule.start`."""
        super().start(training)
        self._noisy = is_noisy(self.hardness(training))

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Weigh the member's vote by its error, and the rows by its mistakes."""
        (opinion,) = opinions
        error = float(self._distribution[super()._wrong(opinion)].sum())
        if error >= self._chance - 1e-12:
            return self._useless(error)
        return super().update(opinions)

    def _wrong(self, opinion: Opinion) -> NDArray[np.bool_]:
        wrong = super()._wrong(opinion)
        return wrong ^ self._noisy if self.flip == "all" else wrong & ~self._noisy


def is_noisy(hardness: Floats) -> NDArray[np.bool_]:
    """Tell which rows have more than half of their neighbours against them.

    Parameters
    ----------
    hardness : ndarray of shape (n_rows,)
        The share of each row's neighbours that have another label.

    Returns
    -------
    ndarray of shape (n_rows,), dtype bool
        True where it is more than a half, beyond rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting.noise_detecting import is_noisy
    >>> is_noisy(np.array([0.4, 0.5, 0.6]))
    array([False, False,  True])
    """
    return np.asarray(hardness > 0.5 + 1e-12)
