import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.exceptions import InputError
from hardy.stats import friedman_test


def test_the_thesis_p_values_follow_from_its_means(published):
    found = [friedman_test(published[noise]).pvalue for noise in (0, 10, 20, 30, 40, 50)]
    expected = [2.6933e-9, 3.8499e-10, 9.6280e-11, 1.0532e-11, 1.7848e-10, 0.1712]
    for pvalue, printed in zip(found, expected, strict=True):
        assert f"{pvalue:.4e}" == f"{printed:.4e}"


def test_by_hand():
    """Ranks with ties (1.5, 1.5, 3), (1, 2, 3), (2, 2, 2), (1, 3, 2): sums 5.5, 8.5, 10."""
    result = friedman_test([[5, 5, 1], [3, 2, 1], [7, 7, 7], [9, 0, 4]])
    assert result.average_ranks.tolist() == [1.375, 2.125, 2.5]
    # 12/(4·3·4) (5.5² + 8.5² + 10²) − 3·4·4 = 2.625; ties: 1 − (6 + 24)/(4·24) = 0.6875.
    assert result.statistic == pytest.approx(2.625 / 0.6875)
    assert result.pvalue == pytest.approx(np.exp(-result.statistic / 2))  # two degrees of freedom
    f = 3 * result.statistic / (4 * 2 - result.statistic)
    assert result.iman_davenport_statistic == pytest.approx(f)
    # F with 2 and 6 degrees of freedom: (1 + 2F/6)^−3.
    assert result.iman_davenport_pvalue == pytest.approx((1 + f / 3) ** -3)


@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(3, 6))
def test_what_does_not_matter(seed, n_datasets, n_methods):
    scores = np.random.default_rng(seed).normal(size=(n_datasets, n_methods)).round(1)
    result = friedman_test(scores)
    for other in (scores[::-1], np.exp(scores), -scores):
        assert friedman_test(other).pvalue == pytest.approx(result.pvalue)
    flipped = friedman_test(scores, higher_is_better=False).average_ranks
    np.testing.assert_allclose(flipped, n_methods + 1 - result.average_ranks)
    assert result.average_ranks.sum() == pytest.approx(n_methods * (n_methods + 1) / 2)


def test_all_data_sets_agree():
    result = friedman_test([[3, 2, 1]] * 5)
    assert result.statistic == 10
    assert (result.iman_davenport_statistic, result.iman_davenport_pvalue) == (np.inf, 0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (pd.DataFrame({"a": [1, 2], "b": [1, np.nan], "c": [1, 2]}, index=["x", "y"]),
         "score of 'b' on 'y' is nan"),
        (pd.DataFrame(np.eye(3), columns=["a", "b", "a"]), "Two methods are named 'a'"),
        (pd.DataFrame({"a": ["x", "y"]}), "must be numbers"),
        ([[1, 2], [3, 4]], "2 methods and 2 data sets; at least 3 and 2"),
        ([[1, 2, 3]], "3 methods and 1 data sets"),
        ([1, 2, 3], r"shape \(3,\)"),
        ([["a"]], "table of numbers"),
        ([[1, 1, 1]] * 4, "same score on every data set"),
    ],
)  # fmt: skip
def test_scores_that_are_no_use(scores, message):
    with pytest.raises(InputError, match=message):
        friedman_test(scores)
