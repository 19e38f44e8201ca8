"""CL and CLD against naive Bayes written out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from hardness.tables import labelled_tables, table_without_ties
from hardy.exceptions import InputError
from hardy.hardness import class_likelihood, class_likelihood_difference


def naive_bayes(X, y):
    """Give P(class | row), with equal priors and smoothed variances on columns in [0, 1]."""
    columns = []
    for column in X.T.tolist():
        low, width = min(column), max(column) - min(column)
        columns.append([(cell - low) / width if width else 0.0 for cell in column])
    smoothing = 1e-9 * max(np.var(column) for column in columns)
    classes = sorted(set(y.tolist()))
    logs = np.zeros((len(y), len(classes)))
    if smoothing > 0:
        for c, label in enumerate(classes):
            for column in columns:
                members = [cell for cell, given in zip(column, y, strict=True) if given == label]
                mean = sum(members) / len(members)
                variance = sum((cell - mean) ** 2 for cell in members) / len(members) + smoothing
                for row, cell in enumerate(column):
                    logs[row, c] -= 0.5 * math.log(2 * math.pi * variance)
                    logs[row, c] -= 0.5 * (cell - mean) ** 2 / variance
    likelihoods = np.exp(logs - logs.max(axis=1, keepdims=True))
    return classes, likelihoods / likelihoods.sum(axis=1, keepdims=True)


def check_against_formula(X, y):
    classes, proba = naive_bayes(X, y)
    cl, cld = [], []
    for row, label in zip(proba, y, strict=True):
        own = row[classes.index(label)]
        others = [p for p, other in zip(row, classes, strict=True) if other != label]
        cl.append(1 - own)
        cld.append((1 - (own - max(others, default=0))) / 2)
    np.testing.assert_allclose(class_likelihood(X, y), cl, atol=1e-6)
    np.testing.assert_allclose(class_likelihood_difference(X, y), cld, atol=1e-6)


@settings(deadline=None, max_examples=150)
@given(table=labelled_tables())
def test_they_equal_their_formulas(table):
    check_against_formula(*table)


def test_they_equal_their_formulas_on_real_numbers():
    check_against_formula(*table_without_ties())


def test_by_hand():
    # Means ±1 and equal variances v = 2/3: P(a | x) = 1 / (1 + exp(2x/v)) = 1 / (1 + exp(3x)).
    X, y = np.array([[-2.0], [-1.0], [0.0], [0.0], [1.0], [2.0]]), ["a"] * 3 + ["b"] * 3
    own = 1 / (1 + np.exp(-3 * np.array([2.0, 1, 0, 0, 1, 2])))
    np.testing.assert_allclose(class_likelihood(X, y), 1 - own, rtol=1e-6)
    np.testing.assert_allclose(class_likelihood_difference(X, y), 1 - own, rtol=1e-6)


def test_priors_are_equal_however_rare_a_class_is():
    X, y = np.array([[-1.0], [1.0]] * 9 + [[-1.0], [1.0]]), [0] * 18 + [1] * 2
    np.testing.assert_allclose(class_likelihood(X, y), 0.5)


def test_constant_columns_say_nothing():
    X = np.full((4, 2), 3.0)
    np.testing.assert_allclose(class_likelihood(X, [0, 1, 2, 2]), 2 / 3)
    np.testing.assert_allclose(class_likelihood_difference(X, [0, 1, 2, 2]), 1 / 2)


@pytest.mark.parametrize("measure", [class_likelihood, class_likelihood_difference])
def test_sparse_input_is_refused_with_a_way_out(measure):
    with pytest.raises(InputError, match=r"takes no sparse X.*toarray.*TruncatedSVD"):
        measure(sparse.csr_matrix([[0.0], [1.0]]), [0, 1])
