"""Class probabilities: those handed in from outside, checked once, and those made of scores."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax

from hardy.exceptions import InputError

_ROUNDING = 1e-3
_NEXT_TO_0 = 1e-15


def check_pred_proba(
    pred_proba: ArrayLike, *, n_samples: int, classes: Sequence[Any] | NDArray[Any]
) -> NDArray[np.float64]:
    """Check the shape and range of class probabilities and mend what rounding did to their sums.

    Parameters
    ----------
    pred_proba : array-like of shape (n_samples, n_classes)
        One row of probabilities for each row of the data, one column for each class. The columns
        of a frame that are named like the classes are read by their names, whatever their order.
    n_samples : int
        The number of rows that is expected.
    classes : sequence of length n_classes
        The classes that the columns stand for.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Rows that sum to exactly 1 up to the last digit.

    Raises
    ------
    InputError
        Where the shape differs, a value isn't a number or a probability, or a row's sum is off by
        more than 0.001; the message names the row.

    Examples
    --------
    >>> check_pred_proba([[0.25, 0.75]], n_samples=1, classes=["a", "b"])
    array([[0.25, 0.75]])
    """
    names = np.asarray(classes).tolist()
    frame: Any = pred_proba
    columns = getattr(frame, "columns", pd.RangeIndex(0))
    # A range only counts the columns.
    if not isinstance(columns, pd.RangeIndex) and set(columns) == set(names):
        pred_proba = frame[names]
    try:
        proba = np.asarray(pred_proba, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"pred_proba must be a table of numbers: {error}.") from None
    expected = (n_samples, len(names))
    if proba.shape != expected:
        raise InputError(
            f"pred_proba has the shape {proba.shape}, but {expected} is needed: "
            f"one row for each of the {n_samples} rows, one column for each of the classes "
            f"{names!r}."
        )
    bad = np.flatnonzero(~((proba >= -_ROUNDING) & (proba <= 1 + _ROUNDING)).all(axis=1))
    if bad.size:
        row = int(bad[0])
        raise InputError(
            f"pred_proba row {row} is {proba[row].tolist()}: probabilities lie between 0 and 1."
        )
    sums = proba.sum(axis=1)
    bad = np.flatnonzero(np.abs(sums - 1) > _ROUNDING)
    if bad.size:
        row = int(bad[0])
        raise InputError(f"pred_proba row {row} sums to {sums[row]:.6g}, not to 1.")
    mended: NDArray[np.float64] = np.clip(proba, 0, None)
    mended /= mended.sum(axis=1, keepdims=True)
    return mended


def scores_to_probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make probabilities of log odds (two classes), or of log probabilities up to a constant.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        For two classes the log odds of the second; for several one score for each.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The logistic function of the scores, or their softmax.

    Examples
    --------
    >>> scores_to_probabilities(np.array([0.0, np.log(3)]))
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """
    if scores.ndim == 1:
        return np.column_stack([expit(-scores), expit(scores)])
    return np.asarray(softmax(scores, axis=1))


def likeliest(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Tell which class has the highest of the probabilities that `scores_to_probabilities` makes.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        As there.

    Returns
    -------
    ndarray of shape (n_samples,), dtype intp
        The index of the class, the first of equally likely ones.

    Examples
    --------
    >>> likeliest(np.array([-2.0, 0.0, 1e-300, 0.1]))
    array([0, 0, 0, 1])
    """
    if scores.ndim == 1:
        codes = (scores > 0).astype(np.intp)
        # Next to 0 both are one half up to rounding, and floats lie closer below it than above.
        near = np.flatnonzero(np.abs(scores) < _NEXT_TO_0)
        codes[near] = expit(-scores[near]) < 0.5
        return codes
    return np.asarray(scores_to_probabilities(scores).argmax(axis=1))
