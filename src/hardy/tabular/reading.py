"""Tables from files: delimited text in any usual dress, and Parquet."""

import hashlib
import io
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._files import as_path, naming
from hardy.exceptions import InputError
from hardy.tabular._decoding import decode, read_bytes, unpack
from hardy.tabular._frames import is_rounded
from hardy.tabular._parquet import read_parquet
from hardy.tabular._records import (
    check_separator,
    find_separator,
    has_decimal_commas,
    has_leading_zeros,
    scan_records,
    take_declaration,
)
from hardy.tabular.columns import adopt_names, resolve_column

_PARQUET = b"PAR1"
# pandas' own list without "None", which is a word that people use, and with UCI's "?".
_MISSING = [
    "", "?", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "#N/A N/A", "NaN", "nan", "-NaN", "-nan",
    "NULL", "null", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN",
]  # fmt: skip
_MISSING_LABELS = ["", "NA", "N/A", "<NA>", "#N/A", "NaN", "nan", "NULL", "null"]
_INTEGER = r"-?[1-9]\d{0,17}|0"
_CODE = r"\s*-?0\d+\s*"
_DIGITS = r"\s*-?\d+\s*"


@dataclass(frozen=True)
class TableSource:
    r"""Where a table came from and how it was read.

    Attributes
    ----------
    path : Path
        The file.
    sha256 : str
        The checksum of its bytes, in hexadecimal digits.
    format : {"text", "parquet"}
        What kind of file it is.
    compression : {"gzip", None}
        How it was packed.
    encoding : str or None
        The text's encoding, by Python's name; None for Parquet.
    separator : str or None
        What stands between two fields; None for Parquet.
    decimal : str or None
        The decimal mark; None for Parquet.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.tabular import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text("size;label\n1,5;plum\n2,5;apple\n")
    ...     source = read_table(path).source
    >>> source.format, source.separator, source.decimal
    ('text', ';', ',')
    """

    path: Path
    sha256: str
    format: str
    compression: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None


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

    frame: pd.DataFrame
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
    if data.startswith(_PARQUET):
        source = TableSource(path, checksum, "parquet", compression)
        frame = read_parquet(data, path, target, asked)
        lines = np.arange(1, len(frame) + 1)
    elif path.suffix.lower() in {".parquet", ".pq"}:
        raise InputError(f"{path} is not a Parquet file.")
    else:
        content, encoding = decode(data, path, encoding)
        del data
        content, declared = take_declaration(content)
        separator = separator or declared or find_separator(content)
        header, lines = scan_records(content, separator, path, encoding)
        header = adopt_names(header, asked)
        if target is not None:
            with naming(path):
                resolve_column(target, header)
        decimal = "," if has_decimal_commas(content, separator) else "."
        source = TableSource(path, checksum, "text", compression, encoding, separator, decimal)
        frame = _parse(content, header, source, target, text)
        if len(frame) != len(lines):
            raise InputError(
                f"{path} can't be read reliably: it has {len(lines)} records or {len(frame)} rows, "
                "depending on how its quotes are understood. Quote its fields as RFC 4180 says."
            )
        if target is not None:
            frame[target] = shortest_labels(frame[target])
    table = Table(frame, lines, source)
    _refuse_infinite(table, unchecked)
    return table


