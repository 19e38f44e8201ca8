"""The few rows of a long text that say of what type its columns are.

What pandas makes of a column depends on its extremes alone: on the smallest and the largest number,
on the first that isn't whole, on the first word that is no number … The rows that have those make a
short text, whose columns have the types that the long one's have.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.tabular._frames import LARGEST_EXACT
from hardy.tabular._parsing import CODE, DIGITS, find_padded

Missing = dict[str, list[str]]


class Witnesses:
    """What was seen of each column of a text, part by part."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, Any]] = set()
        self._ends: dict[str, tuple[Any, Any]] = {}

    def choose(self, frame: pd.DataFrame, missing: Missing) -> NDArray[np.intp]:
        """Give the positions of the rows of a part that show something new.

        Parameters
        ----------
        frame : DataFrame of shape (n_rows, n_columns)
            What pandas makes of the part alone.
        missing : dict of str to list of str
            Each column's words for missing values.

        Returns
        -------
        ndarray of shape (n_chosen,), dtype intp
            Rising.
        """
        padded = find_padded(frame, missing)
        chosen: set[int] = set()
        for name, column in frame.items():
            signs = _read_signs(column, padded.get(str(name), []))
            chosen.update(row for sign, row in signs if self._is_new(str(name), sign))
            if column.dtype.kind in "iuf" and column.notna().any():
                chosen.update(self._widen(str(name), column))
        return np.array(sorted(chosen), dtype=np.intp)

    def choose_codes(self, words: pd.DataFrame) -> NDArray[np.intp]:
        """Give the positions of rows whose digits, as they are spelled, no number would keep."""
        chosen: set[int] = set()
        for name, column in words.items():
            signs = _read_spelling(column.dropna().astype(object))
            chosen.update(row for sign, row in signs if self._is_new(str(name), sign))
        return np.array(sorted(chosen), dtype=np.intp)

    def _is_new(self, name: str, sign: Any) -> bool:
        is_new = (name, sign) not in self._seen
        self._seen.add((name, sign))
        return is_new

    def _widen(self, name: str, column: "pd.Series[Any]") -> Iterator[int]:
        """Give the rows of numbers below or above all before."""
        low, high = int(column.argmin()), int(column.argmax())
        least, most = column.iloc[low], column.iloc[high]
        before = self._ends.get(name)
        if before is None or least < before[0]:
            yield low
        if before is None or most > before[1]:
            yield high
        if before is not None:
            least, most = min(least, before[0]), max(most, before[1])
        self._ends[name] = least, most


def _read_signs(column: "pd.Series[Any]", padded: list[str]) -> Iterator[tuple[Any, int]]:
    """Give what a column shows, each with the first row that shows it."""
    yield from _first("missing", column.isna())
    if column.dtype.kind in "iu":
        return
    if column.dtype.kind == "f":
        finite = np.isfinite(column)
        yield from _first("broken", finite & (column % 1 != 0))
        yield from _first("infinite", column.notna() & ~finite)
        return
    words = column.astype(object)
    is_bool = words.map(lambda cell: isinstance(cell, bool | np.bool_)).astype(bool)
    yield from _first("boolean", is_bool)
    for word in padded:
        yield from _first(("padded", word), words == word)
    left = words[~is_bool & words.notna() & ~words.isin(padded)].map(str)
    if left.empty:
        return
    is_digits = left.str.fullmatch(DIGITS).astype(bool)
    yield from _first("digits", is_digits)
    numbers = pd.to_numeric(left, errors="coerce")
    pointed = pd.to_numeric(left.str.replace(",", "."), errors="coerce")
    has_comma = numbers.isna() & pointed.notna()
    yield from _first("comma", has_comma)
    yield from _first("broken comma", has_comma & (pointed % 1 != 0))
    is_word = numbers.isna() & ~is_digits & ~has_comma
    is_truth = left.str.lower().isin(["true", "false"])
    yield from _first("truth", is_word & is_truth)
    yield from _first("word", is_word & ~is_truth)
    yield from _first("point", numbers.notna() & ~is_digits)
    yield from _first("broken point", numbers.notna() & ~is_digits & (numbers % 1 != 0))
    if is_digits.any():
        # The longest of either sign, which decide whether 64 bits are enough.
        lengths = left[is_digits].str.len()
        yield ("digits", int(lengths.max())), lengths.index.tolist()[int(lengths.argmax())]
        yield from _first("negative", left.str.strip().str.startswith("-") & is_digits)


def _read_spelling(words: "pd.Series[Any]") -> Iterator[tuple[Any, int]]:
    if words.empty:
        return
    yield from _first("code", words.str.fullmatch(CODE).astype(bool))
    is_digits = words.str.fullmatch(DIGITS).astype(bool)
    yield from _first("no digits", ~is_digits)
    plain = words[is_digits].str.strip().drop_duplicates()
    numbers = plain.map(float)
    # Digits that are one number: those of one part, since all of them would have to be kept else.
    equal = numbers[(numbers.abs() > LARGEST_EXACT) & numbers.duplicated(keep=False)]
    if len(equal):
        twins = equal.index[equal == equal.iloc[0]][:2]
        yield from ((("twin", at), int(row)) for at, row in enumerate(twins))


def _first(sign: Any, shows: "pd.Series[bool]") -> Iterator[tuple[Any, int]]:
    flags = shows.to_numpy(dtype=bool)
    if flags.any():
        yield sign, shows.index.tolist()[int(flags.argmax())]
