"""Values of users as they stand in messages, tables and pages."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

_LONGEST = 60
_MOST = 20
_LONGEST_SHOWN = 300


def cut(value: Any) -> str:
    """Give a value as `str` does, cut where it is long.

    Parameters
    ----------
    value : object
        Such as a label.

    Returns
    -------
    str
        Of 60 characters and the number of those that are left out, at most.

    Examples
    --------
    >>> cut("ripe"), cut("r" * 1000)[50:]
    ('ripe', 'rrrrrrrrrr… (1,000 characters)')
    """
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def quote(value: Any) -> str:
    """Give a value as Python writes it, cut where it is long.

    Parameters
    ----------
    value : object
        Such as a label; numbers of numpy are written as Python's.

    Returns
    -------
    str
        Of 60 characters and the number of those that are left out, at most.

    Examples
    --------
    >>> import numpy as np
    >>> quote(np.int64(3)), quote("ripe"), quote("r" * 1000)[50:]
    ('3', "'ripe'", 'rrrrrrrrrr… (1,000 characters)')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str | bytes) and len(value) > _LONGEST:
        # Not all of it is written only to be cut.
        return f"{value[:_LONGEST]!r}"[:_LONGEST] + f"… ({len(value):,} characters)"
    return cut(repr(value))


def counted(n: int, noun: str) -> str:
    """Give a number of things in words that fit it.

    Parameters
    ----------
    n : int
        How many.
    noun : str
        What one is called; more of them have an s.

    Returns
    -------
    str
        The number and what it counts.

    Examples
    --------
    >>> counted(1, "row"), counted(2000, "row"), counted(0, "row")
    ('1 row', '2,000 rows', '0 rows')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def quote_all(values: Iterable[Any]) -> str:
    """Give values as a list of Python's, as :func:`quote_each` does.

    Parameters
    ----------
    values : iterable
        Such as the classes.

    Returns
    -------
    str
        The list.

    Examples
    --------
    >>> quote_all(["a", "b"]), quote_all(range(22))[-17:]
    ("['a', 'b']", '19, … and 2 more]')
    """
    return f"[{quote_each(values)}]"


def quote_each(values: Iterable[Any]) -> str:
    """Give values as Python writes them, the first 20 of them and each cut where it is long.

    Parameters
    ----------
    values : iterable
        Such as the names of columns.

    Returns
    -------
    str
        The values, with commas between.

    Examples
    --------
    >>> quote_each(["a", "b"]), quote_each(range(22))[-16:]
    ("'a', 'b'", '19, … and 2 more')
    """
    told = list(values)
    more = len(told) - _MOST
    first = ", ".join(map(quote, told[:_MOST]))
    return f"{first}, … and {more:,} more" if more > 0 else first


def as_utf8(text: str) -> str:
    r"""Give a text that UTF-8 can hold: half a character, as names of files may have, is an escape.

    Parameters
    ----------
    text : str
        Such as the name of a file.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> as_utf8("caf\udce9.csv"), as_utf8("café.csv")
    ('caf\\udce9.csv', 'café.csv')
    """
    return text.encode(errors="backslashreplace").decode()


def drawn(value: Any) -> str:
    r"""Give a value as matplotlib must have it to draw what it says, and no formula of TeX.

    Parameters
    ----------
    value : object
        Such as the name of a method.

    Returns
    -------
    str
        Its text, dollars escaped.

    Examples
    --------
    >>> print(drawn("for 5$"))
    for 5\$
    """
    return str(value).replace("$", r"\$")


def shown(value: Any, longest: int = _LONGEST_SHOWN) -> str:
    """Give a value as a table or a page shows it to people, cut where it is long.

    Parameters
    ----------
    value : object
        Such as a label or a cell.
    longest : int, default=300
        How many characters there may be.

    Returns
    -------
    str
        A dash where the value is missing, a number by its first six digits.

    Examples
    --------
    >>> shown(None), shown(0.1 + 0.2), shown("r" * 1000, 10)
    ('–', '0.3', 'rrrrrrrrr…')
    """
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return "–"
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return str(value.date())
    text = str(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"
