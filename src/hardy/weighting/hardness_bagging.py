"""Instance-hardness bagging: easy rows are drawn more often than hard ones."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hardy._quoting import counted
from hardy._validation import as_numbers
from hardy.exceptions import InputError
from hardy.weighting._alias import AliasTable
from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import Floats, TrainingSet

Weighting = Callable[[Floats], Floats]


def linear_weights(hardness: NDArray[np.float64], size: float | None = None) -> NDArray[np.float64]:
    """Weigh rows by 1/n + (1 − hardness), of n rows ([1]_, the linear variant).

    Parameters
    ----------
    hardness : ndarray of shape (n_rows,)
        In [0, 1], higher is harder.
    size : float, optional
        The number n, where rows stand for more than one each; by default the number of rows.

    Returns
    -------
    ndarray of shape (n_rows,)
        Positive weights, of any sum.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> import numpy as np
    >>> linear_weights(np.array([0.0, 0.5, 1.0, 1.0]))
    array([1.25, 0.75, 0.25, 0.25])
    """
    return 1.0 / (size or len(hardness)) + (1.0 - hardness)


def softmax_weights(hardness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weigh rows by exp(1 − hardness) ([1]_, the softmax variant).

    Parameters
    ----------
    hardness : ndarray of shape (n_rows,)
        In [0, 1], higher is harder.

    Returns
    -------
    ndarray of shape (n_rows,)
        Positive weights, of any sum.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> import numpy as np
    >>> softmax_weights(np.array([0.0, 1.0])).round(3)
    array([2.718, 1.   ])
    """
    return np.exp(1.0 - hardness)


class HardnessBagging(BagRule):
    """Draws each bag in proportion to a weight that falls with hardness [1]_.

    Parameters
    ----------
    hardness : ndarray of shape (n_rows,) or None, default=None
        The hardness of each training row, in [0, 1]; None draws all rows alike.
    weighting : callable, default=linear_weights
        Makes weights of hardness.
    max_samples : float, optional
        How many rows a bag has, as a share of what the training rows stand for; all by default.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> rule = HardnessBagging(np.array([0.0, 0.0, 1.0]))
    >>> rule.start(TrainingSet(None, np.array([0, 1, 1]), 2, np.ones(3), np.arange(3), None))
    >>> rule.probabilities.round(3)
    array([0.444, 0.444, 0.111])
    """

    def __init__(
        self,
        hardness: Floats | None = None,
        weighting: Weighting = linear_weights,
        max_samples: float = 1.0,
    ) -> None:
        self.hardness = hardness
        self.weighting = weighting
        self.max_samples = max_samples

    def start(self, training: TrainingSet) -> None:
        """Make the probabilities of the rows; see `BagRule.start`."""
        weights = training.weights
        if self.hardness is not None:
            weights = weights * _check_weights(self.weighting(self.hardness), len(weights))
        self.probabilities: Floats = weights / weights.sum()
        self._table = AliasTable(self.probabilities)
        self._size = max(1, round(self.max_samples * training.n_drawn))

    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Draw rows with replacement; see `BagRule.bag`."""
        return Bag(self._table.draw(self._size, random_state))


def _check_weights(weights: Floats, n_rows: int) -> Floats:
    weights = as_numbers(weights, "The weights that weighting gives")
    if weights.shape != (n_rows,):
        raise InputError(
            f"weighting gave weights of shape {weights.shape} for "
            f"{counted(n_rows, 'row')}; it must give one for each."
        )
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size or not weights.any():
        where = f"row {bad[0]} the weight {weights[bad[0]]}" if bad.size else "every row 0"
        raise InputError(f"weighting gave {where}; weights must be finite and not negative.")
    # Only their ratios count, and large ones would sum to more than a number can be.
    return np.asarray(weights / weights.max())
