"""Measures of class sizes against their formulas."""

import numpy as np
import pytest
from hypothesis import given, settings

from hardness.tables import labelled_tables
from hardy.exceptions import InputError
from hardy.hardness import class_balance, minority_value


@settings(deadline=None, max_examples=100)
@given(table=labelled_tables())
def test_they_equal_their_formulas(table):
    X, y = table
    labels = y.tolist()
    n, n_classes = len(labels), len(set(labels))
    largest = max(labels.count(label) for label in labels)
    mv = [1 - labels.count(label) / largest for label in labels]
    cb = [
        (1 - labels.count(label) / n + 1 / n_classes) * (n_classes / (n_classes + 1))
        for label in labels
    ]
    np.testing.assert_allclose(minority_value(X, y), mv)
    np.testing.assert_allclose(class_balance(X, y), cb)


def test_by_hand():
    X, y = np.zeros((10, 1)), ["a"] * 6 + ["b"] * 3 + ["c"]
    # Three classes of 6, 3 and 1: (1 − .6 + 1/3) · 3/4 = .55.
    np.testing.assert_allclose(minority_value(X, y)[[0, 6, 9]], [0, 0.5, 5 / 6])
    np.testing.assert_allclose(class_balance(X, y)[[0, 6, 9]], [0.55, 0.775, 0.925])


def test_cells_do_not_matter():
    X = [["red", None], ["green", np.nan]]
    assert minority_value(X, [0, 1]).tolist() == [0, 0]


def test_lengths_that_differ_are_named():
    with pytest.raises(InputError, match="X has 2 rows, but y has 3 labels"):
        class_balance([[0.0], [1.0]], [0, 1, 1])
