"""Dask arrays and data frames: what they are, and their blocks of rows."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks, import_dask
from hardy.exceptions import InputError


def is_collection(X: Any) -> bool:
    """Whether something is Dask's; that needs no Dask."""
    return "dask" in sys.modules and bool(import_dask().is_dask_collection(X))


def check_table(X: Any) -> Any:
    """See that this is a Dask table, and give it with all columns in each block."""
    if not (is_collection(X) and getattr(X, "ndim", 0) == 2):
        raise InputError(
            f"X is a {type(X).__name__}, but must be a Dask array with two axes or a Dask data "
            "frame; the class of this name in hardy takes what lies in memory."
        )
    if is_frame(X):
        return X
    if np.isnan(X.shape[1]):
        raise InputError("The number of X's columns isn't known; X.compute_chunk_sizes() finds it.")
    return X if X.numblocks[1] == 1 else X.rechunk({1: -1})


def column_parts(name: str, column: Any, X: Any) -> list[Any]:
    """Give the blocks of a column of values that belong to the rows of X."""
    shape: tuple[float, ...] = getattr(column, "shape", ())
    if not (is_collection(column) and (len(shape) == 1 or shape[1:] == (1,))):
        raise InputError(
            f"{name} is a {type(column).__name__}, but must be a Dask array or series of one "
            "column, in the same blocks as X."
        )
    if not (is_frame(X) or is_frame(column)) and _can_be_rechunked(X, column):
        column = column.rechunk({0: X.chunks[0]})
    parts, n_parts = table_parts(column), len(table_parts(X))
    if len(parts) != n_parts:
        raise InputError(
            f"{name} has {len(parts)} blocks and X has {n_parts}: give both the same, for example "
            "by taking them from one data frame."
        )
    return parts


def table_parts(X: Any) -> list[Any]:
    """Give a collection's blocks of rows, to be computed."""
    return list(np.ravel(np.array(X.to_delayed(), dtype=object)))


def table_type(X: Any) -> type[np.float32] | type[np.float64]:
    """Give the floating-point type that all rows get: that of learners for such a table."""
    try:
        common = np.result_type(*X.dtypes) if is_frame(X) else X.dtype
    except TypeError:  # Types of columns that NumPy hasn't.
        return np.float64
    return np.float32 if common == np.float32 else np.float64


def example_rows(X: Any) -> Any:
    """Make a row or two of the columns and types of X, without computing anything."""
    return X._meta_nonempty if is_frame(X) else np.zeros((1, X.shape[1]), dtype=X.dtype)


def answer_lazily(
    answer: Callable[..., NDArray[Any]], example: NDArray[Any], X: Any, *columns: Any, axis: int = 0
) -> Any:
    """Give what `answer` says of each block of rows as one Dask array, its rows on an axis.

    `example` is what it says of some rows, for the type and the other axes.
    """
    dask, da = import_dask(), import_dask("dask.array")
    parts = table_parts(X)
    lengths = [np.nan] * len(parts) if is_frame(X) else X.chunks[0]
    no_rows = np.take(example, [], axis=axis)
    call = dask.delayed(_answer_part, pure=False)
    blocks = []
    for length, *part in zip(lengths, parts, *columns, strict=True):
        shape = list(example.shape)
        shape[axis] = length
        said = call(answer, no_rows, *part)
        blocks.append(da.from_delayed(said, tuple(shape), meta=no_rows))
    return da.concatenate(blocks, axis=axis)


def lay_end_to_end(blocks: Blocks, lengths: list[int], example: NDArray[Any]) -> Any:
    """Give arrays that are on the cluster as one Dask array; `example` is one without rows."""
    da = import_dask("dask.array")
    parts = [
        da.from_delayed(part, (length, *example.shape[1:]), meta=example)
        for part, length in zip(blocks.parts, lengths, strict=True)
    ]
    return da.concatenate(parts)


def _answer_part(
    answer: Callable[..., NDArray[Any]], no_rows: NDArray[Any], rows: Any, *columns: Any
) -> NDArray[Any]:
    return answer(rows, *columns) if rows.shape[0] else no_rows


def is_frame(X: Any) -> bool:
    return hasattr(X, "npartitions") and not hasattr(X, "chunks")


def _can_be_rechunked(X: Any, column: Any) -> bool:
    lengths = [*X.chunks[0], *column.chunks[0]]
    return not np.isnan(lengths).any() and X.shape[0] == column.shape[0]
