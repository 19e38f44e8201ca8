import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

from hardy.exceptions import InputError
from hardy.learners.decision_stump import DecisionStumpClassifier


@parametrize_with_checks(
    [
        DecisionStumpClassifier(),
        DecisionStumpClassifier(max_bins=5, criterion="entropy"),
        DecisionStumpClassifier(class_weight="balanced"),
    ],
    expected_failed_checks=lambda estimator: {},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def assert_same(stump, other):
    assert (stump.feature_, stump.threshold_) == (other.feature_, other.threshold_)
    assert stump.missing_go_left_ == other.missing_go_left_
    np.testing.assert_array_equal(stump.leaf_probabilities_, other.leaf_probabilities_)
    np.testing.assert_array_equal(stump.classes_, other.classes_)


def test_a_hand_worked_stump():
    """Feature 1 at 2.5: weights (3 a, 1 b) on the left, (4 c) on the right; Gini 4 · 6/16."""
    X = [[0, 1], [1, 2], [0, 2], [1, 3], [0, 3]]
    stump = DecisionStumpClassifier().fit(X, list("aabcc"), [1, 2, 1, 1, 3])
    assert (stump.feature_, stump.threshold_, stump.missing_go_left_) == (1, 2.5, False)
    np.testing.assert_array_equal(stump.leaf_probabilities_, [[0.75, 0.25, 0], [0, 0, 1]])
    np.testing.assert_array_equal(stump.feature_importances_, [0, 1])
    np.testing.assert_array_equal(stump.predict([[9, 2.5], [9, 2.6]]), ["a", "c"])
    np.testing.assert_array_equal(stump.predict_proba([[9, 0]]), [[0.75, 0.25, 0]])


@st.composite
def small_tables(draw):
    n_rows, n_features, n_classes = draw(
        st.tuples(st.integers(2, 10), st.integers(1, 4), st.integers(2, 10))
    )
    cell = st.sampled_from([-1e300, -3.0, -1.0, 0.0, 0.0, 1.0, 4.0, 1e300, np.nan])
    cells = draw(st.lists(cell, min_size=n_rows * n_features, max_size=n_rows * n_features))
    label = st.integers(0, n_classes - 1)
    return (
        np.array(cells).reshape(n_rows, n_features),
        np.array(draw(st.lists(label, min_size=n_rows, max_size=n_rows))),
        np.array(draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows))),
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@settings(deadline=None)
@given(table=small_tables())
def test_the_best_of_all_splits(splits, criterion, table):
    X, y, weights = table
    present = weights > 0
    assume(len(set(y[present])) > 1)
    stump = DecisionStumpClassifier(criterion=criterion).fit(X, y, weights)
    X, y, weights = X[present], np.unique(y[present], return_inverse=True)[1], weights[present]
    slow = splits(X, y, weights, criterion)
    shares = np.bincount(y, weights) / weights.sum()
    if len(shares) == 1 or not slow.candidates:
        assert (stump.feature_, stump.threshold_) == (-1, np.inf)
        np.testing.assert_allclose(stump.leaf_probabilities_, [shares, shares], rtol=1e-15)
        return
    missing = np.isnan(X[:, stump.feature_])
    if missing.any():
        slow.check(stump.feature_, stump.threshold_, stump.missing_go_left_)
    else:
        slow.check(stump.feature_, stump.threshold_, False)
    is_left = np.where(missing, stump.missing_go_left_, X[:, stump.feature_] <= stump.threshold_)
    for leaf, side in zip(stump.leaf_probabilities_, (is_left, ~is_left), strict=True):
        counts = np.bincount(y[side], weights[side], minlength=len(shares))
        np.testing.assert_allclose(leaf, counts / counts.sum(), rtol=1e-15)
    np.testing.assert_array_equal(
        stump.predict_proba(X), stump.leaf_probabilities_[np.where(is_left, 0, 1)]
    )


