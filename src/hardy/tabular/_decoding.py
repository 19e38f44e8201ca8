"""From the bytes of a file to its text."""

import codecs
import gzip
import zlib
from pathlib import Path
from typing import NoReturn

from hardy.exceptions import InputError

_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook; unpack it or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an Excel workbook; save the sheet as CSV",
    b"%PDF": "a PDF document",
    b"BZh": "a bzip2 archive; unpack it",
    b"\xfd7zXZ\x00": "an xz archive; unpack it",
    b"\x28\xb5\x2f\xfd": "a zstd archive; unpack it",
}
# UTF-32's mark begins with UTF-16's, so it comes first.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Python's own encodings of names and of source code.
_NO_FILES = {"idna", "punycode", "raw-unicode-escape", "unicode-escape"}


def refuse_stream(path: Path) -> None:
    """Refuse pipes and devices, which wait for a writer or never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(
            f"{path} is a pipe or a device; save what comes out of it to a file first, and name "
            "that file."
        )


def read_bytes(path: Path) -> bytes:
    """Give a file's bytes as they are."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a file.")
        refuse_stream(path)
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from None
    if not data:
        raise InputError(f"{path} is empty.")
    return data


def is_packed(start: bytes) -> bool:
    """Whether a file's first bytes are gzip's."""
    return start.startswith(_GZIP)


def unpack(data: bytes, path: Path) -> tuple[bytes, str | None]:
    """Undo gzip where a file's first bytes say so; give the compression's name too."""
    if not is_packed(data):
        return data, None
    try:
        unpacked = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} is a damaged gzip file: {error}.") from None
    refuse_content(unpacked, path)
    return unpacked, "gzip"


def refuse_content(start: bytes, path: Path) -> None:
    """Refuse a gzip file by the first bytes of what is in it: nothing, or gzip once more."""
    if not start:
        raise InputError(f"{path} is empty once unpacked.")
    if is_packed(start):
        raise InputError(f"{path} is gzipped twice; unpack it once, with gunzip.")


def decode(data: bytes, path: Path, encoding: str | None) -> tuple[str, str]:
    """Give a file's text and the name of its encoding."""
    refuse_foreign(data, path)
    if encoding is None:
        encoding = find_mark(data)
    if encoding is None and b"\0" in data:
        place = data.index(b"\0")
        refuse_nul_byte(path, place, data.count(b"\n", 0, place))
    if encoding is not None:
        text = _decode_as(encoding, data, path)
    else:
        try:
            text, encoding = data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            encoding = "cp1252"
            text = _decode_as(encoding, data, path, tried="UTF-8 or Latin-1")
    if "\0" in text:
        refuse_nul_character(path, text.count("\n", 0, text.index("\0")))
    # Python leaves the mark in the text where the encoding's name says the order of bytes.
    return text.removeprefix("\ufeff"), encoding


def refuse_foreign(start: bytes, path: Path) -> None:
    """Refuse files of other programs, which their first bytes tell."""
    for mark, what in _FOREIGN.items():
        if start.startswith(mark):
            raise InputError(f"{path} is not a table of text but {what}.")


def find_mark(start: bytes) -> str | None:
    """Give the encoding that a file's byte-order mark says."""
    return next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)


def refuse_nul_byte(path: Path, place: int, n_lines_before: int) -> NoReturn:
    """Refuse text with a NUL byte at a place counted from 0."""
    raise InputError(
        f"{path} has a NUL byte (byte {place + 1}, line {n_lines_before + 1}), so it is no "
        "text in UTF-8 or Latin-1; if it is UTF-16, save it with a byte-order mark or name "
        "its encoding, utf-16-le or utf-16-be."
    )


def refuse_nul_character(path: Path, n_lines_before: int) -> NoReturn:
    """Refuse text with a NUL character."""
    raise InputError(
        f"{path} has a NUL character in line {n_lines_before + 1}; it is no table of text."
    )


def refuse_undecodable(
    path: Path, tried: str, place: int, n_lines_before: int, error: UnicodeDecodeError
) -> NoReturn:
    """Refuse text with a byte, at a place counted from 0, that doesn't fit its encoding."""
    raise InputError(
        f"{path} can't be read as {tried}: byte {place + 1} (line {n_lines_before + 1}) doesn't "
        "fit. Name its encoding or save it as UTF-8."
    ) from error


def refuse_unknown_encoding(encoding: str) -> None:
    """Refuse what is no encoding of text."""
    if not _can_be_a_file(encoding):
        raise InputError(
            f"There is no encoding {encoding!r} of text; utf-8, utf-16-le, cp1252, iso8859-2 and "
            "shift_jis are some that there are."
        )


def _decode_as(encoding: str, data: bytes, path: Path, tried: str | None = None) -> str:
    tried = tried or encoding
    refuse_unknown_encoding(encoding)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, errors="ignore").count("\n")
        refuse_undecodable(path, tried, error.start, before, error)
    except UnicodeError as error:
        raise InputError(f"{path} can't be read as {tried}: {error}.") from None


def _can_be_a_file(encoding: str) -> bool:
    try:
        b"a".decode(encoding, errors="ignore")
    # The encoding "undefined" refuses whatever it is given, and a number is the name of none.
    except (LookupError, TypeError, ValueError):
        return False
    return codecs.lookup(encoding).name not in _NO_FILES
