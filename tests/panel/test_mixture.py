import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from hardy.panel import brier_score, mixture_weights


def test_brier_score_by_hand():
    # (.2² + .2²) = .08 and (.5² + .5²) = .5, of which .29 is the mean.
    assert brier_score(np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([0, 1])) == 0.29
    assert brier_score(np.eye(3), np.array([0, 1, 2])) == 0
    assert brier_score(np.eye(3), np.array([1, 2, 0])) == 2


@given(seed=st.integers(0, 10**6), n=st.integers(1, 30), k=st.integers(2, 5))
def test_brier_score_is_the_mean_squared_distance(seed, n, k):
    rng = np.random.RandomState(seed)
    codes, proba = rng.randint(0, k, n), rng.dirichlet(np.ones(k), n)
    by_row = [sum((proba[i, j] - (codes[i] == j)) ** 2 for j in range(k)) for i in range(n)]
    assert brier_score(proba, codes) == pytest.approx(np.mean(by_row))


def test_brier_score_is_twice_scikit_learns_for_two_classes():
    rng = np.random.RandomState(0)
    codes, proba = rng.randint(0, 2, 50), rng.dirichlet([1, 1], 50)
    assert brier_score(proba, codes) == pytest.approx(2 * brier_score_loss(codes, proba[:, 1]))


def test_weights_by_hand():
    # Differences of 0, .05 and .3 to the best: exp(0), exp(−1) and exp(−6).
    weights = mixture_weights([0.20, 0.25, 0.50])
    parts = np.array([1, 0.36787944, 0.00247875])
    np.testing.assert_allclose(weights, parts / parts.sum(), rtol=1e-6)


@given(
    scores=st.lists(st.floats(0, 2), min_size=1, max_size=8),
    sharpness=st.sampled_from([0.0, 1.0, 20.0, 1e6]),
)
def test_weights_are_shares_that_fall_with_the_score(scores, sharpness):
    weights = mixture_weights(scores, sharpness)
    assert weights.sum() == pytest.approx(1)
    assert weights.min() >= 0
    assert (np.diff(weights[np.argsort(scores, kind="stable")]) <= 1e-12).all()


def test_equal_scores_share_equally():
    assert mixture_weights([0.7, 0.7]).tolist() == [0.5, 0.5]
    assert mixture_weights([0.1, 0.9], sharpness=0).tolist() == [0.5, 0.5]
