import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hardy.annotators import find_consensus
from hardy.exceptions import InputError, NotAssessableWarning


def draw(rng, n=400, accuracy=(0.95, 0.9, 0.6), share=0.8):
    """True labels, and what annotators of such an accuracy say of a share of the rows."""
    true = rng.integers(3, size=n)
    said = np.empty((n, len(accuracy)), dtype=object)
    for at, p in enumerate(accuracy):
        wrong = (true + rng.integers(1, 3, size=n)) % 3
        said[:, at] = np.where(rng.random(n) < p, true, wrong)
        said[rng.random(n) >= share, at] = None
    return true, pd.DataFrame(said, columns=[f"a{at}" for at in range(len(accuracy))])


def test_quality_is_estimated_with_an_interval():
    true, said = draw(np.random.default_rng(0))
    consensus = find_consensus(said)
    table = consensus.annotators
    for name in said:
        given = said[name].notna()
        actual = (said[name][given] == true[given]).mean()
        assert table.loc[name, "low"] < actual < table.loc[name, "high"]
        assert table.loc[name, "n_rows"] == given.sum()
        shared = given & (said.notna().sum(axis=1) > 1)
        assert table.loc[name, "n_shared"] == shared.sum()
    labelled = consensus.n_labels > 0
    labels = pd.Series(consensus.labels)
    assert (labels[labelled] == true[labelled]).mean() > 0.9
    assert labels[~labelled].isna().all()


def test_the_interval_covers_the_accuracy_about_as_often_as_it_says():
    covered = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        accuracy = rng.uniform(0.6, 0.97, 5)
        _, said = draw(rng, n=200, accuracy=accuracy)
        table = find_consensus(said).annotators
        covered += list((table["low"] <= accuracy) & (accuracy <= table["high"]))
    assert np.mean(covered) > 0.88


@pytest.mark.parametrize(("n_rows", "least"), [(120, 0.96), (1000, 0.99)])
def test_who_is_always_right_has_a_narrow_interval(n_rows, least):
    """Wilson's interval begins at .969 for 120 of 120, and at .996 for 1,000 of 1,000."""
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=n_rows)
    slips = np.where(rng.random(n_rows) < 0.03, 1 - true, true)
    table = find_consensus(pd.DataFrame({"ann": true, "bob": true, "eve": slips})).annotators
    assert (table.loc[["ann", "bob"], "low"] > least).all()
    assert (table.loc[["ann", "bob"], "high"] == 1).all()


def test_agreement_by_hand():
    consensus = find_consensus(
        {"ann": ["x", "x", "y", None], "bob": ["x", "y", "y", "y"], "eve": ["y", None, "y", None]}
    )
    # ann: (1/2 + 0 + 1) / 3; bob: (1/2 + 0 + 1) / 3; eve: (0 + 1) / 2.
    assert consensus.annotators["agreement"].tolist() == [0.5, 0.5, 0.5]
    assert consensus.is_disputed.tolist() == [True, True, False, False]
    assert consensus.n_labels.tolist() == [3, 2, 3, 1]


def test_majority_is_the_baseline():
    said = {"a": [1, 1, 2], "b": [1, 2, 2], "c": [2, 1, 2]}
    consensus = find_consensus(said, method="majority")
    np.testing.assert_allclose(consensus.proba, [[2 / 3, 1 / 3], [2 / 3, 1 / 3], [0, 1]], atol=1e-9)
    assert consensus.labels.tolist() == [1, 1, 2]
    assert consensus.ask_again.tolist() == [0, 1]


def test_rows_to_ask_again_come_the_least_sure_first():
    rng = np.random.default_rng(1)
    true, said = draw(rng, accuracy=(0.8, 0.75, 0.7))
    consensus = find_consensus(said)
    rows = consensus.ask_again
    sure = consensus.proba.max(axis=1)
    assert rows.size
    assert (np.diff(sure[rows]) >= 0).all()
    assert (sure[rows] < 0.95).all()
    others = np.setdiff1d(np.flatnonzero(consensus.n_labels > 0), rows)
    labels = consensus.proba.argmax(axis=1)
    first = rows[: len(rows) // 4]
    assert (labels[first] != true[first]).mean() > 2 * (labels[others] != true[others]).mean()
    frame = consensus.to_frame()
    assert frame["ask_again"].dropna().sort_values().index.tolist() == rows.tolist()


@pytest.mark.parametrize("dtype", ["int", "str", "bool", "category", "Int64", "string"])
def test_labels_of_any_kind_give_the_same(dtype):
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=60)
    said = pd.DataFrame(
        {name: np.where(rng.random(60) < 0.8, true, 1 - true) for name in ("a", "b", "c")}
    )
    reference = find_consensus(said)
    consensus = find_consensus(said.astype(dtype))
    np.testing.assert_array_equal(consensus.proba, reference.proba)
    kinds = {type(label) for label in consensus.classes.tolist()}
    assert kinds == {{"bool": bool, "str": str, "string": str}.get(dtype, int)}


def test_numbers_beside_holes_stay_whole():
    consensus = find_consensus(pd.DataFrame({"a": [1, 2, None], "b": [1.0, None, 2.0]}))
    assert consensus.classes.tolist() == [1, 2]
    assert all(isinstance(label, int) for label in consensus.classes.tolist())