@settings(deadline=None)
@given(small_tables(), st.integers(2, 4))
def test_weight_repetition_sparse_rows_and_binned_rows_are_one(table, max_bins):
    X, y, weights = table
    assume(len(set(y[weights > 0])) > 1)
    template = DecisionStumpClassifier(max_bins)
    stump = clone(template).fit(X, y, weights)
    copies = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    assert_same(clone(template).fit(*copies), stump)
    sparse_stump = clone(template).fit(sparse.csr_array(X), y, weights)
    assert_same(sparse_stump, stump)
    proba = stump.predict_proba(X)
    np.testing.assert_array_equal(sparse_stump.predict_proba(sparse.csr_matrix(X)), proba)
    for container in (np.asarray, sparse.csr_array):
        rows = template.bin_rows(container(X[weights > 0]), weights[weights > 0])
        binned = clone(template).fit(rows, y[weights > 0], weights[weights > 0])
        assert_same(binned, stump)
        np.testing.assert_array_equal(binned.predict_proba(rows), proba[weights > 0])
        np.testing.assert_array_equal(binned.predict(rows), stump.predict(X[weights > 0]))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("with_missing", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_like_a_tree_of_depth_1(criterion, n_classes, with_missing, seed):
    X, y = make_classification(
        500, 6, n_informative=4, n_classes=n_classes, flip_y=0.1, random_state=seed
    )
    # scikit-learn's trees round values to float32: these multiples of 1/32 stay what they are.
    X = np.clip(np.round(32 * X), -120, 120) / 32
    rng = np.random.default_rng(seed)
    if with_missing:
        if parse_version(sklearn.__version__) < parse_version("1.8"):
            pytest.skip(
                "its trees have leaf values that disagree with the rows that apply sends there"
            )
        X[rng.uniform(size=X.shape) < 0.2] = np.nan
    weight = rng.uniform(0.5, 2, size=500)
    stump = DecisionStumpClassifier(criterion=criterion).fit(X, y, weight)
    tree = DecisionTreeClassifier(max_depth=1, criterion=criterion).fit(X, y, weight)
    assert (stump.feature_, stump.threshold_) == (tree.tree_.feature[0], tree.tree_.threshold[0])
    np.testing.assert_allclose(stump.predict_proba(X), tree.predict_proba(X), rtol=1e-12)
    np.testing.assert_array_equal(stump.predict(X), tree.predict(X))
    np.testing.assert_array_equal(stump.feature_importances_, tree.feature_importances_)


def test_bins_cost_little_accuracy():
    """Some 450 distinct values in 50 bins, against all splits."""
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1).fit(X, y)
    stump = DecisionStumpClassifier(max_bins=50).fit(X, y)
    assert stump.score(X, y) > tree.score(X, y) - 0.02


@pytest.mark.parametrize("max_bins", [2, 17, 255])
def test_repetition_is_weight_with_many_values(max_bins):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 3)), rng.integers(0, 3, 1500)
    weights = rng.integers(0, 5, 1500)
    stump = DecisionStumpClassifier(max_bins)
    weighted = clone(stump).fit(X, y, weights)
    assert_same(clone(stump).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)), weighted)
    assert_same(clone(stump).fit(sparse.csr_matrix(X), y, weights), weighted)


