"""What a row's nearest rows are labelled: kDN as class probabilities, with k chosen."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from hardy.hardness import nearest_neighbors
from hardy.panel.base import Floats, PanelData, PanelMember, Predictor, ViewName
from hardy.panel.mixture import brier_score

_STEEPNESS = 1.5


class NeighborsOpinion(PanelMember):
    """Labels of the nearest other rows, the nearer counting more.

    Parameters
    ----------
    candidates : tuple of int
        The numbers of neighbours k to choose from, by the Brier score on the given labels.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import NeighborsOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = NeighborsOpinion((3, 9)).opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "neighbours"
    view: ClassVar[ViewName] = "normal"

    def __init__(self, candidates: tuple[int, ...]) -> None:
        self.candidates = candidates

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Keep the rows and choose k; see :meth:`PanelMember.fit`."""
        nearest = nearest_neighbors(X, max(self.candidates), n_jobs=n_jobs)
        k, _ = self._choose(nearest, codes, int(codes.max()) + 1, weights)
        return FittedNeighbors(X, codes, k, n_jobs, weights)

    def opinion(self, data: PanelData, seed: int) -> Floats | None:
        """Ask each row's nearest other rows; see :meth:`PanelMember.opinion`."""
        if data.has_groups:
            return self.opinion_in(data.folds, data, seed)
        nearest = data.views.nearest(max(self.candidates), data.n_jobs)
        return self._choose(nearest, data.codes, data.n_classes)[1]

    def _choose(
        self,
        nearest: tuple[NDArray[np.intp], Floats],
        codes: NDArray[np.intp],
        n_classes: int,
        weights: Floats | None = None,
    ) -> tuple[int, Floats]:
        """Choose k, and give every row's opinion by it."""
        neighbors, distances = nearest
        own = np.ones(len(codes)) if weights is None else weights
        others = np.bincount(codes, own, n_classes) - own[:, None] * np.eye(n_classes)[codes]
        prior = others / others.sum(axis=1, keepdims=True)
        opinions = [
            (k, _vote(codes[near := neighbors[:, :k]], distances[:, :k], prior, own[near]))
            for k in sorted({min(k, neighbors.shape[1]) for k in self.candidates})
        ]
        return min(opinions, key=lambda opinion: brier_score(opinion[1], codes, weights))


class FittedNeighbors:
    """Labelled rows, and how many of the nearest of them vote.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows.
    codes : ndarray of shape (n_samples,)
        Their class indices.
    k : int
        How many vote.
    n_jobs : int or None
        The number of threads.
    weights : ndarray of shape (n_samples,) or None
        How many rows each row counts for; None for one each.
    """

    def __init__(
        self,
        X: Any,
        codes: NDArray[np.intp],
        k: int,
        n_jobs: int | None,
        weights: Floats | None,
    ) -> None:
        self.codes = codes
        self.weights = np.ones(len(codes)) if weights is None else weights
        self.prior = np.bincount(codes, self.weights) / self.weights.sum()
        self.classes_ = np.arange(len(self.prior))
        self.index = NearestNeighbors(n_neighbors=k, n_jobs=n_jobs).fit(X)

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        distances, found = self.index.kneighbors(X)
        return _vote(self.codes[found], distances, self.prior, self.weights[found])


def _vote(
    labels: NDArray[np.intp],
    distances: NDArray[np.floating[Any]],
    prior: Floats,
    counts: Floats | float = 1.0,
) -> Floats:
    """Weigh labels by a Gaussian as wide as the farthest neighbour is away, and one prior row.

    `prior` has the shape (n_classes,), or (n_rows, n_classes) where no row may count for itself.
    """
    width = np.maximum(distances[:, -1:], np.finfo(np.float64).tiny)
    weights = counts * np.exp(-0.5 * (_STEEPNESS * distances / width) ** 2)
    votes = np.array(np.broadcast_to(prior, (len(labels), prior.shape[-1])))
    rows = np.arange(len(labels))
    for label, weight in zip(labels.T, weights.T, strict=True):
        votes[rows, label] += weight
    votes /= votes.sum(axis=1, keepdims=True)
    return votes
