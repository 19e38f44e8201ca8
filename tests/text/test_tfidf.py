import warnings
from math import log, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from hardy.exceptions import InputError
from hardy.text import UnsmoothedTfidfTransformer

# Four documents; the terms are in 4, 2, 1 and 1 of them.
COUNTS = np.array([[1, 2, 0, 0], [1, 1, 0, 0], [5, 0, 3, 0], [2, 0, 0, 1]])
IDF = [0, log(2), log(4), log(4)]


def test_weights_by_hand():
    model = UnsmoothedTfidfTransformer(norm=None).fit(COUNTS)
    assert_allclose(model.idf_, IDF, atol=1e-12)
    expected = [
        [0, 2 * log(2), 0, 0],
        [0, log(2), 0, 0],
        [0, 0, 3 * log(4), 0],
        [0, 0, 0, log(4)],
    ]
    assert_allclose(model.transform(COUNTS).toarray(), expected, atol=1e-12)


def test_rows_get_the_length_one():
    model = UnsmoothedTfidfTransformer().fit(COUNTS)
    row = model.transform([[7, 2, 1, 0], [7, 0, 0, 0]]).toarray()
    # (2 ln 2, ln 4) are equal, and the first term weighs nothing.
    assert_allclose(row, [[0, 1 / sqrt(2), 1 / sqrt(2), 0], [0, 0, 0, 0]], atol=1e-12)


def test_the_other_norm():
    row = UnsmoothedTfidfTransformer(norm="l1").fit(COUNTS).transform([[0, 2, 1, 1]]).toarray()
    assert_allclose(row, [[0, 1 / 3, 1 / 3, 1 / 3]], atol=1e-12)


def test_it_is_scikit_learns_less_one():
    theirs = TfidfTransformer(smooth_idf=False).fit(COUNTS)
    assert_allclose(UnsmoothedTfidfTransformer().fit(COUNTS).idf_, theirs.idf_ - 1, atol=1e-12)


def test_a_term_of_no_document_weighs_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = UnsmoothedTfidfTransformer().fit([[1, 0, 0], [0, 1, 0]])
    assert_allclose(model.idf_, [log(2), log(2), 0])
    assert_array_equal(model.transform([[0, 0, 4]]).toarray(), [[0, 0, 0]])


@pytest.mark.parametrize("n_documents", [1, 1000])
def test_a_term_of_all_documents_weighs_exactly_nothing(n_documents):
    model = UnsmoothedTfidfTransformer().fit(np.ones((n_documents, 2)))
    assert_array_equal(model.idf_, [0, 0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_type_of_the_weights_is_the_counts_and_the_counts_stay(dtype):
    counts = sparse.csr_matrix(COUNTS.astype(dtype))
    counts.data[0] = 0
    before = counts.copy()
    model = UnsmoothedTfidfTransformer().fit(counts)
    assert_array_equal(counts.data, before.data)
    assert model.idf_.dtype == dtype
    assert_allclose(model.idf_, [log(4 / 3), *IDF[1:]], rtol=1e-6)


def test_columns_give_what_rows_give():
    counts = sparse.csr_array(COUNTS)
    columns = UnsmoothedTfidfTransformer().fit(counts.tocsc())
    assert_array_equal(columns.idf_, UnsmoothedTfidfTransformer().fit(counts).idf_)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_counts_whose_squares_overflow_are_refused(container, dtype):
    counts = np.array([[1, 0, 2], [0, 3, 1]], dtype)
    large = counts * np.sqrt(np.finfo(dtype).max)
    fitted = UnsmoothedTfidfTransformer().fit(container(counts))
    for use in (UnsmoothedTfidfTransformer().fit, fitted.transform):
        with pytest.raises(InputError, match="squares overflow: scale them"):
            use(container(large))
    weights = fitted.transform(container(large / dtype(1e4)))
    np.testing.assert_allclose((weights.toarray() ** 2).sum(axis=1), 1, rtol=1e-5)
