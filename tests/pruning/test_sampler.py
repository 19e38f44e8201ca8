import numpy as np
import pytest
from imblearn.utils.estimator_checks import parametrize_with_checks as their_checks
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.pruning import BoostingFilter, MarginPruner

SAMPLERS = [BoostingFilter(random_state=0), MarginPruner(random_state=0)]


@parametrize_with_checks(SAMPLERS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@their_checks(SAMPLERS)
def test_imbalanced_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "lil"])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_sparse_rows_keep_their_format(sampler, kind):
    """A rare class beside a common one, with some overlap."""
    y = (np.arange(300) % 10 == 0).astype(int)
    X = np.random.default_rng(0).normal(size=(300, 4)) + 1.5 * y[:, None]
    rows = sparse.csr_array(X).asformat(kind)
    kept, _ = clone(sampler).fit_resample(rows, y)
    assert kept.format == kind
    assert kept.shape[0] < 300
    expected, _ = clone(sampler).fit_resample(sparse.csr_array(X), y)
    assert_array_equal(kept.toarray(), expected.toarray())
