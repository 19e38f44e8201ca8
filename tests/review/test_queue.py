import numpy as np
import pandas as pd

from hardy.audit.decisions import Decision
from hardy.review.queue import View, changes_of, list_rows, select, suggested_code, usefulness


def test_suspects_unlabelled_and_decided_rows(make_audit):
    audit = make_audit()
    decided = {9: Decision(1, 9, "keep")}
    assert list_rows(audit, decided).tolist() == [0, 1, 2, 3, 9, 38, 39]
    assert select(audit, decided, View()) == [0, 1, 2, 3, 38, 39]
    assert select(audit, decided, View(state="settled")) == [9]
    assert select(audit, {0: Decision(1, 0, "skip")}, View(state="skip")) == [0]
    assert select(audit, {0: Decision(1, 0, "open")}, View())[0] == 0


def test_the_less_sure_and_the_more_central_is_the_more_useful(make_audit):
    near = np.zeros((40, 2), dtype=int) + 30
    near[[0, 1], 0] = 2
    audit = make_audit(nearest_rows=near, n_unlabelled=0)
    p = audit.doubt[:4]
    assert np.allclose(usefulness(audit, np.arange(4)), 4 * p * (1 - p) * np.array([1, 1, 3, 1]))
    assert select(audit, {}, View(order="useful")) == [2, 3, 1, 0]


def test_rows_whose_nearest_ones_are_unknown_say_nothing_of_others(make_audit):
    near = np.full((40, 2), -1)
    near[0] = [2, 3]
    audit = make_audit(nearest_rows=near, n_unlabelled=0)
    p = audit.doubt[:4]
    assert np.allclose(usefulness(audit, np.arange(4)), 4 * p * (1 - p) * np.array([1, 1, 2, 2]))
    assert sorted(select(audit, {}, View(order="useful"))) == [0, 1, 2, 3]


def test_changes_are_named_by_classes(make_audit):
    audit = make_audit()
    assert changes_of(audit, np.array([0, 1, 39])) == ["0-1", "1-0", "-1-1"]
    # Row 10 isn't suspected: the likeliest other class is compared with.
    assert suggested_code(audit, 10) == 1
    assert select(audit, {}, View(change="1-0")) == [1, 3]


def test_search_finds_words_of_any_value_note_and_number(make_audit):
    audit = make_audit()
    audit.values.loc[2, "word"] = "a Zebra"
    assert select(audit, {}, View(search="zebra")) == [2]
    assert select(audit, {}, View(search="zebra spam")) == [2]
    noted = {3: Decision(1, 3, "skip", note="ask the keeper")}
    assert select(audit, noted, View(search="KEEPER", state="all")) == [3]
    assert 38 in select(audit, {}, View(search="39"))


def test_rows_beside_the_suspects_are_found_by_number_and_name(make_audit):
    audit = make_audit(index=pd.Index([f"Case {n}" for n in range(40)]))
    assert 20 in select(audit, {}, View(search="21", state="all"))
    assert select(audit, {}, View(search="case 20", state="all")) == [20]
    assert select(audit, {}, View(search="case 20")) == []
    assert select(audit, {}, View(search="41", state="all")) == []
    assert select(audit, {}, View(search="٢١", state="all")) == []


def test_a_view_reads_only_what_is_known():
    assert View.read({"order": "random", "state": "x", "search": " a "}) == View(search="a")
    assert View(order="row", search="a&b").query() == "?order=row&search=a%26b"
    assert View().query() == ""
