"""Labels are encoded once at the edge: class indices inside, the user's own labels outside."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy.exceptions import InputError


class EncodedLabels(NamedTuple):
    """Labels as class indices.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels in sorted order, of the user's own type.
    codes : ndarray of shape (n_samples,), dtype intp
        The index of each row's label in `classes`; −1 where the label is missing.
    """

    classes: NDArray[Any]
    codes: NDArray[np.intp]


def encode_labels(y: ArrayLike, classes: ArrayLike | None = None) -> EncodedLabels:
    """Turn labels of any kind into class indices.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Numbers, strings, booleans, a pandas or polars column (categories and nullable types too).
        ``None``, NaN and ``pandas.NA`` are missing.
    classes : array-like of shape (n_classes,), optional
        The labels to expect, in the order in which they are wanted; by default the distinct
        labels of `y`, sorted.

    Returns
    -------
    EncodedLabels
        `classes` and `codes`.

    Raises
    ------
    InputError
        Where `y` isn't one-dimensional, or has a label that `classes` lacks.

    Examples
    --------
    >>> encode_labels(["b", "a", None, "b"])
    EncodedLabels(classes=array(['a', 'b'], dtype=object), codes=array([ 1,  0, -1,  1]))
    """
    values = as_label_array(y)
    missing = np.asarray(pd.isna(values), dtype=bool)
    if classes is None:
        found = values[~missing]
        try:
            known = np.unique(found)
        except TypeError:
            kinds = sorted({type(value).__name__ for value in found})
            raise InputError(
                f"The labels mix types that have no common order ({', '.join(kinds)}); "
                "convert them to one type, for example with astype(str)."
            ) from None
    else:
        known = as_label_array(classes)
    codes = pd.Index(known).get_indexer(pd.Index(values)).astype(np.intp)
    codes[missing] = -1
    unknown = np.flatnonzero((codes < 0) & ~missing)
    if unknown.size:
        row = int(unknown[0])
        raise InputError(
            f"Row {row} has the label {values.tolist()[row]!r}, which is not among the classes "
            f"{known.tolist()!r}."
        )
    return EncodedLabels(known, codes)


def as_label_array(y: ArrayLike) -> NDArray[Any]:
    """Turn a column of labels into a one-dimensional array of the user's own label type.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, 1)
        The labels.

    Returns
    -------
    ndarray of shape (n_samples,)
        Nullable and categorical columns come as plain numbers, booleans or objects.

    Raises
    ------
    InputError
        Where `y` has more than one column.

    Examples
    --------
    >>> import pandas as pd
    >>> as_label_array(pd.Series([1, 2], dtype="Int64"))
    array([1, 2])
    """
    if hasattr(y, "to_pandas"):
        y = y.to_pandas()
    elif hasattr(y, "__array__") and not isinstance(y, pd.Series | pd.Index | pd.DataFrame):
        y = np.asarray(y)
    if np.ndim(y) == 2 and np.shape(y)[1] == 1:
        y = y.iloc[:, 0] if isinstance(y, pd.DataFrame) else np.asarray(y)[:, 0]
    if np.ndim(y) != 1:
        raise InputError(f"The labels must be one column, but have the shape {np.shape(y)}.")
    if isinstance(y, np.ndarray) and y.dtype.kind in "biufUS":
        return y
    # Not np.asarray: it would turn a missing label among strings into the string "nan".
    column = pd.Series(y)
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if column.dtype.kind not in "biuf" or column.isna().any():
        column = column.astype(object).infer_objects()
    values: NDArray[Any] = column.to_numpy(copy=True)
    if values.dtype == object and column.isna().any():
        # pandas.NA has no truth value, which array code does not expect.
        values[np.asarray(column.isna(), dtype=bool)] = None
    return values
