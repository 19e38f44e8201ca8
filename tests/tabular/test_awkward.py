"""Files as programs and people leave them are read as a person would, or refused in one line."""

import numpy as np
import pandas as pd
import pytest

from data.truth import FOLDER, READ, REFUSED, target_of
from hardy.exceptions import InputError
from hardy.tabular import describe_columns, read_table


def plain(cell):
    """Give a cell as Python's own value, None where it is missing."""
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    return None if not isinstance(cell, dict) and pd.isna(cell) else cell


def test_every_file_is_spoken_of():
    assert {path.name for path in FOLDER.iterdir()} == READ.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", READ)
def test_awkward_files_give_the_values_that_a_person_would_read(name):
    expected, lines = READ[name]
    target = target_of(list(expected))
    table = read_table(FOLDER / name, target=target)
    found = {name: [plain(cell) for cell in column] for name, column in table.frame.items()}
    assert found == expected
    assert table.lines.tolist() == lines


@pytest.mark.parametrize("name", REFUSED)
def test_other_awkward_files_are_refused_in_one_line(name):
    with pytest.raises(InputError, match=REFUSED[name]) as caught:
        read_table(FOLDER / name)
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)


@pytest.mark.parametrize("separator", [",", ";"])
def test_five_thousand_columns(tmp_path, separator):
    names = [f"c{number}" for number in range(5000)]
    rows = [[str(row * 5000 + number) for number in range(5000)] for row in range(3)]
    lines = [[*names, "label"], *([*row, label] for row, label in zip(rows, "aba", strict=True))]
    path = tmp_path / "wide.csv"
    path.write_text("".join(separator.join(line) + "\n" for line in lines))
    frame = read_table(path, target="label").frame
    assert frame.shape == (3, 5001)
    assert frame["c4999"].tolist() == [4999, 9999, 14999]
    assert frame["label"].tolist() == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("name", "column", "kind"),
    [
        ("dates.csv", "seen", "date"),
        ("booleans.csv", "ripe", "boolean"),
        ("german_excel.csv", "Datum", "date"),
        ("french_excel.csv", "date", "date"),
        ("english_excel.csv", "date", "date"),
        ("english_excel.csv", "sold", "boolean"),
        ("german_excel.csv", "Größe", "numeric"),
        ("trailing_separators.csv", "Unnamed: 2", "empty"),
        ("dictionary.parquet", "colour", "categorical"),
        ("types_of_databases.parquet", "price", "numeric"),
        ("types_of_databases.parquet", "day", "date"),
    ],
)
def test_what_their_columns_hold(name, column, kind):
    frame = read_table(FOLDER / name).frame
    described = {c.name: c for c in describe_columns(frame[[column]])}
    assert described[column].kind == kind
