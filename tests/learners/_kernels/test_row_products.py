import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from hardy.learners._kernels import row_products
from hardy.learners._rows import kernel_rows


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_those_of_the_matrix(dtype):
    X = sparse.random(9, 6, density=0.4, format="csr", random_state=0)
    X = X.astype(dtype)
    found = row_products.multiply_rows(kernel_rows(X)[1], 6)
    dense = X.toarray().astype(float)
    assert_allclose(found, dense @ dense.T, rtol=1e-15)


def test_a_hand_worked_pass():
    """Rate 1/2, momentum 1/2, from zero, rows (1, 0) + and (1, 1) −, visited in turn 0, 1, 0.

    row     output  error  push   step                    weights after it
    (1, 0)  0       1      1/2    (1/2, 0)                (1/2, 0)
    (1, 1)  1/2     −3/2   −3/4   (−1/2, −3/4)            (0, −3/4)
    (1, 0)  0       1      1/2    (1/4, −3/8)             (1/4, −9/8)
    """
    products = np.array([[1.0, 1.0], [1.0, 2.0]])
    outputs, steps, pushes, push_steps = np.zeros((4, 1, 2))
    squares = row_products.train_pass(
        products, np.array([0, -1]), np.ones(2), np.full(2, 0.5), np.array([0, 1, 0]),
        np.array([True]), 0.5, outputs, steps, pushes, push_steps,
    )  # fmt: skip
    assert_allclose(squares, [1 + 9 / 4 + 1])
    assert_allclose(outputs, [[1 / 4, 1 / 4 - 9 / 8]])
    assert_allclose(steps, [[1 / 4, 1 / 4 - 3 / 8]])
    assert_allclose(pushes, [[1, -3 / 4]])
    # The last step is 5/8 of the first row and −3/8 of the second.
    assert_allclose(push_steps, [[5 / 8, -3 / 8]])
