import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from hardy.exceptions import InputError
from hardy.stats import CriticalDifferenceDisplay, critical_difference, nemenyi_test

# Pixels: the layout is found by iteration.
_SLACK = 2


@pytest.fixture(autouse=True)
def without_a_screen():
    before = mpl.get_backend()
    plt.switch_backend("Agg")
    yield
    plt.close("all")
    plt.switch_backend(before)


def boxes(display):
    display.figure_.draw_without_rendering()
    return [text.get_window_extent() for text in display.ax_.texts]


@pytest.mark.parametrize("n_methods", range(3, 21))
@pytest.mark.parametrize("quality", [0.0, 0.4, 5.0])
def test_no_words_overlap_or_leave_the_figure(n_methods, quality):
    rng = np.random.default_rng(n_methods)
    scores = rng.normal(size=(15, n_methods)) + quality * np.arange(n_methods)
    names = [f"a method of some length {m}" for m in range(n_methods)]
    display = CriticalDifferenceDisplay.from_scores(pd.DataFrame(scores, columns=names))
    found = boxes(display)
    for i, one in enumerate(found):
        assert not any(one.overlaps(other) for other in found[:i])
        assert one.x0 >= -_SLACK
        assert one.x1 <= display.figure_.bbox.x1 + _SLACK
        assert one.y0 >= -_SLACK
        assert one.y1 <= display.figure_.bbox.y1 + _SLACK
    assert len(display.labels_) == n_methods


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_bars_join_what_nemenyi_does_not_part(made, alpha, seed):
    scores = made(n_datasets=25, n_methods=7, seed=seed)
    display = CriticalDifferenceDisplay.from_scores(scores, alpha=alpha)
    joined = {frozenset((a, b)) for g in display.groups_ for a in g for b in g if a != b}
    pvalues = nemenyi_test(scores)
    together = {
        frozenset((a, b)) for a in pvalues for b in pvalues if a != b and pvalues.loc[a, b] > alpha
    }
    assert joined == together
    for i, one in enumerate(display.groups_):
        assert not any(set(one) <= set(g) for j, g in enumerate(display.groups_) if j != i)


def test_bars_stand_at_the_ranks_and_touch_no_other(made):
    display = CriticalDifferenceDisplay.from_scores(made(n_datasets=25, n_methods=9))
    bars = [line for line in display.ax_.lines if line.get_linewidth() == 3.5]
    ranks = display.average_ranks
    assert len(bars) == len(display.groups_) > 1
    for bar, group in zip(bars, display.groups_, strict=True):
        assert bar.get_xdata().tolist() == [ranks[group[0]], ranks[group[-1]]]
    for i, one in enumerate(bars):
        for other in bars[:i]:
            if one.get_ydata()[0] == other.get_ydata()[0]:
                assert one.get_xdata()[0] > other.get_xdata()[1]


def test_where_all_differ_there_is_no_bar():
    display = CriticalDifferenceDisplay.from_scores([[4, 3, 2, 1]] * 60)
    assert display.groups_ == []
    assert not [line for line in display.ax_.lines if line.get_linewidth() == 3.5]


def test_where_none_differ_there_is_one_bar():
    display = CriticalDifferenceDisplay({"a": 2.0, "b": 2.0, "c": 2.0}, 1.5).plot()
    assert display.groups_ == [("a", "b", "c")]


def test_the_ruler_is_as_long_as_the_difference(made):
    display = CriticalDifferenceDisplay.from_scores(made(), alpha=0.1)
    lengths = [np.ptp(line.get_xdata()) for line in display.ax_.lines if line.get_ydata()[0] == 1.9]
    assert lengths == pytest.approx([critical_difference(5, 12, 0.1)])
    low, high = display.ax_.get_xlim()
    assert all(low <= x <= high for line in display.ax_.lines for x in line.get_xdata())
    assert any("α = 0.1" in text.get_text() for text in display.ax_.texts)


def test_the_best_is_first_and_an_axes_can_be_given(made):
    figure, ax = plt.subplots()
    display = CriticalDifferenceDisplay.from_scores(made(seed=3), ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    best = display.average_ranks.idxmin()
    assert display.labels_[0].get_text().startswith(f"{best} (")
    lower = CriticalDifferenceDisplay.from_scores(-made(seed=3), higher_is_better=False)
    pd.testing.assert_series_equal(lower.average_ranks, display.average_ranks)


@pytest.mark.parametrize("difference", ["x", None, -1.0, np.nan, np.inf])
def test_a_difference_that_is_none(difference):
    with pytest.raises(InputError, match=r"critical_difference=.* must be a number, at least 0"):
        CriticalDifferenceDisplay({"a": 1.0, "b": 2.0}, difference).plot()


def test_ranks_that_are_no_use():
    with pytest.raises(InputError, match="two or more methods"):
        CriticalDifferenceDisplay({"a": 1.0}, 1.0).plot()
    with pytest.raises(InputError, match="finite"):
        CriticalDifferenceDisplay({"a": 1.0, "b": np.nan}, 1.0).plot()


@pytest.mark.parametrize("length", [3, 30, 70])
@pytest.mark.parametrize("n_methods", [4, 8])
def test_long_names_have_room(n_methods, length, made):
    scores = made(n_datasets=15, n_methods=n_methods)
    scores.columns = [f"{m}$a_$" + "x" * (length - 5) for m in range(n_methods)]
    _, ax = plt.subplots()
    for given in (None, ax):
        display = CriticalDifferenceDisplay.from_scores(scores, ax=given)
        found = boxes(display)
        assert not any(
            one.overlaps(b) for i, one in enumerate(found[-n_methods:]) for b in found[:i]
        )
        for label in display.labels_:
            box = label.get_window_extent()
            assert box.x0 >= -_SLACK
            assert box.x1 <= display.figure_.bbox.x1 + _SLACK
