"""Edited boosting: rows that their neighbours contradict are left out before it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.hardness import Neighborhood
from hardy.weighting.training_set import Floats, TrainingSet

_ROUNDING = 1e-12


class Edited(AdaBoost):
    """AdaBoost on some of the rows: the others have the weight 0 in every round.

    Parameters
    ----------
    contradicted : callable
        Tells which rows of a `TrainingSet` are left out; of each class some must remain.
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] Y. Gao, F. Gao, "Edited AdaBoost by weighted kNN", Neurocomputing, 2010.

    Examples
    --------
    The last row is left out, and is no mistake: AdaBoost of the four others.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> from hardy.weighting.edited import Edited
    >>> rule = Edited(lambda training: np.array([False, False, False, False, True]))
    >>> y = np.array([0, 0, 1, 1, 1])
    >>> rule.start(TrainingSet(None, y, 2, np.ones(5), np.arange(5), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0, 0]))])
    >>> step.error
    0.25
    >>> rule.requests()[0].weights.round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   , 0.    ])
    """

    def __init__(
        self, contradicted: Callable[[TrainingSet], NDArray[np.bool_]], learning_rate: float = 1.0
    ) -> None:
        super().__init__(learning_rate)
        self.contradicted = contradicted

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution of the others; see `WeightingRule.start`."""
        weights = np.where(self.contradicted(training), 0.0, training.weights)
        with np.errstate(divide="ignore"):
            super().start(training._replace(weights=weights))


def find_contradicted(
    points: Any, y: NDArray[np.intp], weights: Floats, n_neighbors: int = 5
) -> NDArray[np.bool_]:
    """Find the rows that a distance-weighted vote of their nearest neighbours contradicts.

    Each neighbour votes for its label with one over its distance; where there are neighbours at
    distance 0, only they vote. Where these are less than one row, because a row's weight is less
    than 2, they have that share of the votes, and the others the rest. A row is contradicted where
    another class has more votes than its own. Of a class that would lose all its rows, those with
    the largest share of the votes for it are not contradicted.

    Parameters
    ----------
    points : ndarray or CSR matrix of shape (n_rows, n_features)
        The rows, scaled, without missing values.
    y : ndarray of shape (n_rows,), dtype intp
        The class index of each row.
    weights : ndarray of shape (n_rows,)
        How many rows each row stands for, positive; its own twins are neighbours of a row.
    n_neighbors : int, default=5
        The number of neighbours. With fewer other rows, all of them vote.

    Returns
    -------
    ndarray of shape (n_rows,), dtype bool
        The rows to leave out.

    References
    ----------
    .. [1] Y. Gao, F. Gao, "Edited AdaBoost by weighted kNN", Neurocomputing, 2010.
    .. [2] S. A. Dudani, "The Distance-Weighted k-Nearest-Neighbor Rule", IEEE Transactions on
       Systems, Man, and Cybernetics 6 (1976), 325–327.

    Examples
    --------
    The row at 1 has one neighbour of each class; the nearer one contradicts it.

    >>> import numpy as np
    >>> from hardy.weighting.edited import find_contradicted
    >>> points = np.array([[0.0], [0.4], [1.0], [1.9], [2.5]])
    >>> find_contradicted(points, np.array([0, 0, 1, 1, 1]), np.ones(5), n_neighbors=2)
    array([False, False,  True, False, False])
    """
    shares = _vote_shares(Neighborhood.of(points, weights, n_neighbors), y)
    own = shares[np.arange(len(y)), y]
    # Sums of the same votes may differ in their last digits, which must not contradict anybody.
    contradicted = own < shares.max(axis=1) - _ROUNDING
    for code in np.unique(y):
        members = y == code
        if contradicted[members].all():
            contradicted &= ~(members & (own >= own[members].max() - _ROUNDING))
    return np.asarray(contradicted)


def _vote_shares(near: Neighborhood, y: NDArray[np.intp]) -> Floats:
    apart = near.distances > 0.0
    # Distances in units of the least one, since the inverse of a denormal one is infinite.
    unit = np.where(apart, near.distances, np.inf).min(axis=1, keepdims=True)
    nearness = np.divide(unit, near.distances, out=np.zeros_like(near.masses), where=apart)
    votes = near.masses * nearness
    twins = np.where(apart, 0.0, near.masses)
    n_twins = twins.sum(axis=1, keepdims=True)
    twins_share = np.where(votes.any(axis=1, keepdims=True), np.minimum(n_twins, 1.0), 1.0)
    joint = twins_share * _of_sum_1(twins) + (1.0 - twins_share) * _of_sum_1(votes)
    shares = np.zeros((len(y), int(y.max()) + 1))
    np.add.at(shares, (np.arange(len(y))[:, None], y[near.rows]), joint)
    return shares


def _of_sum_1(votes: Floats) -> Floats:
    total = votes.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    return shares
