import numpy as np
import pandas as pd

from hardy.studies.agreement import beside_published


def test_figures_beside_the_published_ones():
    published = pd.DataFrame(
        {
            "set": ["b", "a", "c"], "method": ["m"] * 3, "published": [12.0, 5.0, 7.0],
            "published_sd": [1.0, np.nan, 1.0],
        }
    )  # fmt: skip
    results = pd.DataFrame(
        {
            # The draws' means are 9 and 11 for b, 5 and 8 for a.
            "set": list("bbbbaad"), "method": ["m"] * 7, "draw": [0, 0, 1, 1, 0, 1, 0],
            "x": [8.0, 10.0, 11.0, 11.0, 5.0, 8.0, 1.0],
        }
    )  # fmt: skip
    table = beside_published(results, published, by=["set", "method"], unit="draw", measure="x")
    assert table["set"].tolist() == ["b", "a", "c", "d"]
    np.testing.assert_allclose(table["ours"], [10.0, 6.5, np.nan, 1.0])
    np.testing.assert_allclose(table["ours_sd"], [2**0.5, 4.5**0.5, np.nan, np.nan])
    # √(1 + 2) with the printed deviation, √(2 · 4.5) where ours stands in for it.
    np.testing.assert_allclose(table["standard_errors"], [-2 / 3**0.5, 1.5 / 3, np.nan, np.nan])
    assert table["within"].tolist() == ["yes", "yes", "", ""]
    assert table["n"].tolist()[:2] == [2, 2]


def test_a_figure_far_from_the_published_one_is_not_within():
    published = pd.DataFrame({"set": ["a"], "published": [10.0]})
    results = pd.DataFrame({"set": ["a"] * 2, "draw": [0, 1], "x": [1.0, 2.0]})
    table = beside_published(results, published, by=["set"], unit="draw", measure="x")
    assert table["within"].tolist() == ["no"]
    same = results.assign(x=10.0)
    table = beside_published(same, published, by=["set"], unit="draw", measure="x")
    assert table["within"].tolist() == [""]
