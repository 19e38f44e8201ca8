import numpy as np
import pytest
from scipy import sparse

from hardy.distributed import k_disagreeing_neighbors
from hardy.exceptions import InputError
from hardy.hardness import k_disagreeing_neighbors as in_memory


@pytest.fixture
def rows():
    """Rows with ties and duplicates, where the order of equally near ones shows."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(210, 3)).astype(float)
    y = np.array(["red", "green", "blue"])[rng.integers(0, 3, size=210)]
    return X, y


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("n_neighbors", [1, 5])
def test_it_is_the_measure_in_memory(n_blocks, n_neighbors, rows, in_blocks):
    X, y = rows
    measured = k_disagreeing_neighbors(*in_blocks(n_blocks, X, y), n_neighbors)
    assert measured.chunks == in_blocks(n_blocks, y)[0].chunks
    assert (measured.compute() == in_memory(X, y, n_neighbors)).all()


def test_frames_with_empty_blocks_keep_their_rows(rows):
    import dask.dataframe as dd
    import pandas as pd

    X, y = rows
    table = dd.from_pandas(pd.DataFrame(X, columns=list("pqr")).assign(label=y), npartitions=5)
    some = [table.partitions[number] for number in range(3)]
    table = dd.concat([some[0], some[1][some[1]["p"] > 9], some[2]])
    kept = table.compute()
    measured = k_disagreeing_neighbors(table[list("pqr")], table["label"])
    assert (measured.compute() == in_memory(kept[list("pqr")], kept["label"])).all()


def test_sparse_rows(rows):
    import dask
    import dask.array as da

    X, y = rows
    parts = [sparse.csr_matrix(X[:100]), sparse.csr_matrix(X[100:])]
    blocks = da.concatenate(
        [da.from_delayed(dask.delayed(p), p.shape, meta=parts[0][:0]) for p in parts]
    )
    measured = k_disagreeing_neighbors(blocks, da.from_array(y, chunks=(100, 110)))
    assert (measured.compute() == in_memory(X, y)).all()


def test_a_sample_is_the_same_however_rows_are_split_and_is_searched_by_hand(in_blocks):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    measured = [
        k_disagreeing_neighbors(
            *in_blocks(n_blocks, X, y), 3, max_index_rows=100, random_state=5
        ).compute()
        for n_blocks in (1, 2, 7)
    ]
    assert (measured[0] == measured[1]).all()
    assert (measured[0] == measured[2]).all()
    seed = int(np.random.RandomState(5).randint(np.iinfo(np.int32).max))
    chosen = np.flatnonzero(np.random.Generator(np.random.PCG64(seed)).random(400) < 0.25)
    assert 60 < len(chosen) < 140
    for row in range(400):
        others = chosen[chosen != row]
        distance = np.linalg.norm(X[others] - X[row], axis=1)
        near = others[np.argsort(distance)[:3]]
        assert measured[0][row] == np.mean(y[near] != y[row])


def test_a_sample_tells_flipped_labels_as_well(in_blocks):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 1000)
    X = rng.normal(size=(2000, 3)) + 2 * y[:, None]
    flipped = rng.random(2000) < 0.1
    given = np.where(flipped, 1 - y, y)
    exact = in_memory(X, given, 10)
    sampled = k_disagreeing_neighbors(
        *in_blocks(3, X, given), 10, max_index_rows=400, random_state=0
    ).compute()
    assert abs(sampled.mean() - exact.mean()) < 0.02
    assert sampled[flipped].mean() > 0.7
    assert sampled[~flipped].mean() < 0.2


def test_what_cant_be_measured_is_refused(rows, in_blocks):
    X, y = rows
    with pytest.raises(InputError, match="n_neighbors=0 must be"):
        k_disagreeing_neighbors(*in_blocks(2, X, y), 0)
    with pytest.raises(InputError, match="max_index_rows=5 must be"):
        k_disagreeing_neighbors(*in_blocks(2, X, y), max_index_rows=5)
    with pytest.raises(InputError, match="X is a ndarray"):
        k_disagreeing_neighbors(X, y)
    X[150, 1] = np.nan
    with pytest.raises(InputError, match=r"block 1 of the rows.*column 1, row 45"):
        k_disagreeing_neighbors(*in_blocks(2, X, y))
    labels = y.astype(object)
    labels[7] = None
    with pytest.raises(InputError, match="label"):
        k_disagreeing_neighbors(*in_blocks(2, rows[0][:100], labels[:100]))
    with pytest.raises(InputError, match="at least 2 rows"):
        k_disagreeing_neighbors(*in_blocks(1, X[:1], y[:1]))
