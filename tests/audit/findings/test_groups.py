import numpy as np
import pandas as pd
import pytest
from scipy.stats import contingency, fisher_exact

from hardy.audit.findings.groups import find_uneven_groups


def test_a_careless_annotator_is_found_with_the_suspects(make_evidence):
    rng = np.random.default_rng(0)
    groups = rng.choice(["ann", "bob", "eve"], 900)
    y = rng.choice(["x", "y"], 900)
    is_suspect = rng.random(900) < np.where(groups == "eve", 0.2, 0.05)
    evidence = make_evidence(None, y, groups=groups, is_suspect=is_suspect)
    (finding,) = find_uneven_groups(evidence)
    assert finding.details["group"] == "eve"
    assert finding.rows.tolist() == np.flatnonzero((groups == "eve") & is_suspect).tolist()
    low, high = finding.details["interval"]
    assert low < finding.details["error_rate"] < high
    others = is_suspect[groups != "eve"].mean()
    assert finding.details["error_rate_of_others"] == pytest.approx(others, abs=1e-4)
    assert others < low


def test_with_one_label_in_question_the_test_is_that_of_a_table_of_four(make_evidence):
    # Every row has the label x but for two, which are no suspects.
    groups = np.repeat(["a", "b"], [60, 140])
    is_suspect = np.r_[np.arange(60) < 24, np.arange(140) < 14]
    y = np.array(["x"] * 200)
    y[[50, 190]] = "y"
    finding = next(
        iter(find_uneven_groups(make_evidence(None, y, groups=groups, is_suspect=is_suspect)))
    )
    table = [[24, 35], [14, 125]]
    assert finding.details["p"] / 2 == pytest.approx(fisher_exact(table).pvalue, rel=1)
    assert contingency.association(np.array(table)) > 0.3


def test_a_hard_label_is_not_the_fault_of_the_group_that_has_more_of_it(make_evidence):
    rng = np.random.default_rng(0)
    groups = rng.choice(["a", "b"], 2000)
    y = np.where(rng.random(2000) < np.where(groups == "a", 0.8, 0.2), "hard", "easy")
    is_suspect = rng.random(2000) < np.where(y == "hard", 0.3, 0.02)
    table = pd.crosstab(groups, is_suspect)
    assert fisher_exact(table).pvalue < 1e-6
    assert not list(
        find_uneven_groups(make_evidence(None, y, groups=groups, is_suspect=is_suspect))
    )


def test_false_alarms_are_rare(make_evidence):
    rng = np.random.default_rng(0)
    n_found = 0
    for _ in range(200):
        evidence = make_evidence(
            None,
            rng.choice(["x", "y"], 400),
            groups=rng.integers(8, size=400),
            is_suspect=rng.random(400) < 0.1,
        )
        n_found += bool(list(find_uneven_groups(evidence)))
    assert n_found <= 4


def test_counts_of_a_million_rows_do_not_overflow(make_evidence):
    rng = np.random.default_rng(0)
    n = 1_000_000
    evidence = make_evidence(
        None,
        rng.integers(2, size=n),
        groups=rng.integers(20, size=n),
        is_suspect=rng.random(n) < 0.1,
    )
    assert not list(find_uneven_groups(evidence))


def test_without_groups_there_is_nothing_to_find(make_evidence):
    assert not list(find_uneven_groups(make_evidence(None, ["a", "b"] * 5)))
