"""Tables of any kind as pandas frames, and single columns as numbers, words or moments."""

import warnings
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.exceptions import InputError

_TRUE = frozenset({"true", "yes", "t", "y"})
_FALSE = frozenset({"false", "no", "f", "n"})
# Floats tell all integers up to this one apart.
LARGEST_EXACT = 2**53
LONGEST_DOCUMENT = 100_000


def as_frame(X: Any) -> pd.DataFrame:
    """Give a table or array as a pandas frame whose rows are counted from 0.

    Objects become the type that all of their values have; integers beside missing values become
    floats, unless these would lose digits.
    """
    if isinstance(X, pd.DataFrame):
        frame = X.reset_index(drop=True)
    elif hasattr(X, "get_columns"):
        # Series by series, because polars' own to_pandas needs pyarrow.
        series = X.get_columns()
        frame = pd.DataFrame(dict(enumerate(map(_as_cells, series))))
        frame.columns = pd.Index([column.name for column in series], dtype=object)
    elif hasattr(X, "to_pandas"):
        frame = X.to_pandas().reset_index(drop=True)
    else:
        frame = pd.DataFrame(X, copy=False)
    try:
        inferred = frame.infer_objects()
    except OverflowError:
        # pandas 2 stumbles over integers that no float can hold; they are told by their digits.
        return frame.map(lambda cell: str(cell) if isinstance(cell, int) else cell).infer_objects()
    for position, (before, after) in enumerate(zip(frame.dtypes, inferred.dtypes, strict=True)):
        if before != after and is_rounded(inferred.iloc[:, position]):
            inferred.isetitem(position, frame.iloc[:, position].array)
    return inferred


def _as_cells(column: Any) -> NDArray[Any]:
    """Give a column of polars as an array with one value a row."""
    cells: NDArray[Any] = column.to_numpy()
    has_holes = column.dtype.is_integer() and column.null_count() > 0
    if cells.ndim == 1 and not has_holes:
        return cells
    # The fields of a struct would be columns of their own, and integers with holes lose digits.
    return pd.Series(column.to_list(), dtype=object).to_numpy()


def is_rounded(column: pd.Series) -> bool:
    """Whether a column has floats that may have lost digits of integers."""
    return column.dtype.kind == "f" and bool((column.abs() > LARGEST_EXACT).any())


def parse_numbers(column: pd.Series) -> NDArray[np.float64]:
    """Give a column as floats; what is missing or can't be read as a number is NaN.

    Moments aren't numbers, though pandas would count their nanoseconds.
    """
    dtype = column.dtype
    if dtype.kind == "M" or isinstance(dtype, pd.PeriodDtype):
        return np.full(len(column), np.nan)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return column.to_numpy(dtype=np.float64)
    if dtype.kind == "m":
        column = column.dt.total_seconds()
    elif isinstance(dtype, pd.CategoricalDtype):
        column = column.astype(object)
    try:
        parsed = pd.to_numeric(column, errors="coerce")
    except OverflowError:
        parsed = pd.to_numeric(column.map(_as_float), errors="coerce")
    numbers: NDArray[np.float64] = parsed.to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers


def _as_float(cell: Any) -> Any:
    """Give an integer as a float, NaN where no float can hold it; others stay as they are."""
    try:
        return float(cell) if isinstance(cell, int) else cell
    except OverflowError:
        return np.nan


def as_numbers(column: pd.Series) -> NDArray[np.float64]:
    """Give a column as floats, missing values as NaN; infinite values and words are errors."""
    numbers = parse_numbers(column)
    bad = np.flatnonzero(np.isnan(numbers) & column.notna().to_numpy())
    if bad.size:
        row = int(bad[0])
        raise InputError(
            f"Column {column.name!r} holds numbers, but has {column.iloc[row]!r} in row {row} "
            "(counted from 0)."
        )
    bad = np.flatnonzero(np.isinf(numbers))
    if bad.size:
        raise InputError(
            f"Column {column.name!r} has an infinite value in row {int(bad[0])} (counted from 0); "
            "replace it with a number or leave it empty."
        )
    return numbers


def as_words(column: pd.Series) -> pd.Series:
    """Give a column as strings without blanks at their ends; what is missing or blank is None."""
    present = column.notna().to_numpy()
    values = column[present].astype(object)
    if column.dtype.kind == "f":
        values = values.map(lambda value: int(value) if float(value).is_integer() else value)
    if pd.api.types.infer_dtype(values) != "string":
        values = values.map(str)
    words = np.full(len(column), None, dtype=object)
    if present.any():
        words[present] = values.str.strip().to_numpy(dtype=object)
    words[words == ""] = None
    return pd.Series(words, name=column.name, dtype=object)


def as_documents(column: pd.Series) -> pd.Series:
    """Give a column of text for what counts its words: nothing missing, and very long texts cut.

    What 100,000 characters don't tell, more won't, but a single cell of megabytes takes as long as
    a whole table.
    """
    return as_words(column).fillna("").astype(str).str.slice(stop=LONGEST_DOCUMENT)


def as_truth_values(column: pd.Series) -> NDArray[np.float64]:
    """Give a column of booleans, or of words such as yes and no, as 1, 0 and NaN."""
    words = as_words(column).str.lower()
    return np.where(words.isin(_TRUE), 1.0, np.where(words.isin(_FALSE), 0.0, np.nan))


def says_yes_or_no(distinct: "pd.Series") -> bool:
    """Whether a column's distinct words are one for true and one for false."""
    lowered = set(distinct.str.lower())
    return len(lowered & _TRUE) == 1 and len(lowered & _FALSE) == 1 and len(lowered) == 2


def as_moments(column: pd.Series, date_format: str | None) -> pd.Series:
    """Give a column as moments in universal time; what can't be read so is missing.

    Numbers aren't moments, unless they are written in the format.
    """
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if column.dtype.kind != "M":
        cells = column.astype(object) if date_format is None else as_words(column)
        if date_format is None:
            # pandas would count numbers as nanoseconds.
            cells = cells.where(cells.map(_may_be_moment).astype(bool))
        with warnings.catch_warnings():
            # How pandas goes about words of a form of their own is no matter of the user's.
            warnings.simplefilter("ignore", UserWarning)
            column = pd.to_datetime(cells, format=date_format, errors="coerce", utc=True)
    if column.dt.tz is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return column


def _may_be_moment(cell: Any) -> bool:
    return isinstance(cell, str | date | np.datetime64)


def find_unread_rows(column: pd.Series, is_missing: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Give the rows that hold something, though reading the column has found nothing there."""
    rows = np.flatnonzero(is_missing)
    found: NDArray[np.intp] = rows[as_words(column.iloc[rows]).notna().to_numpy()]
    return found
