import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.exceptions import InputError
from hardy.learners import DecisionStumpRegressor


@parametrize_with_checks(
    [DecisionStumpRegressor(), DecisionStumpRegressor(max_bins=5)],
    expected_failed_checks=lambda estimator: {},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def assert_same(stump, other):
    assert (stump.feature_, stump.threshold_) == (other.feature_, other.threshold_)
    assert stump.missing_go_left_ == other.missing_go_left_
    np.testing.assert_allclose(stump.leaf_values_, other.leaf_values_, rtol=1e-12, atol=1e-14)


def test_a_hand_worked_stump():
    """Feature 1 at 2.5: (1 + 2·4)/3 = 3 on the left, (10 + 3·6)/4 = 7 on the right."""
    X, y = [[0, 1], [1, 2], [0, 3], [1, 4]], [1, 4, 10, 6]
    stump = DecisionStumpRegressor().fit(X, y, [1, 2, 1, 3])
    assert (stump.feature_, stump.threshold_, stump.missing_go_left_) == (1, 2.5, False)
    np.testing.assert_allclose(stump.leaf_values_, [3, 7])
    np.testing.assert_array_equal(stump.feature_importances_, [0, 1])
    np.testing.assert_allclose(stump.predict([[9, 2.5], [9, 2.6]]), [3, 7])


@st.composite
def small_tables(draw):
    n_rows, n_features = draw(st.tuples(st.integers(1, 10), st.integers(1, 4)))
    cell = st.sampled_from([-1e300, -3.0, -1.0, 0.0, 0.0, 1.0, 4.0, 1e300, np.nan])
    cells = draw(st.lists(cell, min_size=n_rows * n_features, max_size=n_rows * n_features))
    number = st.sampled_from([-8.0, -1.0, 0.0, 0.5, 2.0, 2.0, 16.0])
    return (
        np.array(cells).reshape(n_rows, n_features),
        np.array(draw(st.lists(number, min_size=n_rows, max_size=n_rows))),
        np.array(draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows))),
    )


def squared_error(y, weights, is_left):
    total = 0.0
    for side in (is_left, ~is_left):
        if weights[side].sum() > 0:
            mean = np.average(y[side], weights=weights[side])
            total += (weights[side] * (y[side] - mean) ** 2).sum()
    return total


def all_splits(X):
    """Give for each split of the rows at a feature's threshold which rows are on the left."""
    for values in X.T:
        missing, distinct = np.isnan(values), np.unique(values[~np.isnan(values)])
        if len(distinct) and missing.any():
            yield ~missing
        for low in distinct[:-1]:
            yield values <= low
            yield (values <= low) | missing


@settings(deadline=None)
@given(table=small_tables())
def test_the_least_squared_error_of_all_splits(table):
    X, y, weights = table
    present = weights > 0
    assume(present.any())
    stump = DecisionStumpRegressor().fit(X, y, weights)
    X, y, weights = X[present], y[present], weights[present]
    candidates = [squared_error(y, weights, is_left) for is_left in all_splits(X)]
    scale = max(1.0, squared_error(y, weights, np.ones(len(y), dtype=bool)))
    predicted = stump.predict(X)
    found = (weights * (y - predicted) ** 2).sum()
    whole = squared_error(y, weights, np.ones(len(y), dtype=bool))
    assert found == pytest.approx(min(candidates, default=whole), abs=1e-9 * scale)
    if stump.feature_ >= 0:
        values = X[:, stump.feature_]
        is_left = np.where(np.isnan(values), stump.missing_go_left_, values <= stump.threshold_)
        np.testing.assert_array_equal(predicted, stump.leaf_values_[np.where(is_left, 0, 1)])


@settings(deadline=None)
@given(small_tables(), st.integers(2, 4))
def test_weight_repetition_sparse_rows_and_binned_rows_are_one(table, max_bins):
    X, y, weights = table
    assume((weights > 0).any())
    template = DecisionStumpRegressor(max_bins)
    stump = clone(template).fit(X, y, weights)
    assert_same(clone(template).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)), stump)
    sparse_stump = clone(template).fit(sparse.csr_array(X), y, weights)
    assert_same(sparse_stump, stump)
    predicted = stump.predict(X)
    np.testing.assert_allclose(sparse_stump.predict(sparse.csr_array(X)), predicted, rtol=1e-12)
    for container in (np.asarray, sparse.csr_array):
        rows = template.bin_rows(container(X[weights > 0]), weights[weights > 0])
        binned = clone(template).fit(rows, y[weights > 0], weights[weights > 0])
        assert_same(binned, stump)
        np.testing.assert_allclose(binned.predict(rows), predicted[weights > 0], rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_like_a_tree_of_depth_1(seed):
    rng = np.random.default_rng(seed)
    # scikit-learn's trees round values to float32: these multiples of 1/32 stay what they are.
    X = np.clip(np.round(32 * rng.normal(size=(500, 6))), -120, 120) / 32
    y = 1e6 + X[:, 2] ** 2 + np.sin(3 * X[:, 4]) + rng.normal(0, 0.1, 500)
    weight = rng.uniform(0.5, 2, size=500)
    stump = DecisionStumpRegressor().fit(X, y, weight)
    tree = DecisionTreeRegressor(max_depth=1).fit(X, y, weight)
    assert (stump.feature_, stump.threshold_) == (tree.tree_.feature[0], tree.tree_.threshold[0])
    np.testing.assert_allclose(stump.predict(X), tree.predict(X), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-300, 1e-150, 1e150, 1e300])
def test_the_unit_of_the_numbers_does_not_matter(unit):
    X, y = np.arange(8.0)[:, None], np.array([1.0, 2, 1, 2, 5, 6, 5, 6])
    stump = DecisionStumpRegressor().fit(X, unit * y)
    assert stump.threshold_ == 3.5
    np.testing.assert_allclose(stump.leaf_values_ / unit, [1.5, 5.5])


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_no_split_gives_the_mean(make):
    for X, y in ((np.ones((4, 2)), [1.0, 2, 3, 6]), (np.arange(8.0).reshape(4, 2), [3.0] * 4)):
        stump = DecisionStumpRegressor().fit(make(X), y)
        assert stump.feature_ == -1 or stump.leaf_values_[0] == stump.leaf_values_[1]
        np.testing.assert_array_equal(stump.predict(make(X)), [3.0] * 4)


def test_what_cannot_be_learned_from():
    X = [[0.0], [1.0]]
    with pytest.raises(InputError, match="Input y contains NaN, first in row 1"):
        DecisionStumpRegressor().fit(X, [0.0, np.nan])
    with pytest.raises(InputError, match=r"at least one non-zero|weight 0"):
        DecisionStumpRegressor().fit(X, [0.0, 1.0], [0, 0])
    rows = DecisionStumpRegressor().bin_rows(np.array(X))
    with pytest.raises(InputError, match="weight 0"):
        DecisionStumpRegressor().fit(rows, [0.0, 1.0], [0, 0])
