import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import stats

from hardy.exceptions import InputError
from hardy.stats import CriticalDifferenceDisplay
from hardy.studies import RobustnessDisplay, draw_ranks, mean_scores, rank_methods


@pytest.fixture(autouse=True)
def without_a_screen():
    before = mpl.get_backend()
    plt.switch_backend("Agg")
    yield
    plt.close("all")
    plt.switch_backend(before)


@pytest.fixture
def results():
    """Two data sets, three methods, two folds; method c fails on a fold of data set e."""
    rows = [
        {"dataset": d, "noise_rate": r, "method": m, "accuracy": a - r, "log_loss": 1 - a}
        for r in (0.0, 0.2)
        for d, m, scores in [
            ("d", "a", (0.9, 0.7)), ("d", "b", (0.7, 0.7)), ("d", "c", (0.6, 0.8)),
            ("e", "a", (0.5, 0.7)), ("e", "b", (0.8, 0.8)), ("e", "c", (0.9, np.nan)),
        ]
        for a in scores
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_means_by_hand(results):
    means = mean_scores(results, 0.2)
    np.testing.assert_allclose(means.loc["d"], [0.6, 0.5, 0.5])
    np.testing.assert_allclose(means.loc["e"], [0.4, 0.6, np.nan])
    assert means.columns.tolist() == ["a", "b", "c"]


def test_ranks_by_hand(results):
    """On d: 1, 2.5, 2.5; on e: 2, 1, and last for the method that failed."""
    ranks = rank_methods(results)
    assert ranks.index.tolist() == [0.0, 0.2]
    assert ranks.loc[0.2].tolist() == [1.5, 1.75, 2.75]
    assert rank_methods(results, "log_loss").loc[0.0].tolist() == [1.5, 1.75, 2.75]


def test_the_diagram_has_the_ranks(results):
    """A failure counts as the lowest score, and a data set without any score not at all."""
    lost = results[results["dataset"] == "d"].assign(dataset="f", accuracy=np.nan)
    more = pd.concat([results, lost], ignore_index=True)
    display = draw_ranks(more, 0.2, alpha=0.1)
    assert display.average_ranks.to_dict() == rank_methods(more).loc[0.2].to_dict()
    filled = mean_scores(results, 0.2).fillna(-1.0)
    expected = CriticalDifferenceDisplay.from_scores(filled, alpha=0.1)
    assert display.average_ranks.to_dict() == expected.average_ranks.to_dict()
    assert display.critical_difference == expected.critical_difference
    assert display.groups_ == expected.groups_
    lower = draw_ranks(results, 0.2, "log_loss")
    assert lower.average_ranks.to_dict() == rank_methods(results, "log_loss").loc[0.2].to_dict()


def test_without_a_score_there_is_no_rank(results):
    ranks = rank_methods(results.assign(accuracy=np.nan))
    assert ranks.isna().all(axis=None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: draw_ranks(r[r["dataset"] == "d"], 0.2), "3 methods and 1 data sets"),
        (lambda r: draw_ranks(r[r["method"] == "a"], 0.2), "1 methods and 2 data sets"),
        (lambda r: draw_ranks(r, 0.2, alpha=2), "alpha=2"),
        (lambda r: mean_scores(r, 0.2, "auc"), "'auc' is unknown; choose one of accuracy, log_l"),
        (lambda r: mean_scores(r, 0.1), r"no noise_rate=0.1 among \[0.0, 0.2\]"),
        (lambda r: mean_scores(r, 0.2, "acuracy"), "score='acuracy' is unknown; choose one of acc"),
        (lambda r: RobustnessDisplay.from_results(r, confidence=1), "confidence=1 must lie"),
    ],
)
def test_what_is_not_there(results, call, message):
    with pytest.raises(InputError, match=message):
        call(results)


def test_curves_and_bands(results):
    display = RobustnessDisplay.from_results(results, confidence=0.9)
    a = display.curves[display.curves["method"] == "a"].set_index("noise_rate")
    assert a["mean"].tolist() == pytest.approx([0.7, 0.5])
    half = stats.t.ppf(0.95, 1) * 0.1
    assert a["high"].tolist() == pytest.approx([0.7 + half, 0.5 + half])
    c = display.curves[display.curves["method"] == "c"].set_index("noise_rate")
    assert (c["low"] == c["mean"]).all()
    assert [line.get_label() for line in display.lines_] == ["a", "b", "c"]
    assert display.ax_.get_ylabel() == "accuracy on true labels"


def test_one_data_set_has_bands_of_its_folds(results):
    one = results[results["dataset"] == "d"]
    _, ax = plt.subplots()
    display = RobustnessDisplay.from_results(one, ax=ax)
    assert display.ax_ is ax
    a = display.curves[display.curves["method"] == "a"].set_index("noise_rate")
    half = stats.t.ppf(0.975, 1) * 0.1
    assert a.loc[0.0, "high"] == pytest.approx(0.8 + half)


def test_one_data_set_has_no_curve_of_a_method_that_failed(results):
    one = results[results["dataset"] == "e"]
    curves = RobustnessDisplay.from_results(one).curves.set_index("method")
    assert curves.loc["c", ["mean", "low", "high"]].isna().all(axis=None)
    assert curves.loc["a", "mean"].notna().all()


def test_dollars_in_names_begin_no_formula(results):
    display = RobustnessDisplay.from_results(results.replace({"method": {"a": "$x^{$"}}))
    display.figure_.canvas.draw()
    assert display.ax_.get_legend().get_texts()[0].get_text() == r"\$x^{\$"
