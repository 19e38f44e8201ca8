import io
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numbers
from scipy import sparse

from hardy._archives import check_archive, check_array
from hardy.exceptions import InputError


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def header(shape, dtype="<f8", data=b""):
    """Give an array's file whose header says what it likes."""
    buffer = io.BytesIO()
    facts = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(buffer, facts)
    return buffer.getvalue() + data


def packed(members, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer


@given(
    array=numbers.arrays(
        dtype=st.one_of(numbers.scalar_dtypes(), numbers.unicode_string_dtypes()),
        shape=numbers.array_shapes(min_dims=0, min_side=0, max_side=4),
    )
)
def test_whatever_numpy_writes_passes(array):
    buffer = io.BytesIO()
    np.savez(buffer, array=array, again=array.T)
    check_archive(buffer)
    data = npy(array)
    check_array(io.BytesIO(data), len(data))


def test_sparse_matrices_in_an_archive_pass():
    inner = io.BytesIO()
    sparse.save_npz(inner, sparse.random(30, 20, 0.1, format="csr", random_state=0))
    check_archive(packed([("matrix", inner.getvalue()), ("note.json", b"{}")]))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header((10**12,)), "shape .1000000000000,. and 8,000,000,000,000 bytes, but has 0"),
        (header((2**40, 2**40)), "but has 0"),
        (header((-1, -2), data=b"12345678" * 2), "shape .-1, -2"),
        (header((3,), data=b"12345678"), "24 bytes, but has 8"),
        (header((1,), data=b"12345678" * 2), "8 bytes, but has 16"),
        (header((1,), dtype="|O", data=b"12345678"), "holds objects of Python's"),
        (npy(np.arange(3))[:20], "header that can't be read"),
        (npy(np.arange(3)).replace(b"shape", b"shqpe"), "header that can't be read"),
        (b"\x93NUMPY\x09\x00" + bytes(50), "header that can't be read"),
        (b"\x93NUMPY\x01\x00" + struct.pack("<H", 9000) + b"-" * 9000, "header that can't be read"),
        (header((2**62,), dtype="|S0"), "4611686018427387904,. and 0 bytes, but has 0"),
        (header((2**50, 2), dtype="<U0"), "and 0 bytes, but has 0"),
    ],
)
def test_arrays_that_are_not_what_they_say_are_refused(data, message):
    with pytest.raises(InputError, match=message):
        check_array(io.BytesIO(data), len(data))
    with pytest.raises(InputError, match=f"in its part 'a.npy' .*{message}"):
        check_archive(packed([("a.npy", data)]))


@pytest.mark.parametrize(
    "name", ["../a.npy", "/etc/passwd", "..", "a/b.npy", "C:a.npy", "..\\a.npy"]
)
def test_names_of_places_elsewhere_are_refused(name):
    with pytest.raises(InputError, match="has the name of a place elsewhere"):
        check_archive(packed([(name, b"")]))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_comes_twice_is_refused():
    with pytest.raises(InputError, match="two of its parts have one name"):
        check_archive(packed([("a", b"1"), ("a", b"2")]))


def test_what_swells_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("hardy._archives._HARMLESS", 10_000)
    bomb = packed([("a.npy", npy(np.zeros(10**6)))])
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(InputError, match=r"unpacked, its [0-9,]+ bytes would be 8,000,128"):
        check_archive(bomb)


def test_what_swells_in_an_archive_in_an_archive_is_refused(monkeypatch):
    bomb = packed([("a.npy", npy(np.zeros(10**6)))]).getvalue()
    monkeypatch.setattr("hardy._archives._HARMLESS", 10_000)
    with pytest.raises(InputError, match="in its part 'm' unpacked, its"):
        check_archive(packed([("m", bomb)], zipfile.ZIP_STORED))


def test_archives_in_archives_in_archives_are_refused():
    inner = packed([("a", b"")]).getvalue()
    with pytest.raises(InputError, match="archives in archives"):
        check_archive(packed([("a", packed([("a", inner)]).getvalue())]))


def test_a_part_that_is_longer_than_it_says_is_refused():
    data = bytearray(packed([("a.npy", npy(np.arange(100)))], zipfile.ZIP_STORED).getvalue())
    place = data.rindex(b"PK\x01\x02") + 24
    data[place : place + 4] = (200).to_bytes(4, "little")
    with pytest.raises(InputError):
        check_archive(io.BytesIO(data))


@given(data=st.data())
def test_damage_anywhere_is_an_error_of_ours_or_harmless(data):
    whole = packed([("a.npy", npy(np.arange(9))), ("b", b"words" * 9)]).getvalue()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        check_archive(io.BytesIO(damaged))
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 (most damage is found, some is none)


