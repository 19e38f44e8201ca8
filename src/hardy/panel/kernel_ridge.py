"""Ridge regression of class indicators in the space of a kernel."""

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.metrics.pairwise import euclidean_distances, manhattan_distances
from sklearn.utils import _safe_indexing

from hardy.panel.base import Floats, Folds, Learned, PanelData, PanelMember, Predictor, draw_rows
from hardy.panel.mixture import brier_score

Kernel = Literal["laplace", "gauss"]

_PENALTIES = np.geomspace(1e-3, 1e2, 12)
# Directions of the kernel that are smaller than this share of the largest are rounding.
_SMALLEST = 1e-10
# From so many distances the kernel's width is taken.
_MOST_FOR_WIDTH = 1_000
_BLOCK = 20_000


class KernelRidgeOpinion(PanelMember):
    """Kernel ridge regression of class indicators, projected onto the probabilities.

    The kernel is as wide as the median distance between two rows. The penalty has the best Brier
    score when each row is left out, which needs no second fit; the opinion is that of folds that
    are left out in the same way. Of more than `n_landmarks` rows so many are drawn, which span the
    space (Nyström's method [1]_); otherwise all do.

    Parameters
    ----------
    kernel : {"laplace", "gauss"}, default="laplace"
        exp(−distance) of the sum of absolute differences, or exp(−distance²/2) of the Euclidean
        distance.
    n_landmarks : int, default=1000
        The most rows that span the space.

    References
    ----------
    .. [1] C. Williams and M. Seeger, "Using the Nyström method to speed up kernel machines",
       NIPS 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import KernelRidgeOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = KernelRidgeOpinion().opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "kernel ridge"
    view: ClassVar[Literal["normal"]] = "normal"

    def __init__(self, kernel: Kernel = "laplace", n_landmarks: int = 1000) -> None:
        self.kernel = kernel
        self.n_landmarks = n_landmarks

    @property
    def name(self) -> str:
        """The kind, and the kernel."""
        return f"{self.kind}, {self.kernel}"

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Choose the penalty and fit; see :meth:`PanelMember.fit`."""
        present, own = np.unique(codes, return_inverse=True)
        return self._solve(X, own, present, seed, weights).fitted

    def learn(self, data: PanelData, seed: int) -> Learned:
        """Fit once, and leave the folds out of it; see :meth:`PanelMember.learn`."""
        rows = data.views.training(self.view)
        solved = self._solve(rows, data.codes, np.arange(data.n_classes), seed, data.weights)
        return Learned(solved.leave_out(data.folds), solved.fitted)

    def _solve(
        self,
        X: Any,
        codes: NDArray[np.intp],
        classes: NDArray[np.intp],
        seed: int,
        weights: Floats | None,
    ) -> "_Solution":
        """Solve the normal equations in the space that the landmarks span."""
        landmarks = X
        if len(codes) > self.n_landmarks:
            landmarks = _safe_indexing(X, draw_rows(codes, self.n_landmarks, seed))
        width = _median_distance(landmarks, self.kernel)
        size, axes = linalg.eigh(_kernel(landmarks, landmarks, self.kernel, width))
        kept = size > _SMALLEST * size[-1]
        axes = axes[:, kept] / np.sqrt(size[kept])

        counts = np.ones(len(codes)) if weights is None else weights
        targets = np.eye(len(classes))[codes]
        mean = np.average(targets, axis=0, weights=counts)
        scale = np.sqrt(counts)[:, None]
        features = scale * (_kernel(X, landmarks, self.kernel, width) @ axes)
        residuals = scale * (targets - mean)

        gram, moments = features.T @ features, features.T @ residuals
        size, directions = linalg.eigh(gram)
        turned, pulls = features @ directions, directions.T @ moments

        def score(penalty: float) -> float:
            shrunk = 1 / (np.maximum(size, 0) + penalty)
            leverage = np.einsum("ij,j,ij->i", turned, shrunk, turned)[:, None]
            left_out = residuals - turned @ (shrunk[:, None] * pulls)
            left_out /= np.maximum(1 - leverage, _SMALLEST)
            return brier_score(_to_simplex(targets - left_out / scale), codes, counts)

        penalty = min(_PENALTIES, key=score)
        shrunk = 1 / (np.maximum(size, 0) + penalty)
        coefficients = axes @ (directions @ (shrunk[:, None] * pulls))
        fitted = KernelRidge(self.kernel, width, landmarks, coefficients, mean, classes)
        return _Solution(fitted, features, residuals, scale, mean, gram, moments, penalty)


