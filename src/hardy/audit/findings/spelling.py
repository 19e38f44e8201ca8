"""Labels that differ from another one only in how they are written."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy._quoting import counted, cut, quote
from hardy.audit.findings.base import Evidence, Finding

# A variant in another case or with other blanks may be as frequent as this, beside the other one:
# shorter words may be codes in which case has a meaning.
_SHORTEST_WORD = 3
# A slip of the pen is at most so frequent, beside the right spelling.
_RARE = 0.05
_SHORTEST_WITH_SLIP = 4
# Longer ones are sentences: each has as many forms as letters, all of them to be held.
_LONGEST_WITH_SLIP = 64
_MOST_NAMED = 5
_MOST_SPELLINGS_NAMED = 3


def find_misspellings(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that are another, more frequent label in other letters.

    A label is a variant of another one where both are the same but for case, blanks, hyphens and
    Unicode forms. It may be a misspelling where it is rare beside the other one, has one letter
    more, less or other than it, not the first one nor a digit, or two letters that changed places,
    and where most of its rows look to the panel like those of the other label. Labels by annotators
    are looked at, too; they look like what all annotators say together.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Yields
    ------
    Finding
        ``"label_spelling"``, one for each such label.
    """
    given = _gather(evidence)
    for code, other in _find_meant(given).items():
        yield _describe(given, code, other)


def spellings_by(evidence: Evidence) -> dict[str, list[tuple[str, str]]]:
    """Give what each annotator writes in another way, and what is meant, by the annotator's name.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Returns
    -------
    dict
        Of the annotators of whom :func:`find_misspellings` tells.
    """
    given = _gather(evidence)
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for code, other in _find_meant(given).items():
        for name in _writers(given, code):
            found[name].append((given.labels[code], given.labels[other]))
    return dict(found)


def tell_spellings(spellings: Sequence[tuple[str, str]]) -> str:
    """Say in words what is written for what.

    Parameters
    ----------
    spellings : sequence of (str, str)
        Labels, and those that are meant.

    Returns
    -------
    str
        The first three of them, and how many there are beside.

    Examples
    --------
    >>> tell_spellings([("Ham", "ham"), ("Spam", "spam")])
    "'Ham' for 'ham', 'Spam' for 'spam'"
    """
    first = [
        f"{quote(label)} for {quote(meant)}" for label, meant in spellings[:_MOST_SPELLINGS_NAMED]
    ]
    n_more = len(spellings) - len(first)
    return ", ".join(first) + (f" and {n_more:,} more" if n_more else "")


class _Given(NamedTuple):
    """All labels that rows were given, by whom ever.

    Attributes
    ----------
    labels : list
        The distinct ones.
    codes, likeliest : ndarrays of shape (n_samples, n_givers)
        Which of them each row was given, −1 for none, and which other one it looks like.
    names : list of str
        The givers: the first column is no annotator's, and has no name.
    """

    labels: list[Any]
    codes: NDArray[np.intp]
    likeliest: NDArray[np.intp]
    names: list[str]


def _gather(evidence: Evidence) -> _Given:
    labels, consensus = evidence.classes.tolist(), evidence.consensus
    codes, likeliest = evidence.codes[:, None], evidence.likeliest_other[:, None]
    if consensus is None:
        return _Given(labels, codes, likeliest, [""])
    theirs = consensus.classes.tolist()
    place = {label: code for code, label in enumerate(dict.fromkeys([*labels, *theirs]))}
    # What nobody said, −1, is the last one.
    code_of = np.array([*(place[label] for label in theirs), -1])
    together = code_of[consensus.proba.argmax(axis=1)]
    return _Given(
        list(place),
        np.column_stack([codes, code_of[consensus.codes]]),
        np.column_stack([likeliest, *[together] * consensus.codes.shape[1]]),
        ["", *map(str, consensus.annotators.index)],
    )


def _find_meant(given: _Given) -> dict[int, int]:
    """Give the label that each variant and misspelling is meant to be."""
    words = {code: label for code, label in enumerate(given.labels) if isinstance(label, str)}
    n_given = np.bincount(given.codes[given.codes >= 0], minlength=len(given.labels))
    meant = _same_in_other_letters(words, n_given)
    for code, other in _slips(words, n_given).items():
        if code not in meant and other not in meant and _looks_like(given, code, other):
            meant[code] = other
    return dict(sorted(meant.items()))


