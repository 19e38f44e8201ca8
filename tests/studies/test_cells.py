import pytest
from sklearn.utils.parallel import delayed

from hardy.studies.cells import error_in_words, make_seed, run_cells
from hardy.studies.store import CellStore


def test_seeds_differ_by_place_and_stay():
    assert make_seed("a", 1) != make_seed("a", 2)
    # By zlib.crc32(b"('a', 1)"), without its highest bit.
    assert make_seed("a", 1) == 597968843


def _row(number):
    return {"number": number, "square": number**2}


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_row_is_stored_before_it_is_given(n_jobs, tmp_path):
    path, told = tmp_path / "cells.csv", []
    store = CellStore(path, ["number"], ["number", "square"], ["number", "square"])
    rows = run_cells(
        [delayed(_row)(number) for number in range(3)],
        lambda row: f"number {row['number']}",
        stored=store,
        n_done=4,
        n_jobs=n_jobs,
        progress=lambda *arguments: told.append(arguments),
    )
    for count, row in enumerate(rows, start=1):
        assert row in store
        assert len(path.read_text().splitlines()) == count + 1
    assert sorted(text for text, _, _ in told) == ["number 0", "number 1", "number 2"]
    assert [(done, total) for _, done, total in told] == [(5, 7), (6, 7), (7, 7)]


def test_an_error_is_one_line_that_any_file_can_hold():
    assert error_in_words(ValueError("two\nlines \udc80")) == "ValueError: two lines \\udc80"
