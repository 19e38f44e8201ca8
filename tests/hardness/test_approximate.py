"""The approximate search, against the exact one."""

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
