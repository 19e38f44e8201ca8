"""Archives and arrays from strangers: looked at before anything in them is unpacked."""

import io
import math
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np

from hardy.exceptions import InputError

_ARRAY, _ARCHIVE = b"\x93NUMPY", b"PK\x03\x04"
# Files below the first size harm nobody; above it, only what was made to swells so much.
_HARMLESS = 256 * 2**20
_MOST_SWELLING = 100
# Of a member's own header, the lengths of what stands between it and the member.
_LOCAL_HEADER = struct.Struct("<26x2H")
_ENCRYPTED = 0b1
_PIECE = 2**16


def check_archive(file: IO[bytes], *, may_swell: bool = True) -> None:
    """Refuse a zip archive that would take much more memory than it could be worth.

    Only a piece of a member is unpacked at a time, but for other archives (as
    `scipy.sparse.save_npz` makes them), which are looked at one level deep.

    Parameters
    ----------
    file : binary file
        The archive, which can be sought in.
    may_swell : bool, default=True
        Whether it may take more room unpacked than it has itself.

    Raises
    ------
    InputError
        Where a member's name leads out of the archive or comes twice, where one is encrypted or
        neither stored nor deflated, where all members unpacked, those of archives among them too,
        are beyond 256 MiB and a hundred times the archive's size, or its size where it may not
        swell, where one holds more or less than it says or lies within another one, where an
        array's shape doesn't fit the bytes that it has, where archives are nested deeper, or where
        it is damaged.
    """
    size = file.seek(0, io.SEEK_END)
    _check(file, max(_HARMLESS, _MOST_SWELLING * size) if may_swell else size, inside=False)


def _check(file: IO[bytes], room: int, *, inside: bool) -> int:
    """Refuse an archive, perhaps inside one, that takes more room; give what is left of it."""
    size = file.seek(0, io.SEEK_END)
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_members(members)
            room = _leave(room, members, size)
            _check_extents(file, members, size)
            for member in members:
                room = _check_member(archive, member, room, inside)
    except InputError:
        raise
    # Of what a damaged archive can raise, these are no errors of zipfile's own.
    except (
        zipfile.BadZipFile,
        RuntimeError,
        ValueError,
        OverflowError,
        EOFError,
        OSError,
        struct.error,
        zlib.error,
    ) as error:
        raise InputError(f"it is a damaged archive ({error})") from None
    return room


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    for name in names:
        if name in {"", ".", ".."} or {"/", "\\", ":"} & set(name):
            raise InputError(f"its part {name!r} has the name of a place elsewhere")
    if len(set(names)) < len(names):
        raise InputError("two of its parts have one name")
    for member in members:
        # Others are unpacked without a bound, whatever size the archive names.
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(f"its part {member.filename!r} is packed in a way that isn't read")
        if member.flag_bits & _ENCRYPTED:
            raise InputError(f"its part {member.filename!r} is encrypted")


def _leave(room: int, members: list[zipfile.ZipInfo], size: int) -> int:
    unpacked = sum(member.file_size for member in members)
    if unpacked > room:
        raise InputError(f"unpacked, its {size:,} bytes would be {unpacked:,}")
    return room - unpacked


def _check_extents(file: IO[bytes], members: list[zipfile.ZipInfo], size: int) -> None:
    """Refuse members of which zipfile would unpack more than they say, and those within others."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            raise InputError(f"its part {member.filename!r} lies within another one")
        file.seek(member.header_offset)
        lengths = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
        end = file.seek(sum(lengths), io.SEEK_CUR) + member.compress_size
        if end > size or _count_unpacked(file, member) != member.file_size:
            raise InputError(f"its part {member.filename!r} holds more or less than it says")


def _count_unpacked(file: IO[bytes], member: zipfile.ZipInfo) -> int:
    """Count the bytes that a member unpacks to, hardly beyond those that it says."""
    if member.compress_type == zipfile.ZIP_STORED:
        return member.compress_size
    inflater, left, count = zlib.decompressobj(-zlib.MAX_WBITS), member.compress_size, 0
    packed = data = b""
    while not inflater.eof and count <= member.file_size:
        if not packed:
            packed = file.read(min(_PIECE, left))
            left -= len(packed)
            if not packed and not data:
                break
        data = inflater.decompress(packed, _PIECE)
        packed = inflater.unconsumed_tail
        count += len(data)
    return count


def _check_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, inside: bool
) -> int:
    with archive.open(member) as content:
        start = content.read(len(_ARRAY))
        content.seek(0)
        if start.startswith(_ARRAY):
            with _naming(member):
                check_array(content, member.file_size)
        elif start.startswith(_ARCHIVE):
            if inside:
                raise InputError("it holds archives in archives")
            with _naming(member):
                return _check(io.BytesIO(content.read()), room, inside=True)
    return room


@contextmanager
def _naming(member: zipfile.ZipInfo) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"in its part {member.filename!r} {error}") from None


def check_array(file: IO[bytes], size: int) -> None:
    """Refuse a ``.npy`` file of `size` bytes whose header promises another size.

    Parameters
    ----------
    file : binary file
        At its beginning.
    size : int
        Its size in bytes.

    Raises
    ------
    InputError
        Where the header can't be read or doesn't fit, or the array holds Python's objects.
    """
    shape, dtype, header = read_header(file)
    if dtype.hasobject:
        raise InputError("an array holds objects of Python's; store numbers or words instead")
    promised = math.prod(shape) * dtype.itemsize
    # Of nothing there could be any number.
    is_bare = dtype.itemsize == 0 and math.prod(shape) > 0
    if min(shape, default=0) < 0 or is_bare or promised != size - header:
        raise InputError(
            f"an array says that it has the shape {shape} and {promised:,} bytes, "
            f"but has {size - header:,}"
        )


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], "np.dtype[Any]", int]:
    """Give the shape and the type that a ``.npy`` file says, and how long its header is."""
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    counted = _Counted(file)
    try:
        with warnings.catch_warnings():
            # Headers of Python 2 are read with a warning that would help nobody here.
            warnings.simplefilter("ignore", UserWarning)
            shape, _, dtype = readers[np.lib.format.read_magic(counted)](counted)
    # What numpy's reader lets through of a header that is no Python.
    except (
        ValueError,
        KeyError,
        TypeError,
        SyntaxError,
        RecursionError,
        OverflowError,
        # Of Python's parser, for what is nested deeply.
        MemoryError,
        tokenize.TokenError,
    ):
        raise InputError("an array has a header that can't be read") from None
    return shape, dtype, counted.n_read


class _Counted:
    """A file that counts what is read, since members of archives needn't know where they are."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.n_read = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.n_read += len(data)
        return data
