import pandas as pd
import polars as pl
import pytest

from hardy.annotators import find_consensus, widen_labels
from hardy.exceptions import InputError

LONG = pd.DataFrame(
    {
        "row": ["r2", "r1", "r2", "r3", "r1"],
        "annotator": ["bob", "ann", "ann", "bob", "bob"],
        "label": [1, 0, 1, None, 0],
    }
)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_column_for_each_annotator(kind):
    table = LONG if kind == "pandas" else pl.DataFrame(LONG.to_dict(orient="list"))
    wide = widen_labels(table)
    assert list(wide.columns) == ["bob", "ann"]
    assert list(wide.index) == ["r2", "r1", "r3"]
    assert wide["bob"].tolist() == [1, 0, None]
    assert wide["ann"].tolist() == [1, 0, None]
    assert find_consensus(wide).labels.tolist() == [1, 0, None]


def test_rows_come_in_the_order_that_is_wanted():
    wide = widen_labels(LONG, rows=["r1", "r2", "r3", "r4"])
    assert list(wide.index) == ["r1", "r2", "r3", "r4"]
    assert wide["ann"].tolist() == [0, 1, None, None]


def test_the_same_label_twice_does_no_harm():
    pd.testing.assert_frame_equal(widen_labels(pd.concat([LONG, LONG])), widen_labels(LONG))


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({}, {"label": "lable"}, "no column 'lable'"),
        ({}, {"rows": ["r1", "r2"]}, "has a row 'r3'"),
        ({}, {"rows": ["r1", "r1", "r2", "r3"]}, "names 'r1' twice"),
        ({"annotator": ["bob"] * 5}, {}, None),
        ({"annotator": ["bob"] * 5, "label": [1, 0, 2, 0, 0]}, {}, "gave the row 'r2' different"),
        ({"annotator": ["bob", None] + ["c"] * 3}, {}, "'annotator' has no value in line 1"),
        ({"row": [None] * 5}, {}, "'row' has no value in line 0"),
    ],
)
def test_lines_that_cannot_be_used_are_named(change, options, words):
    table = LONG.assign(**change)
    if words is None:
        assert widen_labels(table, **options).shape == (3, 1)
        return
    with pytest.raises(InputError, match=words):
        widen_labels(table, **options)


def test_something_else_than_a_table_is_refused():
    with pytest.raises(InputError, match="is a list; give a data frame"):
        widen_labels([1, 2])


def test_numbers_in_messages_are_plain():
    lines = pd.DataFrame({"row": [39, 39], "annotator": ["a", "a"], "label": ["x", "y"]})
    with pytest.raises(InputError, match="gave the row 39 different labels"):
        widen_labels(lines)
