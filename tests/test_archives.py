import io
import zipfile

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


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_would_be_unpacked_without_a_bound_is_refused(compression):
    with pytest.raises(InputError, match="'m' is packed in a way"):
        check_archive(packed([("m", b"x")], compression))
