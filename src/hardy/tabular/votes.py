"""Labels by several annotators: columns of a table, or lines of a file of their own."""

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hardy._files import naming
from hardy._quoting import quote
from hardy.annotators import find_consensus, widen_labels
from hardy.exceptions import InputError, NotAssessableWarning
from hardy.tabular._frames import as_words
from hardy.tabular.columns import resolve_column
from hardy.tabular.reading import Table, read_table, shortest_labels

ANNOTATION_COLUMNS = ("row", "annotator", "label")


def read_votes(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame | None:
    """Give the columns of annotators, all as integers where all their labels are."""
    if not names:
        return None
    together = pd.concat([as_words(frame[name]) for name in names], keys=list(names))
    return shortest_labels(together).astype(object).unstack(0)[list(names)]


def read_annotations(
    path: str | os.PathLike[str], columns: Sequence[str], table: Table, id: str | None
) -> pd.DataFrame:
    """Read a file with a line for each label as a column for each annotator.

    Parameters
    ----------
    path : path-like
        The file, as :func:`read_table` reads it.
    columns : sequence of three str
        Its columns of the row, the annotator and the label.
    table : Table
        The table whose rows were labelled.
    id : str or None
        The column of the table that names its rows; without one they are counted from 1.

    Returns
    -------
    DataFrame of shape (n_samples, n_annotators)
        In the order of the table's rows.

    Raises
    ------
    InputError
        Where the file can't be read, lacks a column, names a row that the table lacks, has no name
        of a row or an annotator, fewer than two annotators, or different labels of a row by one.
    """
    if isinstance(columns, str) or len(set(columns)) != 3:
        raise InputError(
            f"The annotation columns {columns!r} must be three names: of the columns of the row, "
            "the annotator and the label."
        )
    lines = read_table(path, text=columns)
    with naming(lines.source.path):
        columns = [resolve_column(name, lines.frame.columns) for name in columns]
        frame = pd.DataFrame({name: as_words(lines.frame[name]) for name in columns})
        row, annotator, label = columns
        for name in (row, annotator):
            if frame[name].isna().any():
                place = lines.place(int(frame[name].isna().argmax()))
                raise InputError(f"The column {name!r} has no value in {place}; every line needs "
                                 "one.")  # fmt: skip
        names = _name_rows(table, id)
        unknown = np.flatnonzero(~frame[row].isin(names))
        if unknown.size:
            how = (
                "are counted from 1; name the column with their names (id)"
                if id is None
                else (f"are named by the column {id!r}")
            )
            raise InputError(
                f"There is no row {quote(frame[row].iloc[unknown[0]])} in "
                f"{table.source.path.name}, as {lines.place(int(unknown[0]))} says: its rows {how}."
            )
        frame[label] = shortest_labels(frame[label]).astype(object)
        said = frame.loc[frame[label].notna(), annotator]
        if said.nunique() < 2:
            only = f"only {quote(said.iloc[0])} gave labels" if len(said) else "there is no label"
            raise InputError(f"Two annotators or more are needed, but {only}.")
        votes = widen_labels(frame, row=row, annotator=annotator, label=label, rows=names)
    return votes.reset_index(drop=True)


def agree(votes: pd.DataFrame | None, title: str) -> "pd.Series[Any]":
    """Give the consensus of annotators as a column of labels."""
    with warnings.catch_warnings():
        # The audit says it.
        warnings.simplefilter("ignore", NotAssessableWarning)
        return pd.Series(find_consensus(votes).labels, name=title)


def _name_rows(table: Table, id: str | None) -> "pd.Series[Any]":
    """Give the name of each row of a table; every row needs one of its own."""
    if id is None:
        return pd.Series(range(1, len(table.frame) + 1)).map(str)
    names = as_words(table.frame[id])
    for is_bad, fault in (
        (names.isna(), "has no value"),
        (names.duplicated(), "names a row again"),
    ):
        if is_bad.any():
            raise InputError(
                f"The column {id!r} of {table.source.path.name} {fault} in "
                f"{table.place(int(is_bad.argmax()))}; to tell whose labels are whose, every row "
                "needs a name of its own."
            )
    return names
