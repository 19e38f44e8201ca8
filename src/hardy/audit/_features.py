"""The features that an audit is given: brought into a form with rows, and checked at the edge."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from hardy._quoting import counted, quote
from hardy.exceptions import InputError
from hardy.tabular import resolve_column
from hardy.tabular._frames import as_frame
from hardy.tabular.stored import StoredFrame

DOCUMENTS, EMBEDDING = "text", "embedding "


def check_features(X: Any, n_samples: int) -> tuple[Any, "pd.Index[Any]"]:
    """Give the features in a form that can be indexed by rows, and the index of the rows.

    Parameters
    ----------
    X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features), or None
        As the user gave it; a list or a column of texts, too.
    n_samples : int
        The number of labels.

    Returns
    -------
    features : DataFrame, ndarray, csr_array or None
        A table of the same kind; lists come as an array, of objects where they hold words.
    index : Index of shape (n_samples,)
        The frame's own, or the positions.

    Raises
    ------
    InputError
        Where `X` is no table, doesn't fit the labels, or has a value that can't be used.
    """
    index: pd.Index[Any] = pd.RangeIndex(n_samples)
    if X is None:
        return None, index
    if sparse.issparse(X):
        features = sparse.csr_array(X)
    elif isinstance(X, StoredFrame):
        # Its values were checked when it was read.
        return X, index
    elif hasattr(X, "columns"):
        features = X
    elif is_documents(X):
        own = X.index if isinstance(X, pd.Series) else None
        X = features = pd.DataFrame({DOCUMENTS: pd.Series(list(X), index=own, dtype=object)})
    else:
        features = as_array(X)
    shape = getattr(features, "shape", None)
    if shape is None:
        raise InputError(f"X is a {type(X).__name__}; make it a table in memory with collect().")
    if len(shape) == 1:
        _refuse_other_cells(features)
    if len(shape) != 2:
        raise InputError(f"X has the shape {shape}; it needs rows and columns, as in a table.")
    if shape[0] != n_samples:
        raise InputError(
            f"X has {counted(shape[0], 'row')}, but y has {counted(n_samples, 'label')}."
        )
    if not shape[1]:
        raise InputError("X has no columns: there is nothing to judge the labels by.")
    if sparse.issparse(features):
        _check_sparse(features)
    elif isinstance(features, np.ndarray):
        _check_array(features)
        # Sums over columns of another order would round differently.
        features = np.ascontiguousarray(features)
    else:
        index = X.index if isinstance(X, pd.DataFrame) else index
        _check_frame(features)
    return features, index


def is_documents(X: Any) -> bool:
    """Whether `X` is a list or a column of texts, some of which may be missing."""
    if isinstance(X, str | bytes) or hasattr(X, "columns") or sparse.issparse(X):
        return False
    if not (isinstance(X, list | tuple) or len(getattr(X, "shape", ())) == 1):
        return False
    cells = pd.Series(list(X), dtype=object)
    return pd.api.types.infer_dtype(cells, skipna=True) == "string"


def _refuse_other_cells(cells: Any) -> None:
    """Name what stands among texts and is none."""
    texts = [isinstance(cell, str) for cell in cells]
    if not any(texts):
        return
    for at, cell in enumerate(cells):
        if not (texts[at] or (pd.api.types.is_scalar(cell) and pd.isna(cell))):
            raise InputError(
                f"X is a list of texts, but holds {quote(cell)} at position {at} (counted from 0), "
                f"which is of the type {type(cell).__name__}; make it a text or None."
            )


def add_embeddings(features: Any, embeddings: ArrayLike, n_samples: int) -> Any:
    """Put ready-made numbers of each row beside its features.

    Parameters
    ----------
    features : DataFrame, ndarray, csr_array or None
        What :func:`check_features` gives.
    embeddings : array-like of shape (n_samples, n_dimensions)
        Numbers, all finite.
    n_samples : int
        The number of labels.

    Returns
    -------
    DataFrame or ndarray
        The embeddings alone where there are no features; otherwise a frame with a column
        ``embedding 1``, … for each dimension.

    Raises
    ------
    InputError
        Where they are no numbers, not finite, of another number of rows, or `features` are sparse.
    """
    numbers = check_embeddings(embeddings, n_samples)
    if features is None:
        return numbers
    if sparse.issparse(features):
        raise InputError("embeddings can't stand beside a sparse X; give one of them.")
    frame = as_frame(features)
    frame.columns = pd.Index([str(name) for name in frame.columns])
    beside = pd.DataFrame(
        numbers, columns=[f"{EMBEDDING}{at + 1}" for at in range(numbers.shape[1])]
    )
    if twice := set(frame.columns) & set(beside.columns):
        raise InputError(f"X has a column {min(twice)!r} already; rename it.")
    return pd.concat([frame, beside], axis=1)


def check_embeddings(embeddings: ArrayLike, n_samples: int) -> NDArray[np.float64]:
    """Check ready-made numbers of each row; see :func:`add_embeddings`."""
    numbers = np.asarray(embeddings)
    if numbers.dtype.kind not in "fiu" or numbers.ndim != 2:
        raise InputError(
            f"embeddings must be numbers in rows and columns, but have the shape {numbers.shape} "
            f"and the type {numbers.dtype}."
        )
    if len(numbers) != n_samples:
        raise InputError(
            f"embeddings has {counted(len(numbers), 'row')}, but y has "
            f"{counted(n_samples, 'label')}: row by row they must belong together."
        )
    if not numbers.shape[1]:
        raise InputError("embeddings has no columns; give one or more numbers for each row.")
    numbers = numbers.astype(np.float64, copy=False)
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0].tolist()
        raise InputError(
            f"embeddings has the value {numbers[row, column]} in row {row}, column {column} (both "
            "counted from 0); each must be a finite number."
        )
    return numbers


def embedding_columns(features: Any, embeddings: ArrayLike | None) -> list[str]:
    """Give the names of the columns that nobody can read."""
    if embeddings is None or not hasattr(features, "columns"):
        return []
    return [name for name in features.columns if name.startswith(EMBEDDING)]


def check_names(features: Any, **chosen: Collection[str]) -> None:
    """Check that a table has the columns that each option names; arrays have no names."""
    for option, names in chosen.items():
        if isinstance(names, str):
            raise InputError(f"{option}={names!r} must be a list of names: {option}=[{names!r}].")
        if names and not hasattr(features, "columns"):
            raise InputError(f"{option}={list(names)!r} needs an X with names; give a data frame.")
        for name in names:
            if name not in features.columns:
                resolve_column(str(name), features.columns)


def as_array(X: Any) -> NDArray[Any]:
    """Give rows as an array; numbers beside words and missing values stay what they are."""
    if isinstance(X, np.ma.MaskedArray):
        # As objects, because numpy forgets the mask and only None stays missing in any type.
        return np.array(X.tolist(), dtype=object)
    if hasattr(X, "__array__"):
        return np.asarray(X)
    if not isinstance(X, list | tuple):
        raise InputError(
            f"X is of the type {type(X).__name__}; give a data frame, an array, a sparse matrix or "
            "a list of rows."
        )
    try:
        cells = np.asarray(X, dtype=object)
        # numpy would turn the numbers beside words into words, each as wide as the longest.
        has_words = any(isinstance(cell, str | bytes) for cell in cells.flat)
        return cells if has_words else np.asarray(X)
    except ValueError:
        raise InputError("The rows of X differ in length; each needs the same columns.") from None


def _check_sparse(matrix: sparse.csr_array) -> None:
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if bad.size:
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        raise InputError(
            f"Column {matrix.indices[bad[0]]} has the value {matrix.data[bad[0]]} in row {row} "
            "(both counted from 0); a sparse X can't have missing or infinite values."
        )
    if matrix.shape[0] and not (matrix.max(axis=0) - matrix.min(axis=0)).count_nonzero():
        raise InputError("Every row of X is the same: there is nothing to judge the labels by.")


def _check_array(array: NDArray[Any]) -> None:
    if array.dtype.kind in "cV":
        raise InputError(f"X holds values of the type {array.dtype}; numbers or words are needed.")
    if array.dtype.kind == "f" and np.isinf(array).any():
        row, column = np.argwhere(np.isinf(array))[0].tolist()
        _refuse_infinite(row, column)


def _check_frame(frame: Any) -> None:
    names = list(frame.columns)
    twice = pd.Index(names, dtype=object).duplicated()
    if twice.any():
        name = names[twice.argmax()]
        raise InputError(f"X has more than one column named {name!r}; give each its own name.")
    is_word = [isinstance(name, str) for name in names]
    if any(is_word) and not all(is_word):
        odd = names[is_word.index(False)]
        raise InputError(
            f"The names of the columns of X are words and others, such as {odd!r}; "
            "make all of them words: X.columns = X.columns.astype(str)."
        )
    for name, column in as_frame(frame).items():
        if column.dtype.kind == "f":
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            if (rows := np.flatnonzero(np.isinf(numbers))).size:
                _refuse_infinite(int(rows[0]), name)


def _refuse_infinite(row: int, column: Any) -> None:
    raise InputError(
        f"Column {column!r} has an infinite value in row {row} (counted from 0); "
        "replace it with a number or leave it empty."
    )
