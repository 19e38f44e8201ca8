"""The records of a delimited text: which separator, how many fields, where each one starts."""

import csv
import itertools
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy._quoting import quote_each
from hardy.exceptions import InputError

_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 200
_SHOWN = 40
_NAMES = {"\t": "tab"}
# Excel's first line that names the separator; a program that saved it again may have filled it up.
_DECLARATION = re.compile(r'"?sep=([\t!#-/:-@\[-^`{-~])"?\1*(?=[\r\n])', re.IGNORECASE)


Lines = Callable[[], Iterable[str]]


class Records(NamedTuple):
    """The header, and the physical line at which each record after it starts.

    `ends` are the numbers of lines up to the end of every so many records, and of the last one.
    """

    header: list[str]
    lines: NDArray[np.int64]
    ends: list[int]


def check_separator(separator: str) -> None:
    """Refuse what can't stand between two fields."""
    if not (
        isinstance(separator, str)
        and len(separator) == 1
        and separator.isascii()
        and separator not in '"\r\n\0'
    ):
        raise InputError(
            f"{separator!r} is no separator: give one ASCII character, such as ',', ';', '|' or "
            "'\\t', that is neither a quote nor a line end."
        )


def take_declaration(text: str) -> tuple[str, str | None]:
    """Take a first line such as ``sep=;`` off a text, and give the separator that it names.

    The end of that line stays, so that all lines keep their numbers.
    """
    declared = _DECLARATION.match(text)
    return (text[declared.end() :], declared[1]) if declared else (text, None)


def find_separator(lines: Lines) -> str:
    """Tell the separator by which the first records agree best with the header's width."""
    best = (0.0, 1, ",")
    for separator in _SEPARATORS:
        with long_fields():
            records = itertools.islice(iterate_records(lines(), separator), _SAMPLE)
            widths = [len(record) for _, _, record in records]
        if not widths or widths[0] == 1:
            continue
        agreement = sum(width == widths[0] for width in widths) / len(widths)
        if (agreement, widths[0]) > best[:2]:
            best = (agreement, widths[0], separator)
    return best[2]


def scan_records(
    lines: Iterable[str], separator: str, path: object, encoding: str, every: int | None = None
) -> Records:
    """Walk through all records, and refuse those whose width isn't the header's."""
    with long_fields():
        records = iterate_records(lines, separator)
        first = next(records, None)
        if first is None:
            raise InputError(f"{path} has no line with text.")
        header = [name.strip() or f"Unnamed: {position}" for position, name in enumerate(first[2])]
        refuse_repeated_names(header, path)
        width = len(header)
        starts, ends, end = array("q"), [], first[1]
        ragged: list[tuple[int, int]] = []
        for before, end, record in records:
            starts.append(before + 1)
            if every and len(starts) % every == 0:
                ends.append(end)
            if len(record) != width:
                ragged.append((before + 1, len(record)))
    if ragged:
        line, found = ragged[0]
        n = len(ragged) - 1
        others = f"; {n} more line{'s differ' if n > 1 else ' differs'} too" if n else ""
        raise InputError(
            f"{path}, line {line}: {found} field{'s' * (found != 1)} where the header has {width} "
            f"(separator {_NAMES.get(separator, separator)!r}){others}. A value that contains the "
            "separator must stand in quotes, and a quote that opens must close."
        )
    if not starts:
        # The beginning shows whether the encoding is a wrong one, or the file no table at all.
        start = separator.join(first[2]).strip()[:_SHOWN]
        raise InputError(
            f"{path} has a header but no rows: read as {encoding}, its only record begins with "
            f"{start!r}."
        )
    ends += [] if ends and ends[-1] == end else [end]
    return Records(header, np.frombuffer(starts, dtype=np.int64), ends)


def refuse_repeated_names(names: list[str], path: object) -> None:
    """Raise where two columns have one name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        plural, verb = ("s", "occur") if len(repeated) > 1 else ("", "occurs")
        raise InputError(
            f"{path}: the column name{plural} {quote_each(repeated)} {verb} more than once; rename "
            "the columns."
        )


def has_decimal_commas(text: str, separator: str) -> bool:
    """Whether a number with a decimal comma fills a field of a text that allows it."""
    if separator == ",":
        return False
    edge = re.escape(separator)
    number = rf'(?:^|[{edge}\r])[ "]*[-+]?\d+,\d+(?:[eE][-+]?\d+)?[ "]*(?=[{edge}\r]|$)'
    return re.search(number, text, re.MULTILINE) is not None


def has_leading_zeros(text: str, separator: str) -> bool:
    """Whether any field may start with a 0 that a number would lose."""
    return re.search(rf'(?:^|[ "\r{re.escape(separator)}])-?0\d', text, re.MULTILINE) is not None


def iterate_records(lines: Iterable[str], separator: str) -> Iterator[tuple[int, int, list[str]]]:
    """Give for each record the lines before it, the lines up to its end, and its fields."""
    reader = csv.reader(lines, delimiter=separator)
    before = 0
    for record in reader:
        # pandas skips lines of nothing but blanks, too.
        if record and not (len(record) == 1 and record[0].isspace()):
            yield before, reader.line_num, record
        before = reader.line_num


@contextmanager
def long_fields() -> Iterator[None]:
    """Lift the csv module's limit of 131,072 letters a field."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)
