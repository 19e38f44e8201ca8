"""A table that is read a part at a time is the table that is read all at once."""

import datetime
import errno
import gzip
import hashlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardy._shelf import DiskShelf
from hardy.exceptions import InputError
from hardy.tabular import read_table, streaming
from hardy.tabular._long_texts import digest
from hardy.tabular.stored import take_rows

pytest.importorskip("pyarrow")


def stream(path, folder, report=lambda *_: None, **options):
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
    return streaming.stream_table(path, DiskShelf(folder), sha256, report, **options)


def check_and_stream(path, folder):
    digest(path, lambda *_: None)
    return stream(path, folder)


@pytest.fixture
def in_blocks(monkeypatch):
    def set_size(size):
        for module in ("_streamed_text", "_streamed_parquet"):
            monkeypatch.setattr(f"hardy.tabular.{module}.rows_of_block", lambda _: size)

    set_size(3)
    return set_size


def check_same(path, folder, **options):
    whole, streamed = read_table(path, **options), stream(path, folder, **options)
    frame = streamed.frame.take(np.arange(len(streamed.frame)))
    # The labels of text are brought into their shortest form afterwards.
    without = [options["target"]] if "target" in options else []
    expected = whole.frame.drop(columns=without)
    pd.testing.assert_frame_equal(frame.drop(columns=without), expected, check_exact=True)
    np.testing.assert_array_equal(streamed.lines, whole.lines)
    assert streamed.source == whole.source
    return streamed


TEXTS = {
    "numbers beside holes": "a,b,c\n1,x,0.5\n2,y,1\n3,z,\n4,w,7\n5,,2e3\n",
    "truth values": "a,b\n1,True\n2,False\n3,True\n4,False\n5,True\n",
    "truth values with holes": "a,b\n1,True\n2,False\n3,True\n4,\n,False\n",
    "truth values and a word": "a,b\n1,True\n2,False\n3,True\n4,maybe\n5,False\n",
    "codes in one part": "a,b\n1,007\n2,8\n3,9\n4,10\n5,11\n",
    "codes in a late part": "a,b\n1,7\n2,8\n3,9\n4,010\n5,11\n",
    "blanks around a missing value": "a,b\n1, NA \n2,1\n3,2\n4,3\n",
    "decimal commas and points": "a;b\n1,5;2\n2,5;3\n3;4.5\n4;1\n7;8\n",
    "points, then whole numbers": "a;b\n1,5;2\n2,5;3\n3;4\n4;1.5\n7;8\n",
    "64 bits and a sign": "a,b\n12345678901234567890,1\n2,1\n3,1\n4,1\n-5,1\n",
    "64 bits": "a,b\n12345678901234567890,1\n2,1\n3,1\n4,1\n5,1\n",
    "more than 64 bits": "a,b\n123456789012345678901234,1\n2,1\n3,1\n4,1\n5,1\n",
    "more digits than floats": "a,b\n9007199254740993,1\n9007199254740992,1\n,1\n4,1\n",
    "lines in fields": 'a,b\n"x\ny",1\n\n\nz,2\nu,3\nv,4\n"w\r\n",5',
    "line ends of Windows": "a,b\r\n1,2\r\n3,4\r\n5,6\r\n7,8\r\n",
    "a declared separator": "sep=;\na;b\n1;2\n3;4\n5;6\n7;8\n",
    "moments": "a,b\n2021-02-03,\n2021-02-04,\n2021-02-04,\n2021-02-05,\n",
    "a word in a late part": "a,b\n0,1.5\n1,2\n2,7\n3,8\n4,nine\n5,10\n",
    "nothing but holes": "a,b\n1,\n2,\n3,\n4,\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("size", [1, 3])
def test_text_in_parts_is_the_text_at_once(tmp_path, in_blocks, text, size):
    in_blocks(size)
    path = tmp_path / "a.csv"
    path.write_text(text, newline="")
    check_same(path, tmp_path)


CELLS = [
    "", "1", "2", "-3", "1.5", "1e3", "007", "NA", " NA ", "?", "x", "x y", "True", "False", "yes",
    "9007199254740993", "12345678901234567890", "-12345678901234567890", "123456789012345678901234",
    "1,5", "0", "0.0", "2020-01-31", '"', "a\nb", "é",
]  # fmt: skip


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    cells=st.lists(st.tuples(*[st.sampled_from(CELLS)] * 2), min_size=2, max_size=8),
    separator=st.sampled_from(",;"),
    size=st.integers(1, 4),
)
def test_any_cells_in_parts_are_those_at_once(tmp_path_factory, in_blocks, cells, separator, size):
    in_blocks(size)
    folder = tmp_path_factory.mktemp("streamed")
    path = folder / "a.csv"
    frame = pd.DataFrame(cells, columns=["a", "b"], dtype=object)
    frame["n"] = "n"  # so that no line is blank
    frame.to_csv(path, sep=separator, index=False)
    check_same(path, folder)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("a,b\nä,2\n3,ö\n5,6\n7,8\n", "cp1252"), ("a,b\nä,2\n3,ö\n5,6\n7,8\n", "utf-16")],
)
def test_encodings_are_found_in_parts_too(tmp_path, in_blocks, text, encoding):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode(encoding))
    check_same(path, tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a,b\n1,inf\n2,3\n3,4\n4,5\n",
        b"a,b\n1,2\n2,3\n3,4,5\n4,5\n",
        b"a,b\n1,2\n2,3\n3,\0\n4,5\n",
        b"a,b\n",
        b"a,a\n1,2\n",
        b"a,b\n1,\x81\n2,3\n",
        b"PK\x03\x04abc",
        b"PAR1abc",
        b"\x1f\x8babc",
    ],
)
def test_what_cant_be_read_is_told_alike(tmp_path, in_blocks, data):
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    with pytest.raises(InputError) as expected:
        read_table(path)
    with pytest.raises(InputError) as raised:
        check_and_stream(path, tmp_path)
    assert str(raised.value) == str(expected.value)


