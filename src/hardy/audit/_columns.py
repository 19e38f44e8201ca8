"""Columns of any kind as arrays that need no pickle."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.audit.summary import plain

Arrays = dict[str, NDArray[Any]]


def pack_json(value: Any) -> NDArray[np.uint8]:
    """Turn a JSON value into an array of bytes."""
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def unpack_json(packed: NDArray[np.uint8]) -> Any:
    """Turn the bytes of :func:`pack_json` into the value again."""
    return json.loads(packed.tobytes())


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
            if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufcmM"
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
    frame = pd.DataFrame(columns)
    frame.columns = pd.Index(unpack_json(packed[f"{name}.columns"]))
    return frame


def _unpack_column(packed: NDArray[Any], dtype: str) -> "pd.Series[Any]":
    if packed.dtype != np.uint8 or dtype == "uint8":
        return pd.Series(packed)
    values = unpack_json(packed)
    try:
        return pd.Series(values, dtype=dtype)
    except (TypeError, ValueError, NotImplementedError):
        # Such as intervals, which pandas can't read from their text.
        return pd.Series(values, dtype=object)


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


def unpack_index(packed: Mapping[str, NDArray[Any]], name: str) -> "pd.Index[Any]":
    """Turn the arrays of :func:`pack_index` into the index again."""
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
