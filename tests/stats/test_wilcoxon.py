import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hardy.exceptions import InputError
from hardy.stats import wilcoxon_holm


def test_against_scipy_and_statsmodels(made):
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="needs statsmodels")
    scores = made(n_datasets=20, n_methods=6, decimals=3)
    result = wilcoxon_holm(scores, "method 5")
    for name, row in result.iterrows():
        theirs = stats.wilcoxon((scores["method 5"] - scores[name]).round(3))
        assert (row["statistic"], row["pvalue"]) == (theirs.statistic, theirs.pvalue)
        assert row["wins"] == (scores["method 5"] > scores[name]).sum()
    adjusted = multitest.multipletests(result["pvalue"], method="holm")[1]
    np.testing.assert_allclose(result["pvalue_holm"], adjusted)


def test_holm_by_hand():
    """p = .01, .04, .03: times 3, 1 and 2 in their order, none below the one before."""
    from hardy.stats.wilcoxon import _holm

    np.testing.assert_allclose(_holm(np.array([0.01, 0.04, 0.03])), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(_holm(np.array([0.9, 0.8])), [1, 1])


def test_equal_methods_and_the_direction():
    scores = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4], "c": [0, 1, 2, 3]})
    result = wilcoxon_holm(scores, "a")
    assert result.loc["b", ["pvalue", "ties"]].tolist() == [1, 4]
    assert result.loc["c", ["wins", "loses"]].tolist() == [4, 0]
    lower = wilcoxon_holm(scores, "a", higher_is_better=False)
    assert lower.loc["c", ["wins", "loses"]].tolist() == [0, 4]
    pd.testing.assert_series_equal(lower["pvalue"], result["pvalue"])


def test_the_control_must_be_a_method(made):
    with pytest.raises(InputError, match=r"control='b' is none of the methods \['method 0'"):
        wilcoxon_holm(made(), "b")
    assert wilcoxon_holm(made().to_numpy(), 2).index.tolist() == [0, 1, 3, 4]


def test_a_table_by_hand():
    scores = pd.DataFrame({"a": [9, 8, 9, 7, 8], "b": [7, 7, 6, 3, 2], "c": [5, 9, 7, 8, 8]})
    result = wilcoxon_holm(scores.assign(d=scores["a"]), "a")
    columns = ["statistic", "pvalue", "pvalue_holm", "wins", "loses", "ties"]
    assert result.columns.tolist() == columns
    # Against b all of five are wins, which has a chance of 2/32. Against c the differences 4, −1,
    # 2, −1 have the ranks 4, 1.5, 3, 1.5: the smaller sum is 3.
    assert result.loc["b"].tolist() == pytest.approx([0, 1 / 16, 3 / 16, 5, 0, 0])
    assert result.loc["c", ["statistic", "wins", "loses", "ties"]].tolist() == [3, 2, 2, 1]
    assert result.loc["d"].tolist() == [0, 1, 1, 0, 0, 5]


def test_differences_that_only_rounding_tells_apart_are_ties_by_hand():
    """Differences of .1 thrice, −.1 and .3, the tenths with other last bits each.

    The four ties share the rank 2.5, so that the only loss weighs 2.5 of 15. With the ties in,
    5 of the 32 ways to sign ranks 2.5, 2.5, 2.5, 2.5, 5 leave at most 2.5 below 0: none, or one of
    the four; with as many above, p = 10/32.
    """
    ours = np.array([0.9, 0.4, 0.7, 0.2, 0.8])
    theirs = np.array([0.8, 0.3, 0.6, 0.3, 0.5])
    assert len(np.unique(np.abs(ours - theirs))) > 2
    row = wilcoxon_holm(pd.DataFrame({"ours": ours, "theirs": theirs}), "ours").loc["theirs"]
    assert row.tolist() == pytest.approx([2.5, 10 / 32, 10 / 32, 4, 1, 0])


def test_ties_of_thirds_and_halves_stay_ties():
    """1/3 and 2/3 can't be written with the same error; 1/2048 has an eleventh digit of 5."""
    ours = np.array([1 / 3, 2 / 3, 1.0, 1 / 2048, 0.5 + 1 / 2048])
    theirs = np.array([0.0, 1 / 3, 2 / 3, 0.0, 0.5])
    row = wilcoxon_holm(pd.DataFrame({"ours": ours, "theirs": theirs}), "theirs").loc["ours"]
    same = stats.wilcoxon([2, 2, 2, 1, 1])
    assert (row["statistic"], row["pvalue"]) == (same.statistic, same.pvalue)


def test_scores_that_differ_by_rounding_alone_are_equal():
    scores = pd.DataFrame({"a": [0.1 + 0.2, 0.5, 0.7], "b": [0.3, 0.5 + 1e-11, 0.2]})
    assert wilcoxon_holm(scores, "a").loc["b", ["wins", "loses", "ties"]].tolist() == [1, 0, 2]
