"""How much label noise there is, and between which classes, from out-of-sample probabilities."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from hardy._labels import encode_labels
from hardy._probabilities import check_pred_proba
from hardy._shelf import blocks, release
from hardy.exceptions import InputError


class NoiseEstimate(NamedTuple):
    """What :func:`estimate_noise` found.

    Attributes
    ----------
    noise_rate : float
        The estimated share of wrong labels, in [0, 1].
    transition_matrix : DataFrame of shape (n_classes, n_classes)
        P(given | true): the index holds the true classes, the columns the given ones, each row
        sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.noise import estimate_noise
    >>> given = np.repeat(["ham", "spam"], 10)
    >>> says_ham = np.repeat([0.9, 0.2], 10)
    >>> found = estimate_noise(given, np.column_stack([says_ham, 1 - says_ham]))
    >>> found.transition_matrix.index.name, found.transition_matrix.columns.name
    ('true', 'given')
    >>> 0 <= found.noise_rate <= 1
    True
    """

    noise_rate: float
    transition_matrix: pd.DataFrame


def estimate_noise(
    y: ArrayLike, pred_proba: ArrayLike, classes: ArrayLike | None = None
) -> NoiseEstimate:
    """Estimate the noise rate and the transition matrix by counting confident rows.

    A row counts for the true class j if its probability for j reaches the mean probability for j
    among the rows labelled j (the likeliest such class where there are several). The counts,
    scaled so that every given class keeps its share of the rows, are the joint distribution of
    given and true labels: the confident joint of Northcutt et al. [1]_. Of the rows labelled i no
    more are taken for j than their probabilities for j add up to: where nothing tells a class, its
    mean is so low that half of all rows reach it.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The given labels; rows with a missing label are left out.
    pred_proba : array-like of shape (n_samples, n_classes)
        Out-of-sample class probabilities: none of them may come from a model that was trained on
        the row.
    classes : array-like of shape (n_classes,), optional
        The class of each column of `pred_proba`; by default the distinct labels of `y`, sorted.

    Returns
    -------
    NoiseEstimate
        `noise_rate` and `transition_matrix`. cleanlab's ``noise_matrix`` is the transpose.

    Raises
    ------
    InputError
        Where `pred_proba` doesn't fit `y` or holds no probabilities.

    References
    ----------
    .. [1] C. Northcutt, L. Jiang and I. Chuang, "Confident learning: estimating uncertainty in
       dataset labels", Journal of Artificial Intelligence Research 70, 2021, equations 1 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.noise import estimate_noise
    >>> y = np.array([0] * 10 + [1] * 10)
    >>> pred_proba = np.where((np.arange(20) < 8)[:, None], [0.9, 0.1], [0.1, 0.9])
    >>> estimate = estimate_noise(y, pred_proba)  # two rows labelled 0 look like a 1
    >>> round(estimate.noise_rate, 3)
    0.1
    >>> estimate.transition_matrix.round(3)
    given    0      1
    true
    0      1.000  0.000
    1      0.167  0.833
    """
    known, codes = encode_labels(y, classes)
    labelled = codes >= 0
    if not labelled.any():
        raise InputError("No row has a label: there is nothing to estimate the noise from.")
    proba = check_pred_proba(pred_proba, n_samples=len(codes), classes=known)
    joint = confident_joint(codes[labelled], proba[labelled])
    return NoiseEstimate(
        noise_rate=noise_rate_of(joint),
        transition_matrix=label_transition(given_from_joint(joint), known),
    )


def confident_joint(
    codes: NDArray[np.intp],
    proba: NDArray[np.float64],
    judged: slice | NDArray[np.bool_] = slice(None),
) -> NDArray[np.float64]:
    """Estimate the joint distribution of true (rows) and given (columns) classes.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    judged : slice or ndarray of shape (n_samples,), dtype bool, default=slice(None)
        The rows that count; all by default.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Sums to 1; column j sums to the share of rows that are labelled j.
    """
    n_classes = proba.shape[1]
    counts = np.bincount(codes[judged], minlength=n_classes)

    def parts() -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        for rows in blocks(len(codes)):
            some = judged if isinstance(judged, slice) else judged[rows]
            yield codes[rows][some], proba[rows][some]
            release(proba)

    expected, confident = np.zeros((n_classes, n_classes)), np.zeros((n_classes, n_classes))
    for given, said in parts():
        expected += sum_proba(given, said)
    thresholds = class_thresholds(expected, counts)
    for given, said in parts():
        confident += count_confident(given, said, thresholds)
    return joint_of_counts(confident, expected, counts)


def sum_proba(codes: NDArray[np.intp], proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up the probabilities of the classes, true ones down and given ones across.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The numbers of rows to expect.
    """
    n_rows, n_classes = proba.shape
    is_given = sparse.csr_array(
        (np.ones(n_rows), (codes, np.arange(n_rows))), shape=(n_classes, n_rows)
    )
    sums: NDArray[np.float64] = (is_given @ proba).T
    return sums


