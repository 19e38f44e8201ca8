import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from hardy.exceptions import InputError
from hardy.tabular import check_target
from hardy.tabular.targets import refuse_other_labels


@pytest.mark.parametrize(
    ("labels", "classes", "counts"),
    [
        (["b", "a", "b"], ["a", "b"], [1, 2]),
        ([1, 0, 1, 1], [0, 1], [1, 3]),
        ([True, False, True], [False, True], [1, 2]),
        (pd.Series([1, 5, None, 5], dtype="Int64"), [1, 5], [1, 2]),
        (pd.Categorical(["x", "y", "x"]), ["x", "y"], [2, 1]),
        (np.repeat(np.arange(200), 3), list(range(200)), [3] * 200),
        ([1.0, 2.0] * 30, [1, 2], [30, 30]),
    ],
)
def test_labels_that_will_do(labels, classes, counts):
    facts = check_target(labels)
    assert facts.classes.tolist() == classes
    assert facts.counts.tolist() == counts


def test_missing_labels_are_counted_and_found():
    facts = check_target(["a", None, "b", "a", np.nan])
    assert facts.n_missing == 2
    assert facts.is_missing.tolist() == [False, True, False, False, True]


rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([None, None], "'y' has no label in any row. .* NA and NULL are read as none"),
        (["a", "a"], r"one class only, 'a'; two or more are needed\.$"),
        (["a", "a", None], "one class only, 'a'; .* Rows without a label: 1. .* NA and NULL"),
        (rng.normal(size=3000), "3000 distinct values in 3000 rows, which is a regression"),
        (rng.integers(0, 2000, 9000), r"\d+ distinct values .* regression"),
        (rng.integers(0, 999, 5000) / 10, r"\d+ distinct values .* regression"),
        ([f"{value:.3f}" for value in rng.normal(size=100)], "regression"),
        (["a", "b", "c"], "value of its own in each of the 3 rows"),
        ([f"id{i}" for i in range(100)], "value of its own in each of the 100 rows"),
        ([f"id{i}" for i in range(99)] + ["id0"], "99 distinct values in 100 rows"),
    ],
)
def test_labels_that_will_not_do(labels, message):
    with pytest.raises(InputError, match=message):
        check_target(labels)


def test_the_message_names_the_column():
    with pytest.raises(InputError, match="The target 'grade' has one class only"):
        check_target([1, 1], "grade")


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b"],
        [1, 2],
        [1.5, 2.5],
        [True, False],
        pd.to_datetime(["2024-01-01", "2024-01-02"]),
        pd.to_timedelta([1, 2], unit="h"),
        pd.Categorical(["a", "b"]),
    ],
)
def test_labels_to_learn_from(labels):
    refuse_other_labels(check_target([*labels, *labels]).classes)


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ([b"a", b"b"], "bytes, such as b'a'"),
        ([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)], "date, such as datetime.date"),
        ([Decimal(0), Decimal(1)], "Decimal, such as Decimal"),
        (pd.date_range("2024", periods=2, tz="UTC"), "Timestamp, such as Timestamp"),
        (pd.period_range("2024", periods=2, freq="D"), "Period, such as Period"),
    ],
)
def test_labels_that_no_classifier_takes(labels, what):
    with pytest.raises(InputError, match=f"The target 'y' holds labels of the type {what}"):
        refuse_other_labels(check_target([*labels, *labels]).classes, "The target 'y'")
