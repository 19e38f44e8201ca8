from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hardy.exceptions import InputError
from hardy.learners._predictions import fill_rows
from hardy.learners.linear_perceptron import LinearPerceptronClassifier


@pytest.fixture
def learner():
    """Two units of four weights that can be told apart."""
    model = LinearPerceptronClassifier(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    model.coef_, model.intercept_ = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0])
    return model


class Kernel(SimpleNamespace):
    """Keeps what it is given, and says of the rows what it is told to."""

    def __call__(self, dense, csr, weights, bias, out):
        self.given = dense, csr, weights, bias
        out[:] = 7
        return self.are_finite


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_kernel_is_given_all_in_the_type_of_the_rows(learner, dtype):
    kernel = Kernel(are_finite=True)
    filled = fill_rows(learner, np.ones((3, 2), dtype), kernel, (4,))
    np.testing.assert_array_equal(filled, np.full((3, 4), 7))
    dense, csr, weights, bias = kernel.given
    assert csr is None
    assert dense.dtype == weights.dtype == bias.dtype == filled.dtype == dtype
    np.testing.assert_array_equal(weights, learner.coef_)
    np.testing.assert_array_equal(bias, learner.intercept_)


def test_sparse_rows_stay_sparse(learner):
    kernel = Kernel(are_finite=True)
    filled = fill_rows(learner, sparse.csr_array(np.eye(2)), kernel, dtype=np.intp)
    assert filled.dtype == np.intp
    assert filled.tolist() == [7, 7]
    dense, csr, *_ = kernel.given
    assert dense is None
    assert [part.tolist() for part in csr] == [[1, 1], [0, 1], [0, 1, 2]]


def test_the_cell_is_named_where_rows_are_not_finite(learner):
    learner.feature_names_in_ = np.array(["a", "b"], dtype=object)
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, np.nan]})
    with pytest.raises(InputError, match="contains NaN: column 'b', row 1"):
        fill_rows(learner, frame, Kernel(are_finite=False))


def test_sums_that_overflow_are_no_error(learner):
    learner.coef_ *= 4e307
    np.testing.assert_array_equal(learner.decision_function([[10.0, 10.0]]), [[np.inf, np.inf]])


def test_weights_that_do_not_fit_are_refused(learner):
    learner.coef_ = learner.coef_[:, :1]
    with pytest.raises(InputError, match="is damaged: coef_ has the shape"):
        fill_rows(learner, np.ones((1, 2)), Kernel(are_finite=True))


def test_rows_that_need_no_check_get_none(learner, monkeypatch):
    X = np.ones((3, 2))
    expected = learner.decision_function(X.tolist())
    monkeypatch.delattr("hardy.learners._predictions.check_rows")
    np.testing.assert_array_equal(learner.decision_function(X), expected)
