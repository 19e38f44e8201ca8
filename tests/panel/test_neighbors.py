import numpy as np
import pytest
from scipy import sparse

from hardy.panel import NeighborsOpinion, brier_score
from hardy.panel.neighbors import _vote


def by_the_definition(X, codes, k, n_classes):
    """Each other row votes with exp(−½ (1.5 d / d_k)²), and one row votes as the others lie."""
    opinions = []
    for row in range(len(X)):
        others = [other for other in range(len(X)) if other != row]
        distances = {other: np.linalg.norm(X[row] - X[other]) for other in others}
        nearest = sorted(others, key=lambda other: (distances[other], other))[:k]
        width = distances[nearest[-1]]
        votes = np.bincount(codes[others], minlength=n_classes) / len(others)
        for other in nearest:
            votes[codes[other]] += np.exp(-0.5 * (1.5 * distances[other] / width) ** 2)
        opinions.append(votes / votes.sum())
    return np.array(opinions)


def test_equals_the_definition(make_data, blobs):
    data = make_data(*blobs)
    X = data.views.normal
    opinion = NeighborsOpinion((7,)).opinion(data, 0)
    np.testing.assert_allclose(opinion, by_the_definition(X, data.codes, 7, 3))


def test_votes_by_hand():
    # Two neighbours at half the width and at the width: exp(−.28125) and exp(−1.125).
    near, far, prior = np.exp(-0.28125), np.exp(-1.125), np.array([0.25, 0.75])
    votes = _vote(np.array([[0, 1]]), np.array([[1.0, 2.0]]), prior)
    expected = np.array([near + 0.25, far + 0.75]) / (near + far + 1)
    np.testing.assert_allclose(votes, [expected])


def test_duplicates_vote_in_full():
    votes = _vote(np.array([[0, 0, 1]]), np.zeros((1, 3)), np.array([0.5, 0.5]))
    np.testing.assert_allclose(votes, [[2.5 / 4, 1.5 / 4]])


def test_k_is_the_one_with_the_better_brier_score(make_data, blobs):
    data = make_data(*blobs)
    single = {k: NeighborsOpinion((k,)).opinion(data, 0) for k in (1, 5, 40)}
    best = min(single.values(), key=lambda opinion: brier_score(opinion, data.codes))
    np.testing.assert_array_equal(NeighborsOpinion((1, 5, 40)).opinion(data, 0), best)
    assert len({brier_score(opinion, data.codes) for opinion in single.values()}) == 3


@pytest.mark.parametrize("row", [0, 17, 89])
def test_a_rows_own_label_has_no_say(make_data, relabel, blobs, row):
    data = make_data(*blobs)
    member = NeighborsOpinion((10,))
    before, after = member.opinion(data, 0), member.opinion(relabel(data, row), 0)
    np.testing.assert_array_equal(before[row], after[row])
    assert (before != after).any()


def test_with_groups_only_other_folds_vote(make_data, blobs):
    X, codes = blobs
    groups = np.arange(len(codes)) // 2
    data = make_data(X, codes, groups=groups)
    opinion = NeighborsOpinion((5,)).opinion(data, 0)
    train, test = data.folds[0]
    fitted = NeighborsOpinion((5,)).fit(data.views.normal[train], codes[train], 0)
    np.testing.assert_allclose(opinion[test], fitted.predict_proba(data.views.normal[test]))


def test_fewer_rows_than_neighbours(make_data):
    opinion = NeighborsOpinion((50, 100)).opinion(
        make_data(np.array([[0.0], [1.0], [5.0]]), [0, 0, 1]), 0
    )
    assert opinion.shape == (3, 2)
    np.testing.assert_allclose(opinion.sum(axis=1), 1)


def test_sparse_rows(make_data, blobs):
    X, codes = blobs
    X = X / np.abs(X).max(axis=0)
    sparse_data = make_data(sparse.csr_array(X), codes)
    opinion = NeighborsOpinion((5,)).opinion(sparse_data, 0)
    np.testing.assert_allclose(opinion, by_the_definition(X, codes, 5, 3))