def _parse(
    text: str, header: list[str], source: TableSource, target: str | None, spelled: Iterable[str]
) -> pd.DataFrame:
    """Let pandas parse the text; put columns of codes back as they were spelled."""
    asked = {name for name in (target, *spelled) if isinstance(name, str)}
    kept = dict.fromkeys(asked.intersection(header), str)
    missing = {name: _MISSING_LABELS if name == target else _MISSING for name in header}
    buffer = io.BytesIO(text.encode("utf-8"))

    def parse(**options: Any) -> pd.DataFrame:
        buffer.seek(0)
        try:
            parsed: pd.DataFrame = pd.read_csv(
                buffer,
                sep=source.separator,
                header=0,
                names=header,
                index_col=False,
                keep_default_na=False,
                na_values=missing,
                low_memory=False,
                **options,
            )
        except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
            reason = str(error).strip().replace("\n", " ")
            raise InputError(f"{source.path} can't be read: {reason}") from None
        else:
            return parsed

    frame = parse(decimal=source.decimal, dtype=kept)
    if padded := _find_padded(frame, missing):
        missing = {name: [*words, *padded.get(name, ())] for name, words in missing.items()}
        frame = parse(decimal=source.decimal, dtype=kept)
        for name, blanks in padded.items():
            # pandas leaves them where an integer has more digits than Python reads.
            frame[name] = frame[name].mask(frame[name].isin(blanks))
    for name in set(header) - kept.keys():
        # pandas leaves integers beyond 64 bits as words or as Python's integers.
        if _are_digits(frame[name]):
            frame[name] = _as_floats(frame[name])
    whole = [name for name in header if _is_whole(frame[name])]
    if not has_leading_zeros(text, source.separator or ","):
        whole = [name for name in whole if is_rounded(frame[name])]
    codes: list[str] = []
    if whole:
        words = parse(usecols=whole, dtype=str)
        codes = [name for name in whole if _are_codes(words[name], frame[name])]
        frame[codes] = words[codes]
    if source.decimal == ",":
        # Columns that write decimal points in a file with decimal commas elsewhere.
        for name in set(header).difference(kept, codes):
            if pd.api.types.infer_dtype(frame[name]) == "string":
                with suppress(ValueError):
                    frame[name] = pd.to_numeric(frame[name])
    return frame


def _are_digits(column: "pd.Series[Any]") -> bool:
    if not pd.api.types.is_string_dtype(column.dtype):
        return False
    words = column.dropna().astype(str)
    return bool(len(words) and words.str.fullmatch(_DIGITS).all())


def _as_floats(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Give digits as floats; an integer that no float can hold is infinite."""
    # By way of words, since float refuses a Python integer that is too large.
    return column.map(lambda cell: float(str(cell)), na_action="ignore").astype(np.float64)


def _find_padded(frame: pd.DataFrame, missing: dict[str, list[str]]) -> dict[str, list[str]]:
    """Give the words for missing values that stand with blanks around them, by column."""
    padded = {}
    for name, column in frame.items():
        if pd.api.types.is_string_dtype(column.dtype):
            words = [word for word in column.unique() if isinstance(word, str)]
            blanks = [word for word in words if word.strip() in missing[str(name)]]
            if blanks:
                padded[str(name)] = blanks
    return padded


def _is_whole(column: pd.Series) -> bool:
    """Whether a column was parsed as integers; beside missing values they come as floats.

    Infinite ones may be integers, too: those that no float can hold.
    """
    if column.dtype.kind == "f":
        return bool((column[np.isfinite(column)] % 1 == 0).all())
    return column.dtype.kind in "iu"


def _are_codes(words: pd.Series, numbers: pd.Series) -> bool:
    """Whether numbers, as they were spelled, would lose zeros or digits that tell them apart."""
    present, infinite = words.dropna(), np.isinf(numbers)
    # A column that says "inf" holds no codes: it is refused later.
    if not words[infinite].str.fullmatch(_DIGITS).all():
        return False
    if present.str.fullmatch(_CODE).any():
        return True
    return (
        is_rounded(numbers)
        and bool(present.str.fullmatch(_DIGITS).all())
        and (bool(infinite.any()) or numbers.nunique() < present.str.strip().nunique())
    )


def shortest_labels(labels: pd.Series) -> pd.Series:
    """Strip blanks; make integers of the labels if each one is an integer's shortest form."""
    labels = labels.str.strip()
    labels = labels.where(labels != "")
    present = labels.dropna()
    if present.empty or not present.str.fullmatch(_INTEGER).all():
        return labels
    return labels.astype("Int64" if len(present) < len(labels) else "int64")


def _refuse_infinite(table: Table, unchecked: Collection[str]) -> None:
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
