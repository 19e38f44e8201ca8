"""Tables as CSV files that are harmless in spreadsheets."""

import io
import os
import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from hardy._files import atomic_write

# Spreadsheets may skip blanks and marks without a width, and take wide letters for narrow ones.
_SKIPPED = r"\s\0\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_FORMULA = re.compile(rf"[\t\r\n\0]|[{_SKIPPED}]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


def escape_formula(value: Any) -> Any:
    """Put an apostrophe before a string that a spreadsheet would run as a formula.

    Parameters
    ----------
    value : object
        A cell.

    Returns
    -------
    object
        A string that starts with ``=``, ``+``, ``-`` or ``@``, after blanks or not, or with a tab
        or a line end, comes with an apostrophe before it, unless it is a plain number; everything
        else comes unchanged.

    Examples
    --------
    >>> [escape_formula(value) for value in ["=1+1", "-2.5", "@name", "plain", -2.5]]
    ["'=1+1", '-2.5', "'@name", 'plain', -2.5]
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def write_csv(frame: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    r"""Write a table as CSV in UTF-8, whole or not at all, harmless in spreadsheets.

    Parameters
    ----------
    frame : DataFrame
        The table; its index isn't written.
    path : path-like
        The file; one that exists is replaced.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_csv(pd.DataFrame({"word": ["=1+1", "plain"]}), Path(folder, "a.csv"))
    ...     Path(folder, "a.csv").read_text()
    "word\n'=1+1\nplain\n"
    """
    write_parts([frame], path)


def write_parts(frames: Iterable[pd.DataFrame], path: str | os.PathLike[str]) -> None:
    """Write a table that comes in parts, one or more, as :func:`write_csv` does."""
    with atomic_write(path) as file:
        for number, frame in enumerate(frames):
            file.write(to_csv(frame, has_header=number == 0))


def to_csv(frame: pd.DataFrame, *, has_header: bool = True) -> str:
    """Give a table as the text that :func:`write_csv` writes."""
    safe = {
        position: column
        if pd.api.types.is_numeric_dtype(column) or column.dtype.kind in "bMm"
        else pd.Series(map(escape_formula, column), column.index, dtype=object)
        for position, (_, column) in enumerate(frame.items())
    }
    text = CsvText()
    pd.DataFrame(safe, index=frame.index).to_csv(
        text,
        index=False,
        header=[escape_formula(str(name)) for name in frame.columns] if has_header else False,
        lineterminator=text.END,
    )
    return text.getvalue()


class CsvText(io.StringIO):
    """CSV whose records are written with `END` behind each, which becomes a line feed.

    The csv module puts quotes around those line ends only that it writes itself: without quotes
    a carriage return would end a cell, and what follows it could begin with a formula.
    """

    END = "\r\n"

    def write(self, record: str, /) -> int:
        """Take one record."""
        return super().write(record.removesuffix(self.END) + "\n")
