import datetime
import unicodedata
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skrub

from hardy.exceptions import InputError
from hardy.tabular import describe_columns, resolve_column
from hardy.tabular.unread import find_unread_cells


def kinds(frame, **options):
    return {column.name: column.kind for column in describe_columns(frame, **options)}


def reasons(frame):
    return {column.name: column.set_aside for column in describe_columns(frame)}


def test_resolve_column_suggests_the_nearest():
    assert resolve_column("b", ["a", "b"]) == "b"
    with pytest.raises(InputError, match="did you mean 'Species'"):
        resolve_column("specis", ["Species", "size"])
    with pytest.raises(InputError, match=r"the columns are 'a', 'b'\."):
        resolve_column("zzzz", ["a", "b"])


def test_messages_hold_only_the_start_of_what_has_no_end():
    long, many = "x" * 100_000, [f"column {number}" for number in range(10_000)]
    for name, columns in ((long, ["a", long]), ("zzzz", [long, *many]), ("zzzz", many)):
        with pytest.raises(InputError) as told:
            resolve_column(f"{name}y", columns)
        assert len(str(told.value)) < 1000
    assert len(reasons(pd.DataFrame({"a": [long] * 3}))["a"]) < 200


@pytest.mark.parametrize("name", [3, None, b"a", ["a"], {"a": 1}])
def test_what_is_no_name_of_a_column(name):
    with pytest.raises(InputError, match=r" is no name of a column; the columns are 'a', 'b'\.$"):
        resolve_column(name, ["a", "b"])


def test_names_in_another_unicode_form():
    composed, taken_apart = (unicodedata.normalize(form, "größe") for form in ("NFC", "NFD"))
    assert composed != taken_apart
    assert resolve_column(composed, ["n", taken_apart]) == taken_apart
    assert resolve_column(taken_apart, ["n", composed]) == composed
    # Where both are there, the one that was asked for.
    assert resolve_column(taken_apart, [composed, taken_apart]) == taken_apart
    frame = pd.DataFrame({taken_apart: [1, 1], "n": [1, 1]})
    kept = describe_columns(frame, keep=[composed])
    assert [column.set_aside for column in kept] == [None, "every value is 1"]
    worded = describe_columns(frame.assign(**{taken_apart: [1, 2]}), text=[composed])
    assert [column.kind for column in worded] == ["text", "numeric"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3, 1], "numeric"),
        ([1.5, np.nan, 2, 1], "numeric"),
        (pd.array([1, None, 3, 1], dtype="Int64"), "numeric"),
        ([Decimal("1.5"), None, Decimal(2), Decimal(1)], "numeric"),
        (np.array([1, 2.5, None, 3], dtype=object), "numeric"),
        (pd.to_timedelta([1, 2, 3, 4], unit="h"), "numeric"),
        ([True, False, True, True], "boolean"),
        (pd.array([True, None, False, True], dtype="boolean"), "boolean"),
        (np.array([True, None, False, True], dtype=object), "boolean"),
        (["yes", "No", "no", None], "boolean"),
        (["Y", "N", "N", "Y"], "boolean"),
        (["red", "blue", "red", "blue"], "categorical"),
        (pd.Categorical([1, 2, 1, 2]), "categorical"),
        (["1", "2", "1", "2"], "categorical"),
        (["t", "n", "t", "n"], "boolean"),
        (["yes", "true", "yes", "no"], "text"),
        (["a word", "another word", "more words", "one more"], "text"),
        (["2024-01-31", "2024-02-01", None, "2024-02-03"], "date"),
        (["31/01/2024", "01/02/2024", "01/02/2024", "03/02/2024"], "date"),
        (["2024-01-31 10:00", "2024-02-01 11:30", None, "2024-02-03 00:00"], "date"),
        (["2024-01-31", "2024-02-01", "soon", "2024-02-03"], "text"),
        (["1.2.3", "1.2.4", "1.2.5", "1.2.6"], "text"),
        (pd.date_range("2024", periods=4), "date"),
        (pd.date_range("2024", periods=4, tz="Europe/Paris"), "date"),
        (pd.period_range("2024-01", periods=4, freq="M"), "date"),
        ([datetime.date(2024, 1, day) for day in range(1, 5)], "date"),
        ([None] * 4, "empty"),
        (["", " ", None, ""], "empty"),
    ],
)
def test_kinds(values, kind):
    assert kinds(pd.DataFrame({"c": values})) == {"c": kind}


