import multiprocessing
import os
import signal
import time

import numpy as np
import pandas as pd
import pytest

from hardy.exceptions import InputError
from hardy.studies.store import CellStore
from harmless import assert_harmless_csv

KEYS, COLUMNS = ["set", "rate"], ["set", "rate", "score", "error"]
NUMBERS = ["rate", "score"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cells.csv"


def cell(name, rate=0.1, score=0.5, error=None):
    return {"set": name, "rate": rate, "score": score, "error": error}


def test_cells_come_back(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    assert store.frame.empty
    assert not path.exists()
    store.append(cell("a"))
    store.append(cell("b, c", score=np.nan, error='it said "no"\nand no'))
    again = CellStore(path, KEYS, COLUMNS, NUMBERS)
    pd.testing.assert_frame_equal(again.frame, store.frame)
    assert again.frame["set"].tolist() == ["a", "b, c"]
    assert again.frame["error"].tolist()[1] == 'it said "no"\nand no'
    assert np.isnan(again.frame["score"][1])
    for held in (store, again):
        assert cell("a") in held
        assert cell("a", rate=0.2) not in held


def test_a_line_without_an_end_is_taken_off(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    for name in "ab":
        store.append(cell(name))
    whole = path.read_bytes()
    for cut in range(1, len(whole)):
        path.write_bytes(whole[:cut])
        held = CellStore(path, KEYS, COLUMNS, NUMBERS)
        assert held.frame["set"].tolist() == [name for name in "ab" if cell(name) in held]
        for name in "ab":
            if cell(name) not in held:
                held.append(cell(name))
        assert path.read_bytes() == whole


def test_cells_are_looked_up(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    for name, score in (("a", 0.1), ("b", 0.2), ("c", 0.3)):
        store.append(cell(name, score=score))
    for held in (store, CellStore(path, KEYS, COLUMNS, NUMBERS)):
        assert held.select([cell("c"), cell("a")])["score"].tolist() == [0.3, 0.1]
        assert held.select([]).empty
        with pytest.raises(KeyError):
            held.select([cell("d")])


@pytest.mark.parametrize("number", [1 / 3, 0.1 + 0.2, 5e-324, 7.0, 2**60])
def test_numbers_come_back_to_the_last_digit(path, number):
    CellStore(path, KEYS, COLUMNS, NUMBERS).append(cell("a", rate=number))
    assert CellStore(path, KEYS, COLUMNS, NUMBERS).frame["rate"].tolist() == [number]


@pytest.mark.parametrize("before", [[], [cell("a")]])
def test_two_runs_into_one_file(path, before):
    for row in before:
        CellStore(path, KEYS, COLUMNS, NUMBERS).append(row)
    one, other = (CellStore(path, KEYS, COLUMNS, NUMBERS) for _ in range(2))
    one.append(cell("b"))
    content = path.read_bytes()
    with pytest.raises(InputError, match="was changed meanwhile, perhaps by a second run"):
        other.append(cell("c"))
    assert path.read_bytes() == content


def test_a_file_that_is_gone_is_not_begun_anew(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    store.append(cell("a"))
    path.unlink()
    with pytest.raises(InputError, match="No such file"):
        store.append(cell("b"))
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("set,rate,score\na,0.1,0.5\n", r"has the columns \['set', 'rate', 'score'\]"),
        ("set,rate,score,error\na,0.1\n", "is damaged: line 2 has 2 fields, not 4"),
        ("set,rate,score,error\na,0.1,1,\na,0.1,2,\n", "line 3 holds a cell for the second time"),
        (b"set,rate,score,error\n\xff\n", "is damaged"),
        (b"\xff\x00zz", "holds something else"),
        ("a line without an end", "holds something else"),
        ("set,rate,score,error\na,0.1,oops,\n", "score in line 2 is 'oops', no number"),
        ("set,rate,score,error\na,abc,1,\n", "rate in line 2 is 'abc', no number"),
        ('set,rate,score,error\n"a"b,0.1,1,\n', "is damaged"),
    ],
)
def test_damage_is_named(path, content, message):
    content = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        CellStore(path, KEYS, COLUMNS, NUMBERS)
    assert path.read_bytes() == content


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        CellStore(tmp_path / "none" / "a.csv", KEYS, COLUMNS, NUMBERS).append(cell("a"))
    with pytest.raises(InputError, match="no regular file"):
        CellStore(tmp_path, KEYS, COLUMNS, NUMBERS)


def _write_for_ever(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    for number in range(10**6):
        if cell(str(number)) not in store:
            store.append(cell(str(number), error="x" * 500))


def test_what_was_finished_outlives_a_kill(path):
    context = multiprocessing.get_context("spawn")
    for _ in range(3):
        process = context.Process(target=_write_for_ever, args=(path,))
        process.start()
        before = len(path.read_bytes().splitlines()) if path.exists() else 0
        while not path.exists() or len(path.read_bytes().splitlines()) < before + 20:
            assert process.is_alive()
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        held = CellStore(path, KEYS, COLUMNS, NUMBERS).frame
        assert held["set"].tolist() == [str(number) for number in range(len(held))]
        assert len(held) >= before


def test_words_stay_words(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    for name in ("1", "True", "007", "nan", "None"):
        store.append(cell(name))
    assert CellStore(path, KEYS, COLUMNS, NUMBERS).frame["set"].tolist() == [
        "1", "True", "007", "nan", "None",
    ]  # fmt: skip


def test_names_that_would_be_formulas_are_none_in_the_file_and_come_back(path):
    names = ["=cmd|' /C calc'!A0", "'=1+1", "''=1+1", "@sum", "'plain", "-2.5", "+a"]
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    for name in names:
        store.append(cell(name, error=f"{name} failed"))
    written = [line.partition(",")[0] for line in path.read_text().splitlines()[1:]]
    assert written == [
        "'=cmd|' /C calc'!A0", "''=1+1", "'''=1+1", "'@sum", "'plain", "-2.5", "'+a",
    ]  # fmt: skip
    again = CellStore(path, KEYS, COLUMNS, NUMBERS)
    assert all(cell(name) in again for name in names)
    assert again.frame["set"].tolist() == names
    assert again.select([cell(names[0])])["error"].tolist() == [f"{names[0]} failed"]


def test_names_in_files_of_earlier_versions_are_known(path):
    path.write_text("set,rate,score,error\n=1+1,0.1,0.5,\n")
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    assert cell("=1+1") in store
    assert store.frame["set"].tolist() == ["=1+1"]


def test_line_ends_in_names_end_no_line(path):
    store = CellStore(path, KEYS, COLUMNS, NUMBERS)
    names = ["a\r=1+1", "\r=1+1", "a\n=1+1", "a\r\n=1+1"]
    for name in names:
        store.append(cell(name))
    assert len(assert_harmless_csv(path.read_bytes().decode())) == 5
    assert CellStore(path, KEYS, COLUMNS, NUMBERS).frame["set"].tolist() == names