@pytest.mark.parametrize("scale", [2.0**-330, 2.0**-60, 2.0**60, 2.0**320])
def test_the_unit_of_weight_does_not_matter(scale):
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 5, 150).astype(float)
    stump = DecisionStumpClassifier(20).fit(X, y, weights)
    assert_same(DecisionStumpClassifier(20).fit(X, y, weights * scale), stump)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_neighbouring_floats_are_told_apart(dtype):
    for low in np.random.default_rng(0).normal(size=100).astype(dtype):
        X = np.array([[low], [np.nextafter(low, dtype(np.inf))]])
        stump = DecisionStumpClassifier().fit(X, [0, 1])
        np.testing.assert_array_equal(stump.predict(X), [0, 1])
        np.testing.assert_array_equal(stump.predict(sparse.csr_array(X)), [0, 1])


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1.7e308, 1.7e308), (1e300, 1.7e308), (0.0, 5e-324), (5e-324, 1e-323), (-5e-324, 0.0)],
)
def test_extreme_values(low, high):
    X = np.array([[low], [high]])
    stump = DecisionStumpClassifier().fit(X, [0, 1])
    np.testing.assert_array_equal(stump.predict(X), [0, 1])
    assert np.isfinite(stump.threshold_)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_value_equal_to_the_threshold_goes_left(dtype):
    stump = DecisionStumpClassifier().fit(np.array([[0], [2]], dtype=dtype), ["low", "high"])
    assert stump.threshold_ == 1
    values = np.array([[1], [np.nextafter(dtype(1), dtype(2))]], dtype=dtype)
    np.testing.assert_array_equal(stump.predict(values), ["low", "high"])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_missing_against_present(container):
    X = container(np.array([[1.0], [2.0], [0.0], [np.nan], [np.nan]]))
    stump = DecisionStumpClassifier().fit(X, [0, 0, 0, 1, 1])
    assert (stump.feature_, stump.threshold_, stump.missing_go_left_) == (0, np.inf, False)
    np.testing.assert_array_equal(stump.predict(X), [0, 0, 0, 1, 1])
    rows = stump.bin_rows(X)
    np.testing.assert_array_equal(stump.predict(rows), [0, 0, 0, 1, 1])


@pytest.mark.parametrize("heavy_left", [False, True])
def test_unforeseen_missing_values_go_to_the_heavier_side(heavy_left):
    """Two rows on the one side, against one row on the other that has the greater weight."""
    y, weights = ([0, 1, 1], [3, 1, 1]) if heavy_left else ([0, 0, 1], [1, 1, 3])
    X = [[0.0], [0.0 if y[1] == 0 else 1.0], [1.0]]
    stump = DecisionStumpClassifier().fit(X, y, weights)
    assert stump.missing_go_left_ == heavy_left
    np.testing.assert_array_equal(stump.predict([[np.nan]]), [0 if heavy_left else 1])


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_no_split_gives_the_shares(make):
    X = make(np.array([[1.0, 0.0, np.nan]] * 4))
    stump = DecisionStumpClassifier().fit(X, ["b", "a", "b", "c"], [1, 1, 1, 5])
    assert (stump.feature_, stump.threshold_) == (-1, np.inf)
    np.testing.assert_array_equal(stump.leaf_probabilities_, [[1 / 8, 2 / 8, 5 / 8]] * 2)
    np.testing.assert_array_equal(stump.predict(make(np.array([[7.0, 8.0, 9.0]]))), ["c"])
    np.testing.assert_array_equal(stump.predict(stump.bin_rows(X)), ["c"] * 4)
    np.testing.assert_array_equal(stump.feature_importances_, [0, 0, 0])


def test_a_class_of_one_row():
    X, y = np.arange(100.0)[:, None], np.where(np.arange(100) == 99, "rare", "usual")
    stump = DecisionStumpClassifier().fit(X, y)
    assert stump.threshold_ == 98.5
    np.testing.assert_array_equal(stump.leaf_probabilities_, [[0, 1], [1, 0]])


def test_the_first_of_equally_good_splits_in_spite_of_rounding():
    """All columns part the classes, but each adds the weights up in an order of its own."""
    rng = np.random.default_rng(0)
    y, weight = np.arange(200) % 2, rng.uniform(size=200)
    columns = [np.where(y == 1, rng.permutation(200), -1 - rng.permutation(200)) for _ in range(40)]
    for criterion in ("gini", "entropy"):
        stump = DecisionStumpClassifier(criterion=criterion).fit(np.stack(columns, 1), y, weight)
        assert stump.feature_ == 0
        np.testing.assert_array_equal(stump.leaf_probabilities_, [[1, 0], [0, 1]])


