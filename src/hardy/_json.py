"""JSON from strangers: looked at before it is read, since few letters can take much memory."""

import json
import re
from typing import Any

# What is read of a word is never tried in another way, for which memory would be kept.
_WORD = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
LISTS, VALUES = b"[{", b"[{,"


def read_json(text: bytes, most: int, marks: bytes = VALUES) -> Any:
    r"""Read JSON in UTF-8 that has no more parts than it may have.

    In memory, a pair of brackets takes some thirty times its two letters, and a word of two letters
    ten times those.

    Parameters
    ----------
    text : bytes
        The JSON.
    most : int
        How many parts there may be.
    marks : {VALUES, LISTS}, default=VALUES
        What is counted: all values, or the lists and objects only.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError or RecursionError
        Where it has more parts, is no JSON, or is nested too deeply.

    Examples
    --------
    >>> read_json(b'["[[[[", [1]]', most=2, marks=LISTS)
    ['[[[[', [1]]
    >>> read_json(b"[[], []]", most=2)
    Traceback (most recent call last):
    ...
    ValueError: there are more than 2 lists or values
    """
    if _count(text, marks) > most and _count_outside_words(text, marks, most) > most:
        raise ValueError(f"there are more than {most:,} lists or values")
    # Of bytes another encoding could be made, in which other letters are marks.
    return json.loads(text.decode())


def _count(text: bytes, marks: bytes) -> int:
    return sum(text.count(mark) for mark in marks)


def _count_outside_words(text: bytes, marks: bytes, most: int) -> int:
    """Count the marks that are in no word, up to the first one too many."""
    count = end = 0
    for word in _WORD.finditer(text):
        count += _count(text[end : word.start()], marks) + (marks == VALUES)
        end = word.end()
        if count > most:
            return count
    return count + _count(text[end:], marks)
