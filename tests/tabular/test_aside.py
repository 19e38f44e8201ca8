import numpy as np
import pandas as pd
import pytest

from hardy.tabular import describe_columns
from hardy.tabular.aside import group_set_aside, tell_set_aside

N = 40


def reasons_of(frame):
    return {column.name: column.set_aside for column in describe_columns(frame)}


MADE = {
    "they have no value": lambda number: [None] * N,
    "they are constant": lambda number: [number] * N,
    "they count the rows": lambda number: np.arange(number, N + number),
    "they identify rows": lambda number: [f"{number}-{row}" for row in range(N)],
}


@pytest.mark.parametrize("common", MADE)
def test_every_reason_is_of_a_kind(common):
    """What the description of columns says, in other words or not, is known here."""
    reasons = reasons_of(pd.DataFrame({f"c{number}": MADE[common](number) for number in range(6)}))
    (aside,) = group_set_aside(reasons)
    assert aside.names == [f"c{number}" for number in range(6)]
    assert aside.why == common
    assert list(tell_set_aside(reasons, "t.csv")) == [
        f"6 columns of t.csv were set aside ('c0', 'c1', 'c2' and 3 more): {common}."
    ]


@pytest.mark.parametrize("common", MADE)
def test_few_of_a_kind_are_told_one_by_one_with_their_reasons(common):
    reasons = reasons_of(pd.DataFrame({f"c{number}": MADE[common](number) for number in range(5)}))
    assert [([name], why) for name, why in reasons.items()] == [
        (aside.names, aside.why) for aside in group_set_aside(reasons)
    ]


def test_kinds_stand_where_their_first_column_does():
    frame = pd.DataFrame({f"c{number}": [number] * N for number in range(3)})
    frame["no"] = np.arange(N)
    frame = frame.assign(**{f"d{number}": "x" for number in range(3)})
    assert [aside.names for aside in group_set_aside(reasons_of(frame))] == [
        ["c0", "c1", "c2", "d0", "d1", "d2"],
        ["no"],
    ]


def test_reasons_that_nobody_knows_are_told_as_they_are():
    reasons = dict.fromkeys("abcdefg", "it rained")
    assert [aside.names for aside in group_set_aside(reasons)] == [[name] for name in "abcdefg"]
