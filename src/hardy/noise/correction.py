"""From probabilities of the given labels to probabilities of the true ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

Floats = NDArray[np.float64]

# The surest rows: this share of all, but no fewer.
_SURE, _FEWEST = 0.1, 10
# What the surest rows disagree on is partly the classes' overlap.
_CAUTION = 0.9
# No more than this share of what would leave the labels without any information.
_MOST = 0.6
_EXPONENTS = np.geomspace(0.3, 5.0, 60)
_FLOOR, _NEXT_TO_0 = 1e-4, 1e-3


class NoiseCorrection(NamedTuple):
    """What turns probabilities of given labels into those of true ones.

    Attributes
    ----------
    noise_rate : float
        The estimated share of wrong labels.
    transition : ndarray of shape (n_classes, n_classes)
        P(given | true), true classes down.
    given_exponent : float
        The power of the probabilities that fits the given labels best.
    true_exponent : float
        The power that fits them best if the labels are then made wrong by `transition`.

    Examples
    --------
    Labels of two classes that could not be told apart better, of which a fifth are wrong.

    >>> import numpy as np
    >>> from hardy.noise.correction import NoiseCorrection
    >>> codes = np.repeat([0, 1, 0, 1], [400, 100, 100, 400])
    >>> proba = np.repeat([[0.8, 0.2], [0.2, 0.8]], 500, axis=0)
    >>> correction = NoiseCorrection.estimate(proba, codes)
    >>> round(correction.noise_rate, 2)
    0.18
    >>> correction.apply(np.array([[0.8, 0.2]])).round(2)
    array([[0.97, 0.03]])
    """

    noise_rate: float
    transition: Floats
    given_exponent: float
    true_exponent: float

    @property
    def is_at_limit(self) -> bool:
        """Whether the noise rate is the highest that is estimated, and the true one may be more."""
        return self.noise_rate >= _CAUTION * _most(len(self.transition)) * (1 - 1e-9)

    @classmethod
    def estimate(
        cls, proba: Floats, codes: NDArray[np.intp], weights: Floats | None = None
    ) -> "NoiseCorrection":
        """Estimate the noise from out-of-sample probabilities.

        Parameters
        ----------
        proba : ndarray of shape (n_samples, n_classes)
            Out-of-sample class probabilities.
        codes : ndarray of shape (n_samples,)
            Given labels as class indices.
        weights : ndarray of shape (n_samples,), optional
            How many rows each row counts for.

        Returns
        -------
        NoiseCorrection
            Its `noise_rate` is how often the surest rows are labelled otherwise: they would hardly
            be, were the labels right. It is at most .54 (k − 1) / k of k classes, .27 of two.
        """
        counts = np.ones(len(codes)) if weights is None else weights
        n_classes = proba.shape[1]
        rate = _CAUTION * surest_disagreement(proba, codes, counts)
        transition = np.full((n_classes, n_classes), rate / (n_classes - 1))
        np.fill_diagonal(transition, 1 - rate)
        logs = np.log(np.maximum(proba, _FLOOR))
        given, true = (
            _best_exponent(logs, codes, counts, matrix)
            for matrix in (np.eye(n_classes), transition)
        )
        return cls(rate, transition, given, true)

    def apply(self, proba: Floats) -> Floats:
        """Correct the probabilities of any rows.

        Parameters
        ----------
        proba : ndarray of shape (n_samples, n_classes)
            What the estimate was made from, for these rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The mean of two ways: the probabilities of given labels with the noise taken out of
            them (which is right on average, but leaves the surest rows no difference), and those
            of true labels that explain the given ones best (which are too sure now and then).
        """
        logs = np.log(np.maximum(proba, _FLOOR))
        given = np.exp(log_softmax(self.given_exponent * logs, axis=1))
        without = np.maximum(given @ np.linalg.inv(self.transition), _NEXT_TO_0)
        without /= without.sum(axis=1, keepdims=True)
        true = np.exp(log_softmax(self.true_exponent * logs, axis=1))
        corrected: Floats = (without + true) / 2
        return corrected


def surest_disagreement(
    proba: Floats, codes: NDArray[np.intp], weights: Floats | None = None
) -> float:
    """Give the weighted share of the surest rows whose label isn't the likeliest class.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    weights : ndarray of shape (n_samples,), optional
        How many rows each row counts for.

    Returns
    -------
    float
        In [0, 1): no more than labels that tell something still can have.
    """
    sureness = proba.max(axis=1)
    n_sure = min(len(codes), max(_FEWEST, round(_SURE * len(codes))))
    # Rows of the same probability are all in it, so that their order doesn't matter.
    surest = sureness >= np.partition(sureness, -n_sure)[-n_sure]
    is_other = proba[surest].argmax(axis=1) != codes[surest]
    share = np.average(is_other, weights=None if weights is None else weights[surest])
    return min(float(share), _most(proba.shape[1]))


def clearness(proba: Floats, codes: NDArray[np.intp], weights: Floats | None = None) -> float:
    """Tell how far labels are from the noise beyond which nothing can be learned from them.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    weights : ndarray of shape (n_samples,), optional
        How many rows each row counts for.

    Returns
    -------
    float
        1 where the surest rows are all labelled as expected, 0 where they hardly are.
    """
    return 1 - surest_disagreement(proba, codes, weights) / _most(proba.shape[1])


def _most(n_classes: int) -> float:
    return _MOST * (n_classes - 1) / n_classes


def _best_exponent(
    logs: Floats, codes: NDArray[np.intp], weights: Floats, transition: Floats
) -> float:
    """Give the power of probabilities under which the given labels are likeliest."""

    def log_likelihood(exponent: float) -> float:
        true = np.exp(log_softmax(exponent * logs, axis=1))
        own = np.einsum("ij,ij->i", true, transition.T[codes])
        return float(weights @ np.log(np.maximum(own, 1e-9)))

    best: float = max(_EXPONENTS.tolist(), key=log_likelihood)
    return best
