import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy._labels import (
    as_label_array,
    encode_labels,
    find_class,
    has_several_columns,
    replace_labels,
)
from hardy.exceptions import InputError


class ArrayLike:
    """What numpy can read and nothing else can."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values


WORDS = ["b", "a", "b"]
COMPLETE = {
    "list of words": (WORDS, ["a", "b"]),
    "tuple": (tuple(WORDS), ["a", "b"]),
    "numpy words": (np.array(WORDS), ["a", "b"]),
    "numpy objects": (np.array(WORDS, dtype=object), ["a", "b"]),
    "numpy str_ scalars": ([np.str_(word) for word in WORDS], ["a", "b"]),
    "pandas words": (pd.Series(WORDS), ["a", "b"]),
    "pandas string": (pd.Series(WORDS, dtype="string"), ["a", "b"]),
    "pandas category": (pd.Series(WORDS, dtype="category"), ["a", "b"]),
    "pandas index": (pd.Index(WORDS), ["a", "b"]),
    "pandas categorical": (pd.Categorical(WORDS), ["a", "b"]),
    "pandas frame of one column": (pd.DataFrame({"y": WORDS}), ["a", "b"]),
    "pandas index that repeats": (pd.Series(WORDS, index=[7, 7, 7]), ["a", "b"]),
    "polars words": (pl.Series(WORDS), ["a", "b"]),
    "polars category": (pl.Series(WORDS, dtype=pl.Categorical), ["a", "b"]),
    "polars enum": (pl.Series(WORDS, dtype=pl.Enum(["b", "a"])), ["a", "b"]),
    "polars frame of one column": (pl.DataFrame({"y": WORDS}), ["a", "b"]),
    "bytes": (np.array([b"b", b"a", b"b"]), [b"a", b"b"]),
    "integers": ([2, 1, 2], [1, 2]),
    "small integers": (np.array([2, 1, 2], dtype=np.uint8), [1, 2]),
    "minus one and one": (np.array([1, -1, 1]), [-1, 1]),
    "pandas Int64": (pd.Series([5, 0, 5], dtype="Int64"), [0, 5]),
    "pandas arrow": (pd.Series([5, 0, 5], dtype="int64[pyarrow]"), [0, 5]),
    "polars integers": (pl.Series([5, 0, 5]), [0, 5]),
    "objects that are integers": (np.array([2, 1, 2], dtype=object), [1, 2]),
    "floats": ([2.5, 1.0, 2.5], [1.0, 2.5]),
    "half precision": (np.array([2.5, 1.0, 2.5], dtype=np.float16), [1.0, 2.5]),
    "booleans": ([True, False, True], [False, True]),
    "numpy booleans": (np.array([True, False, True]), [False, True]),
    "pandas boolean": (pd.Series([True, False, True], dtype="boolean"), [False, True]),
    "polars booleans": (pl.Series([True, False, True]), [False, True]),
    "one column": (np.array(WORDS)[:, None], ["a", "b"]),
    "list of lists of one": ([["b"], ["a"], ["b"]], ["a", "b"]),
    "only __array__": (ArrayLike([2, 1, 2]), [1, 2]),
    "only __array__, one column": (ArrayLike([[2], [1], [2]]), [1, 2]),
    "range": (range(2), [0, 1]),
}
HUGE = 2**53
MISSING = {
    "None among words": (["b", None, "a"], ["a", "b"]),
    "NaN among words": (["b", np.nan, "a"], ["a", "b"]),
    "NA among words": (["b", pd.NA, "a"], ["a", "b"]),
    "objects": (np.array(["b", float("nan"), "a"], dtype=object), ["a", "b"]),
    "one column": ([["b"], [None], ["a"]], ["a", "b"]),
    "pandas words": (pd.Series(["b", None, "a"]), ["a", "b"]),
    "pandas string": (pd.Series(["b", None, "a"], dtype="string"), ["a", "b"]),
    "pandas category": (pd.Series(["b", None, "a"], dtype="category"), ["a", "b"]),
    "pandas index that repeats": (pd.Series(["b", None, "a"], index=[1, 1, 1]), ["a", "b"]),
    "polars words": (pl.Series(["b", None, "a"]), ["a", "b"]),
    "integers": ([2, None, 1], [1, 2]),
    "integers that a float can't hold": ([HUGE + 1, None, HUGE], [HUGE, HUGE + 1]),
    "pandas Int64": (pd.Series([2, None, 1], dtype="Int64"), [1, 2]),
    "category of Int64": (pd.Series([2, None, 1], dtype="Int64").astype("category"), [1, 2]),
    "polars integers": (pl.Series([2, None, 1]), [1, 2]),
    "masked": (np.ma.array([2, 9, 1], mask=[False, True, False]), [1, 2]),
    "floats": ([2.5, float("nan"), 1.0], [1.0, 2.5]),
    "numpy floats": (np.array([2.5, np.nan, 1.0], dtype=np.float32), [1.0, 2.5]),
    "pandas Float64": (pd.Series([2.5, None, 1.0], dtype="Float64"), [1.0, 2.5]),
    "polars floats": (pl.Series([2.5, None, 1.0]), [1.0, 2.5]),
    "pandas Float64 without fractions": (pd.Series([2.0, None, 1.0], dtype="Float64"), [1.0, 2.0]),
    "booleans": ([True, None, False], [False, True]),
    "pandas boolean": (pd.Series([True, None, False], dtype="boolean"), [False, True]),
    "category of booleans": (pd.Series([True, None, False]).astype("category"), [False, True]),
    "polars booleans": (pl.Series([True, None, False]), [False, True]),
}


@pytest.mark.parametrize("name", COMPLETE)
def test_labels_of_every_kind(name):
    y, classes = COMPLETE[name]
    encoded = encode_labels(y)
    assert encoded.classes.tolist() == classes
    for label, expected in zip(encoded.classes.tolist(), classes, strict=True):
        assert isinstance(label, type(expected))
    assert encoded.codes.tolist() == ([0, 1] if name == "range" else [1, 0, 1])
    assert encoded.codes.dtype == np.intp


@pytest.mark.parametrize("name", MISSING)
def test_missing_labels_of_every_kind(name):
    y, classes = MISSING[name]
    encoded = encode_labels(y)
    assert encoded.codes.tolist() == [1, -1, 0]
    assert encoded.classes.tolist() == classes
    for label, expected in zip(encoded.classes.tolist(), classes, strict=True):
        assert isinstance(label, type(expected))


@pytest.mark.parametrize("name", [*MISSING, *COMPLETE])
def test_a_label_array_encodes_like_what_it_was_made_of(name):
    y, _ = {**MISSING, **COMPLETE}[name]
    labels = as_label_array(y)
    assert labels.ndim == 1
    assert not any(label is pd.NA for label in labels.tolist())
    again = encode_labels(labels)
    np.testing.assert_array_equal(again.codes, encode_labels(y).codes)
    np.testing.assert_array_equal(again.classes, encode_labels(y).classes)


def test_words_that_only_look_missing_are_labels():
    encoded = encode_labels(["nan", "", "None", "NA"])
    assert encoded.classes.tolist() == ["", "NA", "None", "nan"]
    assert encoded.codes.tolist() == [3, 0, 2, 1]


def test_an_unused_category_is_no_class():
    y = pd.Series(pd.Categorical(["a", "b"], categories=["a", "b", "c"]))
    assert encode_labels(y).classes.tolist() == ["a", "b"]


@pytest.mark.parametrize("container", [list, pd.Series, pd.Categorical])
def test_moments(container):
    moments = [pd.Timestamp("2026-01-02"), None, pd.Timestamp("2026-01-01")]
    encoded = encode_labels(container(moments))
    assert encoded.codes.tolist() == [1, -1, 0]
    assert encoded.classes.astype("M8[D]").astype(str).tolist() == ["2026-01-01", "2026-01-02"]
    assert as_label_array(container(moments)).dtype.kind == "M"


@pytest.mark.parametrize("y", [[], [None, None], np.array([np.nan])])
def test_nothing_labelled_has_no_classes(y):
    encoded = encode_labels(y)
    assert encoded.classes.size == 0
    assert encoded.codes.tolist() == [-1] * len(y)


def test_classes_give_the_order():
    encoded = encode_labels(["a", None, "b"], classes=["b", "c", "a"])
    assert encoded.classes.tolist() == ["b", "c", "a"]
    assert encoded.codes.tolist() == [2, -1, 0]


def test_polars_needs_no_pyarrow(monkeypatch):
    def refuse(*args, **kwargs):
        raise ModuleNotFoundError("pyarrow")

    monkeypatch.setattr(pl.Series, "to_pandas", refuse)
    monkeypatch.setattr(pl.DataFrame, "to_pandas", refuse)
    assert encode_labels(pl.Series(["b", "a"])).codes.tolist() == [1, 0]
    assert encode_labels(pl.DataFrame({"y": ["b", "a"]})).codes.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "classes", "message"),
    [
        (["a", 1], None, r"mix types that have no common order \(int, str\)"),
        ([[1, 2], [3, 4]], None, r"shape \(2, 2\)"),
        (pd.DataFrame({"a": [1], "b": [2]}), None, r"shape \(1, 2\)"),
        (pl.DataFrame({"a": [1], "b": [2]}), None, r"shape \(1, 2\)"),
        ([[[1]]], None, r"shape \(1, 1, 1\)"),
        (np.array(5), None, r"shape \(\)"),
        ("abc", None, r"shape \(\)"),
        (None, None, r"shape \(\)"),
        ([[1], [1, 2]], None, "row 0 is a list"),
        ([np.ones((2, 2)), np.ones((2, 3))], None, "differ in length"),
        (np.array([1, [1, 2]], dtype=object), None, "row 1 is a list"),
        (pd.Series([{"a": 1}, {"b": 2}]), None, "row 0 is a dict"),
        (np.array([(1, 2)], dtype="i,i"), None, r"have fields, \('f0', 'f1'\)"),
        (["a", "c"], ["a", "b"], r"Row 1 has the label 'c'.*\['a', 'b'\]"),
        ([1, 2], ["1", "2"], r"Row 0 has the label 1, .*\['1', '2'\]"),
        (["a"], ["a", "b", "a"], "names 'a' twice"),
        (["a"], ["a", None], "missing value can't be a class"),
        (["a"], [["a", "b"]], r"shape \(1, 2\)"),
    ],
)
def test_bad_labels_are_named(y, classes, message):
    with pytest.raises(InputError, match=message):
        encode_labels(y, classes)


@pytest.mark.parametrize("look", [encode_labels, has_several_columns])
def test_one_long_word_takes_the_room_of_one(look):
    labels = ["b" * 1_000_000, *"ab" * 50]
    tracemalloc.start()
    look(labels)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # In an array of words each of the 101 would have four bytes for each of a million letters.
    assert peak < 20_000_000


@pytest.mark.parametrize(
    ("y", "several"),
    [
        (["ab", "c"], False),
        ([["a"], ["b"]], False),
        ([["a", "b"], ["b", "a"]], True),
        (np.eye(3), True),
        (pd.DataFrame({"y": [1, 2]}), False),
        (pd.DataFrame({"y": [1, 2], "z": [1, 2]}), True),
        ([[1, 2], [3]], False),
    ],
)
def test_several_columns_are_known(y, several):
    assert has_several_columns(y) is several


def test_a_sparse_column_is_refused():
    from scipy import sparse

    with pytest.raises(InputError, match="sparse matrix"):
        encode_labels(sparse.csr_array([[1], [2]]))


labels = st.one_of(
    st.lists(st.one_of(st.none(), st.integers(-3, 3))),
    st.lists(st.one_of(st.none(), st.text(max_size=2))),
    st.lists(st.one_of(st.none(), st.booleans())),
    st.lists(st.one_of(st.none(), st.floats(-2, 2))),
)


@given(y=labels)
def test_codes_point_at_the_labels(y):
    classes, codes = encode_labels(y)
    assert classes.tolist() == sorted({label for label in y if label is not None})
    assert [None if code < 0 else classes.tolist()[code] for code in codes] == y


CONTAINERS = {
    "list": (["a", "b", "a"], np.ndarray),
    "numpy": (np.array(["a", "b", "a"]), np.ndarray),
    "series": (pd.Series(["a", "b", "a"], index=[5, 5, 2], name="y"), pd.Series),
    "category": (pd.Series(["a", "b", "a"], dtype="category"), pd.Series),
    "string": (pd.Series(["a", "b", None], dtype="string"), pd.Series),
    "frame": (pd.DataFrame({"y": ["a", "b", "a"]}), pd.DataFrame),
    "polars": (pl.Series("y", ["a", "b", None]), pl.Series),
    "polars category": (pl.Series("y", ["a", "b", "a"], dtype=pl.Categorical), pl.Series),
    "polars frame": (pl.DataFrame({"y": ["a", "b", "a"]}), pl.DataFrame),
    "numpy column": (np.array([["a"], ["b"], ["a"]]), np.ndarray),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_replacing_keeps_the_container(name):
    y, kind = CONTAINERS[name]
    before = as_label_array(y).tolist()
    replaced = replace_labels(y, np.array([False, False, True]), np.array(["b"], dtype=object))
    assert type(replaced) is kind
    assert as_label_array(replaced).tolist() == ["a", "b", "b"]
    assert as_label_array(y).tolist() == before
    for attribute in ("name", "columns", "index"):
        if hasattr(y, attribute) and not isinstance(y, list):
            np.testing.assert_array_equal(getattr(replaced, attribute), getattr(y, attribute))
    if isinstance(y, pd.Series | pl.Series):
        assert replaced.dtype == y.dtype


@pytest.mark.parametrize("kind", [pd.Series, pl.Series])
def test_replacing_keeps_integers_beside_missing_ones(kind):
    dtype = "Int64" if kind is pd.Series else pl.Int64
    y = (
        kind("y", [HUGE + 1, None, 2], dtype=dtype)
        if kind is pl.Series
        else kind([HUGE + 1, None, 2], dtype=dtype)
    )
    replaced = replace_labels(y, np.array([False, False, True]), np.array([HUGE + 1]))
    assert replaced.dtype == dtype
    assert as_label_array(replaced).tolist() == [HUGE + 1, None, HUGE + 1]


def test_a_longer_word_or_a_new_category_is_not_cut():
    rows, new = np.array([False, True]), np.array(["longer"])
    assert replace_labels(np.array(["a", "b"]), rows, new).tolist() == ["a", "longer"]
    category = pd.Series(["a", "b"], dtype="category")
    assert replace_labels(category, rows, new).tolist() == ["a", "longer"]


@pytest.mark.parametrize("container", [list, np.array])
def test_half_characters_are_refused(container):
    with pytest.raises(InputError, match=r"label 'a\\ud800' has half a character"):
        encode_labels(container(np.array(["a\ud800", "b"], dtype=object)))


def test_a_named_label_is_found():
    assert find_class("b", np.array(["a", "b"])) == 1
    assert find_class(np.str_("b"), np.array(["a", "b"], dtype=object)) == 1
    assert find_class(1.0, np.array([False, True])) == 1


@pytest.mark.parametrize(
    "label", [7, "1", None, np.nan, pd.NA, [1], np.array([0, 1]), np.array([1]), pd.Series([0, 1])]
)
def test_what_is_no_label_is_not_found(label):
    with pytest.raises(InputError, match="is none of the labels"):
        find_class(label, np.array([0, 1]))
