"""What changes nothing: the order of rows and columns, units, names of classes, other rows beside.

Where a class can't promise one of these, its `Case` says why. Other containers and types of numbers
are in ``test_containers.py``, other containers of labels in ``test_labels.py``.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from contract.registry import (
    every_of_labels,
    every_of_numbers,
    every_setting,
    every_setting_of_labels,
    every_setting_of_numbers,
    every_transformer_setting,
    fit,
    order_reason,
    outputs,
)
from contract.tables import any_table, table_without_ties
from hardy.exceptions import InputError
from matrices import examples

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.LittleInformationWarning"),
    pytest.mark.filterwarnings("ignore:.*equal rows have other labels:UserWarning"),
]

LABELS = {
    "negative": np.array([-7, -1, 0, 12]),
    "words": np.array(["eggs", "ham", "spam", "tea"]),
    "objects": np.array(["", "a b", "ä", "🐟"], dtype=object),
    "floats": np.array([-1.0, 0.0, 2.0, 1e15]),
    "truth": np.array([False, True]),
}


def weighted(model, table):
    """Fit with the table's weights, where a model takes some."""
    takes = has_fit_parameter(model, "sample_weight")
    return fit(model, table.X, table.y, **({"sample_weight": table.weights} if takes else {}))


def learned(model, X, y):
    """Fit a model; None where it refuses the table, or to judge it."""
    try:
        fit(model, X, y)
        outputs(model, X)
    except InputError:
        return None
    return model


@every_of_numbers
@examples(5)
@given(data=st.data())
def test_the_order_of_the_columns_does_not_matter(case, data):
    """f(X P) = f(X) for a permutation P of the columns; a transformer's columns go along."""
    case.skip_where_it_cannot("columns")
    table = data.draw(table_without_ties(case))
    order = np.array(data.draw(st.permutations(range(table.X.shape[1]))))
    model = weighted(case.small(), table)
    X = table.X[:, order]
    expected, moved = (
        outputs(model, table.X),
        outputs(weighted(case.small(), table._replace(X=X)), X),
    )
    if case.is_transformer:
        expected, moved = (said[:, np.lexsort(said)] for said in (expected, moved))
    # Splits that part the others alike may part a row that was left out otherwise.
    kept = ~np.isin(np.arange(len(X)), getattr(model, "edited_rows_", []))
    assert_allclose(moved[kept], expected[kept], atol=1e-6)


@every_transformer_setting
def test_the_order_of_texts_and_mixed_rows_does_not_matter(case, settings):
    X, y = case.data(3)
    order = np.random.default_rng(0).permutation(len(y))
    model = fit(case(**settings), X, y)
    shuffled = fit(case(**settings), _safe_indexing(X, order), y[order])
    said = outputs(shuffled, _safe_indexing(X, order))
    # Components of text are a matter of single precision.
    assert_allclose(said, outputs(model, X)[order], atol=1e-4)


@every_setting_of_numbers
@examples(3)
@given(data=st.data())
def test_the_order_of_the_rows_does_not_matter(case, settings, data):
    """f(P X) = P f(X) for a permutation P of the rows, their labels and their weights."""
    if reason := order_reason(case, settings):
        pytest.skip(reason)
    table = data.draw(table_without_ties(case))
    order = np.array(data.draw(st.permutations(range(len(table.y)))))
    shuffled = type(table)(*(column[order] for column in table))
    expected = outputs(weighted(case.small(**settings), table), table.X)
    moved = outputs(weighted(case.small(**settings), shuffled), shuffled.X)
    assert_allclose(moved, expected[order], atol=1e-6)


@every_of_numbers
@examples(5)
@given(data=st.data())
def test_the_units_of_the_columns_do_not_matter(case, data):
    """f(X D) = f(X) for a diagonal matrix D of powers of two, which round nothing."""
    case.skip_where_it_cannot("units")
    X, y, _ = data.draw(any_table(case, {}))
    assume(isinstance(X, np.ndarray))
    X = X.astype(np.float64)
    sizes = np.abs(X[X != 0])
    assume(not sizes.size or (sizes.min() > 1e-100 and sizes.max() < 1e100))
    exponents = st.lists(st.integers(-99, 99), min_size=X.shape[1], max_size=X.shape[1])
    changed = X * 2.0 ** np.array(data.draw(exponents))
    model, other = learned(case.small(), X, y), learned(case.small(), changed, y)
    assert (model is None) == (other is None)
    if model is not None:
        assert_allclose(outputs(other, changed), outputs(model, X), atol=1e-4)


@every_of_labels
@examples(5)
@given(data=st.data())
def test_the_order_of_the_classes_does_not_matter(case, data):
    """The probabilities of classes that are named in another order are the same, in that order."""
    case.skip_where_it_cannot("names")
    table = data.draw(table_without_ties(case))
    order = np.array(data.draw(st.permutations(range(table.y.max() + 1))))
    model = weighted(case.small(), table)
    other = weighted(case.small(), table._replace(y=order[table.y]))
    if case.is_sampler:
        assert_array_equal(outputs(other, table.X), outputs(model, table.X))
        return
    given = other.predict_proba(table.X)[:, order]
    # Two members of HardyClassifier's are found step by step, to so many digits.
    assert_allclose(given, model.predict_proba(table.X), atol=1e-3)


@every_setting_of_labels
@examples(3)
@given(data=st.data())
def test_the_names_of_the_classes_do_not_matter(case, settings, data):
    """Labels of any kind that sort as the numbers do are predicted in their place, exactly."""
    X, y, _ = data.draw(any_table(case, settings))
    kinds = [kind for kind, names in LABELS.items() if len(names) > y.max()]
    names = LABELS[data.draw(st.sampled_from(kinds))]
    model, other = (learned(case.small(**settings), X, labels) for labels in (y, names[y]))
    assert (model is None) == (other is None)
    if model is None:
        return
    assert_array_equal(other.classes_, names[model.classes_])
    assert other.classes_.dtype == names.dtype
    assert_array_equal(outputs(other, X), outputs(model, X))
    if not case.is_sampler:
        assert_array_equal(other.predict(X), names[model.predict(X)])
        assert_array_equal(other.predict_proba(X), model.predict_proba(X))


@every_setting
@examples(3)
@given(data=st.data())
def test_the_company_of_a_row_does_not_matter(case, settings, data):
    """f(X[rows]) = f(X)[rows] for any rows, once or several times, in any order, or one alone."""
    if case.is_sampler:
        pytest.skip("chooses among the rows that it is given")
    X, y, _ = data.draw(any_table(case, settings))
    rows = data.draw(st.lists(st.integers(0, len(y) - 1), min_size=1, max_size=9))
    model = learned(case.small(**settings), X, y)
    assume(model is not None)
    together = outputs(model, X)
    for some in (rows, rows[:1]):
        said = outputs(model, _safe_indexing(X, some))
        assert_array_equal(said, together[some])


@every_setting
@examples(3)
@given(data=st.data())
def test_the_seed_settles_everything(case, settings, data):
    """Two fits are equal, whatever the state of numpy's own generator."""
    X, y, _ = data.draw(any_table(case, settings))
    model = learned(case.small(**settings), X, y)
    assume(model is not None)
    np.random.random(7)
    again = fit(case.small(**settings), X, y)
    assert_array_equal(outputs(again, X), outputs(model, X))