def test_more_categories_than_allowed_are_text():
    frame = pd.DataFrame({"c": [f"word {'x' * i}" for i in range(10)] * 5})
    assert kinds(frame, max_categories=10) == {"c": "categorical"}
    assert kinds(frame, max_categories=9) == {"c": "text"}


def test_what_says_nothing_is_set_aside():
    n = 30
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "constant": [7] * n,
            "word": ["same"] * n,
            "flag": [True] * n,
            "empty": [np.nan] * n,
            "counter": np.arange(100, 100 + n),
            "shuffled": rng.permutation(n),
            "patient_id": rng.choice(10**6, n, replace=False),
            "customerId": rng.choice(10**6, n, replace=False),
            "code": [f"ab-{i:05d}" for i in rng.choice(10**5, n, replace=False)],
            "file": [f"scans/img_{i}.png" for i in range(n)],
            "uuid": [f"{'abcdef'[i % 6]}{'ghijklmnop'[i // 6]}" for i in range(n)],
        }
    )
    assert reasons(frame) == {
        "constant": "every value is 7",
        "word": "every value is 'same'",
        "flag": "every value is True",
        "empty": "every value is missing",
        "counter": "it counts the rows from 100 to 129",
        "shuffled": "it counts the rows from 0 to 29",
        "patient_id": "it identifies rows: 30 of its 30 values are distinct",
        "customerId": "it identifies rows: 30 of its 30 values are distinct",
        "code": "it identifies rows: 30 of its 30 values are distinct",
        "file": "it identifies rows: 30 of its 30 values are distinct",
        "uuid": "it identifies rows: 30 of its 30 values are distinct",
    }


def test_what_says_something_is_kept():
    n = 30
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "constant_or_missing": [7.0] * (n - 1) + [np.nan],
            "distinct_floats": rng.normal(size=n),
            "distinct_integers": rng.choice(10**6, n, replace=False),
            "group_id": np.repeat(np.arange(10), 3),
            "free text": [f"the {i}th remark of {i * 7} people" for i in range(n)],
            "names": [f"{'abcdef'[i % 6]}{'ghijklmnop'[i // 6]}" for i in range(n)],
            "days": pd.date_range("2024", periods=n).astype(str),
            "paid": rng.choice(10**6, n, replace=False),
        }
    )
    assert set(reasons(frame).values()) == {None}
    assert kinds(frame)["free text"] == "text"
    assert kinds(frame)["days"] == "date"


def test_columns_to_keep_are_kept_unless_empty():
    frame = pd.DataFrame({"id": np.arange(40), "unit": "mm", "none": None, "other": 1})
    columns = describe_columns(frame, keep=["id", "unit", "none", "no such column"])
    assert [column.set_aside for column in columns] == [
        None,
        None,
        "every value is missing",
        "every value is 1",
    ]


def test_few_integers_in_a_row_are_no_counter():
    assert reasons(pd.DataFrame({"c": [1, 2, 3, 4, 5]})) == {"c": None}


def test_columns_without_names_are_never_identifiers():
    assert reasons(np.arange(40).reshape(-1, 1)) == {0: None}


def test_missing_values_are_counted():
    columns = describe_columns(pd.DataFrame({"a": [1, None, None], "b": ["x", " ", "x"]}))
    assert [column.n_missing for column in columns] == [2, 1]


def test_polars_and_pandas_agree():
    frame = pd.DataFrame(
        {
            "n": [1.5, 2.5, 1.5, None],
            "i": [1, 2, 2, 1],
            "w": ["a", "b", "a", None],
            "f": [True, False, True, True],
            "d": pd.date_range("2024", periods=4),
        }
    )
    twin = pl.DataFrame(
        {
            name: [None if pd.isna(value) else value for value in frame[name].tolist()]
            for name in frame
        }
    )
    assert describe_columns(twin) == describe_columns(frame)


def test_containers_in_cells_are_refused():
    with pytest.raises(InputError, match="Column 'c' holds a dict in row 1"):
        describe_columns(pd.DataFrame({"c": ["a", {"b": 1}]}))
    with pytest.raises(InputError, match="Column 'c' holds a list in row 0"):
        describe_columns(pd.DataFrame({"c": [[1], [2]]}))


@pytest.mark.parametrize(
    ("column", "what"),
    [
        (pl.Series([{"x": 1}, {"x": 2}]), "dict"),
        (pl.Series([{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]), "dict"),
        (pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)), "list"),
        (pl.Series([[1, 2], [3]]), "ndarray"),
    ],
)
def test_containers_in_cells_of_polars_are_refused(column, what):
    with pytest.raises(InputError, match=f"Column 'c' holds a {what} in row 0"):
        describe_columns(pl.DataFrame({"n": [1, 2], "c": column}))


