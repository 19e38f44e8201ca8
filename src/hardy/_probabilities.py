"""Class probabilities handed in from outside: checked once at the edge."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy.exceptions import InputError

_ROUNDING = 1e-3


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
