"""Files of tables with some labels changed and some rows left out, and all else as it was."""

import codecs
import gzip
import io
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardy._extras import import_extra
from hardy.exceptions import InputError
from hardy.tabular._decoding import unpack
from hardy.tabular._parquet import load_parquet, order_columns
from hardy.tabular._records import iterate_records, long_fields, take_declaration
from hardy.tabular.columns import adopt_names

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # UTF-32's mark begins with UTF-16's, so it comes first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class TableEdit:
    """What is to be changed in a file; rows are counted from 0.

    Attributes
    ----------
    target : str
        The column of labels.
    labels : mapping of int to int
        By row, another row whose label it takes, spelled as it is there, with quotes if the
        label that it had has them.
    drop : collection of int
        The rows that are left out.
    column : tuple of str and sequence of float, optional
        The name and the values of a column that is added at the end, a value for each row.

    Examples
    --------
    >>> from hardy.tabular.editing import TableEdit
    >>> TableEdit("kind", labels={3: 0}, drop={5}).labels
    {3: 0}
    """

    target: str
    labels: Mapping[int, int] = field(default_factory=dict)
    drop: Collection[int] = ()
    column: tuple[str, Sequence[float]] | None = None


def edit_table(data: bytes, path: Path, reading: Mapping[str, Any], edit: TableEdit) -> bytes:
    r"""Give a file's bytes with labels changed, rows left out or a column added.

    In text all other bytes stay: quotes, blanks, line ends, blank lines, byte-order mark and
    encoding. In Parquet values, types and notes stay.

    Parameters
    ----------
    data : bytes
        The file, perhaps gzipped.
    path : Path
        Its name, for messages.
    reading : mapping
        How it was read: `format`, `encoding`, `separator` and `decimal`, as in
        :class:`hardy.tabular.TableSource`.
    edit : TableEdit
        What to change.

    Returns
    -------
    bytes
        The new file, never gzipped.

    Raises
    ------
    InputError
        Where the file can't be written back as it was, or isn't what it was.

    Examples
    --------
    >>> from pathlib import Path
    >>> how = {"format": "text", "encoding": "utf-8", "separator": ",", "decimal": "."}
    >>> edit = TableEdit("kind", labels={0: 1}, drop={2})
    >>> edit_table(b'a,kind\r\n1,x\r\n 2 ,"y"\r\n3,x\r\n', Path("a.csv"), how, edit)
    b'a,kind\r\n1,y\r\n 2 ,"y"\r\n'
    """
    data, _ = unpack(data, path)
    if reading["format"] == "parquet":
        return _edit_parquet(data, path, edit)
    mark, codec = _split_mark(data, str(reading["encoding"]))
    body = data[len(mark) :]
    try:
        text = body.decode(codec)
        if text.encode(codec) != body:
            raise InputError(
                f"{path} can't be written back byte for byte in {codec}; save it as UTF-8, and "
                "audit that file."
            )
        return mark + _edit_text(text, path, reading, edit).encode(codec)
    # The encoding comes from the audit's file, in which anything may stand.
    except (UnicodeError, LookupError) as error:
        raise InputError(f"{path} can't be written in {codec}: {error}.") from error


def pack(data: bytes, output: Path) -> bytes:
    """Gzip a file's bytes where its name ends in ``.gz``."""
    # Without the time, so that the same table is the same file.
    return gzip.compress(data, mtime=0) if output.suffix.lower() == ".gz" else data


def _split_mark(data: bytes, encoding: str) -> tuple[bytes, str]:
    """Give the byte-order mark that a file begins with, and the encoding without it."""
    family = encoding.lower().replace("_", "-").removesuffix("-sig")
    for mark, codec in _MARKS:
        if data.startswith(mark) and codec.startswith(family[:6]) and family.startswith("utf"):
            return mark, codec
    if family in {"utf-16", "utf-32"}:
        return b"", f"{family}-{sys.byteorder[0]}e"
    return b"", encoding


