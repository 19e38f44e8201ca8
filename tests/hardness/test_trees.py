"""Measures of trees against a tree grown by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

from hardness.tables import labelled_tables, table_without_ties
from hardy.hardness import disjunct_class_percentage, disjunct_size, tree_depth, trees


def grow(values, labels, rows, depth=0):
    """Split one column where the Gini impurity falls most, down to pure leaves.

    Gives up where two splits are equally good: which of them is taken is not promised.
    """
    distinct = sorted({values[row] for row in rows})
    if len(distinct) == 1 or len({labels[row] for row in rows}) == 1:
        return [(rows, depth)]

    def purity(cut):
        sides = [row for row in rows if values[row] < cut], [r for r in rows if values[r] >= cut]
        counts = [[[labels[r] for r in side].count(k) for k in set(labels)] for side in sides]
        return sum(Fraction(sum(c * c for c in count), sum(count)) for count in counts)

    *_, second, best = [(-1, None), *sorted((purity(cut), cut) for cut in distinct[1:])]
    assume(second[0] != best[0])
    cut = best[1]
    left, right = [r for r in rows if values[r] < cut], [r for r in rows if values[r] >= cut]
    return grow(values, labels, left, depth + 1) + grow(values, labels, right, depth + 1)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(table=labelled_tables(max_columns=1))
def test_unpruned_trees_equal_the_one_grown_by_hand(table):
    X, y = table
    leaves = grow(X[:, 0].tolist(), y.tolist(), list(range(len(y))))
    largest = max(len(rows) for rows, _ in leaves)
    deepest = max(depth for _, depth in leaves)
    ds, td = np.empty(len(y)), np.empty(len(y))
    for rows, depth in leaves:
        ds[rows] = 1 - (len(rows) - 1) / (largest - 1) if largest > 1 else 1
        td[rows] = depth / deepest if deepest else 0
    # A second column in the same order has no other splits to offer.
    for rows in (X, np.column_stack([X, 3 * X + 1]), sparse.csr_matrix(X)):
        np.testing.assert_allclose(disjunct_size(rows, y, random_state=0), ds)
        np.testing.assert_allclose(tree_depth(rows, y, random_state=0), td)


@settings(deadline=None, max_examples=50)
@given(table=labelled_tables(max_rows=12))
def test_sparse_equals_dense(table):
    X, y = table
    for measure in (disjunct_size, disjunct_class_percentage, tree_depth):
        expected = measure(X, y, random_state=0)
        np.testing.assert_array_equal(measure(sparse.csr_matrix(X), y, random_state=0), expected)


def test_by_hand():
    # The first cut is between 3 and 4, the second between 4 and 5.
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["a"] * 4 + ["b"] + ["a"] * 2
    np.testing.assert_allclose(disjunct_size(X, y), [0, 0, 0, 0, 1, 2 / 3, 2 / 3])
    assert tree_depth(X, y).tolist() == [0.5] * 4 + [1] * 3


def test_labels_without_any_order_are_pruned_to_the_root():
    rng = np.random.RandomState(0)
    X, y = rng.normal(size=(200, 2)), np.repeat(["a", "b"], [130, 70])
    np.testing.assert_allclose(
        disjunct_class_percentage(X, y, random_state=0), np.repeat([0.35, 0.65], [130, 70])
    )
    assert not tree_depth(X, y, pruned=True, random_state=0).any()
    assert tree_depth(X, y, random_state=0).max() == 1


def test_pruning_keeps_what_holds_for_other_rows_and_drops_a_wrong_label():
    X = np.arange(100.0).reshape(-1, 1)
    y = np.repeat([0, 1, 0, 1], 25)
    y[10] = 1
    dcp = disjunct_class_percentage(X, y, random_state=0)
    np.testing.assert_allclose(dcp[:25], np.where(np.arange(25) == 10, 24 / 25, 1 / 25))
    assert not dcp[25:].any()
    # Three cuts: a balanced tree of depth 2, or a chain of depth 3.
    assert tree_depth(X, y, pruned=True, random_state=0).min() >= 1 / 3
    assert (disjunct_size(X, y, random_state=0) == 1).tolist().count(True) == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_pruning_is_the_most_accurate_in_stratified_folds(monkeypatch, seed):
    drawn = []
    split = trees.PredefinedSplit
    monkeypatch.setattr(trees, "PredefinedSplit", lambda fold: drawn.append(fold) or split(fold))
    rng = np.random.RandomState(seed)
    X = rng.randint(0, 30, (90, 2)).astype(float)
    y = ((X[:, 0] > 14) ^ (rng.rand(90) < 0.15)).astype(int)
    y[:7] = 2
    tree = DecisionTreeClassifier(random_state=0)
    chosen = trees._choose_pruning(tree, X, y, rng)
    (fold,) = drawn
    for label in range(3):
        shares = np.bincount(fold[y == label], minlength=5)
        assert len(shares) == 5
        assert shares.max() - shares.min() <= 1

    def accuracy(alpha):
        model = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)
        parts = [(fold != part, fold == part) for part in range(5)]
        return np.mean([model.fit(X[a], y[a]).score(X[b], y[b]) for a, b in parts])

    heaviest = tree.cost_complexity_pruning_path(X, y).ccp_alphas[-1]
    candidates = [heaviest * 10 ** (-k / 3) for k in range(10)] + [0.0]
    best = max(accuracy(alpha) for alpha in candidates)
    largest = max(alpha for alpha in candidates if accuracy(alpha) > best - 1e-9)
    assert chosen == pytest.approx(largest)


def test_wrong_labels_are_the_minority_of_their_leaves():
    X, y = table_without_ties(n_rows=150, n_classes=2, seed=3)
    flipped = np.random.RandomState(0).rand(150) < 0.2
    y = np.where(flipped, 1 - np.minimum(y, 1), np.minimum(y, 1))
    pruned = disjunct_class_percentage(X, y, random_state=0)
    assert 0 < pruned.mean() < min(y.mean(), 1 - y.mean()) * 2
    assert pruned[flipped].mean() > pruned[~flipped].mean()


@pytest.mark.parametrize("n_rows", [2, 3, 6])
def test_classes_of_one_row_and_fewer_rows_than_folds(n_rows):
    X, y = np.arange(float(n_rows)).reshape(-1, 1), np.arange(n_rows)
    assert disjunct_size(X, y, random_state=0).tolist() == [1] * n_rows
    for pruned in (disjunct_class_percentage(X, y), tree_depth(X, y, pruned=True)):
        assert ((pruned >= 0) & (pruned <= 1)).all()


@pytest.mark.parametrize(
    "change",
    [np.exp, lambda X: X * 1e300, lambda X: X * 1e-300, lambda X: X / 1e9 + 1, np.cbrt],
)
def test_only_the_order_of_the_values_matters(change):
    X, y = table_without_ties()
    for measure in (disjunct_size, disjunct_class_percentage, tree_depth):
        np.testing.assert_array_equal(
            measure(change(X), y, random_state=0), measure(X, y, random_state=0)
        )


def test_ranks_of_sparse_columns_count_from_zero():
    X = np.array([[0, 2.5], [-3, 9], [0, 2.5], [7, 1], [-5, 9]])
    # A column without zeros counts from the lowest: nothing stands between both signs.
    expected = [[0, 1], [-1, 2], [0, 1], [1, 0], [-2, 2]]
    assert trees._rank_columns(sparse.csr_matrix(X)).toarray().tolist() == expected
    assert trees._rank_columns(X).tolist() == [[3, 2], [2, 3], [3, 2], [4, 1], [1, 3]]
