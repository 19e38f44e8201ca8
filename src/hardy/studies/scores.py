"""The scores of a prediction that studies keep."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    log_loss,
    recall_score,
    roc_auc_score,
)

from hardy.exceptions import InputError

SCORES = (
    "accuracy",
    "balanced_accuracy",
    "geometric_mean",
    "f1",
    "log_loss",
    "brier",
    "auc",
)
LOWER_IS_BETTER = frozenset({"log_loss", "brier"})


def check_score(score: str, known: Iterable[str] = SCORES) -> None:
    """Refuse a score that isn't among the known ones."""
    if score not in (names := [name for name in SCORES if name in known]):
        raise InputError(f"score={score!r} is unknown; choose one of {', '.join(names)}.")


def score_predictions(
    y: NDArray[np.intp],
    predicted: NDArray[np.intp],
    proba: NDArray[np.float64] | None = None,
    *,
    n_classes: int = 2,
    positive: int = 1,
) -> dict[str, float]:
    """Score predictions in all ways of `SCORES`.

    Parameters
    ----------
    y : ndarray of shape (n_samples,), dtype intp
        The index of each row's true class.
    predicted : ndarray of shape (n_samples,), dtype intp
        The index of the predicted class.
    proba : ndarray of shape (n_samples, n_classes), optional
        Probabilities in the order of the indices; None for a method that gives none.
    n_classes : int, default=2
        The number of classes, of which some may have no row here.
    positive : int, default=1
        Of two classes the one that ``f1`` is of.

    Returns
    -------
    dict of str to float
        ``accuracy``; ``balanced_accuracy``, the mean recall of the classes that have rows, and
        ``geometric_mean`` (g), their geometric mean; ``f1``, of two classes the positive one's,
        otherwise the mean over the classes; ``log_loss`` (natural logarithm, probabilities cut off
        at 1e-15), ``brier`` (the sum over the classes, divided by 2) and ``auc`` (the mean over
        pairs of classes), which are not a number without probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> y, predicted = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])
    >>> scores = score_predictions(y, predicted)
    >>> scores["accuracy"], round(scores["geometric_mean"], 3), round(scores["f1"], 3)
    (0.75, 0.816, 0.667)
    """
    recalls = recall_score(y, predicted, labels=np.unique(y), average=None, zero_division=0.0)
    two = n_classes == 2
    scores: dict[str, Any] = {
        "accuracy": accuracy_score(y, predicted),
        "balanced_accuracy": recalls.mean(),
        "geometric_mean": recalls.prod() ** (1 / len(recalls)),
        "f1": (
            f1_score(y == positive, predicted == positive, zero_division=0.0)
            if two
            else f1_score(y, predicted, average="macro", zero_division=0.0)
        ),
        "log_loss": np.nan,
        "brier": np.nan,
        "auc": np.nan,
    }
    if proba is not None:
        labels = np.arange(proba.shape[1])
        safe = np.clip(proba, 1e-15, 1.0)
        scores["log_loss"] = log_loss(y, safe / safe.sum(axis=1, keepdims=True), labels=labels)
        scores["brier"] = ((proba - np.eye(proba.shape[1])[y]) ** 2).sum(axis=1).mean() / 2
        if len(np.unique(y)) == proba.shape[1]:
            scores["auc"] = (
                roc_auc_score(y, proba[:, 1])
                if two
                else roc_auc_score(y, proba, multi_class="ovo", labels=labels)
            )
    return {name: float(scores[name]) for name in SCORES}