def test_polars_arrays_and_mappings_are_taken():
    said = {"a": ["x", "y", "x"], "b": ["x", "y", "y"]}
    expected = find_consensus(pd.DataFrame(said)).proba
    for form in (said, pl.DataFrame(said), np.array(list(said.values())).T):
        np.testing.assert_array_equal(find_consensus(form).proba, expected)


def test_annotators_who_share_no_row_cannot_be_compared():
    with pytest.warns(NotAssessableWarning, match="No row was labelled by two annotators"):
        consensus = find_consensus({"a": ["x", None, "y"], "b": [None, "y", None]})
    assert consensus.labels.tolist() == ["x", "y", "y"]
    assert consensus.annotators["accuracy"].isna().all()
    assert np.isnan(consensus.alpha)
    assert not consensus.ask_again.size


def test_one_who_shares_no_row_is_named():
    said = {"a": ["x", "y", None], "b": ["x", "y", None], "eve": [None, None, "x"]}
    with pytest.warns(NotAssessableWarning, match="^eve labelled no row that another annotator"):
        consensus = find_consensus(said)
    assert consensus.annotators["accuracy"].isna().tolist() == [False, False, True]


def test_a_class_of_one_annotator_only_is_no_obstacle():
    said = {"a": ["x", "y", "z"] * 10, "b": ["x", "y", "y"] * 10, "c": ["x", "y", "x"] * 10}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        consensus = find_consensus(said)
    assert consensus.classes.tolist() == ["x", "y", "z"]
    assert np.isfinite(consensus.proba).all()
    says_z = {name: table.loc["z", "z"] for name, table in consensus.confusion.items()}
    assert says_z["a"] > max(says_z["b"], says_z["c"])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"a": ["x"]}, "1 annotator can't be compared"),
        ({"a": [None], "b": [None]}, "No annotator gave a label"),
        ({"a": ["x"], "b": ["x", "y"]}, "differ in length"),
        ({"a": ["x", ["y"]], "b": ["x", "y"]}, "labels of the annotator 'a' can't be used"),
        ({"a": [1, 2], "b": ["x", "y"]}, "mix types"),
        (["x", "y"], "have the shape"),
        (pd.DataFrame([["x", "y"]], columns=["a", "a"]), "the same name"),
    ],
)
def test_what_cannot_be_used_is_named(labels, words):
    with pytest.raises(InputError, match=words):
        find_consensus(labels)


def test_an_unknown_method_is_refused():
    with pytest.raises(InputError, match="choose one of dawid_skene, majority"):
        find_consensus({"a": [1], "b": [1]}, method="mean")


def make_votes(n, share, accuracies, seed):
    rng = np.random.default_rng(seed)
    true = (rng.random(n) > share).astype(int)
    return true, {f"a{at}": np.where(rng.random(n) < right, true, 1 - true)
                  for at, right in enumerate(accuracies)}  # fmt: skip


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("accuracies", [(0.8, 0.8), (0.6,) * 4, (0.7,) * 3, (0.9, 0.8, 0.7, 0.6)])
def test_it_is_not_clearly_worse_than_the_majority(share, accuracies):
    model, majority = [], []
    for seed in range(20):
        true, votes = make_votes(100, share, accuracies, seed)
        model.append((find_consensus(votes).labels == true).mean())
        ones = np.mean(list(votes.values()), axis=0)
        # A tie is right half the time.
        majority.append(np.where(ones == 0.5, 0.5, (ones > 0.5) == true).mean())
    assert np.mean(model) > np.mean(majority) - 0.02


def test_a_label_that_all_gave_and_the_consensus_is_not_is_asked_again():
    rng = np.random.default_rng(0)
    true = rng.random(2000) > 0.98
    said = pd.DataFrame(
        {
            f"a{at}": pd.Series(np.where(rng.random(2000) < right, true, ~true), dtype=object)
            for at, right in enumerate((0.95, 0.95, 0.95, 0.6, 0.6, 0.6))
        }
    ).mask(rng.random((2000, 6)) < 0.5)
    consensus = find_consensus(said)
    is_other = said.ne(consensus.labels, axis=0) | said.isna()
    rows = np.flatnonzero(is_other.all(axis=1) & (consensus.n_labels > 1))
    assert rows.size
    assert consensus.is_disputed[rows].all()
    assert np.isin(rows, consensus.ask_again).all()


@pytest.mark.parametrize("share", [0.5, 0.95])
def test_what_two_annotators_agree_on_stays(share):
    for seed in range(20):
        _, votes = make_votes(100, share, (0.8, 0.8), seed)
        same = votes["a0"] == votes["a1"]
        assert (find_consensus(votes).labels[same] == votes["a0"][same]).all()


def test_of_two_labels_in_dispute_the_more_frequent_one_is_taken():
    consensus = find_consensus({"a": list("zzzza"), "b": list("zzzzz")})
    assert list(consensus.labels) == list("zzzzz")
    assert consensus.ask_again.tolist() == [4]


def test_what_two_annotators_dispute_is_never_settled():
    consensus = find_consensus({"a": list("xyxy") * 10, "b": list("xyzy") * 10})
    assert consensus.ask_again.tolist() == list(range(2, 40, 4))


def test_lines_of_labels_are_told_from_columns():
    lines = pd.DataFrame({"row": [0, 0, 1], "annotator": list("aba"), "label": list("xyx")})
    with pytest.raises(InputError, match="widen_labels"):
        find_consensus(lines)
