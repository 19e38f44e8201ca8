import numpy as np
import pytest

from hardy.distributed import _binning
from hardy.distributed._binning import bin_blocks
from hardy.distributed._blocks import Blocks
from hardy.learners._binning import bin_rows


def binned(X, weight, n_blocks, max_bins):
    rows, weights = (Blocks(tuple(np.array_split(a, n_blocks))) for a in (X, weight))
    blocks, bins = bin_blocks(rows, weights, max_bins)
    return np.hstack(blocks.gather(lambda part: part.codes)), bins


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("max_bins", [5, 255])
@pytest.mark.parametrize("weighted", [False, True])
def test_bins_are_those_in_memory(n_blocks, max_bins, weighted):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=400), rng.integers(0, 9, size=400), np.ones(400)])
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.integers(1, 5, size=400) if weighted else np.ones(400)
    codes, bins = binned(X, weight.astype(float), n_blocks, max_bins)
    there = bin_rows(X, weight.astype(float), max_bins)
    assert (codes == there.codes).all()
    assert (bins.cuts == there.cuts).all()
    assert (bins.starts == there.starts).all()
    assert bins.shape == (0, 3)


@pytest.mark.parametrize("n_blocks", [1, 3])
def test_many_values_are_sketched(n_blocks, monkeypatch):
    monkeypatch.setattr(_binning, "SKETCH_SIZE", 64)
    rng = np.random.default_rng(0)
    X, weight = rng.exponential(size=(3000, 1)), rng.random(3000)
    _, bins = binned(X, weight, n_blocks, 8)
    shares = [weight[X[:, 0] <= cut].sum() / weight.sum() for cut in bins.cuts]
    np.testing.assert_allclose(shares, np.arange(1, 8) / 8, atol=2 / 64)
