"""Files of delimited text that are read a part at a time."""

import codecs
import gzip
import hashlib
import io
import itertools
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from hardy._files import reading
from hardy._steps import Step
from hardy.exceptions import InputError
from hardy.tabular._decoding import (
    find_mark,
    is_packed,
    refuse_content,
    refuse_foreign,
    refuse_nul_byte,
    refuse_nul_character,
    refuse_stream,
    refuse_undecodable,
    refuse_unknown_encoding,
)
from hardy.tabular._records import take_declaration

_CHUNK = 2**20

Report = Callable[[str, int, int], None]


def digest(path: Path, report: Report) -> str:
    """Give the checksum of a file's bytes."""
    refuse_stream(path)
    checksum = hashlib.sha256()
    done, total = 0, _size(path)
    for chunk in read_chunks(path):
        checksum.update(chunk)
        report(f"{Step.CHECKING} {path.name}", done := done + len(chunk), total)
    if not done:
        raise InputError(f"{path} is empty.")
    return checksum.hexdigest()


def read_chunks(path: Path) -> Iterator[bytes]:
    """Give a file's bytes in parts."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file.")
    if not path.exists():
        raise InputError(f"There is no file {path}.")
    with reading(path), path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def unpack_file(path: Path, place: Path) -> tuple[Path, str | None]:
    """Undo gzip into another file where a file's first bytes say so."""
    if not is_packed(next(read_chunks(path))):
        return path, None
    with reading(path), gzip.open(path, "rb") as packed:
        try:
            first = packed.read(_CHUNK)
            refuse_content(first, path)
            with place.open("wb") as unpacked:
                chunk = first
                while chunk:
                    unpacked.write(chunk)
                    chunk = packed.read(_CHUNK)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"{path} is a damaged gzip file: {error}.") from None
    return place, "gzip"


class LongText:
    """The text of a file, line by line.

    Parameters
    ----------
    path : Path
        The file, unpacked.
    title : Path
        What messages call it.
    encoding : str or None
        Its encoding; found out by default.
    """

    def __init__(self, path: Path, title: Path, encoding: str | None) -> None:
        self.path = path
        self.encoding = _find_encoding(path, title, encoding)
        first = next(self._lines(), "")
        _, self.declared = take_declaration(first)

    def lines(self) -> Iterator[str]:
        """Give the lines with their ends; neither a mark of the encoding nor of the separator."""
        lines = self._lines()
        first = next(lines, None)
        if first is not None:
            yield take_declaration(first)[0]
            yield from lines

    def parts(self, ends: list[int]) -> Iterator[str]:
        """Give the lines joined, up to each of some numbers of lines."""
        lines, before = self.lines(), 0
        for end in ends:
            yield "".join(itertools.islice(lines, end - before))
            before = end

    def _lines(self) -> Iterator[str]:
        with (
            reading(self.path),
            self.path.open("rb") as file,
            io.TextIOWrapper(file, self.encoding, newline="") as text,
        ):
            first = next(text, None)
            if first is not None:
                # Python leaves the mark in the text where the encoding's name says the order.
                yield first.removeprefix("\ufeff")
                yield from text


def _find_encoding(path: Path, title: Path, encoding: str | None) -> str:
    start = next(read_chunks(path))
    refuse_foreign(start, title)
    if encoding is None:
        encoding = find_mark(start)
    if encoding is not None:
        refuse_unknown_encoding(encoding)
        _decode_through(encoding, path, title, encoding)
        return encoding
    _refuse_nul_bytes(path, title)
    try:
        _decode_through("utf-8", path, title, "utf-8")
    except InputError:
        _decode_through("cp1252", path, title, "UTF-8 or Latin-1")
        return "cp1252"
    return "utf-8"


def _refuse_nul_bytes(path: Path, title: Path) -> None:
    n_bytes = n_lines = 0
    for chunk in read_chunks(path):
        if (at := chunk.find(b"\0")) >= 0:
            refuse_nul_byte(title, n_bytes + at, n_lines + chunk.count(b"\n", 0, at))
        n_bytes += len(chunk)
        n_lines += chunk.count(b"\n")


def _decode_through(encoding: str, path: Path, title: Path, tried: str) -> None:
    """Refuse a file that has bytes which don't fit its encoding, or NUL characters."""
    decoder = codecs.getincrementaldecoder(encoding)()
    n_bytes = n_lines = 0
    for chunk in itertools.chain(read_chunks(path), [b""]):
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            # What was left of the chunk before stands in front of this one.
            before = n_bytes - (len(error.object) - len(chunk))
            fitting = error.object[: error.start].decode(encoding, errors="ignore")
            refuse_undecodable(
                title, tried, before + error.start, n_lines + fitting.count("\n"), error
            )
        except UnicodeError as error:
            raise InputError(f"{title} can't be read as {tried}: {error}.") from None
        if (at := text.find("\0")) >= 0:
            refuse_nul_character(title, n_lines + text.count("\n", 0, at))
        n_bytes += len(chunk)
        n_lines += text.count("\n")


def _size(path: Path) -> int:
    with reading(path):
        return path.stat().st_size if path.is_file() else 0
