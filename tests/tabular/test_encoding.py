import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.impute import SimpleImputer
from sklearn.utils._param_validation import InvalidParameterError

from hardy.exceptions import InputError
from hardy.tabular import TableEncoder, _blocks, _frames, unread


@pytest.fixture
def mixed():
    """A table with a column of every kind, some values missing."""
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "ripe": rng.choice(["yes", "no"], n),
            "seen": pd.date_range("2024-01-30", periods=n).astype(str),
            "remark": [f"{'very ' * (i % 7)}sweet number {i * i}" for i in range(n)],
            "unit": "mm",
            "row id": np.arange(n),
        }
    )
    frame.loc[0, "size"] = np.nan
    frame.loc[1, "colour"] = None
    frame.loc[2, "ripe"] = None
    frame.loc[3, "seen"] = None
    frame.loc[4, "remark"] = None
    return frame


def column(encoder, frame, name):
    return encoder.transform(frame)[:, list(encoder.get_feature_names_out()).index(name)]


def test_every_kind_of_column(mixed):
    encoder = TableEncoder(n_text_components=5).fit(mixed)
    encoded = encoder.transform(mixed)
    assert encoded.dtype == np.float64
    assert np.isfinite(encoded).all()
    assert list(encoder.get_feature_names_out()) == [
        "size",
        "ripe",
        *(f"seen {part}" for part in ("year", "month", "day", "total_seconds")),
        "size is missing",
        "ripe is missing",
        *(f"seen {part} is missing" for part in ("year", "month", "day", "total_seconds")),
        *(f"colour={name}" for name in ("blue", "green", "red")),
        "colour is missing",
        *(f"remark text {number}" for number in range(1, 6)),
    ]
    assert column(encoder, mixed, "size")[0] == mixed["size"].median()
    assert column(encoder, mixed, "size is missing").tolist() == [1] + [0] * 59
    np.testing.assert_array_equal(column(encoder, mixed, "colour=red"), mixed["colour"] == "red")
    assert column(encoder, mixed, "colour is missing").tolist() == [0, 1] + [0] * 58
    assert column(encoder, mixed, "seen month")[[0, 1, 2]].tolist() == [1, 1, 2]
    assert column(encoder, mixed, "seen day")[[0, 1, 2]].tolist() == [30, 31, 1]
    present = mixed["ripe"].notna()
    np.testing.assert_array_equal(
        column(encoder, mixed, "ripe")[present], (mixed["ripe"] == "yes")[present]
    )


