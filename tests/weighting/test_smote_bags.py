import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from hardy.weighting import SMOTEBags


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_smote_fills_every_class_up(started, container):
    rng = np.random.default_rng(0)
    y = np.array([0] * 60 + [1] * 8 + [2])
    X = rng.normal(size=(69, 3)) + 10.0 * y[:, None]
    rule = started(SMOTEBags(n_neighbors=3), y, container(X))
    for number, n_drawn in [(0, 6), (4, 30), (9, 60), (10, 6)]:
        bag = rule.bag(number, np.random.RandomState(number))
        assert_array_equal(np.bincount(y[bag.rows]), [60, n_drawn, n_drawn])
        if bag.made is None:
            assert n_drawn == 60
            continue
        made, codes = bag.made
        made = made.toarray() if sparse.issparse(made) else made
        assert_array_equal(np.bincount(codes), [0, 60 - n_drawn, 60 - n_drawn])
        # Between two rows of the class, hence within its box; of a single row, that row.
        assert (made[codes == 1] >= X[60:68].min(axis=0) - 1e-12).all()
        assert (made[codes == 1] <= X[60:68].max(axis=0) + 1e-12).all()
        assert not (made[codes == 1][:, None] == X[60:68]).all(axis=2).any()
        assert_array_equal(made[codes == 2], X[68:].repeat(60 - n_drawn, axis=0))


def test_of_the_smallest_share_one_row_is_drawn_nevertheless(started):
    rule = started(SMOTEBags(), [0] * 4 + [1] * 2)
    bag = rule.bag(0, np.random.RandomState(0))
    assert_array_equal(np.bincount(rule._y[bag.rows]), [4, 1])
    assert_array_equal(np.bincount(bag.made[1]), [0, 3])