def make_arrow_table(n=11):
    return pd.DataFrame(
        {
            "whole": np.arange(n),
            "number": np.linspace(0, 1, n),
            "word": list("abcabcabcab"),
            "truth": [True, False] * 5 + [True],
            "category": pd.Categorical(list("xyzxyzxyzxw")),
            "moment": pd.date_range("2020", "2021", periods=n),
            "whole with holes": pd.array([1, None] + [3] * 9, dtype="Int64"),
            "truth with holes": pd.array([True, None] + [False] * 9, dtype="boolean"),
            "word with holes": [None, "q", *["r"] * 9],
            "day": [datetime.date(2020, 1, 1)] * n,
            "number with holes": [None] + [1.5] * 10,
        }
    )


@pytest.mark.parametrize("size", [1, 3, 20])
@pytest.mark.parametrize("is_packed", [False, True])
def test_parquet_in_parts_is_parquet_at_once(tmp_path, in_blocks, size, is_packed):
    in_blocks(size)
    path = tmp_path / "a.parquet"
    make_arrow_table().to_parquet(path, row_group_size=4)
    if is_packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    check_same(path, tmp_path, target="word")


def test_rows_come_in_the_order_that_is_asked_for_and_columns_by_name(tmp_path, in_blocks):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{row},{row % 2}\n" for row in range(10)))
    stored = stream(path, tmp_path).frame
    asked = np.array([7, 0, 7, 3])
    assert take_rows(stored, asked)["a"].tolist() == [7, 0, 7, 3]
    some = stored.select(np.array([1, 4, 9]))
    assert some.shape == (3, 2)
    assert some["a"].tolist() == [1, 4, 9]
    assert some.select(np.array([2])).take(np.array([0]))["a"].tolist() == [9]
    assert list(some.drop(columns=["a"]).columns) == ["b"]
    assert stored.take(np.array([], dtype=np.intp)).empty


def test_what_is_stored_isnt_read_again(tmp_path, in_blocks):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n5,6\n7,8\n")
    first = stream(path, tmp_path)
    path.unlink()
    again = streaming.stream_table(path, DiskShelf(tmp_path), first.source.sha256, lambda *_: None)
    assert again.source == first.source
    pd.testing.assert_frame_equal(again.frame.take(np.arange(4)), first.frame.take(np.arange(4)))


@pytest.mark.parametrize("when", ["Looking for", "Looking at", "Storing"])
def test_a_file_that_vanishes_or_changes_is_noticed(tmp_path, in_blocks, when):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 10)

    def remove(text, done, total):
        if text.startswith(when):
            path.unlink(missing_ok=True)

    with pytest.raises(InputError, match=r"There is no file|was changed|can't be read"):
        stream(path, tmp_path, remove)
    assert not DiskShelf(tmp_path).is_done("table")


def test_a_full_disk_is_told_in_a_line(tmp_path, in_blocks, monkeypatch):
    def fill(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(streaming, "store", fill)
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"can't be written \(No space left on device\). Free"):
        stream(path, tmp_path)


@pytest.mark.parametrize("read", [lambda path, folder: read_table(path), stream])
def test_a_day_of_a_year_beyond_pythons_is_named(tmp_path, read):
    pa = pytest.importorskip("pyarrow")
    days = pa.array([0, 1_300_000_000], pa.int32()).cast(pa.date32())
    path = tmp_path / "a.parquet"
    pytest.importorskip("pyarrow.parquet").write_table(pa.table({"n": [1, 2], "day": days}), path)
    with pytest.raises(
        InputError, match=r"a\.parquet: a value of the column 'day' is beyond .*year"
    ):
        read(path, tmp_path)