def test_class_weight_is_row_weight():
    X, y = load_iris(return_X_y=True)
    factors = np.array([1.0, 3.0, 1.0])
    weighted = DecisionStumpClassifier(class_weight={1: 3}).fit(X, y)
    # Iris's values have fewer than 255 bins, so that the weights don't move them.
    assert_same(weighted, DecisionStumpClassifier().fit(X, y, factors[y]))


def test_balanced_classes():
    X, y = load_iris(return_X_y=True)
    X, y = X[40:], y[40:]
    balanced = DecisionStumpClassifier(class_weight="balanced").fit(X, y)
    by_hand = DecisionStumpClassifier().fit(X, y, np.array([5.0, 1.0, 1.0])[y])
    assert (balanced.feature_, balanced.threshold_) == (by_hand.feature_, by_hand.threshold_)
    np.testing.assert_allclose(
        balanced.leaf_probabilities_, by_hand.leaf_probabilities_, rtol=1e-12
    )


def test_drawn_rows_keep_the_bins_of_all():
    """Rows drawn from bins are split in the middle of the bins that they leave empty."""
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    template = DecisionStumpClassifier()
    rows = template.bin_rows(X)
    drawn = np.array([0, 1, 1, 7, 9, 9])
    stump = template.fit(rows[drawn], y[drawn])
    assert stump.threshold_ == 3.5
    np.testing.assert_array_equal(stump.predict(rows), stump.predict(X))


@pytest.mark.parametrize("is_sparse", [False, True])
def test_boosting_weights_on_binned_rows(is_sparse):
    """Weights that change from fit to fit, on the same bins, as with bins made anew."""
    X, y = make_classification(300, 6, n_informative=4, random_state=0)
    X = np.round(4 * X)
    X = sparse.csr_array(X) if is_sparse else X
    labels = np.array(["no", "yes"])[y]
    rows = DecisionStumpClassifier().bin_rows(X)
    rng = np.random.default_rng(0)
    for _ in range(5):
        weight = rng.integers(1, 1000, 300) / 64
        binned = DecisionStumpClassifier().fit(rows, labels, weight)
        assert_same(binned, DecisionStumpClassifier().fit(X, labels, weight))
        np.testing.assert_array_equal(binned.predict(rows), binned.predict(X))


def test_a_frame_and_its_names():
    frame = pd.DataFrame({"a": [1.0, 2.0, None], "b": [3, 4, 5]})
    stump = DecisionStumpClassifier().fit(frame, pd.Series(["x", "y", "y"], dtype="category"))
    np.testing.assert_array_equal(stump.feature_names_in_, ["a", "b"])
    np.testing.assert_array_equal(stump.predict(frame), ["x", "y", "y"])


def test_a_pickled_stump_says_the_same():
    X, y = load_iris(return_X_y=True)
    stump = DecisionStumpClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(stump))
    np.testing.assert_array_equal(again.predict_proba(X), stump.predict_proba(X))


@pytest.mark.parametrize("max_bins", [1, 256])
def test_bins_that_no_byte_numbers_are_refused(max_bins):
    with pytest.raises(ValueError, match="max_bins"):
        DecisionStumpClassifier(max_bins).fit([[0.0], [1.0]], [0, 1])


def test_what_cannot_be_learned_from():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    with pytest.raises(InputError, match=r"zero|weight 0"):
        DecisionStumpClassifier().fit(X, y, [0, 0])
    with pytest.raises(InputError, match="class_weight is 0 for all labels"):
        DecisionStumpClassifier(class_weight={0: 0, 1: 0}).fit(X, y)
    stump = DecisionStumpClassifier()
    with pytest.raises(InputError, match=r"zero|weight 0"):
        stump.fit(stump.bin_rows(X), y, np.zeros(2))
    with pytest.raises(InputError, match="Row 1 has no label"):
        DecisionStumpClassifier().fit(X, ["a", None])
    with pytest.raises(InputError, match="column 0, row 1"):
        DecisionStumpClassifier().fit([[0.0], [np.inf]], y)
