"""Dawid and Skene's model of annotators, by expectation maximisation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp, softmax

Floats = NDArray[np.float64]

_TINY = 1e-10
# What is believed of an annotator of whom nothing is known, in rows of each class.
_BELIEF_IN_RIGHT, _BELIEF_IN_ANY = 0.5, 0.05
# How far annotators may differ from each other and from class to class, the least first.
_STRENGTHS = (np.inf, 20.0, 5.0)
_PULL = 50.0
_N_FOLDS = 5
# More rows hardly choose better.
_MOST_ROWS = 5_000


class DawidSkene(NamedTuple):
    """What the model says.

    Attributes
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        Probabilities of the true class; the prior where nobody labelled the row.
    confusion : ndarray of shape (n_annotators, n_classes, n_classes)
        P(given | true) of each annotator, true classes down.
    prior : ndarray of shape (n_classes,)
        The shares of the true classes.
    """

    proba: Floats
    confusion: Floats
    prior: Floats


def fit_dawid_skene(
    codes: NDArray[np.intp],
    n_classes: int,
    *,
    strength: float = 5.0,
    pull: float = 0.0,
    max_iter: int = 200,
    tol: float = 1e-6,
) -> DawidSkene:
    """Fit the model in which each annotator has probabilities of giving a label for a true class.

    Starts from the shares of the votes. Annotators are measured on rows that another one labelled
    too; the others say nothing of them.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_annotators)
        Class indices, −1 where an annotator gave no label.
    n_classes : int
        The number of classes.
    strength : float, default=5.0
        How many rows of each true class an annotator counts for in the confusion of each who is as
        often right as all are on average, in every class, and takes no class rather than another;
        0 is the model as published, and with infinity all annotators are alike. Without it, few
        rows of a rare class can be swallowed by a frequent one: confusions that differ by class
        then explain all labels of it.
    pull : float, default=0.0
        For how many rows the shares of the votes count in the shares of the true classes.
    max_iter : int, default=200
        The most iterations.
    tol : float, default=1e-6
        Ends when no probability changes by more.

    Returns
    -------
    DawidSkene
        Probabilities, confusions and prior.

    References
    ----------
    A. P. Dawid and A. M. Skene, "Maximum likelihood estimation of observer error-rates using the
    EM algorithm", Applied Statistics 28(1), 1979: equations 2.3 to 2.5.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.annotators.dawid_skene import fit_dawid_skene
    >>> model = fit_dawid_skene(np.array([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]]), 2)
    >>> model.proba.argmax(axis=1)
    array([0, 1, 0, 1])
    """
    n_annotators = codes.shape[1]
    votes = _as_votes(codes, n_classes)
    n_votes = (codes >= 0).sum(axis=1)
    shared = sparse.diags_array((n_votes > 1).astype(np.float64)) @ votes

    def measure(proba: Floats) -> tuple[Floats, Floats]:
        # By annotator, given class and true class.
        tables = (shared.T @ proba).reshape(n_annotators, n_classes, n_classes)
        prior = np.maximum(proba[n_votes > 0].sum(axis=0) + pull * voted, _TINY)
        return _normalise(tables.transpose(0, 2, 1), strength), prior / prior.sum()

    proba = _shares(codes, n_classes)
    voted = proba[n_votes > 0].mean(axis=0)
    confusion, prior = measure(proba)
    for _ in range(max_iter):
        before, proba = proba, softmax(_weigh(votes, confusion, prior), axis=1)
        confusion, prior = measure(proba)
        if np.abs(proba - before).max() <= tol:
            break
    return DawidSkene(proba, confusion, prior)


def fit_as_far_as_told(codes: NDArray[np.intp], n_classes: int) -> DawidSkene:
    """Fit the model with annotators as unlike each other as the labels tell.

    Few rows don't tell who is good, nor in which class; a model that learns it all the same drifts
    away from what most annotators say. The strength of the belief that all are alike is therefore
    chosen by how likely the labels of rows are that were left out of five: the greatest one within
    a standard error of the best. For 50 rows the shares of the votes count in those of the classes.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_annotators)
        Class indices, −1 where an annotator gave no label.
    n_classes : int
        The number of classes.

    Returns
    -------
    DawidSkene
        The same for the same labels.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and regression trees",
    1984, section 3.4.3: the rule of one standard error.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.annotators.dawid_skene import fit_as_far_as_told
    >>> model = fit_as_far_as_told(np.array([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]] * 5), 2)
    >>> model.proba[:4].argmax(axis=1)
    array([0, 1, 0, 1])
    """
    strength = _choose_strength(codes, n_classes)
    return fit_dawid_skene(codes, n_classes, strength=strength, pull=_PULL)


def _choose_strength(codes: NDArray[np.intp], n_classes: int) -> float:
    """Choose by the likelihood of the labels of rows that weren't learnt from."""
    rng = np.random.default_rng(0)
    rows = rng.permutation(np.flatnonzero((codes >= 0).sum(axis=1) > 1))[:_MOST_ROWS]
    if len(rows) < 2:
        return _STRENGTHS[0]
    folds = np.arange(len(rows)) % _N_FOLDS
    told = np.empty((len(_STRENGTHS), len(rows)))
    for fold in range(min(_N_FOLDS, len(rows))):
        rest, left_out = codes[rows[folds != fold]], codes[rows[folds == fold]]
        votes = _as_votes(left_out, n_classes)
        for at, strength in enumerate(_STRENGTHS):
            # What is compared needs fewer steps than what is told.
            model = fit_dawid_skene(
                rest, n_classes, strength=strength, pull=_PULL, max_iter=100, tol=1e-4
            )
            told[at, folds == fold] = logsumexp(_weigh(votes, model.confusion, model.prior), axis=1)
    less = told[told.mean(axis=1).argmax()] - told
    is_as_good = less.mean(axis=1) <= less.std(axis=1) / np.sqrt(len(rows))
    return _STRENGTHS[int(is_as_good.argmax())]


