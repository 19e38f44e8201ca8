"""The words of a text that speak for one of two classes."""

import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_PRIOR = 0.5
# A word speaks for a class where it is so many times as frequent there as in the other one.
_LEAST = np.log(2.0)
_MOST = 40
_LEAST_ROWS = 2
# Browsers shape a stretch of text as one, in time that can grow with the square of its length.
# Stretches of so many letters end at a line end, a blank, or anywhere, whichever there is.
_STRETCH = re.compile(r"(?s).{2000,4000}\n|.{2000,4000}\s|.{1,4000}")


class Piece(NamedTuple):
    """A stretch of a text, and for which class it speaks: "given", "suggested", or ""."""

    text: str
    speaks_for: str


def cut_into_stretches(pieces: list[Piece]) -> list[list[Piece]]:
    """Cut a text into stretches, each of which a browser lays out on its own.

    Parameters
    ----------
    pieces : list of Piece
        The text.

    Returns
    -------
    list of list of Piece
        Its stretches, in their order. Together they are the text.

    Examples
    --------
    >>> [[len(piece.text) for piece in stretch]
    ...  for stretch in cut_into_stretches([Piece("x" * 3000, ""), Piece("y" * 6000, "given")])]
    [[3000, 1000], [4000], [1000]]
    """
    stretches = []
    at, done = 0, 0
    for found in _STRETCH.finditer("".join(piece.text for piece in pieces)):
        stretch, left = [], len(found[0])
        while left:
            part = pieces[at].text[done : done + left]
            stretch.append(Piece(part, pieces[at].speaks_for))
            left, done = left - len(part), done + len(part)
            if done == len(pieces[at].text):
                at, done = at + 1, 0
        stretches.append(stretch)
    return stretches


class TextColumn:
    """A column of texts, with the number of rows of each class that have each word.

    Parameters
    ----------
    name : str
        The column.
    values : Series of shape (n_rows,)
        The texts.
    codes : ndarray of shape (n_rows,)
        Class indices, −1 for rows that don't count.
    n_classes : int
        The number of classes.
    """

    def __init__(
        self, name: str, values: "pd.Series[Any]", codes: NDArray[np.intp], n_classes: int
    ) -> None:
        self.name = name
        self._texts = ["" if pd.isna(value) else str(value) for value in values]
        self._codes = codes
        self._n_rows = np.bincount(codes[codes >= 0], minlength=n_classes)
        self._counts: list[Counter[str]] = [Counter() for _ in range(n_classes)]
        for text, code in zip(self._texts, codes.tolist(), strict=True):
            if code >= 0:
                self._counts[code].update(_words(text))

    def read(self, at: int, given: int, suggested: int) -> list[Piece]:
        """Give a row's whole text, with the words that tell two classes apart.

        Parameters
        ----------
        at : int
            The row's position among the texts. It isn't counted itself.
        given, suggested : int
            The classes; −1 where there is none.

        Returns
        -------
        list of Piece
            Together they are the text.
        """
        text = self._texts[at]
        sides = self._choose_words(at, text, given, suggested) if given >= 0 else {}
        pieces, done = [], 0
        for word in _WORD.finditer(text):
            side = sides.get(word[0].lower(), "")
            if side:
                pieces += [Piece(text[done : word.start()], ""), Piece(word[0], side)]
                done = word.end()
        return [piece for piece in [*pieces, Piece(text[done:], "")] if piece.text]

    def _choose_words(self, at: int, text: str, given: int, suggested: int) -> dict[str, str]:
        own = int(self._codes[at])
        strength = {}
        for word in _words(text):
            n = [self._counts[code][word] - (code == own) for code in (given, suggested)]
            if sum(n) < _LEAST_ROWS:
                continue
            total = [self._n_rows[code] - (code == own) for code in (given, suggested)]
            odds = [(a + _PRIOR) / (b + 2 * _PRIOR) for a, b in zip(n, total, strict=True)]
            strength[word] = float(np.log(odds[1] / odds[0]))
        best = sorted(strength, key=lambda word: -abs(strength[word]))[:_MOST]
        return {
            word: "suggested" if strength[word] > 0 else "given"
            for word in best
            if abs(strength[word]) >= _LEAST
        }


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
