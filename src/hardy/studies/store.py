"""Finished cells of a study, stored one by one in a CSV file that a later run goes on from."""

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from hardy._files import as_path, reading, refuse_special_file, writing
from hardy.exceptions import InputError
from hardy.tabular import escape_formula
from hardy.tabular.writing import CsvText


class CellStore:
    """A CSV file with a line for each finished cell.

    A line is on the disk before `append` returns. A run that is killed while it writes one leaves
    a line without an end, which is taken off when the file is opened again; all other damage is an
    error.

    Parameters
    ----------
    path : path-like
        The file; it is made with the first cell.
    keys : sequence of str
        The columns that tell cells apart.
    columns : sequence of str
        All columns, `keys` first.
    numbers : sequence of str, default=()
        The columns that hold numbers; all others are words.

    Raises
    ------
    InputError
        Where the file can't be read, is damaged (the message names the line), has other columns, or
        holds a cell twice.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.studies.store import CellStore
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "cells.csv")
    ...     store = CellStore(path, ["method"], ["method", "score"], numbers=["score"])
    ...     store.append({"method": "a", "score": 0.5})
    ...     store.append({"method": "b", "score": 0.7})
    ...     store.select([{"method": "b"}])
      method  score
    0      b    0.7
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        keys: Sequence[str],
        columns: Sequence[str],
        numbers: Sequence[str] = (),
    ) -> None:
        self.path = as_path(path)
        self.keys, self.columns, self.numbers = list(keys), list(columns), list(numbers)
        refuse_special_file(self.path)
        with reading(self.path):
            content = self.path.read_bytes() if self.path.exists() else b""
        # A line without an end counts for the size only.
        self._size, self._whole = len(content), content.rfind(b"\n") + 1
        header = ",".join(self.columns).encode()
        if not self._whole and not header.startswith(content):
            raise InputError(f"{self.path} holds something else; name another file.")
        self._finished = self._read(content[: self._whole])

    def _read(self, content: bytes) -> dict[tuple[str, ...], int]:
        """Check the whole lines, and give the place of each cell by its key."""
        if not content:
            return {}
        try:
            rows = list(csv.reader(io.StringIO(content.decode("utf-8")), strict=True))
        except (UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"{self.path} is damaged: {error}. Mend or remove it.") from None
        if rows[0] != self.columns:
            raise InputError(
                f"{self.path} has the columns {rows[0]!r}, not those of this study, "
                f"{self.columns!r}; name another file."
            )
        finished: dict[tuple[str, ...], int] = {}
        for line, row in enumerate(rows[1:], start=2):
            if len(row) != len(self.columns):
                raise InputError(
                    f"{self.path} is damaged: line {line} has {len(row)} fields, not "
                    f"{len(self.columns)}. Mend or remove it."
                )
            cell = dict(zip(self.columns, map(_as_word, row), strict=True))
            for name in self.numbers:
                try:
                    _as_number(cell[name])
                except ValueError:
                    raise InputError(
                        f"{self.path} is damaged: {name} in line {line} is {cell[name]!r}, no "
                        "number. Mend or remove it."
                    ) from None
            key = self._key(cell)
            if key in finished:
                raise InputError(
                    f"{self.path} is damaged: line {line} holds a cell for the second time. Mend "
                    "or remove it."
                )
            finished[key] = len(finished)
        return finished

    @property
    def frame(self) -> pd.DataFrame:
        """The finished cells, a row for each."""
        if not self._finished:
            return pd.DataFrame(columns=self.columns)
        whole = self.path.read_bytes()[: self._whole]
        words = [name for name in self.columns if name not in self.numbers]
        frame = pd.read_csv(
            io.BytesIO(whole),
            keep_default_na=False,
            na_values=[""],
            dtype=dict.fromkeys(words, str),
            # Not every version of pandas reads a number as it was written, to the last digit.
            converters=dict.fromkeys(self.numbers, _as_number),
        )
        for name in words:
            frame[name] = frame[name].map(_as_word, na_action="ignore")
        return frame

    def select(self, cells: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
        """Give some finished cells, in the order in which they are asked for.

        Parameters
        ----------
        cells : iterable of mapping
            A value for each of `keys`.

        Returns
        -------
        DataFrame
            A row for each.

        Raises
        ------
        KeyError
            Where one isn't finished.
        """
        places = [self._finished[self._key(cell)] for cell in cells]
        return self.frame.iloc[places].reset_index(drop=True)

    def __contains__(self, cell: Mapping[str, Any]) -> bool:
        return self._key(cell) in self._finished

    def _key(self, cell: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(cell[key]) for key in self.keys)

    def append(self, cell: Mapping[str, Any]) -> None:
        """Store a finished cell.

        Parameters
        ----------
        cell : mapping
            A value for each column; None and NaN are written as empty fields.

        Raises
        ------
        InputError
            Where the file can't be written, or was changed by somebody else meanwhile.
        """
        line = CsvText()
        writer = csv.writer(line, lineterminator=line.END)
        if not self._whole:
            writer.writerow(self.columns)
        writer.writerow(
            "" if pd.isna(cell[name]) else _as_field(cell[name]) for name in self.columns
        )
        content = line.getvalue().encode()
        # What somebody else has begun meanwhile must not be emptied.
        mode = "r+b" if self._size else "a+b"
        with writing(self.path, "Name another file."), self.path.open(mode) as file:
            if file.seek(0, os.SEEK_END) != self._size:
                raise InputError(
                    f"{self.path} was changed meanwhile, perhaps by a second run; wait for its "
                    "end, then start again."
                )
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._size = self._whole = self._whole + len(content)
        self._finished[self._key(cell)] = len(self._finished)


def _as_number(field: str) -> float:
    """Read a whole number as one; an empty field is NaN."""
    try:
        return int(field)
    except ValueError:
        return float(field or "nan")


def _as_field(value: Any) -> Any:
    """Put an apostrophe before a word that a spreadsheet would run as a formula.

    Before one that has such already, too, so that `_as_word` can tell them apart.
    """
    if not isinstance(value, str):
        return value
    bare = value.lstrip("'")
    return value if escape_formula(bare) == bare else f"'{value}"


def _as_word(field: str) -> str:
    """Give the word of which `_as_field` has made a field."""
    return field[1:] if field.startswith("'") and _as_field(field[1:]) == field else field
