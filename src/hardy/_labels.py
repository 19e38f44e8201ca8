"""Labels are encoded once at the edge: class indices inside, the user's own labels outside."""

from collections.abc import Hashable
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy._quoting import quote, quote_all
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
        Where `y` isn't one column of single values, its labels can't be sorted, or it has a label
        that `classes` lacks; where `classes` names a class twice.

    Examples
    --------
    >>> encode_labels(["b", "a", None, "b"])
    EncodedLabels(classes=array(['a', 'b'], dtype=object), codes=array([ 1,  0, -1,  1]))
    """
    values = as_label_array(y)
    missing = np.asarray(pd.isna(values), dtype=bool)
    # Each distinct label is looked at once: there are few, of many rows.
    places, distinct = pd.factorize(values)
    known = _sort_distinct(distinct) if classes is None else _check_classes(classes)
    found = pd.Index(known).get_indexer(pd.Index(distinct)).astype(np.intp)
    codes = np.append(found, -1)[places]
    codes[missing] = -1
    unknown = np.flatnonzero((codes < 0) & ~missing)
    if unknown.size:
        row = int(unknown[0])
        raise InputError(
            f"Row {row} has the label {quote(values[row])}, which is not among the classes "
            f"{quote_all(known)}."
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
        Nullable and categorical columns come as plain numbers, booleans or objects. Where a
        label is missing, floats hold NaN and moments NaT; others are objects beside None.

    Raises
    ------
    InputError
        Where `y` has more than one column, or holds something else than single values.

    Examples
    --------
    >>> import pandas as pd
    >>> as_label_array(pd.Series([1, 2], dtype="Int64"))
    array([1, 2])
    """
    column = _as_column(y)
    if isinstance(column, np.ndarray) and column.dtype.kind in "biufUS":
        if column.dtype.kind == "U":
            _refuse_half_characters(column)
        # pandas knows no half precision.
        return column.astype(np.float32) if column.dtype == np.float16 else column
    # Not np.asarray: it would turn a missing label among strings into the string "nan".
    objects = pd.Series(column, dtype=object).to_numpy(copy=True)
    missing = np.asarray(pd.isna(objects), dtype=bool)
    _refuse_half_characters(objects)
    some_missing = bool(missing.any())
    present = pd.Series(objects[~missing] if some_missing else objects, dtype=object, copy=False)
    # Words stay as they are: pandas' own strings would come back as a copy of each.
    if pd.api.types.infer_dtype(present) != "string":
        present = present.infer_objects()
    if pd.api.types.infer_dtype(present).startswith("mixed"):
        _refuse_containers(objects)
    values: NDArray[Any] = objects
    if some_missing:
        # pandas.NA has no truth value, which array code does not expect.
        objects[missing] = None
        if present.dtype.kind in "fM":
            values = pd.Series(objects).astype(present.dtype).to_numpy(copy=True)
    elif present.dtype != object:
        values = present.to_numpy(copy=True)
    return values


def replace_labels(y: Any, rows: NDArray[np.bool_], labels: NDArray[Any]) -> Any:
    """Put other labels into some rows of a column.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, 1)
        The labels; they are left as they are.
    rows : ndarray of shape (n_samples,), dtype bool
        Where to put the others.
    labels : ndarray of shape (n_rows,)
        The others.

    Returns
    -------
    array, Series or DataFrame
        pandas and polars columns stay what they are, anything else comes as an array.

    Examples
    --------
    >>> replace_labels(["a", "b", None], np.array([False, False, True]), np.array(["b"]))
    array(['a', 'b', 'b'], dtype=object)
    """
    if isinstance(y, pd.DataFrame):
        return pd.DataFrame({y.columns[0]: replace_labels(y.iloc[:, 0], rows, labels)})
    if isinstance(y, pd.Series):
        replaced = y.copy()
        if isinstance(y.dtype, pd.CategoricalDtype):
            new = pd.Index(labels).unique().difference(y.cat.categories)
            replaced = replaced.cat.add_categories(new)
        replaced[rows] = labels
        return replaced
    if hasattr(y, "to_series") and not isinstance(y, pd.Index):
        return replace_labels(y.to_series(0), rows, labels).to_frame()
    array = as_label_array(y)
    array = array.astype(np.result_type(array, labels))
    array[rows] = labels
    if hasattr(y, "to_list") and hasattr(y, "to_frame") and not isinstance(y, pd.Index):
        return type(y)(y.name, array.tolist(), dtype=y.dtype)
    return array