def _writers(given: _Given, code: int) -> list[str]:
    """Name the annotators who gave a label."""
    used = (given.codes == code).any(axis=0)
    return [name for name, has in zip(given.names, used, strict=True) if name and has]


def _describe(given: _Given, code: int, other: int) -> Finding:
    label, meant = given.labels[code], given.labels[other]
    rows = np.flatnonzero((given.codes == code).any(axis=1))
    n_other = int((given.codes == other).any(axis=1).sum())
    alike = _plain(label) == _plain(meant)
    how = "is written in another way" if alike else "may be a misspelling"
    sentence = (
        f"{counted(len(rows), 'row')} with the label {quote(label)}, which {how}: "
        f"{quote(meant)} has {counted(n_other, 'row')}."
    )
    details = {"label": label, "meant": meant, "rows_of_meant": n_other}
    if by := _writers(given, code):
        named = ", ".join(f"`{cut(name)}`" for name in by[:_MOST_NAMED])
        more = f" and {len(by) - _MOST_NAMED:,} more" if len(by) > _MOST_NAMED else ""
        sentence += (
            f" It is written so by {named}{more}. Write both alike before anything else: here they "
            "are two labels, so that annotators who agree seem not to."
        )
        details["annotators"] = by
    return Finding("label_spelling", sentence, rows, (f"`{cut(meant)}`?",) * len(rows), details)


def _same_in_other_letters(words: dict[int, str], n_rows: NDArray[np.intp]) -> dict[int, int]:
    """Give the most frequent spelling of each label that has others."""
    spellings: dict[str, list[int]] = defaultdict(list)
    for code, word in words.items():
        spellings[_plain(word)].append(code)
    meant = {}
    for plain, codes in spellings.items():
        most = max(codes, key=lambda code: int(n_rows[code]))
        for code in codes:
            is_word = len(plain) >= _SHORTEST_WORD
            only_blanks = words[code].strip() == words[most].strip()
            if code != most and (is_word or only_blanks or n_rows[code] <= _RARE * n_rows[most]):
                meant[code] = most
    return meant


def _slips(words: dict[int, str], n_rows: NDArray[np.intp]) -> dict[int, int]:
    """Give the frequent label that a rare one differs from in one slip of the pen."""
    words = {code: word for code, word in words.items() if len(word) <= _LONGEST_WITH_SLIP}
    shortened: dict[str, list[int]] = defaultdict(list)
    for code, word in words.items():
        for form in _with_a_letter_less(_plain(word)):
            shortened[form].append(code)
    slips: dict[int, int] = {}
    for code, word in words.items():
        plain = _plain(word)
        near = {other for form in _with_a_letter_less(plain) for other in shortened[form]}
        # The same letters in another order share a form only where neighbours changed places.
        near = {
            other
            for other in near
            if n_rows[code] <= max(1, _RARE * n_rows[other])
            and n_rows[other] > n_rows[code]
            and _is_one_slip(plain, _plain(words[other]))
        }
        if near:
            slips[code] = max(near, key=lambda other: int(n_rows[other]))
    return slips


def _with_a_letter_less(word: str) -> set[str]:
    """Give a word and what is left of it without one letter, which is not the first."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(1, len(word)))}


def _is_one_slip(left: str, right: str) -> bool:
    """Whether two words differ in one letter, or in two neighbours that changed places."""
    at = 0
    while at < min(len(left), len(right)) and left[at] == right[at]:
        at += 1
    end = 0
    while end < min(len(left), len(right)) - at and left[-1 - end] == right[-1 - end]:
        end += 1
    one, other = left[at : len(left) - end], right[at : len(right) - end]
    if any(map(str.isdigit, one + other)):
        return False
    if len(one) == len(other) == 2:
        return one == other[::-1]
    return (
        at > 0
        and max(len(one), len(other)) == 1
        and min(len(left), len(right)) >= _SHORTEST_WITH_SLIP
    )


def _looks_like(given: _Given, code: int, other: int) -> bool:
    return bool((given.likeliest[given.codes == code] == other).mean() >= 0.5)


def _plain(word: Any) -> str:
    composed = unicodedata.normalize("NFKC", word).casefold()
    return re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", composed).strip()