def _as_votes(codes: NDArray[np.intp], n_classes: int) -> sparse.csr_array:
    """Give a line for each row with 1 for each pair of annotator and class that was given."""
    n_samples, n_annotators = codes.shape
    row, annotator = np.nonzero(codes >= 0)
    vote = annotator * n_classes + codes[row, annotator]
    return sparse.csr_array(
        (np.ones(len(row)), (row, vote)), shape=(n_samples, n_annotators * n_classes)
    )


def _weigh(votes: sparse.csr_array, confusion: Floats, prior: Floats) -> Floats:
    """Give the logarithm of the probability of each row's labels together with each true class."""
    weights = np.log(confusion).transpose(0, 2, 1).reshape(-1, len(prior))
    weighed: Floats = np.log(prior) + votes @ weights
    return weighed


def _shares(codes: NDArray[np.intp], n_classes: int) -> Floats:
    """Give each row's shares of the votes."""
    row, annotator = np.nonzero(codes >= 0)
    cell = row * n_classes + codes[row, annotator]
    counts = np.bincount(cell, minlength=len(codes) * n_classes).reshape(len(codes), n_classes)
    # Of labels with as many votes, the more frequent one is likelier.
    counts = counts + _TINY * (1 + counts.sum(axis=0) / max(1, counts.sum()))
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _normalise(tables: Floats, strength: float) -> Floats:
    """Turn counts into probabilities, with the average annotator's added."""
    n_classes = tables.shape[1]
    if strength:
        pooled = tables.sum(axis=0) + _BELIEF_IN_ANY + _BELIEF_IN_RIGHT * np.eye(n_classes)
        right = float(pooled.trace() / pooled.sum())
        # Of one class there is no other.
        wrong = (1 - right) / max(n_classes - 1, 1)
        average = wrong + (right - wrong) * np.eye(n_classes)
        if np.isinf(strength):
            tables = np.broadcast_to(average, tables.shape)
        else:
            tables = tables + strength * average
    tables = np.maximum(tables, _TINY)
    normalised: Floats = tables / tables.sum(axis=2, keepdims=True)
    return normalised
