"""What the columns of a table hold, and which of them say nothing about a row's class."""

import difflib
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pandas.tseries.api import guess_datetime_format

from hardy._quoting import quote, quote_each
from hardy.exceptions import InputError
from hardy.tabular._frames import (
    LARGEST_EXACT,
    as_frame,
    as_moments,
    as_words,
    says_yes_or_no,
)
from hardy.tabular.aside import group_set_aside

ColumnKind = Literal["numeric", "boolean", "categorical", "text", "date", "empty"]

_ID_NAME = re.compile(
    r"(?i:(?:^|[\W_])(?:id|ids|uuid|guid|idx|index|row|rownum|rowid)$|^unnamed: \d+$)|[a-z]I[dD]$"
)
_NUMBERS = frozenset({"decimal", "integer", "floating", "mixed-integer-float"})
_CODE = r"[\w./:#@+\-]*\d[\w./:#@+\-]*"
_FEWEST_ROWS_FOR_A_SEQUENCE = 20
_ALMOST_ALL = 0.9
_SAMPLE = 100


@dataclass(frozen=True)
class ColumnDescription:
    """What one column holds.

    Attributes
    ----------
    name : str or int
        The column's name; its position, where the table has no names.
    kind : {"numeric", "boolean", "categorical", "text", "date", "empty"}
        What its values are. A column of strings is categorical where few of them repeat often.
    n_missing : int
        The number of rows without a value, those of unreadable moments among them.
    set_aside : str or None
        Why the column isn't learnt from, as the end of the sentence "It was set aside because
        …"; None where it is used.
    date_format : str or None
        How moments are written in a column of strings, in the codes of ``strptime``.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.tabular import describe_columns
    >>> column = describe_columns(pd.DataFrame({"size": [1.5, None, 2.5]}))[0]
    >>> column.name, column.kind, column.n_missing
    ('size', 'numeric', 1)
    """

    name: Any
    kind: ColumnKind
    n_missing: int
    set_aside: str | None = None
    date_format: str | None = None


def resolve_column(name: str, columns: Iterable[Any]) -> str:
    """Find a column by its name.

    Parameters
    ----------
    name : str
        The name that was asked for; in another Unicode form than the column's it will do, too.
    columns : iterable of str
        The names that exist.

    Returns
    -------
    str
        The column's name.

    Raises
    ------
    InputError
        Where `name` is no string or no column has this name; the message tells the nearest one.

    Examples
    --------
    >>> resolve_column("colour", ["colour", "size"])
    'colour'
    >>> resolve_column("Color", ["colour", "size"])
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: There is no column 'Color'; did you mean 'colour'?
    """
    names = [str(column) for column in columns]
    shown = quote_each(names)
    if not isinstance(name, str):
        raise InputError(f"{quote(name)} is no name of a column; the columns are {shown}.")
    if name in names:
        return name
    form = compose(name)
    for known in names:
        if compose(known) == form:
            return known
    lowered: dict[str, str] = {}
    for known in names:
        lowered.setdefault(known.strip().lower(), known)
    near = difflib.get_close_matches(name.strip().lower(), lowered, n=1)
    if near:
        raise InputError(
            f"There is no column {quote(name)}; did you mean {quote(lowered[near[0]])}?"
        )
    raise InputError(f"There is no column {quote(name)}; the columns are {shown}.")


def adopt_names(columns: Iterable[str], wanted: Iterable[Any]) -> list[str]:
    """Give the names of columns, in the Unicode form in which they are wanted.

    An accent, for one, is a letter of its own or part of another one; both look the same.
    """
    columns = list(columns)
    known, count = set(columns), Counter(map(compose, columns))
    forms = {compose(name): name for name in wanted if isinstance(name, str) and name not in known}
    return [
        forms.get(compose(name), name) if count[compose(name)] == 1 else name for name in columns
    ]


def compose(name: Any) -> Any:
    """Give a name in the one form that all of its Unicode forms share."""
    return unicodedata.normalize("NFC", name) if isinstance(name, str) else name


