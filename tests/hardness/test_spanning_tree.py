"""N1 against Kruskal's algorithm over all edges, and against scipy's spanning tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform

from hardness.tables import labelled_tables, squared_distance, table_without_ties
from hardy.exceptions import InputError
from hardy.hardness import mst_disagreement
from hardy.hardness.spanning_tree import _spanning_tree


def kruskal(X):
    """Take edges by length, then by positions, unless they close a circle."""
    pairs = [(i, j) for i in range(len(X)) for j in range(i + 1, len(X))]
    parts, edges = list(range(len(X))), []
    for i, j in sorted(pairs, key=lambda e: (squared_distance(X[e[0]], X[e[1]]), e)):
        if parts[i] != parts[j]:
            parts = [parts[i] if part == parts[j] else part for part in parts]
            edges.append((i, j))
    return edges


def by_definition(X, y):
    edges = kruskal(X)
    shares = []
    for row in range(len(X)):
        ends = [sum(edge) - row for edge in edges if row in edge]
        shares.append(np.mean([y[end] != y[row] for end in ends]))
    return shares


@settings(deadline=None, max_examples=200)
@given(table=labelled_tables())
def test_it_equals_the_definition(table):
    X, y = table
    expected = by_definition(X, y)
    for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        np.testing.assert_allclose(mst_disagreement(rows, y), expected)


def test_the_tree_is_as_short_as_that_of_scipy():
    X, _ = table_without_ties(n_rows=300)
    ends, others = _spanning_tree(X)
    assert len(ends) == 299
    ours = np.linalg.norm(X[ends] - X[others], axis=1).sum()
    assert ours == pytest.approx(minimum_spanning_tree(squareform(pdist(X))).sum())


def test_many_blocks_of_rows(monkeypatch):
    X, y = table_without_ties()
    monkeypatch.setattr("hardy.hardness.spanning_tree._BLOCK_ROWS", 7)
    np.testing.assert_allclose(mst_disagreement(X, y), by_definition(X, y))


def test_by_hand():
    # A chain, for distances grow to the right.
    X, y = [[0.0], [1.0], [3.0], [6.0], [10.0]], ["a", "b", "b", "a", "a"]
    assert mst_disagreement(X, y).tolist() == [1, 0.5, 0.5, 0.5, 0]


def test_edges_between_duplicates_are_not_lost():
    # Three duplicates, joined at the first; the fourth row is nearest to all of them.
    X, y = [[0.0], [0.0], [0.0], [5.0]], ["a", "b", "a", "a"]
    np.testing.assert_allclose(mst_disagreement(X, y), [1 / 3, 1, 0, 0])


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_the_largest_and_smallest_numbers_keep_their_distances(size):
    X, y = table_without_ties()
    X[:, 2] = 0
    np.testing.assert_array_equal(mst_disagreement(X * size, y), mst_disagreement(X, y))


def test_one_row_has_no_tree():
    with pytest.raises(InputError, match="Spanning trees need at least 2 rows"):
        mst_disagreement([[0.0]], [1])
