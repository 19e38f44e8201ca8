"""Reasons in words, against counts made by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hardy.audit.reasons import explain_row


@pytest.fixture
def tiny(make_audit):
    """Six rows of classes a and b, of which the first is an `a` among `b`."""
    return replace(
        make_audit(n=6, classes=("a", "b"), n_suspects=1, n_unlabelled=0),
        given_labels=np.array(list("abbbaa"), dtype=object),
        pred_proba=np.array([[0.2, 0.8]] + [[0.5, 0.5]] * 5),
        opinions={
            "trees": np.array([[0.1, 0.9]] * 6),
            "linear": np.array([[0.7, 0.3]] * 6),
        },
        detector_weights=pd.Series({"trees": 0.5, "linear": 0.5}),
        nearest_rows=np.array([[1, 2, 4]] * 6),
        first_row=0,
    )


def test_a_suspect(tiny):
    assert explain_row(tiny, 0) == [
        "2 of its 3 nearest rows are `b`",
        "1 of 2 detectors disagree",
        "the panel gives `b` 80 % and `a` 20 %",
        "nearest row: 1 (`b`)",
    ]


def test_rows_of_files_are_counted_from_1(tiny):
    assert explain_row(replace(tiny, first_row=1), 0)[-1] == "nearest row: 2 (`b`)"


def test_a_row_without_a_label(tiny):
    given = tiny.given_labels.copy()
    given[0] = None
    assert explain_row(replace(tiny, given_labels=given), 0) == [
        "2 of its 3 nearest rows are `b`",
        "the panel gives `b` 80 %",
        "nearest row: 1 (`b`)",
    ]


def test_without_features_there_are_no_neighbours(tiny):
    bare = replace(tiny, nearest_rows=np.empty((6, 0), dtype=np.intp))
    assert explain_row(bare, 0) == [
        "1 of 2 detectors disagree",
        "the panel gives `b` 80 % and `a` 20 %",
    ]
