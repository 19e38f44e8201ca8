"""A table of any shape, type and size is learned, or refused in one line: never anything else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_classifier, is_regressor

from contract.registry import every, fit, outputs
from contract.tables import any_table, are_own
from hardy.exceptions import InputError
from matrices import examples

# What numpy warns of would be a fault; of these it is the table's own.
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.LittleInformationWarning"),
    pytest.mark.filterwarnings("ignore:.*equal rows have other labels:UserWarning"),
]


@every
@examples(10)
@given(data=st.data())
def test_a_table_is_learned_or_refused_in_one_line(case, data):
    """Few rows, many columns, copies, constants, any type, the ends of what numbers hold."""
    settings = data.draw(st.sampled_from(list(filter(are_own, case.settings()))))
    X, y, _ = data.draw(any_table(case, settings))
    try:
        model = fit(case.small(**settings), X, y)
        said = outputs(model, X)
    except InputError as error:
        assert_says_why(str(error), case, X, y)
        return
    if case.is_sampler:
        assert_is_a_choice(model, X, y)
        return
    assert len(said) == len(X)
    assert np.isfinite(said).all()
    if is_classifier(model):
        assert_answers_fit(model, X, y, said)


def assert_says_why(message, case, X, y):
    """One line; and none for a table that has nothing strange."""
    assert message
    assert "\n" not in message
    counts = np.unique(y, return_counts=True)[1]
    is_ordinary = (
        isinstance(X, np.ndarray)
        and X.dtype.kind in "bif"
        and len(np.unique(X[:, 0])) > 1
        and np.abs(X.astype(float)).max() < 1e30
        and (is_regressor(case()) or (counts.min() > 2 and len(counts) > 1))
    )
    assert not is_ordinary, message


def assert_is_a_choice(model, X, y):
    rows = model.sample_indices_
    assert_array_equal(rows, np.unique(rows))
    assert set(rows) <= set(range(len(X)))
    assert_array_equal(model.classes_, np.unique(y))


def assert_answers_fit(model, X, y, said):
    """Labels of the user's type, and probabilities and decisions for them."""
    classes = np.unique(y)
    assert_array_equal(model.classes_, classes)
    predicted, probabilities = model.predict(X), model.predict_proba(X)
    assert predicted.shape == y.shape
    assert predicted.dtype == model.classes_.dtype == y.dtype
    assert set(predicted) <= set(classes)
    assert probabilities.shape == (len(y), len(classes))
    assert (probabilities >= 0).all()
    assert_allclose(probabilities.sum(axis=1), 1)
    if hasattr(model, "decision_function"):
        assert said.shape == (y.shape if len(classes) == 2 else probabilities.shape)
