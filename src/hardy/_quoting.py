"""Values of users as they stand in messages."""

from collections.abc import Iterable
from typing import Any

import numpy as np

_LONGEST = 60
_MOST = 20


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


def quote_all(values: Iterable[Any]) -> str:
    """Give values as a list of Python's, the first 20 of them and each cut where it is long.

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
    told = list(values)
    more = len(told) - _MOST
    shown = ", ".join(map(quote, told[:_MOST]))
    return f"[{shown}, … and {more:,} more]" if more > 0 else f"[{shown}]"
