import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier

from hardy.panel import TreesOpinion


def test_equals_the_vote_of_the_trees_that_left_the_row_out(make_data, blobs):
    X, codes = blobs
    opinion = TreesOpinion(2, n_estimators=25).opinion(make_data(X, codes), 3)
    forest = ExtraTreesClassifier(25, min_samples_leaf=2, bootstrap=True, random_state=3)
    forest.fit(X, codes)
    sums = np.zeros((len(codes), 3))
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        left_out = np.setdiff1d(np.arange(len(codes)), drawn)
        sums[left_out] += tree.predict_proba(X[left_out])
    np.testing.assert_allclose(opinion, sums / sums.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("row", [0, 17, 89])
def test_a_rows_own_label_has_no_say(make_data, relabel, blobs, row):
    data = make_data(*blobs)
    member = TreesOpinion(1, n_estimators=50)
    before, after = member.opinion(data, 0), member.opinion(relabel(data, row), 0)
    np.testing.assert_array_equal(before[row], after[row])
    assert (before != after).any()


def test_a_wrong_label_that_could_be_learned_by_heart_is_not(make_data):
    X = np.arange(60.0)[:, None]
    codes = (np.arange(60) >= 30).astype(int)
    codes[10] = 1
    opinion = TreesOpinion(1).opinion(make_data(X, codes), 0)
    assert opinion[10, 1] < 0.2


@pytest.mark.filterwarnings("error")
def test_a_row_that_no_tree_left_out_gets_the_shares(make_data):
    codes = np.array([0, 0, 0, 1])
    opinion = TreesOpinion(1, n_estimators=1).opinion(make_data(np.eye(4), codes), 0)
    forest = ExtraTreesClassifier(1, bootstrap=True, random_state=0).fit(np.eye(4), codes)
    kept = np.unique(forest.estimators_samples_[0])
    assert opinion[kept].tolist() == [[0.75, 0.25]] * len(kept)


@pytest.mark.filterwarnings("error")
def test_with_groups_the_folds_are_used(make_data, blobs):
    X, codes = blobs
    data = make_data(X, codes, groups=np.arange(len(codes)) // 3)
    opinion = TreesOpinion(1, n_estimators=10).opinion(data, 0)
    for train, test in data.folds:
        fitted = TreesOpinion(1, n_estimators=10).fit(X[train], codes[train], 0)
        np.testing.assert_array_equal(opinion[test], fitted.predict_proba(X[test]))
