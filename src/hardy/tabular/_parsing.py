"""Delimited text as pandas parses it, but for codes, which keep their spelling."""

import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardy.exceptions import InputError
from hardy.tabular._frames import is_rounded
from hardy.tabular._records import has_leading_zeros

# pandas' own list without "None", which is a word that people use, and with UCI's "?".
_MISSING = [
    "", "?", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "#N/A N/A", "NaN", "nan", "-NaN", "-nan",
    "NULL", "null", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN",
]  # fmt: skip
_MISSING_LABELS = ["", "NA", "N/A", "<NA>", "#N/A", "NaN", "nan", "NULL", "null"]
CODE = r"\s*-?0\d+\s*"
DIGITS = r"\s*-?\d+\s*"


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


class Parsed(NamedTuple):
    """A parsed text, and what another part of the same text is to be parsed with.

    `missing` are each column's words for missing values; `typed` the columns to which pandas gave
    their final type by itself.
    """

    frame: pd.DataFrame
    missing: dict[str, list[str]]
    typed: set[str]


def parse_csv(
    text: bytes,
    header: list[str],
    source: TableSource,
    missing: Mapping[str, list[str]],
    *,
    has_header: bool = True,
    **options: Any,
) -> pd.DataFrame:
    """Let pandas parse a text in UTF-8, with or without a line of names."""
    try:
        parsed: pd.DataFrame = pd.read_csv(
            io.BytesIO(text),
            sep=source.separator,
            header=0 if has_header else None,
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


def kept_as_spelled(
    header: list[str], target: str | None, spelled: Iterable[str]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Give the type of columns whose spelling is kept, and each column's missing values."""
    asked = {name for name in (target, *spelled) if isinstance(name, str)}
    kept = dict.fromkeys((name for name in header if name in asked), str)
    return kept, {name: _MISSING_LABELS if name == target else _MISSING for name in header}


def parse_text(
    text: str, header: list[str], source: TableSource, target: str | None, spelled: Iterable[str]
) -> Parsed:
    """Let pandas parse a text; put columns of codes back as they were spelled."""
    kept, missing = kept_as_spelled(header, target, spelled)
    encoded = text.encode("utf-8")

    def parse(**options: Any) -> pd.DataFrame:
        return parse_csv(encoded, header, source, missing, **options)

    frame = parse(decimal=source.decimal, dtype=kept)
    if padded := find_padded(frame, missing):
        missing = {name: [*words, *padded.get(name, ())] for name, words in missing.items()}
        frame = parse(decimal=source.decimal, dtype=kept)
        for name, blanks in padded.items():
            # pandas leaves them where an integer has more digits than Python reads.
            frame[name] = frame[name].mask(frame[name].isin(blanks))
    types = frame.dtypes
    for name in set(header) - kept.keys():
        # pandas leaves integers beyond 64 bits as words or as Python's integers.
        if are_digits(frame[name]):
            frame[name] = as_floats(frame[name])
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
    typed = {name for name in header if frame[name].dtype == types[name]}
    return Parsed(frame, missing, typed)


def are_digits(column: "pd.Series[Any]") -> bool:
    """Whether words are all made of digits."""
    if not pd.api.types.is_string_dtype(column.dtype):
        return False
    words = column.dropna().astype(str)
    return bool(len(words) and words.str.fullmatch(DIGITS).all())


def as_floats(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Give digits as floats; an integer that no float can hold is infinite."""
    # By way of words, since float refuses a Python integer that is too large.
    return column.map(lambda cell: float(str(cell)), na_action="ignore").astype(np.float64)


def find_padded(frame: pd.DataFrame, missing: dict[str, list[str]]) -> dict[str, list[str]]:
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
    if not words[infinite].str.fullmatch(DIGITS).all():
        return False
    if present.str.fullmatch(CODE).any():
        return True
    return (
        is_rounded(numbers)
        and bool(present.str.fullmatch(DIGITS).all())
        and (bool(infinite.any()) or numbers.nunique() < present.str.strip().nunique())
    )
