"""What is said of a row depends neither on the rows that it comes with nor on their order."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.utils import _safe_indexing

from contract.registry import every_setting, fit, outputs, statistical_reason

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every_setting
def test_a_row_is_judged_by_itself(case, settings):
    if case.is_sampler:
        pytest.skip("chooses among the rows that it is given")
    X, y = case.data(3)
    model = fit(case(**settings), X, y)
    together = outputs(model, X)
    alone = [outputs(model, _safe_indexing(X, [row])) for row in range(0, 120, 7)]
    assert_allclose(np.concatenate(alone), together[::7], rtol=1e-7, atol=1e-9)


@every_setting
def test_the_order_of_the_rows_does_not_matter(case, settings):
    case.skip_where_it_cannot("order")
    if reason := statistical_reason(case(**settings)):
        pytest.skip(reason)
    X, y = case.data(3)
    order = np.random.default_rng(0).permutation(120)
    model = fit(case(**settings), X, y)
    shuffled = fit(case(**settings), _safe_indexing(X, order), y[order])
    said = outputs(shuffled, _safe_indexing(X, order))
    # Components of text are a matter of single precision.
    assert_allclose(said, outputs(model, X)[order], atol=1e-4)