class _Solution(NamedTuple):
    """A solved problem, from which parts of the rows can be left out."""

    fitted: "KernelRidge"
    features: Floats
    residuals: Floats
    scale: Floats
    mean: Floats
    gram: Floats
    moments: Floats
    penalty: float

    def leave_out(self, folds: Folds) -> Floats:
        """Say of each fold what the rows outside it say."""
        opinion = np.empty_like(self.residuals)
        for _, test in folds:
            own = self.features[test]
            gram = self.gram - own.T @ own
            gram[np.diag_indices_from(gram)] += self.penalty
            moments = self.moments - own.T @ self.residuals[test]
            said = own @ linalg.solve(gram, moments, assume_a="pos")
            opinion[test] = _to_simplex(self.mean + said / self.scale[test])
        return opinion


class KernelRidge:
    """A fitted kernel ridge regression of class indicators.

    Parameters
    ----------
    kernel : {"laplace", "gauss"}
        The kernel.
    width : float
        The unit of its distances.
    landmarks : array-like or sparse matrix of shape (n_landmarks, n_features)
        The rows that span the space.
    coefficients : ndarray of shape (n_landmarks, n_classes)
        What each says for each class.
    mean : ndarray of shape (n_classes,)
        The classes' shares.
    classes : ndarray of shape (n_classes,)
        Class indices.
    """

    def __init__(
        self,
        kernel: Kernel,
        width: float,
        landmarks: Any,
        coefficients: Floats,
        mean: Floats,
        classes: NDArray[np.intp],
    ) -> None:
        self.kernel = kernel
        self.width = width
        self.landmarks = landmarks
        self.coefficients = coefficients
        self.mean = mean
        self.classes_ = classes

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        proba = np.empty((X.shape[0], len(self.classes_)))
        for start in range(0, X.shape[0], _BLOCK):
            rows = slice(start, start + _BLOCK)
            kernel = _kernel(X[rows], self.landmarks, self.kernel, self.width)
            proba[rows] = _to_simplex(self.mean + kernel @ self.coefficients)
        return proba


def _distances(A: Any, B: Any, kernel: Kernel) -> Floats:
    measure = manhattan_distances if kernel == "laplace" else euclidean_distances
    distances: Floats = measure(A, B).astype(np.float64, copy=False)
    return distances


def _kernel(A: Any, B: Any, kernel: Kernel, width: float) -> Floats:
    distances = _distances(A, B, kernel) / width
    return np.exp(-distances if kernel == "laplace" else -0.5 * distances**2)


def _median_distance(X: Any, kernel: Kernel) -> float:
    """Give the median distance between rows, evenly drawn where there are many; 1 where it is 0."""
    step = -(-X.shape[0] // _MOST_FOR_WIDTH)
    some = X[::step]
    between = _distances(some, some, kernel)[np.triu_indices(some.shape[0], 1)]
    return float(np.median(between)) or 1.0 if between.size else 1.0


def _to_simplex(values: Floats) -> Floats:
    """Give the nearest probabilities (by Euclidean distance) to each row of numbers."""
    falling = -np.sort(-values, axis=1)
    excess = (falling.cumsum(axis=1) - 1) / np.arange(1, values.shape[1] + 1)
    n_positive = (falling > excess).sum(axis=1)
    shift = excess[np.arange(len(values)), n_positive - 1]
    proba: Floats = np.maximum(values - shift[:, None], 0)
    return proba
