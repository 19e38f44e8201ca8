"""What holds for every audit, whatever the table: each test states one invariant."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.linear_model import LogisticRegression

import hardy
from hardy.exceptions import InputError
from matrices import EXTREME, ORDINARY, examples, matrices

pytestmark = [
    pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.LittleInformationWarning"),
]
few = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
NAMES = np.array(["ham", "spam", "eggs", "tea"])
KINDS = {
    "whole": [-7, 12, 0, -1],
    "broken": [0.5, -1.0, 1e15, 2.0],
    "words": ["", "ä", "🐟", "a b"],
}


@st.composite
def opinions(draw, most_rows=30):
    """Labels, of which some may be missing, and probabilities: ties, zeros and sure ones."""
    n_classes = draw(st.integers(2, 4))
    n_rows = draw(st.integers(2, most_rows))
    codes = draw(hnp.arrays(int, n_rows, elements=st.integers(-1, n_classes - 1)))
    votes = draw(hnp.arrays(int, (n_rows, n_classes), elements=st.integers(0, 5)))
    votes[votes.sum(axis=1) == 0] = 1
    return codes, votes / votes.sum(axis=1, keepdims=True)


def audit(codes, proba, names=NAMES, **options):
    names = names[: proba.shape[1]]
    labels = names.astype(object)[codes]
    labels[codes < 0] = None
    return hardy.audit_labels(
        None, labels, pred_proba=proba, classes=names, random_state=0, **options
    )


@few
@given(table=opinions())
def test_doubt_is_a_share_and_suspects_have_another_suggestion(table):
    codes, proba = table
    found = audit(codes, proba)
    judged = found.is_assessable & (codes >= 0)
    assert found.doubt.shape == found.is_suspect.shape == codes.shape
    assert ((found.doubt >= 0) & (found.doubt <= 1)).all()
    assert 0 <= found.noise_rate <= 1 or found.note
    assert not found.is_suspect[~judged].any()
    assert (found.suggested_labels != found.given_labels)[found.is_suspect].all()
    kept = judged & ~found.is_suspect
    assert (found.suggested_labels == found.given_labels)[kept].all()
    assert set(found.suggested_labels) <= {*NAMES, None}


@few
@given(table=opinions(), data=st.data())
def test_the_order_of_the_rows_does_not_matter(table, data):
    codes, proba = table
    order = np.array(data.draw(st.permutations(range(len(codes)))))
    found, moved = audit(codes, proba), audit(codes[order], proba[order])
    np.testing.assert_allclose(moved.doubt, found.doubt[order], atol=1e-9)
    np.testing.assert_allclose(moved.noise_rate, found.noise_rate, atol=1e-9)
    np.testing.assert_allclose(moved.transition_matrix, found.transition_matrix, atol=1e-9)


@few
@given(table=opinions(), data=st.data())
def test_the_names_of_the_classes_do_not_matter(table, data):
    codes, proba = table
    # Which of two equally likely classes is the likeliest is a matter of their order.
    proba = proba + 0.1 * np.random.default_rng(0).random(proba.shape)
    proba /= proba.sum(axis=1, keepdims=True)
    order = np.array(data.draw(st.permutations(range(proba.shape[1]))))
    renamed = np.where(codes < 0, -1, np.argsort(order)[codes])
    found, other = audit(codes, proba), audit(renamed, proba[:, order], NAMES[order])
    np.testing.assert_allclose(other.doubt, found.doubt, atol=1e-9)
    np.testing.assert_allclose(other.noise_rate, found.noise_rate, atol=1e-9)
    names = found.transition_matrix.columns
    np.testing.assert_allclose(
        other.transition_matrix.loc[names, names], found.transition_matrix, atol=1e-9
    )


@few
@given(table=opinions(), kind=st.sampled_from(sorted(KINDS)))
def test_labels_of_any_kind_are_judged_alike(table, kind):
    codes, proba = table
    names = np.array(KINDS[kind], dtype=object)
    found, other = audit(codes, proba), audit(codes, proba, names)
    np.testing.assert_array_equal(other.doubt, found.doubt)
    np.testing.assert_array_equal(other.is_suspect, found.is_suspect)
    # Missing labels stay so: None among words, NaN among numbers.
    # The ignored rule wants "is not", which doesn't go through an array.
    known = found.suggested_labels != None  # noqa: E711
    renamed = dict(zip(NAMES, names, strict=True))
    expected = [renamed[label] for label in found.suggested_labels[known]]
    assert list(other.suggested_labels[known]) == expected


@few
@given(table=opinions())
def test_the_type_of_the_probabilities_does_not_matter(table):
    codes, proba = table
    single = audit(codes, proba.astype(np.float32))
    np.testing.assert_allclose(single.doubt, audit(codes, proba).doubt, atol=1e-5)
    np.testing.assert_array_equal(
        audit(codes, pd.DataFrame(proba)).doubt, audit(codes, proba).doubt
    )


def by_one(X, y, estimator, **options):
    return hardy.audit_labels(
        X, y, estimator=estimator, use_panel=False, cv=3, random_state=0, **options
    )


def rows(n_rows=60, n_columns=4):
    rng = np.random.default_rng(0)
    y = np.arange(n_rows) % 3
    return rng.normal(size=(n_rows, n_columns)) + y[:, None], y


def test_the_order_of_the_columns_does_not_matter():
    X, y = rows()
    found = by_one(X, y, LogisticRegression())
    for order in ([3, 2, 1, 0], [1, 3, 0, 2]):
        moved = by_one(X[:, order], y, LogisticRegression())
        np.testing.assert_allclose(moved.doubt, found.doubt, atol=1e-3)
        np.testing.assert_array_equal(moved.nearest_rows, found.nearest_rows)


def by_stumps(X, y):
    """Audit by one learner that takes any numbers; None where the table is refused in one line."""
    try:
        return by_one(X, y, hardy.DecisionStumpClassifier())
    except InputError as error:
        assert_one_line(error)
        return None


def assert_one_line(error):
    assert str(error)
    assert "\n" not in str(error)


@examples(6)
@given(X=matrices(ORDINARY, [np.float64]), n_classes=st.integers(1, 3), data=st.data())
def test_units_do_not_matter_to_a_tree(X, n_classes, data):
    """f(X D) = f(X) for a diagonal matrix D of powers of two, which round nothing."""
    y = np.arange(len(X)) % n_classes
    exponents = st.lists(st.integers(-99, 99), min_size=X.shape[1], max_size=X.shape[1])
    changed = X * 2.0 ** np.array(data.draw(exponents))
    found, other = by_stumps(X, y), by_stumps(changed, y)
    assert (found is None) == (other is None)
    if found is not None:
        np.testing.assert_array_equal(other.doubt, found.doubt)
        np.testing.assert_array_equal(other.is_suspect, found.is_suspect)
        # Columns are brought to one scale before rows are compared.
        np.testing.assert_array_equal(other.nearest_rows, found.nearest_rows)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@examples(10)
@given(
    X=matrices([*ORDINARY, *EXTREME], [np.float64, np.float32, np.int64, np.int8], least_rows=1),
    n_classes=st.integers(1, 3),
    are_twins=st.booleans(),
)
def test_a_table_of_any_shape_and_numbers_is_judged_or_refused_in_one_line(X, n_classes, are_twins):
    if are_twins:
        X = np.vstack([X, X])
    found = by_stumps(X, NAMES[np.arange(len(X)) % n_classes])
    if found is not None:
        assert found.doubt.shape == (len(X),)
        assert ((found.doubt >= 0) & (found.doubt <= 1)).all()
