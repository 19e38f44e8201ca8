"""What doubt is worth, by hand, by invariants, and on labels that are right."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_wine

import hardy
from hardy.audit.error_probability import (
    COEFFICIENTS,
    contradiction_rates,
    describe_rows,
    error_probability,
    order_by_doubt,
)
from hardy.noise import flip_labels


@st.composite
def judged(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n_rows, n_classes = draw(st.integers(1, 40)), draw(st.integers(2, 4))
    proba = draw(arrays(float, (n_rows, n_classes), elements=st.floats(0.001, 1)))
    codes = draw(arrays(np.intp, n_rows, elements=st.integers(0, n_classes - 1)))
    proba = proba / proba.sum(axis=1, keepdims=True)
    return 1 - proba[np.arange(n_rows), codes], codes, proba


@given(judged())
@settings(max_examples=60)
def test_probabilities_rise_with_doubt_and_are_shares(rows):
    doubt, codes, proba = rows
    told = error_probability(doubt, codes, proba)
    assert ((told >= 0) & (told <= 1)).all()
    order = np.argsort(doubt, kind="stable")
    assert (np.diff(told[order]) >= -1e-12).all()
    for same in np.unique(doubt):
        assert np.ptp(told[doubt == same]) == 0


@given(judged(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_neither_the_order_of_rows_nor_that_of_classes_counts(rows, random):
    doubt, codes, proba = rows
    told = error_probability(doubt, codes, proba)
    shuffled = np.array(random.sample(range(len(doubt)), len(doubt)), dtype=np.intp)
    again = error_probability(doubt[shuffled], codes[shuffled], proba[shuffled])
    np.testing.assert_allclose(again, told[shuffled], atol=1e-9)
    mirrored = error_probability(doubt, proba.shape[1] - 1 - codes, proba[:, ::-1])
    np.testing.assert_allclose(mirrored, told, atol=1e-9)


def test_contradiction_rates_by_hand():
    # Of 40 rows labelled 0, 10 are surely 0, and so are 2 of the 20 rows labelled 1.
    codes = np.repeat([0, 1], [40, 20])
    says_0 = np.concatenate(
        [np.full(10, 0.95), np.full(30, 0.6), np.full(2, 0.96), np.full(18, 0.1)]
    )
    rates = contradiction_rates(codes, np.column_stack([says_0, 1 - says_0]))
    # Label 1: a tenth or a quarter of the rows labelled 0 are above .95, with 2 labelled 1; half
    # of them means all. Label 0: the surest tenth, quarter and half of the rows labelled 1 are
    # those with .9, 18 of them, and no row labelled 0 is as sure.
    by_tail = []
    for seen, possible in (((0, 2), (18, 10)), ((0, 2), (18, 10)), ((0, 2), (18, 40))):
        overall = (sum(seen) + 0.5) / (sum(possible) + 1)
        by_tail.append([(s + 10 * overall) / (p + 10) for s, p in zip(seen, possible, strict=True)])
    np.testing.assert_allclose(rates, np.min(by_tail, axis=0))


def test_the_model_is_what_the_page_says():
    proba = np.array([[0.9, 0.1]] * 6 + [[0.2, 0.8]] * 4)
    codes = np.array([0] * 5 + [1] * 5)
    doubt = 1 - proba[np.arange(10), codes]
    terms = describe_rows(doubt, codes, proba)
    assert len(COEFFICIENTS) == terms.shape[1] == 5
    loss = -np.log([0.9] * 5 + [0.1] + [0.8] * 4).mean() / np.log(2)
    np.testing.assert_allclose(terms[5], [1, np.log(9), terms[5, 2], 0, np.log(loss)], atol=1e-12)


def test_the_least_change_makes_an_order():
    told = order_by_doubt(np.array([0.2, 0.5, 0.1]), np.array([0.9, 0.5, 0.1]))
    np.testing.assert_allclose(told, [0.35, 0.35, 0.1])


def test_doubts_that_differ_by_rounding_are_alike():
    doubt = np.array([0.1, 0.5, np.nextafter(0.5, 1)])
    np.testing.assert_allclose(order_by_doubt(np.array([0.2, 0.5, 0.7]), doubt), [0.2, 0.6, 0.6])


def test_right_labels_are_hardly_expected_to_be_wrong_and_flipped_ones_are():
    X, y = load_wine(return_X_y=True)
    noisy, is_wrong = flip_labels(y, 0.1, exact=True, random_state=0)
    clean, flipped = (hardy.audit_labels(X, labels, random_state=0) for labels in (y, noisy))
    assert np.sort(clean.error_probability)[-10:].mean() < 0.1
    assert np.sort(flipped.error_probability)[-10:].mean() > 0.8
    assert flipped.error_probability.sum() == pytest.approx(is_wrong.sum(), abs=9)


def test_without_rows_nothing_is_told():
    assert error_probability(np.zeros(0), np.zeros(0, dtype=np.intp), np.zeros((0, 2))).size == 0
