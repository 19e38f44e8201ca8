"""What changes nothing: the order of columns, units, names of classes, numbers' types, and shapes.

Where a class can't promise one of these, its `Case` says why. The order and the company of rows are
in ``test_rows.py``, labels of other kinds in ``test_labels.py``, other containers in
``test_containers.py``.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_classifier

from contract.registry import every_of_labels, every_of_numbers, fit, outputs
from contract.test_extremes import assert_it_works_or_says_why_not

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning"),
]


def numbers(case):
    """Rows of three classes as a matrix; of a table, its column of numbers and the like."""
    X, y = case.data(3)
    if isinstance(X, pd.DataFrame):
        pytest.skip("its columns are of several kinds")
    return np.asarray(X, dtype=float), y


@every_of_numbers
def test_the_order_of_the_columns_does_not_matter(case):
    """f(X P) = f(X) for a permutation P of the columns; a transformer's columns go along."""
    case.skip_where_it_cannot("columns")
    X, y = numbers(case)
    expected = outputs(fit(case(), X, y), X)
    order = np.array([2, 3, 1, 0])
    moved = outputs(fit(case(), X[:, order], y), X[:, order])
    if case.is_transformer:
        moved = moved[:, np.argsort(order)]
    assert_allclose(moved, expected, atol=1e-6)


@every_of_numbers
def test_the_units_of_the_columns_do_not_matter(case):
    """f(X D) = f(X) for a diagonal matrix D of powers of two, which round nothing."""
    case.skip_where_it_cannot("units")
    X, y = numbers(case)
    expected = outputs(fit(case(), X, y), X)
    changed = X * [4.0, 0.125, 1024.0, 2.0**-6]
    assert_allclose(outputs(fit(case(), changed, y), changed), expected, atol=1e-6)


@every_of_labels
def test_the_names_of_the_classes_do_not_matter(case):
    """The probabilities of classes that are named in another order are the same, in that order."""
    case.skip_where_it_cannot("names")
    X, y = case.data(3)
    model = fit(case(), X, y)
    other = fit(case(), X, np.array([2, 0, 1])[y])
    if is_classifier(model):
        given = other.predict_proba(X)[:, [2, 0, 1]]
        assert_allclose(given, model.predict_proba(X), atol=1e-6)
    else:
        assert_array_equal(outputs(other, X), outputs(model, X))


@every_of_numbers
@settings(
    max_examples=4,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    X=hnp.arrays(
        st.sampled_from([np.float64, np.float32, np.int8, np.bool_]),
        st.tuples(st.integers(2, 9), st.integers(1, 12)),
    ),
    n_classes=st.integers(1, 3),
)
def test_a_table_of_any_shape_and_numbers_is_learned_or_refused_in_one_line(case, X, n_classes):
    """Finite answers of the right shape, or one line: few rows, many columns, ends of the range."""
    if X.dtype.kind == "f":
        X = np.nan_to_num(X, posinf=1.0, neginf=-1.0)
    if "huge" in case.cannot:
        X = np.clip(X, -1e30, 1e30)
    assert_it_works_or_says_why_not(case, X, np.arange(len(X)) % n_classes)
