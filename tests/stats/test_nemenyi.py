import numpy as np
import pandas as pd
import pytest

from hardy.exceptions import InputError
from hardy.stats import critical_difference, nemenyi_test

# Demšar 2006, table 5a: q at .05 and at .10 for 2 to 10 methods.
Q = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


@pytest.mark.parametrize("alpha", [0.05, 0.10])
def test_demsars_table(alpha):
    for k, q in zip(range(2, 11), Q[alpha], strict=True):
        unit = np.sqrt(k * (k + 1) / (6 * 30))
        assert critical_difference(k, 30, alpha) / unit == pytest.approx(q, abs=1e-3)


def test_the_thesis_difference():
    assert round(critical_difference(5, 15), 4) == 1.5749


@pytest.mark.parametrize("noise", [30, 40])
def test_the_pairs_that_differ_in_the_thesis(published, noise):
    names = {
        "Perceptron": "perceptron",
        "Random Subspace": "subspace",
        "Bagging": "bagging",
        "Proposed (Linear)": "linear",
        "Proposed (Softmax)": "softmax",
    }
    pvalues = nemenyi_test(published[noise].rename(columns=names))
    differ = {
        frozenset((a, b)) for a in pvalues for b in pvalues if a != b and pvalues.loc[a, b] < 0.05
    }
    expected = [
        "perceptron linear", "perceptron softmax", "subspace bagging", "subspace linear",
        "subspace softmax", "bagging linear",
    ]  # fmt: skip
    assert differ == {frozenset(pair.split()) for pair in expected}


def test_like_scikit_posthocs(made):
    posthocs = pytest.importorskip("scikit_posthocs", reason="needs scikit-posthocs")
    for seed in range(3):
        scores = made(seed=seed)
        theirs = posthocs.posthoc_nemenyi_friedman(scores)
        np.testing.assert_allclose(nemenyi_test(scores), theirs, atol=2e-3)


def test_the_difference_is_where_the_p_value_is_alpha(made):
    scores = made(n_datasets=20, n_methods=4)
    pvalues = nemenyi_test(scores)
    ranks = scores.rank(axis=1, ascending=False).mean()
    for alpha in (0.001, 0.05, 0.4):
        difference = critical_difference(4, 20, alpha)
        apart = np.abs(ranks.to_numpy()[:, None] - ranks.to_numpy()) > difference
        np.testing.assert_array_equal(pvalues.to_numpy() < alpha, apart)
    pd.testing.assert_frame_equal(pvalues, pvalues.T)
    assert (np.diag(pvalues) == 1).all()
    pd.testing.assert_frame_equal(nemenyi_test(-scores, higher_is_better=False), pvalues)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 15), "n_methods=1 must be a whole number, at least 2"),
        ((5, 0), "n_datasets=0"),
        ((5.5, 10), "n_methods=5.5"),
        ((5, 15, 0), "alpha=0 must lie between"),
        ((5, 15, 1.0), "alpha=1.0"),
        ((5, 15, "a"), "alpha='a'"),
    ],
)
def test_numbers_out_of_range(arguments, message):
    with pytest.raises(InputError, match=message):
        critical_difference(*arguments)
