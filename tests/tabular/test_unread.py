import numpy as np
import pandas as pd
import polars as pl
import pytest

from hardy.tabular import describe_columns
from hardy.tabular.unread import find_unread_cells


@pytest.fixture
def columns():
    days = pd.date_range("2024-01-30", periods=20)
    return describe_columns(
        pd.DataFrame(
            {
                "size": np.arange(20) * 1.5,
                "seen": days.astype(str),
                "ripe": ["yes", "no"] * 10,
                "colour": ["red", "blue"] * 10,
                "unit": "mm",
                "when": days,
            }
        )
    )


@pytest.fixture
def table():
    return pd.DataFrame(
        {
            "size": ["1", "big", None, "inf"],
            "seen": ["2024-02-29", "2023-02-29", " ", "29.02.2024"],
            "ripe": ["Yes", "no ", "perhaps", None],
            "colour": ["red", "violet", None, "blue"],
            "unit": ["cm"] * 4,
            "when": pd.to_datetime(["2024-01-01", None, "2024-01-01", "2024-01-01"]),
        }
    )


def found(table, columns):
    return {
        cells.column.name: (cells.rows.tolist(), cells.first)
        for cells in find_unread_cells(table, columns)
    }


def test_what_is_neither_missing_nor_what_the_column_holds(table, columns):
    assert found(table, columns) == {
        "size": ([1, 3], "big"),
        "seen": ([1, 3], "2023-02-29"),
        "ripe": ([2], "perhaps"),
    }


def test_polars_and_pandas_agree(table, columns):
    assert found(pl.from_pandas(table), columns) == found(table, columns)


def test_true_types_are_always_read(columns):
    table = pd.DataFrame(
        {
            "size": pd.array([1, None], dtype="Int64"),
            "seen": pd.to_datetime(["2024-01-01", None]),
            "ripe": pd.array([True, None], dtype="boolean"),
            "colour": [1, 2],
            "unit": [None, None],
            "when": pd.to_datetime(["2024-01-01", None]),
        }
    )
    assert found(table, columns) == {}
