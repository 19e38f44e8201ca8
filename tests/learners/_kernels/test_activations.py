import numpy as np
import pytest

from hardy.learners._kernels import activations as kernels
from learners._kernels.rows import as_rows

# Numbers of sub-problems and of units in each, below and above what fills a tile.
UNITS = [(1, 1), (1, 3), (4, 1), (1, 5), (3, 3), (1, 15), (7, 5)]
DTYPES = (np.float64, np.float32)


def run(kernel, X, W, b, shape, *, is_sparse=False):
    """Give what the kernel fills, and whether it finds the rows finite."""
    weights = np.array(W, dtype=X.dtype, order="F" if is_sparse else "C")
    out = np.empty((len(X), *shape), np.intp if kernel is kernels.count_upper else X.dtype)
    return out, kernel(*as_rows(X, is_sparse), weights, b.astype(X.dtype), out)


def integer_problem(n_rows, n_features, n_units, dtype):
    """Small integers: sums are exact, so that kernel and twin can't differ by rounding."""
    rng = np.random.default_rng(n_rows + n_units)
    X = rng.integers(-3, 4, (n_rows, n_features)).astype(dtype)
    W = rng.integers(-2, 3, (n_units, n_features))
    return X, W, rng.integers(-2, 3, n_units)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n_subproblems", "size"), UNITS)
@pytest.mark.parametrize(
    ("n_rows", "n_features"), [(1, 1), (5, 4), (kernels.BLOCK, 9), (2 * kernels.BLOCK + 7, 30)]
)
def test_the_kernels_equal_the_twins(n_rows, n_features, n_subproblems, size, dtype, is_sparse):
    n_units = n_subproblems * size
    X, W, b = integer_problem(n_rows, n_features, n_units, dtype)
    activations = X @ W.T + b
    medians = np.median(activations.reshape(n_rows, n_subproblems, size), axis=2)
    for kernel, expected in (
        (kernels.fill_activations, activations),
        (kernels.count_upper, (activations >= 0).sum(axis=1)),
        (kernels.fill_medians, medians),
    ):
        found, are_finite = run(kernel, X, W, b, expected.shape[1:], is_sparse=is_sparse)
        assert are_finite
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n_subproblems", "size"), UNITS)
@pytest.mark.parametrize("n_features", [3, 16, 50, 201])
def test_a_row_gives_the_same_whatever_comes_with_it(
    n_features, n_subproblems, size, dtype, is_sparse
):
    """Random numbers: the order of a sum would show in its last digits."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((kernels.BLOCK + 5, n_features)).astype(dtype)
    n_units = n_subproblems * size
    W, b = rng.standard_normal((n_units, n_features)), rng.standard_normal(n_units)
    for kernel, shape in (
        (kernels.fill_activations, (n_units,)),
        (kernels.count_upper, ()),
        (kernels.fill_medians, (n_subproblems,)),
    ):
        together, _ = run(kernel, X, W, b, shape, is_sparse=is_sparse)
        for part in ([0], [1], [kernels.BLOCK - 1], [-1], slice(1, 9), slice(3, None)):
            alone, _ = run(kernel, X[part], W, b, shape, is_sparse=is_sparse)
            np.testing.assert_array_equal(alone, together[part])


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("n_units", [1, 3, 5, 9])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_told(bad, n_units, is_sparse):
    """Even where no unit gives the feature any weight."""
    X, W, b = integer_problem(kernels.BLOCK + 8, 6, n_units, np.float64)
    W[:, 3] = 0
    for kernel, shape in (
        (kernels.fill_activations, (n_units,)),
        (kernels.count_upper, ()),
        (kernels.fill_medians, (1,)),
    ):
        for row in (0, 1, 7, kernels.BLOCK, -1):
            changed = X.copy()
            changed[row, 3] = bad
            assert not run(kernel, changed, W, b, shape, is_sparse=is_sparse)[1]


def test_a_median_among_nan_is_nan():
    """The first unit gives the infinite value no weight: 0 · ∞ is NaN."""
    X, W = np.array([[1.0, np.inf], [1.0, 2.0]]), np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    found, _ = run(kernels.fill_medians, X, W, np.zeros(3), (1,))
    np.testing.assert_array_equal(found, [[np.nan], [3.0]])
