"""Delimited text that is read a part at a time, to the same values as all at once."""

import io
import itertools
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._files import naming
from hardy._steps import Step
from hardy.exceptions import InputError
from hardy.tabular._frames import is_rounded
from hardy.tabular._long_texts import LongText, Report
from hardy.tabular._parsing import (
    Parsed,
    TableSource,
    are_digits,
    as_floats,
    kept_as_spelled,
    parse_csv,
    parse_text,
)
from hardy.tabular._records import (
    find_separator,
    has_decimal_commas,
    has_leading_zeros,
    iterate_records,
    long_fields,
    scan_records,
)
from hardy.tabular._witnesses import Witnesses
from hardy.tabular.columns import adopt_names, resolve_column
from hardy.tabular.stored import import_arrow, rows_of_block

_LINES_AT_ONCE = 1000
_TYPES = {"i": "int64", "u": "uint64", "f": "float64", "b": "bool_"}


class StreamedText:
    """A file of delimited text, as :func:`read_table` reads it.

    It is read three times: to find where its records are, to tell what its columns are, and to
    parse them.

    Parameters
    ----------
    path : Path
        The file, unpacked.
    source : TableSource
        What is known of it already.
    target : str or None
        The column of labels.
    asked : list of str
        The columns that are named, which come in the Unicode form of these names.
    spelled : collection of str
        More columns whose spelling is to be kept.
    report : callable
        Called with what is being done, how much is done, and how much there is.
    """

    def __init__(
        self,
        path: Path,
        source: TableSource,
        target: str | None,
        asked: list[str],
        spelled: Collection[str],
        report: Report,
    ) -> None:
        self._text = text = LongText(path, source.path, source.encoding)
        self.source = source
        self._target, self._spelled, self._report = target, spelled, report
        separator = source.separator or text.declared or find_separator(text.lines)
        with long_fields():
            first = next(iterate_records(text.lines(), separator), (0, 0, [""]))
        self._size = rows_of_block(len(first[2]))
        self._n_bytes = path.stat().st_size
        self._has_commas = self._has_zeros = False
        header, self.lines, self._ends = scan_records(
            self._watch(separator), separator, source.path, text.encoding, self._size
        )
        self.header = adopt_names(header, asked)
        if target is not None:
            with naming(source.path):
                resolve_column(target, self.header)
        self.source = replace(
            source,
            encoding=text.encoding,
            separator=separator,
            decimal="," if self._has_commas else ".",
        )
        self._plan = self._infer()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.header)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.lines)

    def dtypes(self) -> dict[str, Any]:
        """Give the type of each column in the whole table."""
        return {name: str(self._plan.frame[name].dtype) for name in self.header}

    def batches(self) -> Iterator[tuple[Any, pd.DataFrame, NDArray[np.int64]]]:
        """Give the parts as record batches, as frames, and the lines of their rows."""
        arrow = import_arrow()
        types = {name: self._type_of(name) for name in self.header}
        schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in types.items()])
        as_words = [name for name, kind in types.items() if kind == "string"]
        parsed_by_itself = [name for name in self.header if name in self._plan.typed]
        options: dict[str, Any] = {
            name: self._plan.frame[name].dtype
            for name in parsed_by_itself
            if types[name] not in ("string", "bool_")
        }
        later = [
            name
            for name, kind in types.items()
            if kind not in ("string", "bool_") and name not in options
        ]
        options |= dict.fromkeys([*as_words, *later], str)
        for number, part, starts in self._parts():
            frame = self._parse(number, part, self._plan.missing, dtype=options)
            for name in later:
                words = frame[name]
                numbers = as_floats(words) if are_digits(words) else pd.to_numeric(words)
                frame[name] = numbers.astype(self._plan.frame[name].dtype)
            arrays = [
                arrow.array(frame[name], type=field.type, from_pandas=True)
                for name, field in zip(self.header, schema, strict=True)
            ]
            yield arrow.RecordBatch.from_arrays(arrays, schema=schema), frame, starts

    def _type_of(self, name: str) -> str:
        column = self._plan.frame[name]
        if column.dtype.kind in _TYPES:
            return _TYPES[column.dtype.kind]
        return "bool_" if pd.api.types.infer_dtype(column) == "boolean" else "string"

    def _watch(self, separator: str) -> Iterator[str]:
        """Give the lines, and look what numbers there are in them."""
        lines, done = self._text.lines(), 0
        while some := list(itertools.islice(lines, _LINES_AT_ONCE)):
            joined = "".join(some)
            self._has_commas = self._has_commas or has_decimal_commas(joined, separator)
            self._has_zeros = self._has_zeros or has_leading_zeros(joined, separator)
            yield from some
            done += len(joined)
            self._say(f"{Step.FINDING_ROWS} the rows of", done, self._n_bytes)

    def _infer(self) -> Parsed:
        """Tell what the columns hold by the few rows that decide it."""
        kept, missing = kept_as_spelled(self.header, self._target, self._spelled)
        witnesses, chosen, before = Witnesses(), [], 0
        for number, part, starts in self._parts():
            frame = self._parse(number, part, missing, dtype=kept)
            if len(frame) != len(starts):
                raise InputError(
                    f"{self.source.path} can't be read reliably: it has {len(starts)} records or "
                    f"{len(frame)} rows from line {starts[0]} on, depending on how its quotes are "
                    "understood. Quote its fields as RFC 4180 says."
                )
            rows = witnesses.choose(frame.drop(columns=list(kept)), missing)
            if spelled := self._may_be_codes(frame, kept):
                words = self._parse(number, part, missing, usecols=spelled, dtype=str)
                rows = np.union1d(rows, witnesses.choose_codes(words))
            lines = list(io.StringIO(part, newline=""))
            firsts = np.append(starts - 1 - before, len(lines))
            if number == 0:
                chosen.append("".join(lines[: firsts[0]]))
            # A file's last line may lack its end.
            chosen += ["".join(lines[firsts[row] : firsts[row + 1]]) + "\n" for row in rows]
            before = self._ends[number]
            self._say(f"{Step.FINDING_COLUMNS} the columns of", number + 1, len(self._ends))
        return parse_text("".join(chosen), self.header, self.source, self._target, self._spelled)

    def _may_be_codes(self, frame: pd.DataFrame, kept: Collection[str]) -> list[str]:
        """Give the columns of whose numbers or digits the spelling may matter."""
        return [
            name
            for name in self.header
            if name not in kept
            and (
                (self._has_zeros and frame[name].dtype.kind in "iuf")
                or is_rounded(frame[name])
                or are_digits(frame[name])
            )
        ]

    def _parts(self) -> Iterator[tuple[int, str, NDArray[np.int64]]]:
        """Give the number of each part, its text, and the lines of its records."""
        for number, part in enumerate(self._text.parts(self._ends)):
            yield number, part, self.lines[number * self._size : (number + 1) * self._size]

    def _parse(
        self, number: int, part: str, missing: dict[str, list[str]], **options: Any
    ) -> pd.DataFrame:
        if options.get("dtype") is not str:
            options["decimal"] = self.source.decimal
        return parse_csv(
            part.encode("utf-8"),
            self.header,
            self.source,
            missing,
            has_header=number == 0,
            **options,
        )

    def _say(self, what: str, done: int, total: int) -> None:
        self._report(f"{what} {self.source.path.name}", min(done, total), total)
