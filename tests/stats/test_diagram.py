import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from hardy.exceptions import InputError
from hardy.stats import CriticalDifferenceDisplay, critical_difference, nemenyi_test
from hardy.stats.diagram import _join, _stack

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


def drawn(display):
    """Give points, colour, width and order of each line, and place and form of each text."""
    lines = [
        (
            [(float(x), round(float(y), 9)) for x, y in zip(*line.get_data(), strict=True)],
            (line.get_color(), line.get_linewidth(), line.get_zorder()),
        )
        for line in display.ax_.lines
    ]
    texts = [
        (
            *(round(float(at), 9) for at in text.get_position()),
            text.get_text(),
            text.get_ha(),
            text.get_va(),
        )
        for text in display.ax_.texts
    ]
    return lines, texts


def test_a_drawing_by_hand():
    ranks = {"c": 3.5, "a": 1.25, "b$": 2.0}
    display = CriticalDifferenceDisplay(ranks, 1.0, alpha=0.05).plot()
    lines, texts = drawn(display)
    thin, ruler, lead, bar = ("black", 1, 2), ("black", 1.5, 2), ("grey", 0.8, 1), ("k", 3.5, 3)
    assert display.groups_ == [("a", "b$")]
    assert lines == [
        ([(1, 0), (4, 0)], thin),
        *(([(rank, 0), (rank, 0.25)], thin) for rank in (1, 2, 3, 4)),
        ([(1, 1.9), (2, 1.9)], ruler),
        ([(1, 1.75), (1, 2.05)], ruler),
        ([(2, 1.75), (2, 2.05)], ruler),
        # Names begin half a line below the only bar's .45, a margin of .6 below the axis; they
        # stand 3 % of the axis aside, and their words as much again.
        ([(1.25, 0), (1.25, -1.55), (0.91, -1.55)], lead),
        ([(2.0, 0), (2.0, -2.55), (0.91, -2.55)], lead),
        ([(3.5, 0), (3.5, -1.55), (4.09, -1.55)], lead),
        ([(1.25, -0.6), (2.0, -0.6)], bar),
    ]
    assert lines[-1][1] == bar
    assert display.ax_.lines[-1].get_solid_capstyle() == "projecting"
    assert texts == [
        *((rank, 0.35, str(rank), "center", "bottom") for rank in (1, 2, 3, 4)),
        (1, 2.15, "critical difference 1.00 (α = 0.05)", "left", "bottom"),
        (0.82, -1.55, "a (1.25)", "right", "center"),
        (0.82, -2.55, r"b\$ (2.00)", "right", "center"),
        (4.18, -1.55, "(3.50) c", "left", "center"),
    ]
    assert display.labels_ == list(display.ax_.texts[-3:])
    assert not display.ax_.axison
    # Two names on the left, two lines below the bars' 1.05.
    assert display.ax_.get_ylim() == pytest.approx((-3.35, 3.2))
    assert display.figure_.get_size_inches() == pytest.approx([8, 0.27 * 6.55])
    assert display.figure_.get_layout_engine() is not None


def test_the_ruler_of_a_difference_without_a_level():
    display = CriticalDifferenceDisplay({"a": 1.0, "b": 1.0}, 0.25).plot()
    assert display.ax_.texts[2].get_text() == "critical difference 0.25"
    # Where all ranks are 1 the axis is of length 1 nevertheless.
    assert [text.get_text() for text in display.ax_.texts[:2]] == ["1", "2"]


@pytest.mark.parametrize(
    ("last", "numbers"), [(10, list(range(1, 11))), (10.5, [1, 3, 5, 7, 9, 11])]
)
def test_of_many_ranks_every_second_has_its_number(last, numbers):
    display = CriticalDifferenceDisplay({"a": 1.0, "b": last}, 0.5).plot()
    *shown, _ = [text.get_text() for text in display.ax_.texts if text.get_va() == "bottom"]
    assert shown == [str(number) for number in numbers]


