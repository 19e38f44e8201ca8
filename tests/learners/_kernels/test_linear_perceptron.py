import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardy.learners._kernels import linear_perceptron as kernels
from learners._kernels.rows import as_rows


def run(X, own, rates, *, is_sparse, n_units=1, weights=None, start=None, order=None,
        is_learning=None, bias_scale=1.0, momentum=0.5):  # fmt: skip
    """Run the kernel on stacked weights and steps (units, features + 1), the bias last."""
    start = np.zeros((2, n_units, X.shape[1] + 1)) if start is None else np.array(start, float)
    layout = "F" if is_sparse else "C"
    W, S = (np.array(part[:, :-1], order=layout) for part in start)
    b, s = start[0, :, -1].copy(), start[1, :, -1].copy()
    squares = kernels.train_pass(
        *as_rows(X, is_sparse), own, np.ones(len(X)) if weights is None else weights, rates,
        np.arange(len(X)) if order is None else order,
        np.ones(len(W), bool) if is_learning is None else is_learning, bias_scale, momentum,
        W, b, S, s,
    )  # fmt: skip
    return np.column_stack([W, b]), np.column_stack([S, s]), squares


def slow_pass(X, own, rates, *, n_units=1, weights=None, start=None, order=None, bias_scale=1.0,
              momentum=0.5):  # fmt: skip
    """Move every weight in every step, one unit at a time."""
    W, steps = np.zeros((2, n_units, X.shape[1] + 1)) if start is None else np.array(start, float)
    squares = np.zeros(n_units)
    for k in range(n_units):
        for i in range(len(X)) if order is None else order:
            error = (1 if own[i] == k else -1) - (W[k, :-1] @ X[i].astype(float) + W[k, -1])
            squares[k] += (1 if weights is None else weights[i]) * error**2
            scaled = np.append(X[i], bias_scale).astype(float)
            steps[k] = rates[i] * error * scaled + momentum * steps[k]
            W[k] += steps[k]
    return W, steps, squares


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_hand_worked_pass(is_sparse, dtype):
    """Rate 1/2, momentum 1/2, from zero; the last entry is the bias.

    row     label  output  error    step                     weights after it
    (1, 0)  +      0       1        (1/2, 0, 1/2)            (1/2, 0, 1/2)
    (0, 1)  −      1/2     −3/2     (1/4, −3/4, −1/2)        (3/4, −3/4, 0)
    (1, 1)  +      0       1        (5/8, 1/8, 1/4)          (11/8, −5/8, 1/4)
    (1, 0)  −      13/8    −21/8    (−1, 1/16, −19/16)       (3/8, −9/16, −15/16)

    Squared errors: 1 + 9/4 + 1 + 441/64.
    """
    X = np.array([[1, 0], [0, 1], [1, 1], [1, 0]], dtype)
    own = np.array([0, -1, 0, -1])
    expected = [[[3 / 8, -9 / 16, -15 / 16]], [[-1, 1 / 16, -19 / 16]], [4.25 + 441 / 64]]
    for found in (
        run(X, own, np.full(4, 0.5), is_sparse=is_sparse),
        slow_pass(X, own, np.full(4, 0.5)),
    ):
        for part, value in zip(found, expected, strict=True):
            np.testing.assert_array_equal(part, value)


def random_problem(seed, n_rows, n_features, n_units, density=0.3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features)) * (rng.random((n_rows, n_features)) < density)
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-9)
    return X, rng.integers(-1 if n_units == 1 else 0, n_units, n_rows), {
        "rates": rng.uniform(0, 0.3, n_rows),
        "weights": rng.uniform(0.5, 2, n_rows),
        "order": rng.permutation(n_rows),
        "start": rng.standard_normal((2, n_units, n_features + 1)),
        "n_units": n_units,
    }  # fmt: skip


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("bias_scale", [0.0, 0.01, 1.0])
@pytest.mark.parametrize("n_units", [1, 4])
def test_a_pass_equals_the_twin(n_units, bias_scale, momentum, is_sparse):
    X, own, options = random_problem(0, 90, 23, n_units)
    options |= {"bias_scale": bias_scale, "momentum": momentum}
    found = run(X, own, is_sparse=is_sparse, **options)
    for one, other in zip(found, slow_pass(X, own, **options), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 200),
    n_features=st.integers(1, 30),
    n_units=st.integers(1, 3),
    density=st.floats(0, 1),
    momentum=st.floats(0, 0.99),
)
@settings(max_examples=50, deadline=None)
def test_lazy_momentum_is_exact(seed, n_rows, n_features, n_units, density, momentum):
    """A sparse row touches few weights, but all of them end up where each step would put them."""
    X, own, options = random_problem(seed, n_rows, n_features, n_units, density)
    dense, spare = (run(X, own, is_sparse=s, momentum=momentum, **options) for s in (False, True))
    for one, other in zip(dense, spare, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("momentum", [0.5, 0.9])
def test_an_untouched_weight_by_the_closed_form(momentum):
    """A weight of 2 that has last moved by 3 lies untouched for 7 rows, without a bias."""
    start = np.array([[[2.0, 0.0, 0.0]], [[3.0, 0.0, 0.0]]])
    X = np.tile([0.0, 1.0], (7, 1))
    weights, steps, _ = run(
        X, np.zeros(7, int), np.zeros(7), is_sparse=True, start=start, momentum=momentum
    )
    moved = 3 * momentum * (1 - momentum**7) / (1 - momentum)
    assert weights[0, 0] == pytest.approx(2 + moved, rel=1e-15)
    assert weights[0, 0] == pytest.approx(2 + sum(3 * momentum**k for k in range(1, 8)), rel=1e-15)
    assert steps[0, 0] == pytest.approx(3 * momentum**7, rel=1e-15)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_unit_that_has_learned_stays(is_sparse):
    X, own, options = random_problem(1, 40, 6, 3)
    options["start"][1, 1] = 0
    learning = np.array([True, False, True])
    weights, steps, squares = run(X, own, is_sparse=is_sparse, is_learning=learning, **options)
    expected, _, squares_of_all = slow_pass(X, own, **options)
    np.testing.assert_array_equal(weights[1], options["start"][0, 1])
    np.testing.assert_array_equal(steps[1], 0)
    np.testing.assert_allclose(weights[learning], expected[learning], rtol=1e-11)
    np.testing.assert_allclose(squares[learning], squares_of_all[learning], rtol=1e-11)
    output = X @ weights[1, :-1] + weights[1, -1]
    by_hand = options["weights"] @ (np.where(own == 1, 1, -1) - output) ** 2
    assert squares[1] == pytest.approx(by_hand, rel=1e-12)
