"""From the mixture's probabilities to doubt, suspects, noise rate and transition matrix."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy._shelf import blocks, release
from hardy.noise.asymmetry import asymmetry
from hardy.noise.estimation import confident_joint, given_from_joint, noise_rate_of

Floats = NDArray[np.float64]

# Four to one against a label make it suspect whatever the noise rate is.
_SURE = 0.8


class Judgement(NamedTuple):
    """What the mixture says of the given labels.

    Attributes
    ----------
    doubt : ndarray of shape (n_samples,)
        1 − the probability of the given label, in which the direction of the noise counts; 0 for
        rows that aren't judged.
    is_suspect : ndarray of shape (n_samples,), dtype bool
        The most doubtful rows, as many as the noise rate says, unless their label is the likeliest
        all the same, and every row with four to one against its label.
    likeliest_other : ndarray of shape (n_samples,), dtype intp
        The likeliest class beside the given one; the likeliest of all for rows without a label.
    noise_rate : float
        The estimated share of wrong labels among the judged rows.
    transition : ndarray of shape (n_classes, n_classes)
        P(given | true), true classes down.
    """

    doubt: Floats
    is_suspect: NDArray[np.bool_]
    likeliest_other: NDArray[np.intp]
    noise_rate: float
    transition: Floats


def judge_rows(
    proba: Floats, codes: NDArray[np.intp], is_assessable: NDArray[np.bool_]
) -> Judgement:
    """Judge given labels by out-of-sample probabilities.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices, −1 where one is missing.
    is_assessable : ndarray of shape (n_samples,), dtype bool
        The rows to judge; each has a label.

    Returns
    -------
    Judgement
        See there.

    Examples
    --------
    >>> import numpy as np
    >>> proba = np.array([[0.9, 0.1]] * 5 + [[0.2, 0.8]] * 5)
    >>> codes = np.array([0] * 4 + [1] + [1] * 5)
    >>> judgement = judge_rows(proba, codes, np.ones(10, dtype=bool))
    >>> np.flatnonzero(judgement.is_suspect)
    array([4])
    >>> round(judgement.noise_rate, 3)
    0.1
    """
    rows = np.flatnonzero(is_assessable)
    judged = slice(None) if len(rows) == len(codes) else is_assessable
    ratio = asymmetry(codes, proba, judged)
    told = _weigh_blocks(proba, codes, is_assessable, ratio)
    joint = confident_joint(codes, proba, judged)
    noise_rate = noise_rate_of(joint)
    is_most_doubtful = np.zeros(len(codes), dtype=bool)
    order = np.argsort(told.own[rows], kind="stable")
    is_most_doubtful[rows[order[: round(noise_rate * len(rows))]]] = True
    return Judgement(
        told.doubt,
        told.suspects(is_most_doubtful),
        told.likeliest_other,
        noise_rate,
        given_from_joint(joint),
    )


class Weighed(NamedTuple):
    """What speaks for the given label of each row, and for the likeliest other.

    Attributes
    ----------
    own : ndarray of shape (n_samples,)
        The probability of the given label, in which the direction of the noise counts; 1 for rows
        that aren't judged.
    rival : ndarray of shape (n_samples,)
        That of the likeliest other; 0 for rows that aren't judged.
    likeliest_other : ndarray of shape (n_samples,), dtype intp
        The likeliest class beside the given one; the likeliest of all for rows without a label.
    """

    own: Floats
    rival: Floats
    likeliest_other: NDArray[np.intp]

    @property
    def doubt(self) -> Floats:
        """1 − the probability of the given label; shape (n_samples,)."""
        doubt: Floats = np.clip(1 - self.own, 0, 1)
        return doubt

    def suspects(self, is_most_doubtful: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell the suspects, given which rows are as many as the noise rate says."""
        return np.asarray((is_most_doubtful & (self.rival > self.own)) | (self.rival >= _SURE))


def _weigh_blocks(
    proba: Floats, codes: NDArray[np.intp], is_assessable: NDArray[np.bool_], ratio: Floats
) -> Weighed:
    """Do what `weigh` does block by block."""
    n_rows = len(codes)
    told = Weighed(np.empty(n_rows), np.empty(n_rows), np.empty(n_rows, dtype=np.intp))
    for rows in blocks(n_rows):
        some = weigh(proba[rows], codes[rows], is_assessable[rows], ratio)
        for whole, part in zip(told, some, strict=True):
            whole[rows] = part
        release(proba)
    return told


def weigh(
    proba: Floats, codes: NDArray[np.intp], is_assessable: NDArray[np.bool_], ratio: Floats
) -> Weighed:
    """Weigh the given label of each row against the others.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices, −1 where one is missing.
    is_assessable : ndarray of shape (n_samples,), dtype bool
        The rows to judge; each has a label.
    ratio : ndarray of shape (n_classes, n_classes)
        How the noise leans, as from :func:`hardy.noise.asymmetry.asymmetry`.

    Returns
    -------
    Weighed
        See there.
    """
    rows, labelled = np.flatnonzero(is_assessable), np.flatnonzero(codes >= 0)
    others = proba.copy()
    # The likelier its class is to be given this label by mistake, the less the label says for it.
    others[rows] *= ratio.T[codes[rows]]
    others[rows] /= others[rows].sum(axis=1, keepdims=True)
    own, rival = np.ones(len(codes)), np.zeros(len(codes))
    own[rows] = others[rows, codes[rows]]
    others[labelled, codes[labelled]] = -1
    rival[rows] = others[rows].max(axis=1)
    return Weighed(own, rival, others.argmax(axis=1))
