"""Random subspaces: every row, but only some of the columns."""

import numpy as np

from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import TrainingSet


class RandomSubspace(BagRule):
    """Every row, and a random choice of the columns for each member (Ho 1998 [1]_).

    Parameters
    ----------
    max_features : float, default=0.5
        The share of the columns, rounded, at least one.

    References
    ----------
    .. [1] T. K. Ho, "The Random Subspace Method for Constructing Decision Forests", IEEE
       Transactions on Pattern Analysis and Machine Intelligence 20 (1998), 832–844.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import RandomSubspace, TrainingSet
    >>> X, y = np.zeros((4, 6)), np.array([0, 1, 0, 1])
    >>> training = TrainingSet(X, y, 2, np.ones(4), np.arange(4), np.random.RandomState(0))
    >>> rule = RandomSubspace(0.5)
    >>> rule.start(training)
    >>> bag = rule.bag(0, np.random.RandomState(0))
    >>> len(bag.rows), len(bag.features)
    (4, 3)
    """

    def __init__(self, max_features: float = 0.5) -> None:
        self.max_features = max_features

    def start(self, training: TrainingSet) -> None:
        """Count rows and columns; see `BagRule.start`."""
        self._weights = training.weights
        self._n_features = training.X.shape[1]

    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Draw columns without replacement; see `BagRule.bag`."""
        n_kept = max(1, round(self.max_features * self._n_features))
        features = np.sort(random_state.permutation(self._n_features)[:n_kept])
        return Bag(np.arange(len(self._weights)), features, weights=self._weights)
