import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from hardy.panel import BoostedTreesOpinion, LinearOpinion, PanelData, base, default_members
from hardy.panel.base import draw_rows
from hardy.panel.views import Views

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
CODES = (X[:, 0] * X[:, 1] > 0).astype(np.intp)


def data(n_splits=2, n_jobs=None):
    return PanelData.make(Views(X), CODES, 2, n_splits=n_splits, n_jobs=n_jobs, random_state=0)


def test_the_opinion_is_scikit_learns_out_of_fold():
    given = data()
    opinion = BoostedTreesOpinion(max_iter=5, max_leaf_nodes=4).opinion(given, seed=1)
    for train, test in given.folds:
        model = HistGradientBoostingClassifier(
            learning_rate=0.25, max_iter=5, max_leaf_nodes=4, early_stopping=False, random_state=1
        ).fit(X[train], CODES[train])
        np.testing.assert_array_equal(opinion[test], model.predict_proba(X[test]))


def test_threads_change_nothing():
    one, two = (
        BoostedTreesOpinion(max_iter=5).opinion(data(n_jobs=n_jobs), seed=0) for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_too_many_rows_are_sampled(monkeypatch):
    """Members are fitted on no more rows of a fold, of which each class keeps its share."""
    monkeypatch.setattr(base, "MOST_ROWS", 50)
    seen = []

    class Counting(LinearOpinion):
        def fit(self, rows, codes, seed, n_jobs=None):
            seen.append(np.bincount(codes))
            return super().fit(rows, codes, seed, n_jobs)

    opinion = Counting(C=1.0).opinion(data(), seed=0)
    assert opinion.shape == (300, 2)
    share = CODES.mean()
    for counts in seen:
        assert 50 <= counts.sum() <= 52
        assert abs(counts[1] - 50 * share) <= 1


@pytest.mark.parametrize("n_samples", [1, 10, 100])
def test_every_class_is_drawn(n_samples):
    codes = np.repeat([0, 1, 2], [90, 9, 1])
    drawn = draw_rows(codes, n_samples, seed=0)
    assert (np.diff(drawn) > 0).all()
    quota = np.ceil(np.array([90, 9, 1]) * n_samples / 100)
    assert np.bincount(codes[drawn]).tolist() == quota.tolist()


def test_many_rows_have_other_members():
    assert {member.kind for member in default_members(10_000)} == {
        "extra trees", "linear model", "neighbours", "noise votes",
    }  # fmt: skip
    assert "boosted trees" in {member.kind for member in default_members(10_001)}
