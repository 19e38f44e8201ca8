"""How the panel's opinions become one: weights from Brier scores."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SHARPNESS = 20.0


def brier_score(proba: Floats, codes: NDArray[np.intp], weights: Floats | None = None) -> float:
    """Give the mean squared distance of class probabilities from the labels.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    codes : ndarray of shape (n_samples,)
        Labels as class indices.
    weights : ndarray of shape (n_samples,), optional
        How many rows each row counts for.

    Returns
    -------
    float
        In [0, 2], lower is better.

    Examples
    --------
    >>> import numpy as np
    >>> brier_score(np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([0, 1]))
    0.29
    """
    own = proba[np.arange(len(codes)), codes]
    squares = np.einsum("ij,ij->i", proba, proba) - 2 * own + 1
    return round(float(np.average(squares, weights=weights)), 12)


def mixture_weights(scores: Sequence[float], sharpness: float = _SHARPNESS) -> Floats:
    """Weight opinions by their Brier scores: w ∝ exp(−sharpness · score).

    Parameters
    ----------
    scores : sequence of float, length n_opinions
        The Brier score of each opinion on the given labels.
    sharpness : float, default=20
        How strongly better scores are preferred. It doesn't grow with the number of rows: a
        learner flexible enough to learn the noise itself has the better Brier score on noisy
        labels, and with many rows a growing sharpness would leave it alone in the mixture.

    Returns
    -------
    ndarray of shape (n_opinions,)
        Weights that sum to 1.

    Examples
    --------
    >>> mixture_weights([0.20, 0.25, 0.50]).round(3)
    array([0.73 , 0.268, 0.002])
    """
    score = np.asarray(scores, dtype=np.float64)
    weights: Floats = np.exp(-sharpness * (score - score.min()))
    weights /= weights.sum()
    return weights