def describe_columns(
    X: ArrayLike,
    *,
    max_categories: int = 40,
    keep: Collection[str] = (),
    text: Collection[str] = (),
) -> list[ColumnDescription]:
    """Tell what each column of a table holds and which ones are to be set aside.

    Set aside are columns whose values are all missing or all the same, and, in tables with
    column names, identifiers: integers that count the rows, codes that differ in every row, and
    columns named like an identifier whose values hardly repeat. Integers with so many digits
    that floats would confuse them are words. Words nine in ten of which are moments, written
    alike, make a column of moments; the others, such as 2021-02-30, count as missing.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_features)
        The table; pandas or polars.
    max_categories : int, default=40
        A column of strings with more distinct values is text.
    keep : collection of str, default=()
        Columns that are not set aside unless all of their values are missing.
    text : collection of str, default=()
        Columns that are text whatever they look like, and no identifiers.

    Returns
    -------
    list of ColumnDescription
        One for each column.

    Raises
    ------
    InputError
        Where a column holds values that are neither numbers, words nor moments.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"size": [1.5, None, 2.5, 1.5], "colour": ["red", "blue"] * 2,
    ...                       "seen": ["2024-01-31", "2024-02-01"] * 2, "unit": ["mm"] * 4})
    >>> for column in describe_columns(table):
    ...     print(column.name, column.kind, column.set_aside)
    size numeric None
    colour categorical None
    seen date None
    unit categorical every value is 'mm'
    """
    frame = as_frame(X)
    kept, worded = set(map(compose, keep)), set(map(compose, text))
    described = [
        _describe(frame.iloc[:, position], max_categories, worded)
        for position in range(frame.shape[1])
    ]
    return [
        replace(column, set_aside=None)
        if compose(column.name) in kept and column.kind != "empty"
        else column
        for column in described
    ]


def refuse_nothing_left(columns: Sequence[ColumnDescription], n: int) -> None:
    """Refuse a table of `n` rows all of whose columns are set aside."""
    reasons = {column.name: column.set_aside for column in columns if column.set_aside}
    if len(reasons) == len(columns):
        told = "; ".join(f"{a.named()}: {a.why}" for a in group_set_aside(reasons)[:5])
        advice = (
            "No cell has a value; give at least one column that has some."
            if all(column.kind == "empty" for column in columns)
            else "Name one to keep all the same: keep of TableEncoder or make_table_classifier, "
            "which takes any classifier, or --keep."
        )
        raise InputError(
            f"No column is left to learn from in this table of {n} sample{'s' * (n != 1)} "
            f"({told}). {advice}"
        )


def describe_numbers(matrix: NDArray[Any]) -> list[ColumnDescription]:
    """Describe the columns of an array of floats, which have no names, all at once."""
    n_missing = np.isnan(matrix).sum(axis=0)
    lowest, highest = np.fmin.reduce(matrix, axis=0), np.fmax.reduce(matrix, axis=0)
    described = []
    for position, missing in enumerate(n_missing.tolist()):
        if missing == len(matrix):
            column = ColumnDescription(position, "empty", missing, "every value is missing")
        else:
            constant = not missing and lowest[position] == highest[position]
            reason = f"every value is {_shown(lowest[position])}" if constant else None
            column = ColumnDescription(position, "numeric", missing, reason)
        described.append(column)
    return described


def _describe(column: pd.Series, max_categories: int, text: Collection[str]) -> ColumnDescription:
    present = column.dropna()
    n_missing = len(column) - len(present)
    if present.empty:
        return ColumnDescription(column.name, "empty", n_missing, "every value is missing")
    if compose(column.name) in text:
        return _describe_words(column, is_text=True)
    dtype = column.dtype
    if dtype.kind == "b":
        return _describe_plain(present, "boolean", n_missing)
    if dtype.kind == "M" or isinstance(dtype, pd.PeriodDtype):
        return _describe_plain(present, "date", n_missing)
    content = pd.api.types.infer_dtype(present)
    is_number = dtype.kind in "iufm" or content in _NUMBERS
    if is_number and not isinstance(dtype, pd.CategoricalDtype) and not _loses_digits(present):
        if dtype.kind == "O":
            present = pd.to_numeric(present).astype(np.float64)
        return _describe_numbers(present, n_missing)
    if content in {"date", "datetime"}:
        return _describe_plain(present, "date", n_missing)
    return _describe_words(column, max_categories)


def _loses_digits(present: pd.Series) -> bool:
    """Whether numbers that differ become equal as floats, because they have too many digits."""
    if present.dtype.kind in "fm":
        return False
    try:
        numbers = present.astype(np.float64)
    except OverflowError:
        return True
    return bool(numbers.abs().max() > LARGEST_EXACT) and numbers.nunique() < present.nunique()


def _describe_plain(present: pd.Series, kind: ColumnKind, n_missing: int) -> ColumnDescription:
    constant = n_missing == 0 and present.nunique() == 1
    reason = f"every value is {_shown(present.iloc[0])}" if constant else None
    return ColumnDescription(present.name, kind, n_missing, reason)


