from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.annotators import find_consensus
from hardy.audit.findings.annotators import find_disagreement
from hardy.audit.findings.spelling import (
    _is_one_slip,
    find_misspellings,
    spellings_by,
    tell_spellings,
)


def find(make_evidence, counts, other=None):
    labels = np.repeat(list(counts), list(counts.values()))
    if other is not None:
        known = sorted(counts)
        other = np.full(len(labels), known.index(other))
    evidence = make_evidence(None, labels, other=other)
    return {f.details["label"]: f.details["meant"] for f in find_misspellings(evidence)}


def test_case_blanks_and_slips_are_found(make_evidence):
    counts = {"dog": 100, "Dog": 40, "dog ": 2, "dgo": 1, "cat": 90}
    found = find(make_evidence, counts, other="dog")
    assert found == {"Dog": "dog", "dog ": "dog", "dgo": "dog"}


def test_a_finding_names_the_rows_and_what_they_may_mean(make_evidence):
    evidence = make_evidence(None, ["dog", "cat"] * 30 + ["DOG", "dog"])
    (finding,) = find_misspellings(evidence)
    assert finding.rows.tolist() == [60]
    assert finding.notes == ("`dog`?",)
    assert finding.sentence == (
        "1 row with the label 'DOG', which is written in another way: 'dog' has 31 rows."
    )


@pytest.mark.parametrize(
    "counts",
    [
        {"a1": 50, "a2": 2},
        {"cat": 50, "car": 40},
        {"cat": 50, "car": 1},
        {"A": 50, "a": 50},
        {"typical": 50, "atypical": 2},
        {"normal": 80, "abnormal": 2},
        {"type 10": 50, "type 1": 1},
        {"-1": 50, "1": 50},
        {"grade II": 50, "grade I": 30},
    ],
)
def test_labels_that_only_look_alike_are_left_alone(make_evidence, counts):
    assert find(make_evidence, counts, other=max(counts, key=counts.get)) == {}


def test_a_slip_needs_rows_that_look_like_the_other_label(make_evidence):
    counts = {"island": 100, "inland": 3, "sea": 100}
    assert find(make_evidence, counts, other="sea") == {}
    assert find(make_evidence, counts, other="island") == {"inland": "island"}


def test_annotators_who_write_labels_differently_are_named(make_evidence):
    usual = ["cat", "dog"] * 30
    said = {"ann": usual, "bob": usual, "eve": ["Cat", "Dog"] * 30}
    evidence = replace(make_evidence(None, usual), consensus=find_consensus(said))
    cat, dog = find_misspellings(evidence)
    for finding, label in ((cat, "Cat"), (dog, "Dog")):
        assert finding.details["label"] == label
        assert finding.details["meant"] == label.lower()
        assert finding.details["annotators"] == ["eve"]
    assert cat.rows.tolist() == list(range(0, 60, 2))
    assert cat.sentence.startswith(
        "30 rows with the label 'Cat', which is written in another way: 'cat' has 30 rows. "
        "It is written so by `eve`."
    )


def test_what_an_annotator_writes_in_another_way_is_told_with_the_figure(make_evidence):
    usual = ["cat", "dog"] * 30
    wrong = ["dog", "cat"] * 15 + usual[30:]
    said = {"ann": usual, "bob": usual, "dan": wrong, "eve": ["Cat", "Dog"] * 30}
    evidence = replace(make_evidence(None, usual), consensus=find_consensus(said))
    assert spellings_by(evidence) == {"eve": [("Cat", "cat"), ("Dog", "dog")]}
    found = {f.details.get("annotator"): f.sentence for f in find_disagreement(evidence)}
    hint = " What is only written in another way ('Cat' for 'cat', 'Dog' for 'dog') counts as wrong"
    assert found["eve"].endswith(f"{hint} here.")
    assert hint not in found["dan"]


def test_of_many_spellings_three_are_named():
    spellings = [(letter.upper() * 3, letter * 3) for letter in "abcde"]
    assert tell_spellings(spellings[:3]) == "'AAA' for 'aaa', 'BBB' for 'bbb', 'CCC' for 'ccc'"
    assert tell_spellings(spellings) == tell_spellings(spellings[:3]) + " and 2 more"


def test_labels_that_all_annotators_write_differently_are_found(make_evidence):
    said = dict.fromkeys(("ann", "bob"), ["Cat", "Dog"] * 30)
    evidence = replace(make_evidence(None, ["cat", "dog"] * 30), consensus=find_consensus(said))
    found = {f.details["meant"]: f.details["label"] for f in find_misspellings(evidence)}
    assert found == {"Cat": "cat", "Dog": "dog"}


def test_a_slip_of_an_annotator_needs_others_who_say_what_is_meant(make_evidence):
    usual = ["dog", "cat"] * 30
    slipped = [*usual[:4], "dgo", *usual[5:]]
    for others, expected in ((usual, [4]), ([*usual[:4], "cat", *usual[5:]], [])):
        consensus = find_consensus({"ann": slipped, "bob": others, "eve": others})
        evidence = replace(make_evidence(None, usual), consensus=consensus)
        assert [row for f in find_misspellings(evidence) for row in f.rows] == expected


def test_labels_that_are_no_words_have_no_spelling(make_evidence):
    assert not list(find_misspellings(make_evidence(None, [1, 2, 11] * 20)))


def transposed(word, at):
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@given(st.text("abcde", min_size=5, max_size=9), st.data())
def test_one_slip_is_recognised(word, data):
    at = data.draw(st.integers(1, len(word) - 2))
    other = data.draw(st.sampled_from("xyz"))
    assert _is_one_slip(word, word[:at] + other + word[at + 1 :])
    assert _is_one_slip(word, word[:at] + other + word[at:])
    assert _is_one_slip(word, word[:at] + word[at + 1 :])
    assert word == transposed(word, at) or _is_one_slip(word, transposed(word, at))
    assert not _is_one_slip(word, word + "xy")
    assert not _is_one_slip(word, "z" + word)
    assert not _is_one_slip(word, word[:at] + "7" + word[at:])


def test_slips_are_not_looked_for_in_sentences(make_evidence):
    long = "abcdefgh" * 9
    assert find(make_evidence, {long: 50, long[:-1]: 1, "cat": 40}, other=long) == {}
    short = long[:64]
    found = find(make_evidence, {short: 50, short[:-1]: 1, "cat": 40}, other=short)
    assert found == {short[:-1]: short}
