import numpy as np
import pandas as pd
import polars as pl
import pytest

from hardy.exceptions import InputError
from hardy.text._documents import check_documents

TEXTS = ["wheat", "", "crude oil"]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        iter,
        np.array,
        lambda texts: np.array(texts, dtype=object),
        pd.Series,
        lambda texts: pd.Series(texts, index=[7, 7, 2]),
        lambda texts: pd.Series(texts, dtype="category"),
        lambda texts: pd.Series(texts, dtype="string"),
        pd.Index,
        pl.Series,
        lambda texts: pl.Series(texts, dtype=pl.Categorical),
    ],
)
def test_texts_come_in_any_container(make):
    assert check_documents(make(TEXTS)) == TEXTS


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_text_is_named(missing):
    with pytest.raises(
        InputError, match=r"row 1 is missing \((None|nan|<NA>|NaT)\).*leave the row"
    ):
        check_documents(["wheat", missing, "oil"])


def test_a_missing_text_in_a_column_is_named():
    for column in (pd.Series(["wheat", None], dtype="string"), pl.Series(["wheat", None])):
        with pytest.raises(InputError, match="row 1 is missing"):
            check_documents(column)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (5, r"5 \(int\)"),
        (b"oil", r"b'oil' \(bytes\)"),
        (["oil"], r"\['oil'\] \(list\)"),
        (True, r"True \(bool\)"),
    ],
)
def test_what_is_no_text_is_named(value, shown):
    with pytest.raises(InputError, match=f"row 2 is no text but {shown}"):
        check_documents(["wheat", "oil", value])


@pytest.mark.parametrize("text", ["crude oil", b"crude oil", np.str_("crude oil")])
def test_a_single_text_is_refused(text):
    with pytest.raises(InputError, match=r"single text, .*crude oil.*; give a list"):
        check_documents(text)


def test_a_long_text_is_shown_in_part():
    with pytest.raises(InputError, match=r"single text, 'a{59}… \(1,000 characters\);"):
        check_documents("a" * 1000)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"text": TEXTS}),
        pl.DataFrame({"text": TEXTS}),
        np.array([TEXTS, TEXTS]),
        np.array("oil"),
    ],
)
def test_what_is_no_column_is_refused(table):
    with pytest.raises(InputError, match=r"one column of texts, but have the shape \("):
        check_documents(table)


@pytest.mark.parametrize("nothing", [None, 3])
def test_what_is_no_list_is_refused(nothing):
    with pytest.raises(InputError, match=f"a list or a column of texts, not {nothing}"):
        check_documents(nothing)