def _describe_numbers(present: pd.Series, n_missing: int) -> ColumnDescription:
    lowest, highest = present.min(), present.max()
    reason = None
    if lowest == highest:
        reason = None if n_missing else f"every value is {_shown(lowest)}"
    elif isinstance(present.name, str):
        reason = _why_identifying_numbers(present, lowest, highest)
    return ColumnDescription(present.name, "numeric", n_missing, reason)


def _why_identifying_numbers(present: pd.Series, lowest: Any, highest: Any) -> str | None:
    n = len(present)
    named_so = _ID_NAME.search(str(present.name)) is not None
    counts_rows = n >= _FEWEST_ROWS_FOR_A_SEQUENCE and highest - lowest == n - 1
    if present.dtype.kind == "m" or not (named_so or counts_rows):
        return None
    values = present.to_numpy(dtype=np.float64)
    if not np.equal(values, np.floor(values)).all():
        return None
    n_distinct = present.nunique()
    if counts_rows and n_distinct == n:
        return f"it counts the rows from {_shown(lowest)} to {_shown(highest)}"
    if named_so and n > 2 and n_distinct >= _ALMOST_ALL * n:
        return f"it identifies rows: {n_distinct} of its {n} values are distinct"
    return None


def _describe_words(
    column: pd.Series, max_categories: int = 0, *, is_text: bool = False
) -> ColumnDescription:
    name = column.name
    _refuse_containers(column)
    words = as_words(column).dropna()
    distinct = pd.Series(words.unique(), dtype=object)
    n, n_distinct = len(words), len(distinct)
    n_missing = len(column) - n
    if not n:
        return ColumnDescription(name, "empty", n_missing, "every value is missing")
    if n_distinct == 1 and not n_missing:
        kind: ColumnKind = "text" if is_text else "categorical"
        return ColumnDescription(name, kind, 0, f"every value is {_shown(distinct.iloc[0])}")
    if is_text:
        return ColumnDescription(name, "text", n_missing)
    if says_yes_or_no(distinct):
        return ColumnDescription(name, "boolean", n_missing)
    if date_format := _find_date_format(words, distinct):
        n_missing += int(as_moments(words, date_format).isna().sum())
        return ColumnDescription(name, "date", n_missing, date_format=date_format)
    if reason := _why_identifying_words(name, distinct, n):
        return ColumnDescription(name, "text", n_missing, reason)
    repeats = n_distinct <= min(max_categories, max(2, n // 2))
    return ColumnDescription(name, "categorical" if repeats else "text", n_missing)


def _why_identifying_words(name: Any, distinct: pd.Series, n: int) -> str | None:
    n_distinct = len(distinct)
    named_so = isinstance(name, str) and _ID_NAME.search(name) is not None
    if n < 3 or n_distinct < (_ALMOST_ALL * n if named_so else n):
        return None
    if named_so:
        alike = not bool(distinct.str.contains(r"\s").any())
    else:
        alike = n >= _FEWEST_ROWS_FOR_A_SEQUENCE and bool(distinct.str.fullmatch(_CODE).all())
    return f"it identifies rows: {n_distinct} of its {n} values are distinct" if alike else None


def _find_date_format(words: pd.Series, distinct: pd.Series) -> str | None:
    """Give the format in which almost every word is a moment with a year and a month."""
    sample = distinct.iloc[:: max(1, len(distinct) // _SAMPLE)]
    plausible = [
        word for word in sample if 6 <= len(word) <= 40 and sum(map(str.isdigit, word)) >= 3
    ]
    shares: dict[str, float] = {}
    # Where both orders fit, the month comes first, as in skrub.
    for day_first in (False, True):
        found = (_guess_date_format(word, day_first) for word in plausible)
        for guess, _ in Counter(filter(None, found)).most_common(1):
            shares[guess] = float(as_moments(words, guess).notna().mean())
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best and shares[best] >= _ALMOST_ALL else None


def _guess_date_format(word: str, day_first: bool) -> str | None:
    """Give the format of a moment that has a year and a month."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        guess = guess_datetime_format(word, dayfirst=day_first)
    if not isinstance(guess, str):
        return None
    has_month = any(code in guess for code in ("%m", "%b", "%B"))
    return guess if has_month and ("%Y" in guess or "%y" in guess) else None


def _refuse_containers(column: pd.Series) -> None:
    if column.dtype != object:
        return
    for row, value in enumerate(column):
        if pd.api.types.is_list_like(value) or isinstance(value, complex):
            raise InputError(
                f"Column {column.name!r} holds a {type(value).__name__} in row {row} (counted "
                "from 0); each cell must be one number, word or moment. Drop the column or "
                "take its values apart."
            )


def _shown(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return quote(value)
