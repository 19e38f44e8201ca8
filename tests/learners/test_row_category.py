import numpy as np
import pytest

from hardy.exceptions import InputError
from hardy.learners import RowCategory
from hardy.learners.row_category import categorize_activations

S, B, N, R = RowCategory.SAFE, RowCategory.BORDERLINE, RowCategory.NOISY, RowCategory.REDUNDANT

# Margin 1. Activations of three perceptrons; what the labels + and − make of the row by the
# majority and by all. A perceptron exactly on the margin is not beyond it.
TWO_CLASSES = [
    ([2, 3, 4], (S, N), (R, N)),
    ([2, 3, 0], (S, N), (B, B)),
    ([2, 3, -9], (S, N), (B, B)),
    ([2, 1, 1], (B, B), (B, B)),
    ([0.5, 0.5, 0.5], (B, B), (B, B)),
    ([-2, 3, -4], (N, S), (B, B)),
    ([-2, -3, -4], (N, S), (N, R)),
    ([-2, -1, -1], (B, B), (B, B)),
]


@pytest.mark.parametrize(("activations", "majority", "by_all"), TWO_CLASSES)
def test_two_classes(activations, majority, by_all):
    activations = np.array([[activations], [activations]], dtype=float)
    for rule, expected in (("majority", majority), ("all", by_all)):
        found = categorize_activations(activations, np.array([1.0]), np.array([1, 0]), rule)
        assert tuple(found) == expected


def test_several_classes():
    """Three sub-problems with margins 1, 2, 3; the row's own class is 0."""
    up, down, flat = [9, 9, 9], [-9, -9, -9], [0, 0, 0]
    most_up, most_down = [9, 9, -9], [-9, -9, 9]
    rows = [
        ([up, down, down], S, R),
        ([up, up, up], S, R),  # other claims don't shake a row that its own class claims
        ([most_up, down, down], S, B),
        ([down, up, down], N, N),
        ([down, down, up], N, N),
        ([down, down, down], B, B),  # nobody claims it
        ([down, flat, flat], B, B),
        ([down, most_up, down], N, B),
        ([most_down, up, down], N, B),
        ([flat, up, up], B, B),  # its own class doesn't refuse it
        ([down, [2, 2, 2], down], B, B),  # on the margin of sub-problem 1, not beyond
        ([down, down, [2.5, 2.5, 2.5]], B, B),  # within the margin of sub-problem 2
        ([[1.5, 1.5, 1.5], down, down], S, R),
    ]
    activations = np.array([row for row, *_ in rows], dtype=float)
    codes = np.zeros(len(rows), dtype=int)
    margins = np.array([1.0, 2.0, 3.0])
    majority = categorize_activations(activations, margins, codes, "majority")
    by_all = categorize_activations(activations, margins, codes, "all")
    assert majority.tolist() == [category for _, category, _ in rows]
    assert by_all.tolist() == [category for *_, category in rows]


def test_the_own_class_is_that_of_the_label():
    activations = np.array([[[9], [-9], [-9]]] * 3, dtype=float)
    found = categorize_activations(activations, np.ones(3), np.arange(3), "majority")
    assert found.tolist() == [S, N, N]
    assert found.dtype == np.int8


def test_an_unknown_rule():
    with pytest.raises(InputError, match="'some'"):
        categorize_activations(np.zeros((1, 1, 3)), np.ones(1), np.zeros(1, int), "some")
