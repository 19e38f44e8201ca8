"""Several annotators in an audit: of data in memory, of a file, and opened again."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import hardy
from hardy.annotators import find_consensus
from hardy.audit import audit_file, load_audit
from hardy.audit.summary import spellings_of_annotators
from hardy.exceptions import InputError

FAST = {"estimator": GaussianNB(), "use_panel": False, "random_state": 0}


@pytest.fixture(scope="module")
def table():
    """Two kinds of leaves by three annotators, one of them careless."""
    rng = np.random.default_rng(0)
    n = 300
    true = rng.integers(2, size=n)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    frame["a"] += 4 * true
    for name, accuracy in (("ann", 0.96), ("bob", 0.94), ("eve", 0.6), ("dan", 0.93)):
        said = np.where(rng.random(n) < accuracy, true, 1 - true)
        frame[name] = np.where(said == 1, "leaf", "bud")
    frame.loc[::5, "eve"] = None
    frame["truth"] = np.where(true == 1, "leaf", "bud")
    return frame


ANNOTATORS = ["ann", "bob", "eve", "dan"]


def test_without_labels_the_consensus_is_audited(table):
    audit = hardy.audit_labels(table[list("abc")], annotators=table[ANNOTATORS], **FAST)
    assert (audit.given_labels == table["truth"]).mean() > 0.97
    kinds = [finding.kind for finding in audit.findings]
    assert kinds[:2] == ["ask_again", "annotator_accuracy"]
    again, careless = audit.findings[:2]
    assert again.rows.tolist() == audit.consensus.ask_again.tolist()
    assert again.notes[0].startswith(("`leaf` ", "`bud` "))
    assert careless.details["annotator"] == "eve"
    low, high = careless.details["interval"]
    assert low < 0.6 < high
    differs = table["eve"].notna() & (table["eve"] != audit.given_labels)
    assert careless.rows.tolist() == np.flatnonzero(differs).tolist()


def test_labels_that_annotators_contradict_are_told(table):
    y = table["truth"].to_numpy(copy=True)
    y[7] = "bud" if y[7] == "leaf" else "leaf"
    consensus = find_consensus(table[ANNOTATORS])
    audit = hardy.audit_labels(table[list("abc")], y, annotators=table[ANNOTATORS], **FAST)
    finding = audit.findings[0]
    assert finding.kind == "against_consensus"
    sure = consensus.proba.max(axis=1) >= 0.95
    expected = np.flatnonzero(sure & (consensus.labels != y))
    assert 7 in expected
    assert finding.rows.tolist() == expected.tolist()


def test_labels_are_compared_as_text(table):
    words = table[ANNOTATORS].replace({"leaf": "1", "bud": "0"})
    y = (table["truth"] == "leaf").astype(int)
    audit = hardy.audit_labels(table[list("abc")], y, annotators=words, **FAST)
    found = [f for f in audit.findings if f.kind == "against_consensus"]
    assert sum(len(f.rows) for f in found) < 10


def test_who_only_writes_labels_in_another_way_is_not_plainly_called_wrong(table, tmp_path):
    said = table[ANNOTATORS].assign(bob=table["bob"].str.capitalize())
    audit = hardy.audit_labels(table[list("abc")], annotators=said, **FAST)
    assert audit.consensus.annotators.loc["bob", "accuracy"] < 0.01
    words = "writes 'Bud' for 'bud', 'Leaf' for 'leaf'"
    assert spellings_of_annotators(audit) == {"bob": words}
    audit.report(tmp_path / "report.html")
    page = html.unescape((tmp_path / "report.html").read_text())
    quality = page[page.index('<section id="annotators"') : page.index('<section id="findings"')]
    lines = re.findall(r'<tr><th scope="row">(\w+)</th>.*<td>(.*)</td></tr>', quality)
    assert lines == [("ann", ""), ("bob", words), ("eve", ""), ("dan", "")]


@pytest.mark.parametrize("target", [None, "truth"])
def test_a_file_with_annotators(table, tmp_path, target):
    table.drop(columns=[] if target else ["truth"]).to_csv(tmp_path / "t.csv", index=False)
    audit = audit_file(tmp_path / "t.csv", target, annotators=ANNOTATORS, output=tmp_path / "out")
    assert audit.source["annotators"] == ANNOTATORS
    assert audit.source["target"] == target or audit.source["target"] == (
        "consensus of ann, bob, eve, dan"
    )
    assert "a" in audit.values.columns
    assert "ann" not in audit.values.columns
    loaded = load_audit(tmp_path / "out").consensus
    np.testing.assert_array_equal(loaded.proba, audit.consensus.proba)
    pd.testing.assert_frame_equal(loaded.annotators, audit.consensus.annotators)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Krippendorff" in page
    assert '<section id="annotators"' in page


def test_whole_numbers_in_a_file_are_numbers(table, tmp_path):
    said = (table[ANNOTATORS] == "leaf").astype("Int64").where(table[ANNOTATORS].notna())
    pd.concat([table[list("abc")], said], axis=1).to_csv(tmp_path / "t.csv", index=False)
    audit = audit_file(tmp_path / "t.csv", annotators=ANNOTATORS, output=tmp_path / "out")
    assert audit.classes.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "There are no labels to audit: give y, or annotators"),
        ({"annotators": {"a": ["x"] * 5, "b": ["y"] * 5}, "y": ["x", "y"] * 150}, "has 5 rows"),
        ({"annotators": {"a": ["x"] * 300}}, "1 annotator can't be compared"),
    ],
)
def test_what_cannot_be_used_is_named(table, options, words):
    with pytest.raises(InputError, match=words):
        hardy.audit_labels(table[list("abc")], **options)


@pytest.mark.parametrize(
    ("annotators", "words"),
    [
        (["ann", "bbo"], "no column 'bbo'; did you mean 'bob'"),
        (["ann"], "1 annotator can't be compared"),
        (["ann", "truth"], "can't be both the target and an annotator's"),
        (["ann", "ann"], "1 annotator can't be compared"),
        ("ann", "must be a list of names"),
    ],
)
def test_columns_that_cannot_be_used_are_named(table, tmp_path, annotators, words):
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError, match=words):
        audit_file(tmp_path / "t.csv", "truth", annotators=annotators, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
