import tracemalloc

import numpy as np
import pandas as pd
import pytest

from hardy.audit.findings.drift import find_drift


def labels(rng, *parts):
    """Draw labels: so many rows with such a share of spam, part by part."""
    return np.concatenate([np.where(rng.random(n) < p, "spam", "ham") for n, p in parts])


def test_a_change_is_found_near_its_place(make_evidence):
    y = labels(np.random.default_rng(0), (600, 0.2), (400, 0.5))
    (finding,) = find_drift(make_evidence(None, y))
    assert finding.kind == "label_drift"
    assert 570 < finding.details["rows_before"] < 630
    assert finding.rows.tolist() == list(range(finding.details["rows_before"], 1000))
    shares = pd.Series(y == finding.details["label"])
    before = finding.details["rows_before"]
    assert finding.details["share_before"] == pytest.approx(shares[:before].mean(), abs=1e-4)
    assert finding.details["share_after"] == pytest.approx(shares[before:].mean(), abs=1e-4)


def test_a_trend_is_found(make_evidence):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < np.linspace(0.1, 0.5, 2000), "spam", "ham")
    assert list(find_drift(make_evidence(None, y)))


def test_false_alarms_are_as_rare_as_the_level_says(make_evidence):
    rng = np.random.default_rng(0)
    found = [
        list(find_drift(make_evidence(None, rng.choice(list("abcde"), 200)))) for _ in range(300)
    ]
    assert sum(map(bool, found)) == 0


@pytest.mark.parametrize("y", [["ham"] * 100 + ["spam"] * 80, list("abc") * 60])
def test_sorted_rows_tell_nothing_of_time(make_evidence, y):
    assert not list(find_drift(make_evidence(None, y)))


def test_rows_sorted_by_a_column_tell_nothing_unless_it_is_the_order(make_evidence):
    rng = np.random.default_rng(0)
    y = labels(rng, (300, 0.1), (300, 0.6))
    X = pd.DataFrame({"age": np.sort(rng.integers(20, 80, 600)), "b": rng.normal(size=600)})
    assert not list(find_drift(make_evidence(X, y)))
    (finding,) = find_drift(make_evidence(X, y, order=pd.factorize(X["age"])[0]))
    assert len(np.unique(X["age"].iloc[finding.rows])) < X["age"].nunique()
    first = finding.rows[0]
    assert X["age"].iloc[first - 1] < X["age"].iloc[first]


@pytest.mark.parametrize("kind", ["holes", "durations", "huge", "switch"])
def test_other_columns_do_not_hide_a_change(make_evidence, kind):
    rng = np.random.default_rng(0)
    y = labels(rng, (300, 0.1), (300, 0.6))
    numbers = rng.normal(size=600)
    made = {
        "holes": np.where(np.arange(600) % 2, numbers, np.nan),
        "durations": pd.to_timedelta(numbers, unit="h"),
        "huge": numbers * 1e307,
        "switch": np.arange(600) > 400,
    }
    X = pd.DataFrame({"a": made[kind], "b": numbers})
    X["a"] = X["a"].astype(float) if kind == "switch" else X["a"]
    assert list(find_drift(make_evidence(X, y)))


def test_an_order_is_followed(make_evidence):
    rng = np.random.default_rng(0)
    y = labels(rng, (300, 0.2), (300, 0.6))
    place = rng.permutation(600)
    assert not list(find_drift(make_evidence(None, y[place])))
    (finding,) = find_drift(make_evidence(None, y[place], order=place))
    assert place[finding.rows].tolist() == list(range(finding.details["rows_before"], 600))


def test_few_numbers_a_row_are_held_at_once(make_evidence):
    n_rows = 200_000
    evidence = make_evidence(None, np.random.default_rng(0).integers(0, 2, n_rows))
    tracemalloc.start()
    list(find_drift(evidence))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60 * n_rows
