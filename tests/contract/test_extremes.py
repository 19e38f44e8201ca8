"""Tables that are tiny, wide or of extreme numbers: they work, or get one clear error."""

import numpy as np
import pytest
from sklearn.base import is_classifier

from contract.registry import every_of_numbers, fit, outputs
from hardy.exceptions import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning"),
]


def assert_it_works_or_says_why_not(case, X, y):
    try:
        model = fit(case(), X, y)
        said = outputs(model, X)
    except InputError as error:
        if not str(error) or "\n" in str(error):
            raise AssertionError(f"{str(error)!r} isn't one line") from error
        return
    if case.is_sampler:
        return
    assert len(said) == len(X)
    assert np.isfinite(said).all()
    if is_classifier(model):
        assert set(model.predict(X)) <= set(y)


@every_of_numbers
@pytest.mark.parametrize(
    ("n", "d"), [(2, 1), (2, 3), (3, 2), (4, 60), (5, 1), (40, 1)], ids=lambda size: str(size)
)
def test_few_rows_and_few_or_many_columns(case, n, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    assert_it_works_or_says_why_not(case, X, np.arange(n) % 2)


@every_of_numbers
@pytest.mark.parametrize("factor", [1e300, 1e-300, 5e-324, [1e300, 1.0, 1e-300, 5e-324]], ids=str)
def test_numbers_at_the_ends_of_what_floats_hold(case, factor):
    if np.max(factor) > 1:
        case.skip_where_it_cannot("huge")
    X, y = case.data(2)
    if hasattr(X, "columns"):
        pytest.skip("takes columns of all kinds")
    assert_it_works_or_says_why_not(case, np.asarray(X, dtype=float)[:60] * factor, y[:60])


@every_of_numbers
def test_columns_that_say_nothing(case):
    assert_it_works_or_says_why_not(case, np.ones((20, 3)), np.arange(20) % 2)


@every_of_numbers
def test_rows_that_are_all_there_twice(case):
    X = np.random.default_rng(0).normal(size=(10, 2))
    assert_it_works_or_says_why_not(case, np.vstack([X, X]), np.arange(20) % 2)
