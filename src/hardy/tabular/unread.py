"""Cells that can't be read as what their column was found to hold."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy.tabular._blocks import column_at
from hardy.tabular._frames import (
    as_frame,
    as_moments,
    as_truth_values,
    find_unread_rows,
    parse_numbers,
)
from hardy.tabular.columns import ColumnDescription
from hardy.tabular.stored import StoredFrame


@dataclass(frozen=True)
class UnreadCells:
    """The cells of one column that hold something else than the column does.

    Attributes
    ----------
    column : ColumnDescription
        What the column holds.
    rows : ndarray of shape (n_cells,), dtype int64
        Their rows, counted from 0; at least one.
    first : object
        The first one's value.
    """

    column: ColumnDescription
    rows: NDArray[np.int64]
    first: Any


def find_unread_cells(
    X: ArrayLike | StoredFrame,
    columns: Iterable[ColumnDescription],
    kinds: Collection[str] = ("numeric", "boolean", "date"),
) -> list[UnreadCells]:
    """Find the cells that are neither missing nor what their column is said to hold.

    Parameters
    ----------
    X : DataFrame, array-like or StoredFrame of shape (n_samples, n_features)
        A table; pandas or polars.
    columns : iterable of ColumnDescription
        What its columns hold, such as ``TableEncoder.columns_``. Columns that were set aside
        aren't looked at.
    kinds : collection of str, default=("numeric", "boolean", "date")
        The kinds of columns to look at.

    Returns
    -------
    list of UnreadCells
        One for each column with such cells: numeric ones with words or infinite numbers,
        boolean ones with other words than yes and no, and columns of moments with words that
        are no moments.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.tabular import describe_columns
    >>> columns = describe_columns(pd.DataFrame({"ripe": ["yes", "no"] * 3}))
    >>> new = pd.DataFrame({"ripe": ["no", "perhaps", None, "YES", "soon"]})
    >>> for cells in find_unread_cells(new, columns):
    ...     print(cells.column.name, cells.rows, cells.first)
    ripe [1 4] perhaps
    """
    frame = X if isinstance(X, StoredFrame) else as_frame(X)
    found = []
    for position, column in enumerate(columns):
        if column.kind not in kinds or column.set_aside is not None:
            continue
        values = column_at(frame, position)
        rows = _find_rows(values, column)
        if rows.size:
            found.append(UnreadCells(column, rows, values.iloc[rows[0]]))
    return found


def _find_rows(values: pd.Series, column: ColumnDescription) -> NDArray[np.intp]:
    if column.kind == "numeric":
        numbers = parse_numbers(values)
        return np.flatnonzero(np.isinf(numbers) | (np.isnan(numbers) & values.notna().to_numpy()))
    if column.kind == "boolean":
        return find_unread_rows(values, np.isnan(as_truth_values(values)))
    return find_unread_rows(values, as_moments(values, column.date_format).isna().to_numpy())
