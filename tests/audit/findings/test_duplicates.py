import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardy.audit.findings._copies import Pairs, chain, join, mixed_sets, near_pairs
from hardy.audit.findings.duplicates import find_contradictions


def kinds(findings):
    return {finding.kind: finding for finding in findings}


def with_copies(X, y, shift=0.0):
    """Rows 0, 1 and 2 again at the end: the first two with the other label."""
    twins = X.iloc[:3] + shift
    other = np.where(y[:3] == "raw", "ripe", "raw")
    other[2] = y[2]
    return pd.concat([X, twins], ignore_index=True), np.concatenate([y, other])


def test_equal_rows_with_different_labels_are_found_set_by_set(make_evidence, normal_rows):
    X, y = with_copies(*normal_rows)
    found = kinds(find_contradictions(make_evidence(X, y)))
    assert list(found) == ["contradicting_duplicates"]
    finding = found["contradicting_duplicates"]
    assert finding.rows.tolist() == [0, 300, 1, 301]
    assert finding.notes == ("set 1", "set 1", "set 2", "set 2")
    assert finding.sentence.startswith("4 rows in 2 sets are equal in every column")
    assert finding.details == {"sets": 2}


def test_nearly_equal_rows_with_different_labels_are_found(make_evidence, normal_rows):
    X, y = with_copies(*normal_rows, shift=1e-4)
    found = kinds(find_contradictions(make_evidence(X, y)))
    assert list(found) == ["contradicting_near_duplicates"]
    assert found["contradicting_near_duplicates"].rows.tolist() == [0, 300, 1, 301]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_columns", [1, 2, 5, 20])
def test_nothing_is_found_in_rows_drawn_at_random(make_evidence, seed, n_columns):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((400, n_columns))
    assert not list(find_contradictions(make_evidence(X, rng.integers(2, size=400))))


@pytest.mark.parametrize("draw", ["normal", "exponential", "uniform", "lognormal"])
def test_near_rows_by_chance_are_as_rare_as_the_level_says(make_evidence, draw):
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = getattr(rng, draw)(size=(200, 1 + seed % 8)) @ rng.normal(size=(1 + seed % 8, 8))
        found += len(near_pairs(make_evidence(X, np.arange(200) % 2)).left)
    assert found <= 2


LONG_TAILED = {
    "amounts": lambda rng, size: rng.lognormal(0, 3, size),
    "one of them": lambda rng, size: np.column_stack(
        [10.0 ** -rng.uniform(0, 300, size[0]), rng.normal(size=(size[0], size[1] - 1))]
    ),
    "counts": lambda rng, size: rng.poisson(1, size).astype(float),
}


@pytest.mark.parametrize("draw", LONG_TAILED)
@pytest.mark.parametrize("n_columns", [4, 16])
def test_rows_in_the_corner_of_long_tails_are_not_near_each_other(make_evidence, draw, n_columns):
    found = 0
    for seed in range(10):
        X = LONG_TAILED[draw](np.random.default_rng(seed), (300, n_columns))
        found += len(near_pairs(make_evidence(X, np.arange(300) % 2)).left)
    assert found <= 1


def test_copies_in_long_tails_are_found_all_the_same(make_evidence):
    rng = np.random.default_rng(0)
    X = rng.lognormal(0, 3, size=(300, 6))
    X = np.vstack([X, X[:5] * (1 + 1e-3 * rng.normal(size=(5, 6)))])
    pairs = near_pairs(make_evidence(X, np.arange(305) % 2))
    assert pairs.left.tolist() == [0, 1, 2, 3, 4]
    assert pairs.right.tolist() == [300, 301, 302, 303, 304]


def test_values_that_coincide_are_no_copies(make_evidence):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(4, size=(300, 3)), columns=list("abc"))
    assert X.duplicated().sum() > 200
    assert not list(find_contradictions(make_evidence(X, rng.integers(2, size=300))))


def test_a_column_that_identifies_rows_does_not_hide_twins(make_evidence, normal_rows):
    X, y = with_copies(*normal_rows)
    X["row_id"] = np.arange(len(X)) + 1000
    (finding,) = find_contradictions(make_evidence(X, y))
    assert len(finding.rows) == 4


def test_text_that_differs_in_case_blanks_and_marks_is_the_same(make_evidence):
    rng = np.random.default_rng(0)
    words = [" ".join(rng.choice(list("abcdefghijkl"), 12)) for _ in range(60)]
    words[7] = "  " + words[3].upper() + "!"
    y = np.array(["x", "y"] * 30)
    y[3], y[7] = "x", "y"
    found = kinds(find_contradictions(make_evidence(pd.DataFrame({"words": words}), y)))
    assert found["contradicting_near_duplicates"].rows.tolist() == [3, 7]


def make_texts_with_copies(copied):
    """Texts beside two numbers; rows 1, 3, … 19 have the words of those before in another order."""
    rng = np.random.default_rng(0)
    words = [list(rng.choice(300, 12, replace=False)) for _ in range(200)]
    numbers = rng.normal(size=(200, 2))
    for row in range(0, 20, 2):
        words[row + 1] = list(rng.permutation(words[row]))
        if copied:
            numbers[row + 1] = numbers[row] + 0.001
    texts = [" ".join(f"w{word}" for word in text) for text in words]
    X = pd.DataFrame({"text": texts, "length": numbers[:, 0], "width": numbers[:, 1]})
    return X, np.where(np.arange(200) % 2, "raw", "ripe")