def test_numbers_equal_scikit_learns_imputer():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 6))
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 2] = rng.normal(size=50)
    twin = SimpleImputer(strategy="median", add_indicator=True).fit(X)
    encoder = TableEncoder().fit(X)
    np.testing.assert_array_equal(encoder.transform(X), twin.transform(X))
    other = np.where(rng.random(X.shape) < 0.5, np.nan, X)
    np.testing.assert_array_equal(encoder.transform(other), twin.transform(other))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_median_of_large_numbers_is_one(dtype):
    largest = np.finfo(dtype).max
    X = np.array([[1, largest], [2, largest / 2], [3, np.nan]], dtype)
    assert TableEncoder().fit_transform(X)[2, 1] == dtype(largest / 4 * 3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_of_floats_pass_unchanged(dtype):
    X = np.random.default_rng(0).normal(size=(20, 3)).astype(dtype)
    encoded = TableEncoder().fit_transform(X)
    assert encoded.dtype == dtype
    np.testing.assert_array_equal(encoded, X)


def test_constant_and_empty_columns_of_arrays_are_set_aside():
    X = np.array([[1.0, 7, np.nan, 7], [2, 7, np.nan, np.nan]])
    encoder = TableEncoder().fit(X)
    assert [c.set_aside for c in encoder.columns_] == [
        None,
        "every value is 7",
        "every value is missing",
        None,
    ]
    np.testing.assert_array_equal(encoder.transform(X), [[1, 7, 0], [2, 7, 1]])


def test_polars_and_pandas_agree_on_mixed_tables(mixed):
    twin = pl.DataFrame(
        {
            name: [None if pd.isna(value) else value for value in mixed[name].tolist()]
            for name in mixed
        }
    )
    np.testing.assert_allclose(
        TableEncoder().fit_transform(twin), TableEncoder().fit_transform(mixed)
    )


@pytest.mark.filterwarnings("ignore:.*taken for missing:UserWarning")
def test_what_was_unknown_at_fitting(mixed):
    encoder = TableEncoder().fit(mixed)
    row = mixed.iloc[[10]].assign(
        colour="violet", ripe="perhaps", seen="not a day", remark="", size=[None]
    )
    encoded = dict(zip(encoder.get_feature_names_out(), encoder.transform(row)[0], strict=True))
    assert [encoded[f"colour={name}"] for name in ("blue", "green", "red")] == [0, 0, 0]
    assert encoded["colour is missing"] == 0
    assert encoded["ripe is missing"] == 1
    assert encoded["seen day is missing"] == 1
    assert encoded["size"] == mixed["size"].median()


def test_integer_categories_match_their_spelling():
    frame = pd.DataFrame({"grade": ["1", "2", "1", "2"], "n": [1.0, 2, 3, 4]})
    encoder = TableEncoder().fit(frame)
    numbers = frame.assign(grade=[1, 2, 1, 2])
    holes = frame.assign(grade=[1.0, 2.0, 1.0, 2.0])
    np.testing.assert_array_equal(encoder.transform(numbers), encoder.transform(frame))
    np.testing.assert_array_equal(encoder.transform(holes), encoder.transform(frame))


def test_words_among_numbers_are_an_error(mixed):
    encoder = TableEncoder().fit(mixed)
    bad = mixed.astype({"size": object})
    bad.loc[7, "size"] = "big"
    with pytest.raises(InputError, match="Column 'size' holds numbers, but has 'big' in row 7"):
        encoder.transform(bad)


def test_nothing_is_kept_where_no_cell_has_a_value():
    with pytest.raises(InputError, match=r"every value is missing.*No cell has a value") as told:
        TableEncoder(keep=["a"]).fit(pd.DataFrame({"a": [None, None], "b": ["", " "]}))
    assert "keep" not in str(told.value)


def test_nothing_left_to_learn_from():
    with pytest.raises(InputError, match=r"No column is left .*'a': every value is 1"):
        TableEncoder().fit(pd.DataFrame({"a": [1, 1], "b": [None, None]}))
    with pytest.raises(InputError, match="0 rows"):
        TableEncoder().fit(pd.DataFrame({"a": []}))


def test_columns_to_keep(mixed):
    names = TableEncoder(keep=["row id", "unit"]).fit(mixed).get_feature_names_out()
    assert {"row id", "unit=mm"} < set(names)


def test_sparse_passes_unchanged():
    X = sparse.random_array((30, 10), density=0.2, format="csr", random_state=0)
    encoder = TableEncoder().fit(X)
    encoded = encoder.transform(X)
    assert encoded.format == "csr"
    assert (encoded != X).nnz == 0
    assert len(encoder.get_feature_names_out()) == 10
    with pytest.raises(InputError, match="fitted on a sparse table, but this is dense"):
        encoder.transform(X.toarray())


def test_many_columns():
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.normal(size=(20, 5000))).add_prefix("c")
    assert TableEncoder().fit_transform(wide).shape == (20, 5000)


def test_hardly_any_text():
    frame = pd.DataFrame({"t": ["a", "b b", "c c c", "d"], "n": [1, 2, 3, 4]})
    encoded = TableEncoder().fit_transform(frame)
    assert np.isfinite(encoded).all()
    assert len({tuple(row) for row in encoded[:, 1:]}) == 4


