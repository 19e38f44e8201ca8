"""Tables from files: delimited text in any usual dress, and Parquet."""

import hashlib
import io
import os
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._files import as_path, naming
from hardy.exceptions import InputError
from hardy.tabular._decoding import decode, read_bytes, unpack
from hardy.tabular._parquet import PARQUET, read_parquet, refuse_other_ending
from hardy.tabular._parsing import TableSource, parse_text
from hardy.tabular._records import (
    check_separator,
    find_separator,
    has_decimal_commas,
    scan_records,
    take_declaration,
)
from hardy.tabular.columns import adopt_names, resolve_column

_INTEGER = r"-?[1-9]\d{0,17}|0"


@dataclass(frozen=True)
class Table:
    r"""A table and where its rows stand in the file.

    Attributes
    ----------
    frame : DataFrame of shape (n, n_columns)
        The values; rows are counted from 0.
    lines : ndarray of shape (n,), dtype int64
        The physical line of the file, counted from 1, at which each row starts. Parquet has no
        lines; there it is the row, counted from 1.
    source : TableSource
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.tabular import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text("size,label\n1.5,plum\n2.5,apple\n")
    ...     table = read_table(path)
    >>> table.place(1), table.frame.loc[1, "label"]
    ('line 3', 'apple')
    """

    frame: Any  # StoredFrame, too, where there are too many rows for memory.
    lines: NDArray[np.int64]
    source: TableSource

    def place(self, row: int) -> str:
        """Say where in the file a row stands.

        Parameters
        ----------
        row : int
            The row of the frame, counted from 0.

        Returns
        -------
        str
            Such as ``line 7``; in Parquet ``row 6``, counted from 1.
        """
        unit = "row" if self.source.format == "parquet" else "line"
        return f"{unit} {self.lines[row]}"


def read_table(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    text: Collection[str] = (),
    unchecked: Collection[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
) -> Table:
    r"""Read a table from a file of delimited text (CSV, TSV, …) or Parquet, gzipped or not.

    In text, separator (comma, semicolon, tab, bar), encoding (UTF-8, Latin-1 as Windows writes
    it, or what a byte-order mark says), decimal commas and gzip are found from the content; a
    first line such as ``sep=;``, which Excel writes, names the separator.
    Numbers are parsed column by column; a column of integers some of which have leading zeros,
    or so many digits that floats would confuse them, keeps its spelling, since it holds codes.
    Empty and blank fields, ``NA``, ``NaN``, ``NULL`` and ``?`` are missing values. The file is
    only read, never changed.

    Parameters
    ----------
    path : path-like
        The file.
    target : str, optional
        The column of labels. Its spelling is kept (``01`` stays ``"01"``), unless all labels
        are integers in their shortest form; ``None`` and ``?`` are labels like others. Where the
        file writes the name in another Unicode form, the column comes with the name given here,
        and so do those of `text` and `unchecked`.
    text : collection of str, optional
        More columns whose spelling is to be kept; names that the file lacks are ignored.
    unchecked : collection of str, default=()
        Columns that won't be used, so that infinite values in them do no harm.
    separator : str, optional
        The one character between fields; found out by default.
    encoding : str, optional
        The text's encoding by Python's name, such as ``"shift_jis"``; found out by default.
        Parquet has none and ignores it.

    Returns
    -------
    Table
        The values as a pandas frame, the line of each row, and facts about the file.

    Raises
    ------
    InputError
        Where the file is missing, a folder, a pipe, empty, without rows, damaged or not in its
        encoding; where two columns have one name; where a row has too many or too few fields;
        where a number is infinite; where `target` is no column or one of lists; where
        `separator` is no single ASCII character or `encoding` is unknown. The message says where.
    MissingExtraError
        For Parquet, where pyarrow isn't installed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text('size;label\n1,5;01\n"2,5";02\n')
    ...     table = read_table(path, target="label")
    >>> table.frame
       size label
    0   1.5    01
    1   2.5    02
    >>> table.lines
    array([2, 3])
    """
    path = as_path(path)
    if separator is not None:
        check_separator(separator)
    asked = [*([] if target is None else [target]), *text, *unchecked]
    data = read_bytes(path)
    checksum = hashlib.sha256(data).hexdigest()
    data, compression = unpack(data, path)
    if data.startswith(PARQUET):
        source = TableSource(path, checksum, "parquet", compression)
        frame = read_parquet(data, path, target, asked)
        lines = np.arange(1, len(frame) + 1)
    else:
        refuse_other_ending(path)
        content, encoding = decode(data, path, encoding)
        del data
        content, declared = take_declaration(content)
        records = partial(io.StringIO, content, newline="")
        separator = separator or declared or find_separator(records)
        header, lines, _ = scan_records(records(), separator, path, encoding)
        header = adopt_names(header, asked)
        if target is not None:
            with naming(path):
                resolve_column(target, header)
        decimal = "," if has_decimal_commas(content, separator) else "."
        source = TableSource(path, checksum, "text", compression, encoding, separator, decimal)
        frame = parse_text(content, header, source, target, text).frame
        if len(frame) != len(lines):
            raise InputError(
                f"{path} can't be read reliably: it has {len(lines)} records or {len(frame)} rows, "
                "depending on how its quotes are understood. Quote its fields as RFC 4180 says."
            )
        if target is not None:
            frame[target] = shortest_labels(frame[target])
    table = Table(frame, lines, source)
    refuse_infinite(table, unchecked)
    return table


def shortest_labels(labels: pd.Series) -> pd.Series:
    """Strip blanks; make integers of the labels if each one is an integer's shortest form."""
    labels = labels.str.strip()
    labels = labels.where(labels != "")
    present = labels.dropna()
    if present.empty or not present.str.fullmatch(_INTEGER).all():
        return labels
    return labels.astype("Int64" if len(present) < len(labels) else "int64")


def refuse_infinite(table: Table, unchecked: Collection[str]) -> None:
    """Raise where a column that is to be used has an infinite value."""
    for name, column in table.frame.items():
        if column.dtype.kind != "f" or name in unchecked:
            continue
        infinite = np.flatnonzero(np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan)))
        if infinite.size:
            more = f" (and {infinite.size - 1} more)" if infinite.size > 1 else ""
            raise InputError(
                f"{table.source.path}, {table.place(infinite[0])}: column {name!r} has an infinite "
                f"value{more}; replace it with a number or leave it empty."
            )
