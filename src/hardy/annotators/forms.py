"""Labels in long form, one a line, as a table with a column for each annotator."""

from typing import Any

import numpy as np
import pandas as pd

from hardy._quoting import quote
from hardy.exceptions import InputError


def widen_labels(
    table: Any,
    *,
    row: str = "row",
    annotator: str = "annotator",
    label: str = "label",
    rows: Any = None,
) -> pd.DataFrame:
    """Turn lines of (row, annotator, label) into a column of labels for each annotator.

    Parameters
    ----------
    table : DataFrame
        The lines; pandas or polars.
    row, annotator, label : str, default="row", "annotator", "label"
        The columns that name the row, the annotator, and hold the label.
    rows : array-like of shape (n_samples,), optional
        The names of all rows in the order that is wanted, some of which may have no label; by
        default those of the table, in the order of their first line.

    Returns
    -------
    DataFrame of shape (n_samples, n_annotators)
        The labels by row name, None where an annotator gave none; annotators in the order of
        their first line.

    Raises
    ------
    InputError
        Where a column is missing, a row or annotator has no name, an annotator labelled a row
        twice in different ways, or the table names a row that `rows` lacks.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.annotators import widen_labels
    >>> long = pd.DataFrame({"row": [1, 1, 2], "annotator": ["ann", "bob", "ann"],
    ...                      "label": ["cat", "dog", "cat"]})
    >>> widen_labels(long)
    annotator  ann   bob
    row
    1          cat   dog
    2          cat  None
    """
    if not hasattr(table, "columns"):
        raise InputError(f"The table of labels is a {type(table).__name__}; give a data frame.")
    for name in (row, annotator, label):
        if name not in list(table.columns):
            raise InputError(
                f"There is no column {name!r} in the table of labels; it has {list(table.columns)}."
            )
    frame = pd.DataFrame(
        {
            name: pd.Series(list(table[name]), dtype=object).infer_objects()
            for name in dict.fromkeys((row, annotator, label))
        }
    )
    for name in (row, annotator):
        missing = np.flatnonzero(frame[name].isna())
        if missing.size:
            raise InputError(
                f"The column {name!r} has no value in line {missing[0]} (counted from 0) of the "
                "table of labels; every line needs one."
            )
    lines = frame.dropna(subset=[label]).drop_duplicates()
    twice = lines[lines.duplicated([row, annotator])]
    if len(twice):
        place, who = twice.iloc[0][row], twice.iloc[0][annotator]
        raise InputError(
            f"The annotator {quote(who)} gave the row {quote(place)} different labels; keep one "
            "of them."
        )
    known = frame[row].unique() if rows is None else np.asarray(rows)
    index = pd.Index(known, name=row)
    if index.has_duplicates:
        raise InputError(f"rows names {quote(index[index.duplicated()][0])} twice.")
    unknown = ~frame[row].isin(index)
    if unknown.any():
        raise InputError(
            f"The table of labels has a row {quote(frame[row][unknown].iloc[0])}, which "
            "is none of the rows."
        )
    wide = lines.pivot(index=row, columns=annotator, values=label).astype(object)
    wide = wide.reindex(index=index, columns=pd.Index(frame[annotator].unique(), name=annotator))
    return wide.where(wide.notna(), None)