def test_time_zones_are_the_same_moments():
    frame = pd.DataFrame({"d": pd.date_range("2024-01-01", periods=9, freq="7h")})
    zoned = pd.DataFrame({"d": frame["d"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")})
    encoder = TableEncoder().fit(frame)
    np.testing.assert_array_equal(encoder.transform(zoned), encoder.transform(frame))


def test_columns_to_use_as_text():
    frame = pd.DataFrame({"code": np.arange(40), "n": np.arange(40) % 7})
    encoder = TableEncoder(text=["code"], n_text_components=2).fit(frame)
    assert list(encoder.get_feature_names_out()) == ["n", "code text 1", "code text 2"]
    words = frame.assign(code=frame["code"].astype(str))
    np.testing.assert_array_equal(encoder.transform(words), encoder.transform(frame))


def test_an_impossible_date_is_flagged_as_missing():
    days = pd.date_range("2021-01-01", periods=40).astype(str).tolist()
    days[5] = "2021-02-30"
    frame = pd.DataFrame({"seen": days})
    encoder = TableEncoder().fit(frame)
    missing = column(encoder, frame, "seen day is missing")
    assert np.flatnonzero(missing).tolist() == [5]


def test_moments_that_cannot_be_read_are_told_where_fitting_had_none():
    frame = pd.DataFrame({"seen": pd.date_range("2024-01-30", periods=30).astype(str)})
    later = pd.DataFrame({"seen": ["2024-02-01", "soon", None, "2024-02-31"]})
    encoder = TableEncoder().fit(frame)
    with pytest.warns(UserWarning, match=r"'soon' in row 1 \(counted from 0; 2 cells in all"):
        encoded = encoder.transform(later)
    missing = encoder.transform(pd.DataFrame({"seen": ["2024-02-01", None, None, None]}))
    np.testing.assert_array_equal(encoded, missing)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("max_categories", [-1, 1.5, "3", None]),
        ("n_text_components", [0, -1, 1.5, "3", None]),
        ("keep", ["a", 3, None]),
        ("text", ["a", 3, None]),
    ],
)
def test_parameters_are_checked(name, values):
    frame = pd.DataFrame({"a": ["x", "y"] * 4})
    for value in values:
        with pytest.raises(InvalidParameterError, match=f"The '{name}' parameter of TableEncoder"):
            TableEncoder(**{name: value}).fit(frame)


def test_names_may_come_in_any_collection():
    frame = pd.DataFrame({"a": ["x"] * 4, "b": [1, 2, 3, 4]})
    for names in (["a"], ("a",), {"a"}, frozenset("a"), {"a": 1}, np.array(["a"]), pd.Index(["a"])):
        assert list(TableEncoder(keep=names).fit(frame).get_feature_names_out()) == ["b", "a=x"]


def test_without_categories_all_strings_are_text():
    frame = pd.DataFrame({"a": ["x y", "z w"] * 4})
    assert TableEncoder(max_categories=0).fit(frame).columns_[0].kind == "text"


def test_integers_that_no_float_can_hold_among_numbers():
    encoder = TableEncoder().fit(pd.DataFrame({"a": [1.5, 2, 3]}))
    for value in (10**400, -(10**400)):
        rows = pd.DataFrame({"a": np.array([2, None, value], dtype=object)})
        with pytest.raises(InputError, match=r"'a' holds numbers, but has '?-?10+'? in row 2"):
            encoder.transform(rows)


def test_words_that_the_fitted_table_had_none_of_are_told():
    frame = pd.DataFrame({"ripe": ["yes", "no"] * 3, "day": pd.date_range("2024-01-30", periods=6)})
    frame["day"] = frame["day"].astype(str)
    encoder = TableEncoder().fit(frame)
    missing, unread = frame.copy(), frame.copy()
    missing.loc[[1, 4]], unread.loc[[1, 4]] = None, "perhaps"
    with pytest.warns(UserWarning, match="taken for missing") as told:
        encoded = encoder.transform(unread)
    assert [str(one.message).partition(" (")[0] for one in told] == [
        "Column 'ripe' holds yes and no, but has 'perhaps' in row 1",
        "Column 'day' holds moments, but has 'perhaps' in row 1",
    ]
    np.testing.assert_array_equal(encoded, encoder.transform(missing))


def test_words_that_the_fitted_table_had_too_are_not_told():
    frame = pd.DataFrame({"day": pd.date_range("2024-01-30", periods=50).astype(str)})
    frame.loc[3, "day"] = "soon"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TableEncoder().fit(frame).transform(frame[:9])


@pytest.mark.parametrize(
    "moments",
    [
        pd.date_range("2024-01-01", periods=3),
        pd.date_range("2024-01-01", periods=3, tz="Asia/Tokyo"),
        pd.period_range("2024-01", periods=3, freq="M"),
        [1.5, pd.Timestamp("2024-01-01"), 2.5],
    ],
)
def test_moments_among_numbers_are_an_error(moments):
    encoder = TableEncoder().fit(pd.DataFrame({"size": [1.5, 2, 3]}))
    with pytest.raises(InputError, match=r"Column 'size' holds numbers, but has .*2024.* in row"):
        encoder.transform(pd.DataFrame({"size": moments}))


@pytest.mark.parametrize("as_written", [str, pd.Timestamp])
@pytest.mark.parametrize("numbers", [[1, 2], [1.5, 2e18], [True, False], [1, "2024-01-31"]])
def test_numbers_among_moments_are_told_and_missing(as_written, numbers):
    days = [as_written(day) for day in pd.date_range("2024-01-30", periods=30).strftime("%Y-%m-%d")]
    encoder = TableEncoder().fit(pd.DataFrame({"seen": days}))
    is_number = [not isinstance(cell, str) for cell in numbers]
    n = sum(is_number)
    told = f"Column 'seen' holds moments, but has {numbers[0]!r} in row 0 .*; {n} cells? in all"
    with pytest.warns(UserWarning, match=told):
        encoded = encoder.transform(pd.DataFrame({"seen": numbers}))
    cells = [None if unread else cell for cell, unread in zip(numbers, is_number, strict=True)]
    missing = pd.DataFrame({"seen": pd.Series(cells, dtype=object)})
    np.testing.assert_array_equal(encoded, encoder.transform(missing))


def test_moments_that_are_written_as_numbers_are_read():
    days = pd.date_range("2024-01-30", periods=30)
    encoder = TableEncoder().fit(pd.DataFrame({"seen": days.strftime("%Y%m%d")}))
    assert encoder.columns_[0].kind == "date"
    encoded = encoder.transform(pd.DataFrame({"seen": [20240229]}))
    np.testing.assert_array_equal(encoded, encoder.transform(pd.DataFrame({"seen": ["20240229"]})))


def test_words_in_a_column_of_true_moments_are_read_without_a_warning_of_pandas():
    days = pd.DataFrame({"seen": pd.date_range("2024-01-30", periods=30)})
    encoder = TableEncoder().fit(days)
    with pytest.warns(UserWarning, match="soon") as told:
        later = encoder.transform(pd.DataFrame({"seen": ["soon", "2024-02-01"]}))
    assert [str(one.message).partition(" (")[0] for one in told] == [
        "Column 'seen' holds moments, but has 'soon' in row 0"
    ]
    np.testing.assert_array_equal(later[1], encoder.transform(days)[2])


def test_one_cell_that_cannot_be_read_is_one_cell():
    encoder = TableEncoder().fit(pd.DataFrame({"ripe": ["yes", "no"] * 3}))
    with pytest.warns(
        UserWarning, match=r"; 1 cell in all that can't be read\), taken for missing"
    ):
        encoder.transform(pd.DataFrame({"ripe": ["yes", "perhaps"]}))


def test_a_transformation_reads_every_cell_once(monkeypatch):
    frame = pd.DataFrame(
        {"ripe": ["yes", "no"] * 15, "seen": pd.date_range("2024-01-30", periods=30).astype(str)}
    )
    encoder = TableEncoder().fit(frame)
    n_read = dict.fromkeys(("as_moments", "as_truth_values"), 0)
    for name in n_read:
        reader = getattr(_frames, name)

        def counting(column, *options, name=name, reader=reader):
            n_read[name] += len(column)
            return reader(column, *options)

        for module in (_blocks, unread):
            monkeypatch.setattr(module, name, counting)
    encoder.transform(frame)
    assert n_read == {"as_moments": 30, "as_truth_values": 30}
