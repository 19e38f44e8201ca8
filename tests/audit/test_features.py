import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hardy.audit._features import as_array, check_features, check_names
from hardy.exceptions import InputError

ROWS = [[1.5, 2.0], [3.0, 4.0], [5.0, 6.5]]
FRAME = pd.DataFrame(ROWS, columns=["a", "b"], index=[7, 7, 9])


def test_tables_pass_as_they_are():
    for table in (FRAME, pl.DataFrame(FRAME.to_dict("list")), np.array(ROWS)):
        features, _ = check_features(table, 3)
        assert features is table
    assert check_features(FRAME, 3)[1] is FRAME.index
    assert check_features(np.array(ROWS), 3)[1].equals(pd.RangeIndex(3))
    assert check_features(None, 3)[0] is None


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr"])
def test_sparse_matrices_of_every_kind(kind):
    features, _ = check_features(sparse.csr_array(ROWS).asformat(kind), 3)
    assert isinstance(features, sparse.csr_array)
    assert features.toarray().tolist() == ROWS


def test_lists_keep_numbers_beside_words():
    features, _ = check_features([[1.5, "x"], [None, "y"]], 2)
    assert features.tolist() == [[1.5, "x"], [None, "y"]]
    assert as_array(ROWS).dtype == np.float64
    assert as_array(np.array([["a", "b"]])).dtype.kind == "U"


def test_one_long_word_takes_the_room_of_one():
    rows = [["b" * 1_000_000, 1], *([["a", 2]] * 50)]
    tracemalloc.start()
    cells = as_array(rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert cells.tolist() == rows
    # In an array of words each of the 102 would have four bytes for each of a million letters.
    assert peak < 20_000_000


def test_what_is_masked_is_missing():
    masked = np.ma.array(ROWS, mask=[[0, 1], [0, 0], [0, 0]])
    assert check_features(masked, 3)[0].tolist()[0] == [1.5, None]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (ROWS[:2], "X has 2 rows, but y has 3 labels"),
        (np.zeros(3), r"shape \(3,\)"),
        (np.zeros((3, 2, 1)), r"shape \(3, 2, 1\)"),
        (pd.Series([1.0, 2.0, 3.0]), r"shape \(3,\)"),
        (5, "X is of the type int; give a data frame"),
        ({"a": [1, 2, 3]}, "X is of the type dict"),
        (["a", 7, "b"], "list of texts, but holds 7 at position 1 .*of the type int"),
        (pd.Series(["a", None, 2.5]), "list of texts, but holds 2.5 at position 2 "),
        (iter(ROWS), "X is of the type list_iterator"),
        ([[1], [1, 2], [3]], "differ in length"),
        (np.zeros((3, 0)), "no columns"),
        (pd.DataFrame(index=range(3)), "no columns"),
        (sparse.csr_array((3, 0)), "no columns"),
        (pl.DataFrame(ROWS).lazy(), "LazyFrame.*collect"),
        (np.array(ROWS) + 1j, "complex128"),
        (np.array([[0, 1], [2, np.inf], [0, 0]]), "Column 1 has an infinite value in row 1 "),
        (np.array([[0, 1], [2, 0], [-np.inf, 0]]), "Column 0 has an infinite value in row 2 "),
        (FRAME.replace(4.0, np.inf), "Column 'b' has an infinite value in row 1 "),
        (FRAME.astype("Float64").replace(4.0, np.inf), "Column 'b' has an infinite"),
        (pl.DataFrame({"a": [0.0, 1.0, np.inf]}), "Column 'a' has an infinite value in row 2 "),
        (sparse.csr_array([[0, 1], [np.nan, 0], [2, 3]]), "Column 0 has the value nan in row 1 "),
        (sparse.csr_array([[0, 1], [0, 0], [2, np.inf]]), "Column 1 has the value inf in row 2 "),
        (sparse.csr_array((3, 2)), "Every row of X is the same"),
        (sparse.csr_array(np.ones((3, 2))), "Every row of X is the same"),
        (pd.DataFrame(ROWS, columns=["a", "a"]), "more than one column named 'a'"),
        (pd.DataFrame(ROWS, columns=["a", 3]), "words and others, such as 3"),
    ],
)
@pytest.mark.filterwarnings("ignore::polars.exceptions.PerformanceWarning")
def test_bad_tables_are_named(X, message):
    with pytest.raises(InputError, match=message):
        check_features(X, 3)


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (FRAME, {"keep": "a"}, r"keep='a' must be a list of names: keep=\['a'\]"),
        (np.array(ROWS), {"text": ["a"]}, r"text=\['a'\] needs an X with names"),
        (FRAME, {"keep": ["c"]}, "There is no column 'c'"),
    ],
)
def test_names_that_choose_nothing(X, options, message):
    check_names(FRAME, keep=["a"], text=())
    check_names(np.array(ROWS), keep=(), text=())
    with pytest.raises(InputError, match=message):
        check_names(X, **options)
