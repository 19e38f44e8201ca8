import numpy as np
from numpy.testing import assert_array_equal

from hardy.hardness._rows import leave_out_itself


def test_a_row_that_is_not_found_beside_itself_loses_the_farthest():
    near = np.array([[0, 1, 2], [2, 1, 0], [4, 5, 6]])
    distances = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
    others, far = leave_out_itself(near == np.arange(3)[:, None], near, distances)
    assert_array_equal(others, [[1, 2], [2, 0], [4, 5]])
    assert_array_equal(far, [[1, 2], [0, 3], [0, 0]])


def test_nothing_is_left_out_where_nobody_asks():
    (others,) = leave_out_itself(np.zeros((0, 3), dtype=bool), np.zeros((0, 3)))
    assert others.shape == (0, 2)
