import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.noise import flip_labels
from hardy.pruning import BoostingFilter


@pytest.fixture(scope="module")
def flipped():
    X, y = make_classification(
        400, 6, n_informative=4, n_redundant=0, n_classes=3, class_sep=2.0, flip_y=0,
        n_clusters_per_class=1, random_state=0,
    )  # fmt: skip
    return X, *flip_labels(y, 0.1, exact=True, random_state=0)


def slow_weights(X, y, n_classes, n_rounds, depth):
    """AdaBoost (SAMME) with scikit-learn's trees, a round after the other."""
    weights = np.full(len(y), 1 / len(y))
    for _ in range(n_rounds):
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
        wrong = tree.fit(X, y, sample_weight=weights).predict(X) != y
        error = weights[wrong].sum()
        weights[wrong] *= (1 - error) / error * (n_classes - 1)
        weights /= weights.sum()
    return weights


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_rounds", [1, 4])
def test_the_weights_are_adaboosts(flipped, n_classes, n_rounds):
    X, y, _ = flipped
    X, y = X[y < n_classes], y[y < n_classes]
    member = DecisionTreeClassifier(max_depth=2, random_state=0)
    sampler = BoostingFilter(member, n_estimators=n_rounds, contamination=0.05, random_state=0)
    _, y_kept = sampler.fit_resample(X, np.array(["a", "b", "c"])[y])
    assert_allclose(sampler.weights_, slow_weights(X, y, n_classes, n_rounds, 2), rtol=1e-6)
    outside = np.setdiff1d(np.arange(len(y)), sampler.sample_indices_)
    assert len(outside) == round(0.05 * len(y))
    assert sampler.weights_[outside].min() >= sampler.weights_[sampler.sample_indices_].max()
    assert_array_equal(y_kept, np.array(["a", "b", "c"])[y[sampler.sample_indices_]])


def test_flipped_labels_weigh_most(flipped):
    X, y, is_flipped = flipped
    sampler = BoostingFilter(DecisionTreeClassifier(max_depth=2), n_estimators=10, random_state=0)
    sampler.fit_resample(X, y)
    assert average_precision_score(is_flipped, sampler.weights_) > 5 * is_flipped.mean()


def test_rows_that_gained_no_weight_stay():
    X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    sampler = BoostingFilter(contamination=0.5)
    assert len(sampler.fit_resample(X, y)[1]) == 20
    assert_allclose(sampler.weights_, 1 / 20)
    few = BoostingFilter(contamination=0.9, n_estimators=1)
    y[3] = 1
    few.fit_resample(X, y)
    assert_array_equal(np.setdiff1d(np.arange(20), few.sample_indices_), [3])


def test_a_guess_leaves_all_rows_in():
    """Two rows that are the same, with two labels: no member is better than a guess."""
    X, y = np.zeros((6, 1)), np.arange(6) % 2
    with pytest.warns(match="not below 0.5"):
        assert len(BoostingFilter().fit_resample(X, y)[1]) == 6


def test_every_class_keeps_a_row():
    X = np.r_[np.zeros(50), 0.0, 0.0][:, None]
    y = np.r_[np.zeros(50), 1, 1].astype(int)
    with pytest.warns(match="kept"):
        _, y_kept = BoostingFilter(contamination=0.5).fit_resample(X, y)
    assert (y_kept == 1).sum() == 1


def test_nothing_is_left_out_of_a_share_of_0(flipped):
    X, y, _ = flipped
    assert len(BoostingFilter(contamination=0.0).fit_resample(X, y)[1]) == 400
    with pytest.raises(ValueError, match="'contamination' parameter"):
        BoostingFilter(contamination=1.0).fit_resample(X, y)


def test_the_filter_boosts_as_adaboost_does(flipped):
    """A stump is the member when none is given."""
    X, y, _ = flipped
    X, y = X[y < 2], y[y < 2]
    sampler = BoostingFilter(n_estimators=3)
    sampler.fit_resample(X, y)
    F = AdaBoostClassifier(n_estimators=3).fit(X, y).decision_function(X)
    weights = np.exp(-F * (2 * y - 1))
    assert_allclose(sampler.weights_, weights / weights.sum())