def find_class(pos_label: Any, classes: NDArray[Any]) -> int:
    """Give the place of a label that the user names.

    Parameters
    ----------
    pos_label : label
        The label.
    classes : ndarray of shape (n_classes,)
        All labels.

    Returns
    -------
    int
        Its place among them.

    Raises
    ------
    InputError
        Where it is none of them.

    Examples
    --------
    >>> find_class("spam", np.array(["ham", "spam"]))
    1
    """
    known = classes.tolist()
    # Arrays and pandas' missing value are neither equal to a label nor different from it.
    if isinstance(pos_label, Hashable) and pos_label is not pd.NA and pos_label in known:
        return int(known.index(pos_label))
    raise InputError(f"pos_label={quote(pos_label)} is none of the labels {quote_all(known)}.")


def shape_of(y: Any) -> tuple[int, ...]:
    """Give the shape of labels, of which lists aren't turned into an array of words.

    In numpy's own arrays of words each takes as much room as the longest.
    """
    return np.shape(y if hasattr(y, "shape") else np.asarray(y, dtype=object))


def has_several_columns(y: Any) -> bool:
    """Whether labels come as a column for each class or target."""
    shape = shape_of(y)
    return len(shape) == 2 and shape[1] > 1


def _as_column(y: Any) -> Any:
    """Give one-dimensional labels as an array, a pandas column, or a list."""
    if isinstance(y, pd.DataFrame):
        return y.iloc[:, 0] if y.shape[1] == 1 else _refuse_shape(y.shape)
    if isinstance(y, pd.Series | pd.Index | pd.Categorical):
        return y
    if hasattr(y, "to_series"):
        y = y.to_series(0) if y.shape[1] == 1 else _refuse_shape(y.shape)
    if hasattr(y, "to_list"):
        # Value by value, because polars' own to_pandas needs pyarrow.
        return y.to_list()
    if hasattr(y, "to_pandas"):
        return _as_column(y.to_pandas())
    if hasattr(y, "tocsr"):
        raise InputError("The labels are a sparse matrix; give them as one column of values.")
    if isinstance(y, np.ma.MaskedArray):
        y = y.tolist()
    elif hasattr(y, "__array__"):
        y = np.asarray(y)
    try:
        shape = shape_of(y)
    except ValueError:
        raise InputError(
            "The labels must be one column, but their rows differ in length."
        ) from None
    if len(shape) == 2 and shape[1] == 1:
        y = np.asarray(y)[:, 0] if isinstance(y, np.ndarray) else [row[0] for row in y]
    elif len(shape) != 1:
        _refuse_shape(shape)
    if isinstance(y, np.ndarray) and y.dtype.kind == "V":
        raise InputError(f"The labels have fields, {y.dtype.names}; give one of them.")
    return y


def _refuse_shape(shape: tuple[int, ...]) -> NoReturn:
    raise InputError(f"The labels must be one column, but have the shape {shape}.")


def _refuse_half_characters(objects: NDArray[Any]) -> None:
    """Refuse words that no file can hold, and that pandas' own strings can't either."""
    for label in {value for value in objects if isinstance(value, str)}:
        try:
            label.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"The label {quote(str(label))} has half a character, a surrogate; write whole "
                "ones."
            ) from None


def _refuse_containers(objects: NDArray[Any]) -> None:
    for row, value in enumerate(objects):
        if pd.api.types.is_list_like(value):
            raise InputError(
                f"The label in row {row} is a {type(value).__name__}; each must be a single value."
            )


def _sort_distinct(labels: NDArray[Any]) -> NDArray[Any]:
    try:
        return np.unique(labels)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in labels})
        raise InputError(
            f"The labels mix types that have no common order ({', '.join(kinds)}); "
            "convert them to one type, for example with astype(str)."
        ) from None


def _check_classes(classes: ArrayLike) -> NDArray[Any]:
    known = as_label_array(classes)
    if pd.isna(known).any():
        raise InputError(f"A missing value can't be a class, but classes is {quote_all(known)}.")
    twice = known[pd.Index(known).duplicated()]
    if twice.size:
        raise InputError(f"classes names {quote(twice[0])} twice: {quote_all(known)}.")
    return known
