"""The approximate search, against the exact one."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from hardy.exceptions import InputError, MissingExtraError
from hardy.hardness import _approximate, k_disagreeing_neighbors, nearest_neighbors

faiss = pytest.importorskip("faiss", reason="the extra neighbors is not installed")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3000, 6))
Y = (X[:, 0] + RNG.normal(size=3000) > 0).astype(int)


def test_nearly_all_neighbours_are_found_and_kdn_is_nearly_right():
    exact, distances = nearest_neighbors(X, 5)
    near, far = nearest_neighbors(X, 5, search="approximate")
    recall = np.mean([len(set(a) & set(b)) / 5 for a, b in zip(exact, near, strict=True)])
    assert recall > 0.98
    agree = exact == near
    np.testing.assert_allclose(far[agree], distances[agree], rtol=1e-4)
    assert (np.diff(far, axis=1) >= 0).all()
    kdn, about = (k_disagreeing_neighbors(X, Y, search=s) for s in ("exact", "approximate"))
    assert np.abs(kdn - about).mean() < 0.01


def test_no_row_is_its_own_neighbour_among_duplicates():
    rows = np.repeat(RNG.normal(size=(30, 3)), 10, axis=0)
    near, distances = nearest_neighbors(rows, 5, search="approximate")
    assert near.shape == (300, 5)
    assert (near != np.arange(300)[:, None]).all()
    assert all(len(set(row)) == 5 for row in near)
    assert np.median(distances) == 0


def test_threads_change_nothing_and_stay_as_they_were():
    before = faiss.omp_get_max_threads()
    one, two = (
        nearest_neighbors(X[:500], 3, search="approximate", n_jobs=n_jobs) for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_array_equal(one[1], two[1])
    assert faiss.omp_get_max_threads() == before


@pytest.mark.parametrize("factor", [1e300, 1e-300, 1.0])
def test_units_and_offsets_do_not_matter(factor):
    expected, distances = nearest_neighbors(X[:300], 4, search="approximate")
    near, far = nearest_neighbors(factor * X[:300], 4, search="approximate")
    assert (near == expected).mean() > 0.99
    np.testing.assert_allclose(np.median(far) / factor, np.median(distances), rtol=1e-3)


def test_few_rows_have_few_neighbours():
    near, _ = nearest_neighbors([[0.0], [1.0], [5.0]], 10, search="approximate")
    assert near.tolist() == [[1, 2], [0, 2], [1, 0]]


def test_what_cannot_be_searched_is_refused(monkeypatch):
    with pytest.raises(InputError, match="search='near' must be"):
        nearest_neighbors(X, search="near")
    with pytest.raises(InputError, match="takes no sparse rows"):
        nearest_neighbors(sparse.csr_array(X), search="approximate")
    with pytest.raises(InputError, match="n_neighbors=0 must be"):
        nearest_neighbors(X, 0, search="approximate")

    def missing(*_, **__):
        raise MissingExtraError("An approximate search needs faiss")

    monkeypatch.setattr(_approximate, "import_extra", missing)
    with pytest.raises(MissingExtraError, match="needs faiss"):
        k_disagreeing_neighbors(X, Y, search="approximate")


class _FewFound:
    """An index that finds what it is told to, and no more."""

    FOUND = (
        ([0, 1, 2, 3], [0.0, 1.0, 4.0, 9.0]),  # all
        ([2, 0, 1, -1], [1.0, 1.0, 0.0, 9e9]),  # a tie, itself last, and one too few
        ([3, 1, 4, 0], [1.0, 1.0, 4.0, 4.0]),  # not itself: the farthest goes
        ([4, 3, -1, -1], [1.0, 0.0, 9e9, 9e9]),
        ([-1, -1, -1, -1], [9e9, 9e9, 9e9, 9e9]),
    )

    def __init__(self, n_columns, n_links):
        assert (n_columns, n_links) == (1, 16)
        self.hnsw = SimpleNamespace()

    def add(self, points):
        assert points.dtype == np.float32
        assert points.flags.c_contiguous
        # Around the median; four is the power of two just above half the width of 4.
        np.testing.assert_array_equal(points.ravel() * 4, [-2, -1, 0, 1, 2])

    def search(self, points, n_asked):
        assert (len(points), n_asked) == (5, 4)
        assert (self.hnsw.efConstruction, self.hnsw.efSearch) == (40, 32)
        near, squares = zip(*self.FOUND, strict=True)
        return np.array(squares, dtype=np.float32), np.array(near)


def test_where_too_few_are_found_the_next_rows_fill_up(monkeypatch):
    threads = []
    module = SimpleNamespace(
        IndexHNSWFlat=_FewFound,
        omp_get_max_threads=lambda: 7,
        omp_set_num_threads=threads.append,
    )
    asked = []
    monkeypatch.setattr(
        _approximate, "import_extra", lambda *names, **said: asked.append((names, said)) or module
    )
    rows = np.arange(5.0)[:, None] + 4
    near, distances = nearest_neighbors(rows, 3, search="approximate", n_jobs=2)
    assert near.tolist() == [[1, 2, 3], [0, 2, 3], [1, 3, 4], [4, 0, 1], [0, 1, 2]]
    far = np.inf
    expected = [[1, 2, 3], [1, 1, far], [1, 1, 2], [1, far, far], [far, far, far]]
    assert (distances / 4).tolist() == expected
    assert asked == [
        (("faiss",), {"extra": "neighbors", "purpose": "An approximate search"}),
    ]
    # Built by one thread; searched by those that were asked for; left as they were.
    assert threads == [1, 2, 7]