def test_the_same_words_beside_other_numbers_are_no_copy(make_evidence):
    X, y = make_texts_with_copies(copied=False)
    assert not kinds(find_contradictions(make_evidence(X, y)))
    X, y = make_texts_with_copies(copied=True)
    (finding,) = find_contradictions(make_evidence(X, y))
    assert finding.kind == "contradicting_near_duplicates"
    assert len(finding.rows) >= 16


@pytest.mark.parametrize("seed", range(4))
def test_codes_that_are_taken_for_text_make_no_rows_almost_equal(make_evidence, seed):
    rng = np.random.default_rng(seed)
    words = ["meow", "purr", "whisker", "claw", "kitten", "the", "a", "pet", "house", "run"]
    X = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
    X["note"] = [" ".join(rng.choice(words, 8)) for _ in range(120)]
    X["code"] = rng.integers(0, 9, 120).astype(str)
    y = rng.choice(["raw", "ripe"], 120)
    assert not list(find_contradictions(make_evidence(X, y, text=["code"])))


def test_text_that_repeats_all_the_time_is_no_copy(make_evidence):
    X = pd.DataFrame({"code": [str(row * 7 % 13) for row in range(60)]})
    evidence = make_evidence(X, ["x", "y"] * 30)
    (column,) = evidence.columns
    as_text = dataclasses.replace(evidence)
    vars(as_text)["columns"] = [dataclasses.replace(column, kind="text")]
    assert not list(find_contradictions(as_text))


def test_equal_documents_of_a_sparse_matrix_are_found_but_empty_ones_are_not(make_evidence):
    rng = np.random.default_rng(0)
    X = rng.random((80, 50)) * (rng.random((80, 50)) < 0.3)
    X[5] = X[6]
    X[[10, 11, 12]] = 0
    (finding,) = find_contradictions(make_evidence(sparse.csr_array(X), ["x", "y"] * 40))
    assert finding.rows.tolist() == [5, 6]


def test_zero_is_zero_whatever_its_sign(make_evidence, normal_rows):
    X, y = normal_rows
    X.iloc[0, 0], y[0] = 0.0, "raw"
    X.loc[300], y = X.loc[0], np.append(y, "ripe")
    X.iloc[300, 0] = -0.0
    (finding,) = find_contradictions(make_evidence(X, y))
    assert finding.rows.tolist() == [0, 300]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_row_far_from_the_others_causes_no_warning(make_evidence):
    X = np.zeros((17, 4))
    X[8, :3] = 5
    X[:8, 3] = X[9:, 3] = [-1, -1, -3, 3, -1, 1, -2, 2]
    near_pairs(make_evidence(pd.DataFrame(X / 64), np.arange(17) % 2))


def test_rows_without_a_label_contradict_nothing(make_evidence, normal_rows):
    X, y = with_copies(*normal_rows)
    y = y.astype(object)
    y[300:] = None
    assert not list(find_contradictions(make_evidence(X, y)))


def test_without_features_there_is_nothing_to_find(make_evidence):
    assert not list(find_contradictions(make_evidence(None, ["a", "b"] * 5)))


SETS = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 2)), min_size=1, max_size=30)


@given(SETS)
@settings(deadline=None)
def test_mixed_sets_are_those_with_two_values(pairs):
    sets, values = np.array(pairs, dtype=np.intp).T
    members = {}
    for row, (group, value) in enumerate(pairs):
        if group >= 0 and value >= 0:
            members.setdefault(group, []).append(row)
    expected = [
        row for rows in members.values() if len({values[row] for row in rows}) > 1 for row in rows
    ]
    assert mixed_sets(sets, values).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
@settings(deadline=None)
def test_joined_rows_are_those_that_a_walk_reaches(pairs):
    left, right = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    sets = join(10, Pairs(left, right))
    near = {row: {row} for row in range(10)}
    for _ in range(10):
        for a, b in pairs:
            near[a] = near[b] = near[a] | near[b]
    for row in range(10):
        reached = {other for other in range(10) if sets[other] == sets[row] >= 0}
        assert reached == (near[row] if len(near[row]) > 1 else set())
    again = join(10, chain(sets))
    assert ((again >= 0) == (sets >= 0)).all()


def test_rows_with_nothing_in_them_contradict_nobody(make_evidence, normal_rows):
    X, y = normal_rows
    X = X.copy()
    X.iloc[::10] = np.nan
    assert not list(find_contradictions(make_evidence(X, y)))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_missing_makes_no_rows_almost_equal(make_evidence, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(500, 6)), columns=list("abcdef"))
    evidence = make_evidence(X.mask(rng.random(X.shape) < 0.4), rng.integers(2, size=500))
    assert not list(find_contradictions(evidence))


def test_missing_texts_make_no_rows_almost_equal(make_evidence):
    rng = np.random.default_rng(0)
    words = ["alpha", "beta", "gamma", "delta", "omega", "river", "stone", "cloud", "tree", "light"]
    notes = [" ".join(rng.choice(words, 8)) for _ in range(400)]
    X = pd.DataFrame({"num": rng.normal(size=400), "note": notes})
    X.loc[::10, "note"] = ""
    empty = set(range(0, 400, 10))
    found = find_contradictions(make_evidence(X, rng.integers(2, size=400)))
    assert not empty & {row for finding in found for row in finding.rows.tolist()}
