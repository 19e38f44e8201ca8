import numpy as np
import pandas as pd
import pytest

from hardy.audit.findings.outliers import find_strangers


@pytest.mark.parametrize("n", [300, 3000])
def test_a_row_in_other_units_and_a_row_of_zeros_are_found(make_evidence, n):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(100, 5, size=(n, 12)))
    X.columns = [f"c{at}" for at in X.columns]
    X.loc[17] *= 1000
    X.loc[40] = 0.0
    (finding,) = find_strangers(make_evidence(X, rng.integers(2, size=n)))
    assert finding.rows.tolist() == [17, 40]
    assert finding.notes[0].endswith("× the usual distance")


@pytest.mark.parametrize("draw", ["normal", "exponential", "lognormal", "uniform", "integers"])
@pytest.mark.parametrize("n_columns", [2, 8, 40])
def test_nothing_is_found_in_one_cloud(make_evidence, draw, n_columns):
    rng = np.random.default_rng(1)
    size = (600, n_columns)
    X = rng.integers(5, size=size) if draw == "integers" else getattr(rng, draw)(size=size)
    assert not list(find_strangers(make_evidence(X, rng.integers(2, size=600))))


@pytest.mark.parametrize("seed", range(5))
def test_rare_counts_are_no_strangers_where_most_distances_are_equal(make_evidence, seed):
    rng = np.random.default_rng(seed)
    X = rng.poisson(1, (200, 2)).astype(float)
    assert not list(find_strangers(make_evidence(X, rng.integers(2, size=200))))


def test_a_small_class_of_its_own_is_no_stranger(make_evidence):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    X[:20] += 50
    assert not list(find_strangers(make_evidence(X, rng.integers(2, size=400))))


@pytest.mark.filterwarnings("error")
def test_what_is_next_to_nothing_in_most_rows_is_no_measure(make_evidence):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    X[:, 0] = np.where(np.arange(100) < 90, 1e-305 * X[:, 0], 1e10)
    evidence = make_evidence(X, rng.integers(2, size=100))
    assert np.isfinite(evidence.points).all()
    assert not list(find_strangers(evidence))
