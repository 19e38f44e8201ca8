import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.tabular import escape_formula, write_csv


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=SUM(A1)", "'=SUM(A1)"),
        ("+cmd", "'+cmd"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("-1+2", "'-1+2"),
        (" =1", "' =1"),
        ("\0=1", "'\0=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\u2060=1", "'\u2060=1"),
        ("\u202e \u00ad@name", "'\u202e \u00ad@name"),
        ("\uff1d1", "'\uff1d1"),
        ("-", "'-"),
        ("-1", "-1"),
        ("+1.5e-3", "+1.5e-3"),
        ("-.5", "-.5"),
        ("plain", "plain"),
        ("a=b", "a=b"),
        ("", ""),
        (-1, -1),
        (None, None),
    ],
)
def test_formulas_get_an_apostrophe(cell, written):
    assert escape_formula(cell) == written


@given(st.text(max_size=6))
def test_no_cell_is_a_formula_afterwards(text):
    escaped = escape_formula(text)
    assert escaped in (text, f"'{text}")
    if escaped[:1] in set("=+-@\t\r\n"):
        float(escaped)


def test_the_file_is_harmless_and_complete(tmp_path):
    frame = pd.DataFrame(
        {
            "=name": ["=1", "two, three", 'four "five"', "line\nend"],
            "n": [1.5, -2.0, np.nan, 0.1],
            "c": pd.Categorical(["+a", "b", "b", "b"]),
            "mixed": [1, "@x", None, -3],
            "day": pd.to_datetime(["2024-01-01"] * 4),
        },
        index=[4, 3, 2, 1],
    )
    path = tmp_path / "out.csv"
    write_csv(frame, path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["'=name", "n", "c", "mixed", "day"],
        ["'=1", "1.5", "'+a", "1", "2024-01-01"],
        ["two, three", "-2.0", "b", "'@x", "2024-01-01"],
        ['four "five"', "", "b", "", "2024-01-01"],
        ["line\nend", "0.1", "b", "-3", "2024-01-01"],
    ]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_line_ends_within_cells_end_no_row(tmp_path, end):
    frame = pd.DataFrame({f"a{end}=1": [f"b{end}=1", "c"], "d": [1, f"{end}=1"]})
    write_csv(frame, tmp_path / "out.csv")
    written = (tmp_path / "out.csv").read_bytes().decode()
    assert written == f'"a{end}=1",d\n"b{end}=1",1\nc,"\'{end}=1"\n'


def test_repeated_column_names(tmp_path):
    frame = pd.DataFrame([[1, "=2"]], columns=["a", "a"])
    write_csv(frame, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "a,a\n1,'=2\n"


def test_half_characters_are_written_as_escapes(tmp_path):
    write_csv(pd.DataFrame({"a": ["\ud800", "=\udce9"]}, dtype=object), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "a\n\\ud800\n'=\\udce9\n"