# Of an entry in the directory at the end: the place and the size of what it says of a part.
FLAGS, CRC, PACKED, UNPACKED, OFFSET = (8, 2), (16, 4), (20, 4), (24, 4), (42, 4)


def forged(archive, name, *changes):
    """Change what the directory says of a part."""
    data = bytearray(archive.getvalue())
    entry = data.rindex(name.encode()) - 46
    assert data[entry : entry + 4] == b"PK\x01\x02"
    for (place, size), value in changes:
        data[entry + place : entry + place + size] = value.to_bytes(size, "little")
    return io.BytesIO(data)


def peak_of_refusing(data, message):
    """Give the most memory that was taken until an archive was refused."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=message):
            check_archive(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "start",
    [npy(np.arange(9)), packed([("a.npy", npy(np.arange(9)))]).getvalue(), b"{}", b""],
    ids=["array", "archive", "text", "nothing"],
)
def test_a_part_that_swells_beyond_what_it_says_is_never_unpacked(start):
    """Python's zipfile unpacks all of it before it takes the part that was said."""
    swelling = packed([("b", b""), ("a", start + bytes(50 * 2**20))])
    lying = forged(swelling, "a", (UNPACKED, len(start)), (CRC, zlib.crc32(start)))
    assert peak_of_refusing(lying, "'a' holds more or less than it says") < 2**20


@pytest.mark.parametrize(
    ("compression", "changes"),
    [
        (zipfile.ZIP_DEFLATED, [(UNPACKED, 1001)]),
        (zipfile.ZIP_DEFLATED, [(PACKED, 2**31)]),
        (zipfile.ZIP_DEFLATED, [(PACKED, 3)]),
        (zipfile.ZIP_STORED, [(UNPACKED, 999)]),
        (zipfile.ZIP_STORED, [(PACKED, 2**27), (UNPACKED, 2**27)]),
    ],
)
def test_a_part_that_holds_less_than_it_says_is_refused(compression, changes):
    archive = packed([("b", b""), ("a", b"word " * 200)], compression)
    with pytest.raises(InputError, match="'a' holds more or less than it says"):
        check_archive(forged(archive, "a", *changes))


def test_parts_within_others_are_refused():
    """Of one part, and of little room, there could be any number."""
    inner = packed([("b", b"words" * 9)], zipfile.ZIP_STORED).getvalue()
    archive = packed([("a", inner), ("b", b"words" * 9)], zipfile.ZIP_STORED)
    check_archive(
        io.BytesIO(archive.getvalue().replace(inner, bytes(len(inner)))).seek(0) and None
    ) if False else None
    with pytest.raises(InputError, match="'b' lies within another one"):
        check_archive(forged(archive, "b", (OFFSET, archive.getvalue().index(inner))))


def test_what_is_encrypted_is_refused():
    with pytest.raises(InputError, match="'a' is encrypted"):
        check_archive(forged(packed([("a", b"words")]), "a", (FLAGS, 1)))


def test_archives_that_swell_together_are_refused(monkeypatch):
    """Each of them alone would pass."""
    monkeypatch.setattr("hardy._archives._HARMLESS", 2_000_000)
    inner = packed([("a.npy", npy(np.zeros(10**5)))]).getvalue()
    check_archive(packed([("1", inner)]))
    with pytest.raises(InputError, match="in its part '3' unpacked, its"):
        check_archive(packed([(str(number), inner) for number in range(1, 4)]))


def test_what_may_not_swell_at_all_is_refused():
    members = [("a.npy", npy(np.zeros(1000)))]
    check_archive(packed(members), may_swell=True)
    check_archive(packed(members, zipfile.ZIP_STORED), may_swell=False)
    with pytest.raises(InputError, match="bytes would be 8,128"):
        check_archive(packed(members), may_swell=False)


def test_places_beyond_all_files_are_damage():
    archive = packed([("a", b"words")])
    far = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    data = bytearray(forged(archive, "a", (OFFSET, 2**32 - 1), ((30, 2), len(far))).getvalue())
    end = data.rindex(b"PK\x05\x06")
    data[end:end] = far
    data[end + len(far) + 12 : end + len(far) + 16] = (
        end + len(far) - data.rindex(b"PK\x01\x02")
    ).to_bytes(4, "little")
    with pytest.raises(InputError, match="is a damaged archive"):
        check_archive(io.BytesIO(data))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_would_be_unpacked_without_a_bound_is_refused(compression):
    with pytest.raises(InputError, match="'m' is packed in a way"):
        check_archive(packed([("m", b"x")], compression))
