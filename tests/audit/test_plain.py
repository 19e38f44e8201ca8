"""Values and names of rows as files hold them."""

import json

import numpy as np
import pandas as pd
import pytest

from hardy.audit._plain import has_ids, plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        ({1: np.inf, "b": (np.nan, "a")}, {"1": None, "b": [None, "a"]}),
        (pd.Timestamp("2020-01-02"), "2020-01-02 00:00:00"),
        (np.datetime64("2020-01-02"), "2020-01-02"),
        (pd.NaT, None),
        (pd.NA, None),
        (None, None),
    ],
)
def test_values_become_what_json_holds(value, expected):
    found = plain(value)
    assert found == expected
    assert json.loads(json.dumps(found, allow_nan=False)) == expected


def test_an_index_that_counts_the_rows_names_none():
    assert not has_ids(pd.RangeIndex(3))
    assert has_ids(pd.Index(["a", "b", "c"]))
    assert has_ids(pd.Index([0, 1, 2]))
