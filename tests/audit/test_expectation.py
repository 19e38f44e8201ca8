"""Expected precision, by hand and by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hardy
from hardy.audit.error_probability import SPREAD
from hardy.audit.expectation import expect_errors, expect_precision, rows_to_find
from hardy.audit.summary import expect_of_suspects, summarise_precision
from hardy.exceptions import InputError, NotAssessableWarning

shares = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def test_expected_is_the_mean_doubt_of_the_first_rows():
    table = expect_precision(*[np.array([0.1, 0.9, 0.7, 0.3])] * 2)
    assert table.index.tolist() == [1, 2, 4]
    np.testing.assert_allclose(table["expected"], [0.9, 0.8, 0.5])


@given(shares)
def test_intervals_hold_the_expectation_and_are_shares(doubt):
    table = expect_precision(np.array(doubt) ** 2, np.array(doubt))
    assert (table["low"] >= 0).all()
    assert (table["high"] <= 1).all()
    assert ((table["low"] <= table["expected"]) & (table["expected"] <= table["high"])).all()
    assert (np.diff(table["expected"]) <= 1e-12).all()
    careful = np.cumsum(np.sort(doubt)[::-1] ** 2)[table.index - 1] / table.index
    assert (table["low"] <= careful + 1e-8).all()


def test_more_rows_make_the_interval_narrower():
    table = expect_precision(*[np.full(1000, 0.5)] * 2)
    # Up to the whole rows that the ends are rounded to.
    width = (table["high"] - table["low"]).to_numpy()
    assert (np.diff(width) < 2 / table.index[1:].to_numpy()).all()
    assert width[-1] < width[3]
    assert (table["low"] * table.index % 1).to_numpy() == pytest.approx(0, abs=1e-9)


def test_intervals_hold_four_times_in_five_where_tables_differ_as_they_were_seen_to():
    rng = np.random.RandomState(0)
    table = expect_precision(*[np.full(100, 0.6)] * 2).loc[100]
    shift = rng.normal(0, SPREAD, 4000)
    true = rng.binomial(100, 1 / (1 + np.exp(-(np.log(1.5) + shift)))) / 100
    held = ((table["low"] <= true) & (true <= table["high"])).mean()
    assert held == pytest.approx(0.8, abs=0.04)


def test_rows_to_find_counts_expected_errors():
    doubt = np.array([0.2, 0.9, 0.2, 0.7])
    assert rows_to_find(doubt, 2.0, share=0.8) == 2
    assert rows_to_find(doubt, 2.0, share=0.81) == 3
    assert rows_to_find(doubt, 2.0, share=1.0) == 4
    assert rows_to_find(doubt, 3.0, share=1.0) is None
    assert rows_to_find(doubt, 0.0) is None
    assert rows_to_find(np.zeros(0), 1.0) is None


def test_an_audit_tells_what_to_expect():
    labels = np.repeat(["a", "b"], 60)
    labels[[0, 1, 70]] = ["b", "b", "a"]
    rows = np.random.RandomState(0).normal(size=(120, 2)) + 8 * (np.arange(120) >= 60)[:, None]
    audit = hardy.audit_labels(rows, labels, random_state=0)
    assert audit.expected_precision.loc[1, "expected"] == audit.doubt.max()
    assert audit.expected_precision.iloc[-1]["expected"] == pytest.approx(audit.doubt.mean())
    assert {"rows", "expected", "low", "high", "careful"} == set(summarise_precision(audit)[0])
    sentence = expect_of_suspects(audit)
    assert f"Of the {len(audit.suspects)} most doubtful" in sentence
    assert f"look at {audit.rows_to_find()} rows" in sentence
    with pytest.raises(InputError, match="share=0"):
        audit.rows_to_find(0)
    only = audit.doubt == audit.doubt.max()
    assert only.sum() == 1
    sentence = expect_of_suspects(replace(audit, is_suspect=only))
    told = f"The most doubtful label is wrong with a probability of about {audit.doubt.max():.2f} ("
    assert sentence.startswith(told)


def test_nothing_judged_nothing_expected():
    with pytest.warns(NotAssessableWarning):
        audit = hardy.audit_labels(np.eye(3), ["a", "b", "c"])
    assert audit.expected_precision.empty
    assert audit.rows_to_find() is None
    assert expect_of_suspects(audit) == ""
    assert summarise_precision(audit) == []


def test_what_was_found_moves_the_expectation_by_hand():
    # 10 of 20 where 16 were expected: a share of 10.8 / 21 = 0.5143, log-odds 0.0572 against
    # 1.3863, with a variance of 1 / (20 · 0.2498) = 0.2002 against 1.2² = 1.44, which makes the
    # shift (0.0572 − 1.3863) · 1.44 / 1.6402 = −1.1669.
    left = expect_errors(np.full(20, 0.8), np.full(20, 0.8), 10)
    assert left.expected == pytest.approx(20 / (1 + np.exp(-(1.3863 - 1.1669))), abs=0.01)


@given(shares, shares, st.integers(0, 60))
def test_errors_lie_in_their_interval_and_among_the_rows(doubt, checked, n_wrong):
    left = expect_errors(np.array(doubt), np.array(checked), min(n_wrong, len(checked)))
    assert 0 <= left.low <= left.expected <= left.high <= len(doubt)


@pytest.mark.parametrize("n_checked", [0, 10, 100])
def test_errors_are_held_four_times_in_five_the_closer_the_more_rows_were_checked(n_checked):
    rng = np.random.RandomState(n_checked)
    share = 1 / (1 + np.exp(-(np.log(1.5) + rng.normal(0, SPREAD, 2000))))
    found, wrong = rng.binomial(n_checked, share), rng.binomial(60, share)
    checked = np.full(n_checked, 0.6)
    left = [expect_errors(np.full(60, 0.6), checked, n) for n in found]
    held = np.mean([e.low <= n <= e.high for e, n in zip(left, wrong, strict=True)])
    assert held == pytest.approx(0.8, abs=0.07)
    if n_checked:
        known = expect_errors(np.full(60, 0.6), np.array([]), 0)
        assert np.mean([e.high - e.low for e in left]) < known.high - known.low


def test_where_classes_overlap_both_readings_are_told():
    rng = np.random.RandomState(0)
    labels = rng.randint(2, size=300)
    audit = hardy.audit_labels(
        rng.normal(size=(300, 3)) + labels[:, None] * 0.7, labels, random_state=0
    )
    least = np.minimum(audit.error_probability, audit.doubt)
    careful = np.sort(least)[::-1][: len(audit.suspects)].mean()
    assert f"it is nearer {100 * careful:.0f} %" in expect_of_suspects(audit)
