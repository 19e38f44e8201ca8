import warnings

import numpy as np
import pandas as pd
import pytest

import hardy
from hardy._labels import encode_labels
from hardy._quoting import counted, cut, quote, quote_all, shown
from hardy.exceptions import InputError
from hardy.tabular import check_target


def test_long_values_are_cut():
    assert quote("a" * 10**7).endswith("a… (10,000,000 characters)")
    assert len(quote("\n" * 10**7)) < 100
    assert len(cut(b"a" * 10**6)) < 100
    assert len(quote_all(["a" * 10**6] * 10**4)) < 2500


def test_values_of_numpy_are_written_as_plain_ones():
    assert quote(np.int64(39)) == "39"
    assert quote_all(np.array([1.5, 2])) == "[1.5, 2.0]"


def test_things_are_counted_in_words_that_fit_their_number():
    told = [counted(n, "row") for n in (0, np.int64(1), np.int64(2), 1000)]
    assert told == ["0 rows", "1 row", "2 rows", "1,000 rows"]


@pytest.mark.parametrize(
    "use",
    [
        lambda long: encode_labels([long], ["a"]),
        lambda long: encode_labels(["a"], [long]),
        lambda long: check_target([long] * 3),
    ],
)
def test_messages_are_short(use):
    with pytest.raises(InputError) as caught:
        use("x" * 10**6)
    assert len(str(caught.value)) < 400


def test_a_long_label_makes_no_long_message():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.array(["a", "b"], dtype=object), 30)
    labels[0] = "x" * 10**5
    rows = pd.DataFrame(rng.normal(size=(60, 2)), columns=["size", "weight"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        audit = hardy.audit_labels(rows, labels, random_state=0)
    assert caught
    assert max(len(str(warning.message)) for warning in caught) < 400
    assert max((len(finding.sentence) for finding in audit.findings), default=0) < 400


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (np.nan, "–"),
        (pd.NaT, "–"),
        (1.0, "1"),
        (0.1 + 0.2, "0.3"),
        (12, "12"),
        (True, "True"),
        (pd.Timestamp("2024-02-29"), "2024-02-29"),
        (pd.Timestamp("2024-02-29 12:30"), "2024-02-29 12:30:00"),
        ("x" * 400, "x" * 299 + "…"),
        ("", ""),
    ],
)
def test_values_are_shown_for_people(value, text):
    assert shown(value) == text
