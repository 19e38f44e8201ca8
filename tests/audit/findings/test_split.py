import numpy as np
import pandas as pd

from hardy.audit.findings.split import find_shared_rows


def test_copies_in_both_parts_are_found_whatever_their_labels(make_evidence, normal_rows):
    X, y = normal_rows
    X = pd.concat([X, X.iloc[[0, 1]], X.iloc[[2]] + 1e-5], ignore_index=True)
    y = np.concatenate([y, y[:3]]).astype(object)
    y[301] = None
    split = np.repeat(["train", "test"], [200, 103])
    split[301] = "train"
    split[1] = "test"
    (finding,) = find_shared_rows(make_evidence(X, y, split=split))
    assert finding.kind == "duplicates_across_split"
    assert finding.rows.tolist() == [0, 300, 1, 301, 2, 302]
    assert finding.notes[:2] == ("set 1, `train`", "set 1, `test`")


def test_copies_within_a_part_are_no_fault_of_the_split(make_evidence, normal_rows):
    X, y = normal_rows
    X = pd.concat([X, X.iloc[[0, 1]]], ignore_index=True)
    y = np.concatenate([y, y[:2]])
    split = np.repeat(["train", "test", "train"], [100, 200, 2])
    assert not list(find_shared_rows(make_evidence(X, y, split=split)))


def test_without_a_split_there_is_nothing_to_find(make_evidence, normal_rows):
    assert not list(find_shared_rows(make_evidence(*normal_rows)))
