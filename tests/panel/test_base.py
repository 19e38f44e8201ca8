import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hardy.panel import LinearOpinion, NoiseVotesOpinion, TreesOpinion, default_members
from hardy.panel.base import full_width


class Constant:
    """A learner that says how often it saw each class, and remembers what it was shown."""

    def __init__(self, codes):
        self.classes_, counts = np.unique(codes, return_counts=True)
        self.shares = counts / len(codes)

    def predict_proba(self, X):
        return np.tile(self.shares, (X.shape[0], 1))


class ConstantOpinion(LinearOpinion):
    def fit(self, X, codes, seed, n_jobs=None):
        return Constant(codes)


def test_folds_part_the_rows(make_data, blobs):
    data = make_data(*blobs)
    assert len(data.folds) == 4
    assert sorted(np.concatenate([test for _, test in data.folds])) == list(range(90))
    for train, test in data.folds:
        assert not set(train) & set(test)
        # 40, 30 and 20 rows over four folds.
        assert (np.abs(np.bincount(data.codes[test]) - [10, 7.5, 5]) <= 0.5).all()


@settings(deadline=None)
@given(
    n=st.integers(6, 40),
    n_groups=st.integers(2, 12),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**5),
)
def test_a_group_never_judges_itself(make_data, n, n_groups, k, seed):
    rng = np.random.RandomState(seed)
    groups, codes = rng.randint(0, n_groups, n), rng.randint(0, k, n)
    if len(np.unique(groups)) < 2 or np.bincount(codes).max() < 2:
        return
    data = make_data(np.zeros((n, 1)), codes, groups=groups, n_splits=10)
    assert data.has_groups
    assert sorted(np.concatenate([test for _, test in data.folds])) == list(range(n))
    for train, test in data.folds:
        assert len(train)
        assert not set(groups[train]) & set(groups[test])


def test_fewer_rows_than_folds_and_tiny_classes_do_not_warn(make_data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = make_data(np.zeros((5, 1)), [0, 0, 0, 1, 2], n_splits=10)
    assert len(data.folds) == 3
    assert data.prior.tolist() == [0.6, 0.2, 0.2]


def test_opinion_comes_from_the_other_folds(make_data, blobs):
    data = make_data(*blobs)
    opinion = ConstantOpinion(1.0).opinion(data, 0)
    for train, test in data.folds:
        shares = np.bincount(data.codes[train]) / len(train)
        np.testing.assert_allclose(opinion[test], np.tile(shares, (len(test), 1)))


def test_every_class_has_its_column(make_data):
    # Class 1 has one row, which its own fold can't have seen; class 3 has none.
    codes = np.array([0] * 10 + [1] + [2] * 9)
    X = np.arange(20.0)[:, None] + np.random.RandomState(0).normal(size=(20, 1))
    data = make_data(X, codes, n_classes=4)
    for member in default_members():
        opinion = member.opinion(data, 0)
        assert opinion.shape == (20, 4), member.kind
        np.testing.assert_allclose(opinion.sum(axis=1), 1, err_msg=member.kind)
        assert opinion[10, 1] < 1e-12 or member.kind == "noise votes"
        assert not opinion[:, 3].any()


def test_a_training_part_of_one_class_is_sure_of_it(make_data):
    groups = np.array([0] * 5 + [1] * 5)
    codes = np.array([0] * 5 + [1] * 5)
    data = make_data(np.arange(10.0)[:, None], codes, groups=groups)
    for member in (LinearOpinion(1.0), TreesOpinion(1, 5), NoiseVotesOpinion()):
        opinion = member.opinion(data, 0)
        assert opinion.tolist() == [[0, 1]] * 5 + [[1, 0]] * 5


@pytest.mark.parametrize("member", [LinearOpinion(0.3), NoiseVotesOpinion(3, 20)])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_a_rows_own_label_has_no_say(make_data, relabel, blobs, member, container):
    X, codes = blobs
    data = make_data(container(X), codes)
    before = member.opinion(data, 0)
    changed = False
    for row in (0, 50):
        after = member.opinion(relabel(data, row), 0)
        np.testing.assert_array_equal(before[row], after[row])
        changed |= bool((before != after).any())
    assert changed


def test_full_width_of_a_list_of_rows():
    proba = full_width(Constant(np.array([2, 2, 0])), np.zeros((2, 1)), 4)
    np.testing.assert_allclose(proba, [[1 / 3, 0, 2 / 3, 0]] * 2)
