"""Correction of errors at prediction: a decisive vote of clean neighbours overrules an ensemble."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from hardy.weighting import TrainingSet
from hardy.weighting.hardness import fit_scaler, scale_rows

Floats = NDArray[np.float64]

_N_FOLDS = 5
_DECISIVE = 0.8


class CleanNeighbors(NamedTuple):
    """The training rows, ready to be asked what label a row near them should have.

    `points` are the rows as `scaler` makes them, `votes` what each adds to the count of each class,
    and `masses` what it would add were its label beyond doubt.
    """

    scaler: StandardScaler
    points: Any
    votes: Floats
    masses: Floats

    @classmethod
    def of(cls, training: TrainingSet, noise_degrees: Floats) -> "CleanNeighbors":
        """Let each row vote for its label, the less the noisier it is."""
        scaler = fit_scaler(training)
        cleanliness = training.weights * (1.0 - noise_degrees)
        votes = np.eye(training.n_classes)[training.y] * cleanliness[:, None]
        return cls(scaler, scale_rows(training.X, scaler), votes, training.weights)

    def correct(self, scores: Floats, answer: tuple[Floats, Floats]) -> Floats:
        """Replace F where the neighbours are decided, and for another class than the ensemble.

        The new F is that of the neighbours' votes, with one vote more that is shared evenly.
        """
        votes, masses = answer
        # Sums of weights may fall short of a share of their sum in the last digits.
        decisive = votes.max(axis=1) >= _DECISIVE * masses * (1 - 1e-12)
        overruled = decisive & (votes.argmax(axis=1) != _chosen(scores))
        logs = np.log(votes + 1.0 / votes.shape[1])
        if scores.ndim == 1:
            return np.where(overruled, (logs[:, 1] - logs[:, 0]) / 2, scores)
        return np.where(overruled[:, None], logs, scores)

    def ask(self, X: Any, n_neighbors: int) -> tuple[Floats, Floats]:
        """Count each row's neighbours' votes, and what they would be without any doubt."""
        # A tree's distances don't depend on which rows are asked about together.
        algorithm = "brute" if sparse.issparse(self.points) else "kd_tree"
        index = NearestNeighbors(
            n_neighbors=min(n_neighbors, self.points.shape[0]), algorithm=algorithm
        )
        rows = scale_rows(X, self.scaler)
        near = index.fit(self.points).kneighbors(rows, return_distance=False)
        return self.votes[near].sum(axis=1), self.masses[near].sum(axis=1)


def correction_helps(ensemble: Any, training: TrainingSet, seed: int) -> bool:
    """Whether correcting errors makes predictions of unseen rows agree more with their labels.

    Judged by cross-validation: of the predictions that it changes, those made right must outnumber
    those made wrong by more than one standard error of the difference, the root of their sum.
    """
    n_folds = min(_N_FOLDS, int(np.bincount(training.y).min()))
    if n_folds < 2:
        return False
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    inner = clone(ensemble).set_params(error_correction=False, random_state=seed)
    gained = lost = 0.0
    for learned, judged in folds.split(np.zeros(len(training.y)), training.y):
        fold = training._replace(
            X=training.X[learned], y=training.y[learned], weights=training.weights[learned]
        )
        with warnings.catch_warnings():
            # That a member was dropped is of interest for the whole set only.
            warnings.simplefilter("ignore", ConvergenceWarning)
            inner.fit(fold.X, ensemble.classes_[fold.y], fold.weights)
        plain = inner.decision_function(training.X[judged])
        neighbors = CleanNeighbors.of(fold, inner.noise_degrees_)
        answer = neighbors.ask(training.X[judged], ensemble.n_neighbors)
        before, after = (
            _chosen(scores) == training.y[judged]
            for scores in (plain, neighbors.correct(plain, answer))
        )
        weights = training.weights[judged]
        gained += weights[after & ~before].sum()
        lost += weights[before & ~after].sum()
    return bool(gained - lost > np.sqrt(gained + lost))


def _chosen(scores: Floats) -> NDArray[np.intp]:
    """Give the class index that F is highest for, the first of equal ones."""
    return (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