def test_a_long_name_makes_the_figure_wider():
    display = CriticalDifferenceDisplay({"a": 1.0, "b" * 43: 2.0}, 0.5).plot()
    assert display.figure_.get_size_inches()[0] == pytest.approx(3 + 0.2 * 50)


def test_names_on_either_side_have_the_share_of_the_width_that_they_need():
    _, ax = plt.subplots(figsize=(10, 3))
    display = CriticalDifferenceDisplay({"a": 1.0, "b": 2.0, "c": 5.0}, 0.5).plot(ax)
    size = plt.rcParams["font.size"]
    assert {label.get_fontsize() for label in display.labels_} == {size}
    whole = ax.get_window_extent().width
    share = (max(label.get_window_extent().width for label in display.labels_) + 10) / whole
    low, high = ax.get_xlim()
    # A tenth of the axis more, for what is drawn beside it.
    assert 1 - low == pytest.approx(high - 5)
    assert (1 - low - 0.4) / (high - low - 0.8) == pytest.approx(share)

    # A ruler that is longer than the axis and the names beside it has room too.
    display = CriticalDifferenceDisplay({"a": 1.0, "b": 2.0}, 50.0).plot()
    assert display.ax_.get_xlim()[1] == pytest.approx(1 + 51)


def test_names_that_are_too_long_are_made_smaller():
    _, ax = plt.subplots(figsize=(5, 3))
    display = CriticalDifferenceDisplay({"a": 1.0, "b" * 60: 2.0}, 0.5).plot(ax)
    sizes = {label.get_fontsize() for label in display.labels_}
    assert len(sizes) == 1
    whole = ax.get_window_extent().width
    longest = max(label.get_window_extent().width for label in display.labels_)
    # Of 36 % of the width, ten pixels are a gap that grows smaller with the words.
    assert 0.3 < longest / whole < 0.36
    low, high = ax.get_xlim()
    assert 1 - low == pytest.approx(0.36 / 0.28 + 0.1)
    assert high - 2 == pytest.approx(1 - low)


def test_which_ranks_are_joined():
    ranks = np.array([1.0, 1.5, 2.0, 2.5, 4.0])
    # What lies apart by the very difference differs.
    assert _join(ranks, 1.0) == [(0, 1), (1, 2), (2, 3)]
    assert _join(ranks, 1.01) == [(0, 2), (1, 3)]
    assert _join(ranks, 10.0) == [(0, 4)]
    assert _join(np.array([1.0, 1.0, 3.0]), 0.5) == [(0, 1)]
    assert _join(np.array([1.0, 2.0]), 0.5) == []
    # 1.1 + 2.2 is a little more than 3.3.
    assert _join(np.array([1.1, 3.3]), 2.2) == []


def test_bars_share_a_level_where_they_do_not_touch():
    ranks = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert _stack(ranks, [(0, 1), (2, 3), (4, 5)]) == [0, 0, 0]
    # A bar may begin where another ended but for 2 % of the axis.
    assert _stack(ranks, [(0, 2), (1, 3), (2, 4), (4, 5)]) == [0, 1, 2, 0]
    assert _stack(np.array([1.0, 2.0, 2.1, 6.0]), [(0, 1), (2, 3)]) == [0, 1]
    assert _stack(np.array([1.0, 2.0, 2.2, 6.0]), [(0, 1), (2, 3)]) == [0, 0]


def test_overlapping_bars_lie_one_below_the_other():
    ranks = {"a": 1.0, "b": 1.5, "c": 2.0, "d": 2.5}
    display = CriticalDifferenceDisplay(ranks, 0.6).plot()
    bars = [line.get_ydata() for line in display.ax_.lines if line.get_linewidth() == 3.5]
    np.testing.assert_allclose(bars, [[-0.6] * 2, [-1.05] * 2, [-0.6] * 2])
    # Two levels of .45 and two names on a side.
    assert display.ax_.get_ylim()[0] == pytest.approx(-(0.6 + 0.9 + 2) - 0.3)
