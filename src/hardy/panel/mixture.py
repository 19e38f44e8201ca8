"""How the panel's opinions become one: weights from Brier scores."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hardy._shelf import blocks, release
from hardy.noise.correction import clearness

Floats = NDArray[np.float64]

_SHARPNESS = 20.0
# By the square root of the number of rows, as chance moves scores: at first, and on clear labels.
_FIRST, _CLEAR = 2.0, 4.0


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
    total = 0.0
    for rows in blocks(len(codes)):
        some = proba[rows]
        own = some[np.arange(len(some)), codes[rows]]
        squares = np.einsum("ij,ij->i", some, some) - 2 * own + 1
        total += float((squares if weights is None else squares * weights[rows]).sum())
        release(proba)
    return round(total / (len(codes) if weights is None else float(weights.sum())), 12)


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


def weights_under_noise(
    scores: Sequence[float],
    opinions: Sequence[Floats],
    codes: NDArray[np.intp],
    counts: Floats | None = None,
) -> Floats:
    """Weight opinions by their Brier scores, the more evenly the more labels are wrong.

    Parameters
    ----------
    scores : sequence of float, length n_opinions
        The Brier score of each opinion on the given labels.
    opinions : sequence of ndarrays of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    counts : ndarray of shape (n_samples,), optional
        How many rows each row counts for.

    Returns
    -------
    ndarray of shape (n_opinions,)
        Weights that sum to 1. On clear labels chance moves scores by about one over the square root
        of the number of rows, which is how fine a difference counts; where the surest rows are
        labelled otherwise as often as they may be, scores are chance, and weights are even.

    Examples
    --------
    >>> codes = np.arange(100) % 2
    >>> good, bad = np.eye(2)[codes] * 0.8 + 0.1, np.full((100, 2), 0.5)
    >>> weights_under_noise([0.02, 0.5], [good, bad], codes).round(3)
    array([1., 0.])
    """
    root = np.sqrt(len(codes))
    first = blend(mixture_weights(scores, _FIRST * root), opinions)
    return mixture_weights(scores, _CLEAR * root * clearness(first, codes, counts))


def blend(weights: Floats, opinions: Sequence[Floats]) -> Floats:
    """Give the weighted sum of opinions.

    Parameters
    ----------
    weights : ndarray of shape (n_opinions,)
        Weights that sum to 1.
    opinions : sequence of ndarrays of shape (n_samples, n_classes)
        Class probabilities.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Class probabilities.
    """
    mixed: Floats = np.zeros_like(opinions[0])
    for weight, opinion in zip(weights, opinions, strict=True):
        mixed += weight * opinion
    return mixed
