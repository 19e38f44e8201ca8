"""Columns of any kind as arrays that need no pickle."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._json import LISTS, read_json
from hardy.audit._plain import plain

Arrays = dict[str, NDArray[Any]]
_EXACT = "biufcmM"
_MOST_LISTS = 1_000_000


def pack_json(value: Any) -> NDArray[np.uint8]:
    """Turn a JSON value into an array of bytes."""
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def unpack_json(packed: NDArray[np.uint8]) -> Any:
    """Turn the bytes of :func:`pack_json` into the value again."""
    if packed.dtype != np.uint8 or packed.ndim != 1:
        raise ValueError(f"bytes are of the type {packed.dtype} and the shape {packed.shape}")
    return read_json(packed.tobytes(), _MOST_LISTS, LISTS)


def unpack_names(packed: NDArray[np.uint8]) -> list[str]:
    """Turn the bytes of :func:`pack_json` into the distinct names that they must be."""
    return distinct_names(unpack_json(packed))


def distinct_names(names: Any) -> list[str]:
    """Give a list of distinct names, if it is one."""
    known = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not known or len(set(names)) < len(names):
        raise ValueError("what must be distinct names is something else")
    named: list[str] = names
    return named


def pack_frame(frame: pd.DataFrame, name: str) -> Arrays:
    """Turn a table into arrays, without its index.

    Numbers, booleans and moments stay exact; other values are saved as JSON, and those that JSON
    doesn't know as their text.
    """
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    packed: Arrays = {
        f"{name}.columns": pack_json([plain(column) for column in frame.columns]),
        f"{name}.dtypes": pack_json([str(column.dtype) for column in columns]),
    }
    for position, column in enumerate(columns):
        packed[f"{name}.{position}"] = (
            column.to_numpy()
            if isinstance(column.dtype, np.dtype) and column.dtype.kind in _EXACT
            else pack_json(plain(column.astype(object).tolist()))
        )
    return packed


def unpack_frame(packed: Mapping[str, NDArray[Any]], name: str) -> pd.DataFrame:
    """Turn the arrays of :func:`pack_frame` into the table again, on a plain index."""
    dtypes = unpack_json(packed[f"{name}.dtypes"])
    columns = {
        position: _unpack_column(packed[f"{name}.{position}"], dtype)
        for position, dtype in enumerate(dtypes)
    }
    if len({len(column) for column in columns.values()}) > 1:
        raise ValueError(f"the columns of {name} have different lengths")
    frame = pd.DataFrame(columns)
    frame.columns = pd.Index(unpack_json(packed[f"{name}.columns"]))
    return frame


def _unpack_column(packed: NDArray[Any], dtype: str) -> "pd.Series[Any]":
    if packed.dtype != np.uint8 or dtype == "uint8":
        if packed.dtype.kind not in _EXACT:
            raise ValueError(f"a column is of the type {packed.dtype}")
        return pd.Series(packed)
    values = unpack_json(packed)
    if not isinstance(values, list):
        raise TypeError("a column is no list")
    try:
        return pd.Series(values, dtype=object if _has_width(dtype) else dtype)
    except (TypeError, ValueError, NotImplementedError, OverflowError):
        # Such as intervals, which pandas can't read from their text.
        return pd.Series(values, dtype=object)


def _has_width(dtype: str) -> bool:
    """Whether it is a type of NumPy's that says how many bytes each value takes."""
    try:
        known = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        return False
    return known.kind in "SUV" and known.itemsize > 0


def pack_index(index: "pd.Index[Any]", name: str) -> Arrays:
    """Turn an index into arrays; one that only counts takes no room."""
    if isinstance(index, pd.RangeIndex):
        return {
            f"{name}.range": pack_json([index.start, index.stop, index.step, plain(index.name)])
        }
    levels = pd.DataFrame({at: index.get_level_values(at) for at in range(index.nlevels)})
    return {
        f"{name}.names": pack_json([plain(level) for level in index.names]),
        **pack_frame(levels, f"{name}.levels"),
    }


def unpack_index(
    packed: Mapping[str, NDArray[Any]], name: str, length: int | None = None
) -> "pd.Index[Any]":
    """Turn the arrays of :func:`pack_index` into the index again, of a length that may be known."""
    index = _unpack_index(packed, name)
    if length is not None and len(index) != length:
        raise ValueError(f"{len(index)} names of {length} rows")
    return index


def _unpack_index(packed: Mapping[str, NDArray[Any]], name: str) -> "pd.Index[Any]":
    if f"{name}.range" in packed:
        start, stop, step, title = unpack_json(packed[f"{name}.range"])
        return pd.RangeIndex(start, stop, step, name=title)
    names = unpack_json(packed[f"{name}.names"])
    levels = unpack_frame(packed, f"{name}.levels")
    index: pd.Index[Any] = (
        pd.Index(levels.iloc[:, 0]).rename(names[0])
        if len(names) == 1
        else pd.MultiIndex.from_frame(levels, names=names)
    )
    return index
