"""Which class to predict, by what the user aims at and the probabilities."""

from typing import Any, Literal

import numpy as np

from hardy._validation import as_numbers
from hardy.exceptions import InputError
from hardy.panel.base import Floats

Aim = Literal["accuracy", "g_mean", "f1"]
_NEXT_TO_0 = 1e-6


def gains_for(aim: Any, proba: Floats, weights: Floats | None = None) -> Floats:
    """Give what calling a row of each class by each name is worth.

    Parameters
    ----------
    aim : {"accuracy", "g_mean", "f1"} or array-like of shape (n_classes, n_classes)
        The likeliest class; the best geometric mean of recalls or the best F1 that can be expected
        by the probabilities; or the costs of calling a row of one class (down) another (across).
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample probabilities of the true classes.
    weights : ndarray of shape (n_samples,), optional
        How many rows each row counts for.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        True classes down: the class of the highest value of ``proba @ gains`` is to be predicted.

    Raises
    ------
    InputError
        Where costs don't fit the classes.

    Examples
    --------
    A row of the second class costs five times as much where it is missed.

    >>> gains = gains_for([[0, 1], [5, 0]], np.full((4, 2), 0.5))
    >>> (np.array([[0.8, 0.2], [0.9, 0.1]]) @ gains).argmax(axis=1)
    array([1, 0])
    """
    n_classes = proba.shape[1]
    if not isinstance(aim, str):
        return _negative_costs(aim, n_classes)
    if aim == "accuracy":
        return np.eye(n_classes)
    counts = np.ones(len(proba)) if weights is None else weights
    if n_classes > 2:
        thresholds = np.array([_best_threshold(column, counts, aim) for column in proba.T])
    else:
        rarer = int((counts @ proba).argmin())
        thresholds = np.full(2, _best_threshold(proba[:, rarer], counts, aim))
        thresholds[1 - rarer] = 1 - thresholds[rarer]
    return np.diag(1 / np.maximum(thresholds, _NEXT_TO_0))


def check_aim(aim: Any, n_classes: int) -> None:
    """Refuse costs that don't fit the classes, before anything is fitted.

    Parameters
    ----------
    aim : {"accuracy", "g_mean", "f1"} or array-like of shape (n_classes, n_classes)
        As :func:`gains_for` takes it.
    n_classes : int
        The number of classes.

    Raises
    ------
    InputError
        Where costs have another shape, one of them is negative, missing or infinite, or they
        are the same whichever label is given.
    """
    if not isinstance(aim, str):
        _negative_costs(aim, n_classes)


def _negative_costs(costs: Any, n_classes: int) -> Floats:
    table = as_numbers(costs, "The costs in optimize")
    if table.shape != (n_classes, n_classes):
        raise InputError(
            f"optimize has the shape {table.shape}; the costs of {n_classes} classes have a row "
            f"and a column for each of them, ({n_classes}, {n_classes})."
        )
    if not np.isfinite(table).all():
        raise InputError("The costs in optimize must be finite.")
    if (table < 0).any():
        row, column = np.argwhere(table < 0)[0]
        raise InputError(
            f"A cost in optimize is negative: {table[row, column]:g} in row {row}, column {column} "
            "(counted from 0). What is right costs 0, all else more."
        )
    if (table == table[:, :1]).all():
        raise InputError(
            "The costs in optimize are the same whichever label is given, so that none is better "
            "than another. What is right costs 0, all else more."
        )
    return -table


def _best_threshold(proba: Floats, counts: Floats, aim: str) -> float:
    """Give the least probability at which to call a row positive, so that the most is expected."""
    order = np.argsort(-proba, kind="stable")
    proba, counts = proba[order], counts[order]
    true, called = np.cumsum(counts * proba), np.cumsum(counts)
    if aim == "f1":
        value = 2 * true / (called + true[-1])
    else:
        negatives = called[-1] - true[-1]
        value = true / true[-1] * (1 - (called - true) / max(negatives, _NEXT_TO_0))
    last = int(value[:-1].argmax()) if len(value) > 1 else 0
    return float(proba[last : last + 2].mean())