LONG = [10**30 + 7 * row for row in range(30)]


@pytest.mark.parametrize(
    "values",
    [
        LONG,
        [*LONG, None],
        [Decimal(value) for value in LONG],
        pd.Series([int("9" * 400) + row for row in range(30)], dtype=object),
        np.array([2**62 + row for row in range(30)]),
        np.array([2**63 + row for row in range(30)], dtype=np.uint64),
        pd.array([*(2**62 + row for row in range(30)), None], dtype="Int64"),
        np.array([*(2**62 + row for row in range(30)), None], dtype=object),
        np.array([*(2**63 + row for row in range(30)), np.nan], dtype=object),
    ],
)
def test_integers_that_floats_confuse_are_words(values):
    column = describe_columns(pd.DataFrame({"c": values}))[0]
    assert column.kind == "text"
    assert column.set_aside == "it identifies rows: 30 of its 30 values are distinct"


@pytest.mark.parametrize(
    "values",
    [
        [10**20, 3 * 10**20, 10**21, 3 * 10**20] * 5,
        np.array([2**53 - 1, 2**53, 5, 5] * 5),
        [1e300, 1e301, 1e302, 1e301] * 5,
    ],
)
def test_long_numbers_that_floats_tell_apart_are_numbers(values):
    assert kinds(pd.DataFrame({"c": values})) == {"c": "numeric"}


def test_integers_with_holes_that_floats_confuse_are_words_in_polars():
    for dtype in (pl.Int64, pl.UInt64):
        column = pl.Series([*(2**62 + row for row in range(30)), None], dtype=dtype)
        assert kinds(pl.DataFrame({"c": column})) == {"c": "text"}
    assert kinds(pl.DataFrame({"c": [1, 2, 2, None]})) == {"c": "numeric"}


def test_long_integers_that_repeat_are_categories():
    column = describe_columns(pd.DataFrame({"c": [10**30, 10**30 + 1] * 20}))[0]
    assert (column.kind, column.set_aside) == ("categorical", None)


DAYS = pd.date_range("2021-01-15", periods=30)


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %b %Y %H:%M"])
@pytest.mark.parametrize("place", [0, 15, 29])
@pytest.mark.parametrize("bad", ["2021-02-30", "unknown"])
def test_an_impossible_date_among_good_ones_is_missing(written, place, bad):
    values = DAYS.strftime(written).tolist()
    values[place] = bad
    column = describe_columns(pd.DataFrame({"seen": values}))[0]
    assert (column.kind, column.date_format) == ("date", written)
    assert (column.n_missing, column.set_aside) == (1, None)


def test_one_in_ten_may_be_unreadable_but_no_more():
    values = DAYS.astype(str).tolist()
    assert kinds(pd.DataFrame({"seen": ["soon"] * 3 + values[3:]})) == {"seen": "date"}
    assert kinds(pd.DataFrame({"seen": ["soon"] * 4 + values[4:]})) == {"seen": "text"}


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d %B %Y"])
def test_formats_of_good_dates_are_those_of_skrub(written):
    values = pd.Series(DAYS.strftime(written).tolist())
    reader = skrub.ToDatetime()
    reader.fit(values)
    column = describe_columns(pd.DataFrame({"seen": values}))[0]
    assert column.date_format == reader.format_


def test_blanks_around_dates_do_no_harm():
    frame = pd.DataFrame({"seen": [f" {day} " for day in DAYS.astype(str)]})
    column = describe_columns(frame)[0]
    assert (column.kind, column.n_missing) == ("date", 0)
    assert not find_unread_cells(frame, [column])


def test_columns_named_as_text_are_text():
    n = 40
    frame = pd.DataFrame(
        {
            "id": np.arange(n),
            "day": pd.date_range("2024", periods=n),
            "flag": ["yes", "no"] * (n // 2),
            "unit": "mm",
            "none": None,
            "other": np.arange(n),
        }
    )
    columns = describe_columns(frame, text=["id", "day", "flag", "unit", "none", "no such column"])
    assert [(column.kind, column.set_aside) for column in columns] == [
        ("text", None),
        ("text", None),
        ("text", None),
        ("text", "every value is 'mm'"),
        ("empty", "every value is missing"),
        ("numeric", "it counts the rows from 0 to 39"),
    ]
