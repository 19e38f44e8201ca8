import numpy as np
import pandas as pd
import pytest

from hardy.audit.findings.giveaway import find_giveaways


@pytest.mark.parametrize("kind", ["number", "word", "flag", "hole"])
def test_a_column_that_follows_the_label_is_found_with_the_rows_that_do_not(
    make_evidence, normal_rows, kind
):
    X, y = normal_rows
    made = {
        "number": np.where(y == "raw", 10.0, 20.0) + X["a"],
        "word": np.where(y == "raw", "R-1", "R-2"),
        "flag": y == "raw",
        "hole": np.where(y == "raw", np.nan, X["a"]),
    }
    X["code"] = made[kind]
    y = y.copy()
    y[7] = "raw" if y[7] == "ripe" else "ripe"
    (finding,) = find_giveaways(make_evidence(X, y))
    assert finding.kind == "giveaway_column"
    assert finding.details["column"] == "code"
    assert finding.rows.tolist() == [7]
    assert finding.notes[0].startswith("`ra" if y[7] == "ripe" else "`ri")


def test_several_classes_follow_from_bands_of_one_number(make_evidence, normal_rows):
    X, _ = normal_rows
    y = np.arange(300) % 6
    X["code"] = y + np.random.default_rng(0).uniform(0, 0.5, 300)
    (finding,) = find_giveaways(make_evidence(X, y))
    assert not finding.rows.size
    assert finding.details["column"] == "code"


def test_words_that_are_all_different_tell_nothing(make_evidence, normal_rows):
    X, y = normal_rows
    X["note"] = [f"word{row} {row}" for row in range(300)]
    assert not list(find_giveaways(make_evidence(X, y)))


def test_a_strong_column_is_no_giveaway(make_evidence, normal_rows):
    X, y = normal_rows
    X["strong"] = np.where(y == "raw", 0.0, 4.0) + X["a"]
    right = max((X["strong"] > cut).eq(y == "ripe").mean() for cut in X["strong"])
    assert 0.95 < right < 0.99
    assert not list(find_giveaways(make_evidence(X, y)))


def test_where_most_columns_tell_the_label_none_is_named(make_evidence):
    y = np.array(["a", "b"] * 50)
    X = pd.DataFrame({name: (y == "a") + np.arange(100) / 1e3 for name in "abc"})
    assert not list(find_giveaways(make_evidence(X, y)))


def test_a_column_of_an_array_is_named_by_its_place(make_evidence, normal_rows):
    X, y = normal_rows
    X = X.assign(code=y == "raw").to_numpy(dtype=float)
    (finding,) = find_giveaways(make_evidence(X, y))
    assert "`x4`" in finding.sentence