def _edit_text(text: str, path: Path, reading: Mapping[str, Any], edit: TableEdit) -> str:
    separator = reading["separator"]
    content, _ = take_declaration(text)
    parts = [text[: len(text) - len(content)]]
    with long_fields():
        records = list(_locate_records(content, separator))
    if not records:
        raise InputError(f"{path} has no line with text.")
    names = adopt_names([name.strip() for name in records[0].fields], [edit.target])
    if edit.target not in names:
        raise InputError(f"{path} has no column {edit.target!r}.")
    _refuse_taken_name(edit, names, path)
    at = names.index(edit.target)
    rows = records[1:]
    done = 0
    for row, record in enumerate(records, start=-1):
        # Blank lines between the records.
        parts.append(content[done : record.start])
        done = record.stop
        if row in edit.drop:
            continue
        raw = content[record.start : record.stop]
        if row in edit.labels:
            start, stop = record.span(at, separator)
            source = rows[edit.labels[row]]
            label = _quote_alike(
                raw[start:stop], source.raw_field(at, separator), source.fields[at], separator
            )
            raw = raw[:start] + label + raw[stop:]
        if edit.column is not None:
            name, values = edit.column
            value = name if row < 0 else f"{values[row]:.6g}".replace(".", reading["decimal"])
            body = raw.rstrip("\r\n")
            raw = body + separator + value + raw[len(body) :]
        parts.append(raw)
    parts.append(content[done:])
    return "".join(parts)


def _quote_alike(before: str, spelled: str, value: str, separator: str) -> str:
    """Give a value, spelled so elsewhere, with quotes where what stood there has them."""
    if before.startswith('"'):
        return '"' + value.replace('"', '""') + '"'
    needs_quotes = not value.strip() or any(mark in value for mark in f'{separator}"\r\n')
    # An empty cell tells nothing of how the file writes labels.
    return spelled if needs_quotes or not before.strip() else value


def _refuse_taken_name(edit: TableEdit, names: Collection[str], path: Path) -> None:
    if edit.column is not None and edit.column[0] in names:
        raise InputError(
            f"{path} has a column {edit.column[0]!r} already, so none of this name can be added; "
            "rename it, and audit that file."
        )


@dataclass(frozen=True)
class _Record:
    raw: str
    start: int
    stop: int
    fields: list[str]

    def span(self, at: int, separator: str) -> tuple[int, int]:
        """Give where a field stands in the record, its quotes included."""
        start = 0
        for _ in range(at):
            start = _end_of_field(self.raw, start, separator) + 1
        return start, _end_of_field(self.raw, start, separator)

    def raw_field(self, at: int, separator: str) -> str:
        start, stop = self.span(at, separator)
        return self.raw[start:stop]


def _locate_records(content: str, separator: str) -> Iterator[_Record]:
    lines = list(io.StringIO(content, newline=""))
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line))
    for first, last, fields in iterate_records(lines, separator):
        start, stop = ends[first], ends[last]
        yield _Record(content[start:stop], start, stop, fields)


def _end_of_field(raw: str, start: int, separator: str) -> int:
    """Find the separator or line end after a field, as the csv module understands quotes."""
    end = start
    if raw.startswith('"', start):
        end += 1
        while True:
            quote = raw.find('"', end)
            if quote < 0:
                return len(raw)
            end = quote + 1
            if not raw.startswith('"', end):
                break
            end += 1
    found = raw.find(separator, end)
    return found if found >= 0 else max(end, len(raw.rstrip("\r\n")))


def _edit_parquet(data: bytes, path: Path, edit: TableEdit) -> bytes:
    pyarrow = import_extra("pyarrow", extra="parquet", purpose="Writing Parquet files")
    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="Writing Parquet files")
    content, compression = load_parquet(data, path)
    named = order_columns(content.schema)
    adopted = dict(zip(adopt_names(named, [edit.target]), named.values(), strict=True))
    if edit.target not in adopted:
        raise InputError(f"{path} has no column {edit.target!r}.")
    _refuse_taken_name(edit, named, path)
    at = content.column_names.index(adopted[edit.target])
    rows = range(content.num_rows)
    # Labels come from other rows of the column, and so in its type, whatever that is.
    labels = content.column(at).take(pyarrow.array([edit.labels.get(row, row) for row in rows]))
    content = content.set_column(at, content.schema.field(at), labels)
    if edit.column is not None:
        name, values = edit.column
        content = content.append_column(name, pyarrow.array(values, pyarrow.float64()))
    content = content.take(pyarrow.array([row for row in rows if row not in edit.drop]))
    buffer = io.BytesIO()
    parquet.write_table(content, buffer, compression=compression)
    return buffer.getvalue()
