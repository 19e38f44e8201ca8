import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.annotators.agreement import krippendorff_alpha, pairwise_kappa

# The reliability data of Krippendorff (2011), section C: four observers, 12 units.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
)


def test_alpha_is_that_of_the_published_example():
    assert krippendorff_alpha(PUBLISHED.T - 1, 5) == pytest.approx(0.743, abs=0.0005)


def test_alpha_is_1_for_full_agreement_and_unknown_where_nothing_is_shared():
    assert krippendorff_alpha(np.array([[0, 0], [1, 1]]), 2) == 1
    assert np.isnan(krippendorff_alpha(np.array([[0, -1], [-1, 1]]), 2))
    assert np.isnan(krippendorff_alpha(np.array([[0, 0], [0, 0]]), 2))


@given(st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=2, max_size=12))
def test_alpha_is_one_minus_observed_over_expected_disagreement(votes):
    """By pairs: Krippendorff's definition before it is simplified."""
    units = [[vote for vote in row if vote >= 0] for row in votes]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [vote for unit in units for vote in unit]
    observed = sum((a != b) / (len(unit) - 1) for unit in units for a in unit for b in unit) / max(
        len(pooled), 1
    )
    expected = sum(a != b for a in pooled for b in pooled)
    alpha = krippendorff_alpha(np.array(votes), 3)
    if not expected:
        assert np.isnan(alpha)
    else:
        expected /= len(pooled) * (len(pooled) - 1)
        assert alpha == pytest.approx(1 - observed / expected)


def test_kappas_are_of_the_rows_that_both_labelled():
    codes = np.array([[0, 0, -1], [1, 1, -1], [0, 1, 0], [1, 1, -1], [-1, 0, -1]])
    table = pairwise_kappa(codes, ["a", "b", "c"])
    assert table["n_rows"].tolist() == [4, 1, 1]
    # By hand: agreement 3/4, by chance 1/2 · 1/4 + 1/2 · 3/4.
    assert table["kappa"].iloc[0] == pytest.approx((0.75 - 0.5) / 0.5)
    assert np.isnan(table["kappa"].iloc[1])
