import numpy as np
import pytest
from scipy import sparse

from hardy.panel import (
    LinearOpinion,
    NeighborsOpinion,
    NoiseVotesOpinion,
    Panel,
    TreesOpinion,
    brier_score,
    default_members,
    mixture_weights,
)


def quick_members():
    return [
        TreesOpinion(1, 20),
        LinearOpinion(0.003),
        LinearOpinion(0.3),
        NeighborsOpinion((5, 10)),
        NoiseVotesOpinion(3, 20),
    ]


def test_the_mixture_by_hand(make_data, blobs):
    data = make_data(*blobs)
    panel = Panel(quick_members(), 0).ask(data)
    opinions = [
        member.opinion(data, seed) for member, seed in zip(panel.members, panel.seeds_, strict=True)
    ]
    weights = mixture_weights([brier_score(opinion, data.codes) for opinion in opinions])
    np.testing.assert_allclose(
        panel.proba_, sum(w * opinion for w, opinion in zip(weights, opinions, strict=True))
    )
    np.testing.assert_allclose(panel.proba_.sum(axis=1), 1)
    kinds = ["extra trees", "linear model", "neighbours", "noise votes"]
    assert list(panel.weights_.index) == list(panel.opinions_) == kinds
    assert panel.weights_["linear model"] == pytest.approx(weights[1] + weights[2])
    np.testing.assert_allclose(
        panel.opinions_["linear model"],
        (weights[1] * opinions[1] + weights[2] * opinions[2]) / (weights[1] + weights[2]),
    )
    np.testing.assert_allclose(panel.opinions_["extra trees"], opinions[0], rtol=1e-14)
    assert panel.weights_.sum() == pytest.approx(1)


def test_given_probabilities_join_in(make_data, blobs):
    data = make_data(*blobs)
    given = np.full((90, 3), 0.05)
    given[np.arange(90), data.codes] = 0.9
    panel = Panel(quick_members()[:2], 0).ask(data, {"given": given})
    assert list(panel.weights_.index) == ["given", "extra trees", "linear model"]
    np.testing.assert_allclose(panel.opinions_["given"], given, rtol=1e-14)
    assert panel.weights_["given"] > panel.weights_["linear model"]
    alone = Panel([], 0).ask(data, {"given": given})
    np.testing.assert_array_equal(alone.proba_, given)
    assert alone.weights_.tolist() == [1.0]


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("groups", [None, np.arange(90) // 3])
def test_the_number_of_threads_changes_nothing(make_data, blobs, container, groups):
    X, codes = blobs
    probas = [
        Panel(default_members(), 0)
        .ask(make_data(container(X), codes, groups=groups, n_jobs=n_jobs, n_splits=2))
        .proba_
        for n_jobs in (None, 2)
    ]
    np.testing.assert_array_equal(*probas)


def test_the_random_state_counts(make_data, blobs):
    data = make_data(*blobs)
    first = Panel(quick_members(), 0).ask(data).proba_
    assert (first != Panel(quick_members(), 1).ask(data).proba_).any()
    state = np.random.RandomState(0)
    np.testing.assert_array_equal(first, Panel(quick_members(), state).ask(data).proba_)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_new_rows(make_data, blobs, container):
    X, codes = blobs
    panel = Panel(quick_members(), 0).ask(make_data(container(X[:70]), codes[:70]))
    proba = panel.predict_proba(container(X[70:]))
    assert proba.shape == (20, 3)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_allclose(proba[:3], panel.predict_proba(container(X[70:73])))
    # Rows that the panel was fitted on are recognised better than by chance.
    assert (panel.predict_proba(container(X[:70])).argmax(axis=1) == codes[:70]).mean() > 0.8


def test_new_rows_ask_only_the_members(make_data, blobs):
    data = make_data(*blobs)
    given = np.eye(3)[data.codes]
    with_given = Panel(quick_members(), 0).ask(data, {"given": given})
    without = Panel(quick_members(), 0).ask(data)
    new = blobs[0][:5] + 0.1
    np.testing.assert_allclose(with_given.predict_proba(new), without.predict_proba(new))


def test_progress_counts_to_the_total(make_data, blobs):
    steps = []
    Panel(quick_members(), 0).ask(make_data(*blobs), progress=lambda *step: steps.append(step))
    assert [done for _, done, _ in steps] == [0, 1, 2, 3, 4, 5]
    assert {total for _, _, total in steps} == {5}
    assert steps[0][0] == "Asking extra trees"


def test_default_members_are_fresh():
    first, second = default_members(), default_members()
    assert len(first) == len(second) == 9
    assert not {*map(id, first)} & {*map(id, second)}
