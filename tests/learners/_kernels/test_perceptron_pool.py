import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

from hardy.learners._kernels import perceptron_pool as kernels
from hardy.learners._kernels.perceptron_pool import LANES
from learners._kernels.rows import as_rows


def run_crew(X, signs, counts, stream, *, is_sparse, active=None, bias_scale=1.0):
    """Run the kernel from 0; return the weights (members, features + 1), the bias last."""
    size = counts.shape[1]
    weights, bias = np.zeros(X.shape[1] * LANES, X.dtype), np.zeros(LANES, X.dtype)
    lanes_of_counts = np.pad(counts, ((0, 0), (0, LANES - size)))
    is_active = np.zeros(LANES, X.dtype)
    is_active[:size] = 1 if active is None else active
    kernels.train_crew(
        *as_rows(X, is_sparse), signs.astype(X.dtype), lanes_of_counts, stream, is_active,
        np.array([bias_scale], X.dtype), weights, bias,
    )  # fmt: skip
    lanes = weights.reshape(X.shape[1], LANES)
    assert not lanes[:, size:].any()
    assert not bias[size:].any()
    return np.column_stack([lanes[:, :size].T, bias[:size]])


def slow_crew(X, signs, counts, stream, bias_scale=1.0):
    """One member and one row at a time."""
    members = np.zeros((counts.shape[1], X.shape[1] + 1))
    for w, bag in zip(members, counts.T.astype(float), strict=True):
        for row in stream:
            x = X[row].astype(float)
            if bag[row] and signs[row] * (w[:-1] @ x + w[-1]) <= 0:
                w += signs[row] * bag[row] * np.append(x, bias_scale)
    return members


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_hand_worked_epoch(is_sparse, dtype):
    """Two members, from zero; the last entry is the bias.

    row     label   first: count, activation, after it    second: count, activation, after it
    (1, 2)  +       1   0   (1, 2, 1)                     0   0    (0, 0, 0)
    (2, 1)  −       1   5   (−1, 1, 0)                    2   0    (−4, −2, −2)
    (1, 1)  +       1   0   (0, 2, 1)                     1   −8   (−3, −1, −1)
    (3, 0)  +       0   1   (0, 2, 1)                     3   −10  (6, −1, 2)
    (1, 3)  +       2   7   (0, 2, 1)                     1   5    (6, −1, 2)
    """
    X = np.array([[1, 2], [2, 1], [1, 1], [3, 0], [1, 3]], dtype)
    signs = np.array([1, -1, 1, 1, 1])
    counts = np.array([[1, 0], [1, 2], [1, 1], [0, 3], [2, 1]], np.uint8)
    expected = [[0, 2, 1], [6, -1, 2]]
    found = run_crew(X, signs, counts, np.arange(5), is_sparse=is_sparse)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(slow_crew(X, signs, counts, np.arange(5)), expected)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 30),
    n_features=st.integers(1, 10),
    n_members=st.integers(1, LANES),
    n_visits=st.integers(0, 150),
    dtype=st.sampled_from([np.float32, np.float64]),
    count_type=st.sampled_from([np.uint8, np.uint16]),
    is_sparse=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_a_crew_equals_the_twin(
    seed, n_rows, n_features, n_members, n_visits, dtype, count_type, is_sparse
):
    """Exactly, on small integers; the visits need not fill a block, nor the members the lanes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n_rows, n_features)).astype(dtype)
    signs = rng.choice([-1, 1], n_rows)
    counts = rng.poisson(1, (n_rows, n_members)).astype(count_type)
    stream = rng.integers(0, n_rows, n_visits)
    found = run_crew(X, signs, counts, stream, is_sparse=is_sparse, bias_scale=0.5)
    np.testing.assert_array_equal(found, slow_crew(X, signs, counts, stream, bias_scale=0.5))


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (90, 7)).astype(np.float64)
    return X, rng.choice([-1, 1], 90), rng.poisson(1, (90, 9)).astype(np.uint8), rng


@pytest.mark.parametrize("is_sparse", [False, True])
def test_members_that_sit_out_stay(problem, is_sparse):
    X, signs, counts, rng = problem
    stream = rng.permutation(90)
    active = np.array([1, 0, 1, 1, 0, 1, 1, 1, 0])
    found = run_crew(X, signs, counts, stream, is_sparse=is_sparse, active=active)
    np.testing.assert_array_equal(found, slow_crew(X, signs, counts * active, stream))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_one_alone_is_scikit_learns_perceptron(problem, is_sparse, dtype):
    X, signs, counts, _ = problem
    X = X.astype(dtype)
    for bag in counts.T:
        rows = np.repeat(np.arange(90), bag)
        weights, bias = np.zeros(7, dtype), np.zeros(1, dtype)
        kernels.train_alone(
            *as_rows(X, is_sparse), signs.astype(dtype), np.tile(rows, 5), np.ones(1, dtype),
            weights, bias,
        )  # fmt: skip
        theirs = Perceptron(max_iter=5, tol=None, shuffle=False).fit(X[rows], signs[rows])
        np.testing.assert_array_equal(weights, theirs.coef_[0])
        np.testing.assert_array_equal(bias, theirs.intercept_)