def class_thresholds(
    expected: NDArray[np.float64], counts: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Give the probability from which on a row is confidently of a class.

    Parameters
    ----------
    expected : ndarray of shape (n_classes, n_classes)
        The sums of probabilities, as from `sum_proba`.
    counts : ndarray of shape (n_classes,)
        How many rows are labelled as each class.

    Returns
    -------
    ndarray of shape (n_classes,)
        The mean; infinity for classes without rows.
    """
    thresholds = np.full(len(counts), np.inf)
    present = counts > 0
    thresholds[present] = expected.diagonal()[present] / counts[present]
    return thresholds


def count_confident(
    codes: NDArray[np.intp], proba: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Count the confident rows by class, true ones down and given ones across.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    thresholds : ndarray of shape (n_classes,)
        From which probability on a row is confidently of a class.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The numbers of rows.
    """
    # Sums of equal probabilities round: a row exactly at the threshold counts.
    confident = proba >= thresholds - 1e-9
    likeliest = np.where(confident, proba, -1).argmax(axis=1)
    counted = confident.any(axis=1)
    joint = np.zeros((proba.shape[1], proba.shape[1]))
    np.add.at(joint, (likeliest[counted], codes[counted]), 1)
    return joint


def joint_of_counts(
    confident: NDArray[np.float64], expected: NDArray[np.float64], counts: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Scale counts of confident rows so that every given class keeps its share of the rows.

    Parameters
    ----------
    confident : ndarray of shape (n_classes, n_classes)
        The numbers of confident rows, as from `count_confident`.
    expected : ndarray of shape (n_classes, n_classes)
        The most rows of a given class to take for another one, as from `sum_proba`.
    counts : ndarray of shape (n_classes,)
        How many rows are labelled as each class.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The joint distribution, as from `confident_joint`.
    """
    joint = confident.copy()
    # A class none of whose rows is confident is taken as it is labelled.
    silent = joint.sum(axis=0) == 0
    joint[silent, silent] = 1
    joint *= counts / joint.sum(axis=0)
    excess = np.maximum(joint - expected, 0)
    np.fill_diagonal(excess, 0)
    joint += np.diag(excess.sum(axis=0)) - excess
    joint /= counts.sum()
    return joint


def noise_rate_of(joint: NDArray[np.float64]) -> float:
    """Give the share of wrong labels in a joint distribution (true × given)."""
    return float(np.clip(1 - np.trace(joint), 0, 1))


def given_from_joint(joint: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn a joint distribution (true × given) into P(given | true), the identity where unseen."""
    totals = joint.sum(axis=1, keepdims=True)
    seen = totals > 0
    return np.where(seen, joint / np.where(seen, totals, 1), np.eye(len(joint)))


def label_transition(matrix: NDArray[np.float64], classes: NDArray[Any]) -> pd.DataFrame:
    """Name the axes of a transition matrix: true classes down, given classes across."""
    return pd.DataFrame(
        matrix, index=pd.Index(classes, name="true"), columns=pd.Index(classes, name="given")
    )
