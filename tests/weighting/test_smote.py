from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from hardy.weighting import IterativeSelection, SMOTEBags, _smote
from hardy.weighting._smote import import_smote, make_rows


@pytest.mark.parametrize("make", [SMOTEBags, partial(IterativeSelection, smote=True)])
def test_made_rows_are_settled_by_the_given_state(started, make):
    y = np.repeat([0, 1], [30, 8])
    rule = started(make(), y, np.random.default_rng(0).normal(size=(38, 2)))
    one, same, other = (rule.bag(0, np.random.RandomState(seed)) for seed in (0, 0, 1))
    assert_array_equal(one.rows, same.rows)
    assert_array_equal(one.made[0], same.made[0])
    assert one.made[0].shape != other.made[0].shape or (one.made[0] != other.made[0]).any()


def test_rows_are_made_between_as_many_neighbours_as_there_are():
    X = np.array([[0.0], [1.0], [100.0], [101.0], [7.0], [9.0]])
    state = np.random.RandomState(0)
    made = make_rows(import_smote(), X, np.arange(4), 50, 1, state)
    assert made.shape == (50, 1)
    assert ((made <= 1) | (made >= 100)).all()
    # With three neighbours, across the gap too.
    made = make_rows(import_smote(), X, np.arange(4), 50, 3, state)
    assert ((made > 1) & (made < 100)).any()
    # Of two rows each has one neighbour, whatever is asked for.
    made = make_rows(import_smote(), X, np.array([4, 5]), 1, 5, state)
    assert made.shape == (1, 1)
    assert 7 <= made[0, 0] <= 9
    assert_array_equal(make_rows(import_smote(), X, np.array([4]), 2, 5, state), [[7], [7]])
    assert make_rows(import_smote(), X, np.array([4, 5]), 0, 5, state).shape == (0, 1)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(("dtype", "unit"), [(np.float64, 2.0**1020), (np.float32, 2.0**124)])
def test_rows_of_large_numbers_are_made_as_those_of_small_ones(dtype, unit, container):
    X = np.array([[-9.0, 1.0], [-8.0, 0.0], [8.0, 0.0], [9.0, 2.0]], dtype)
    X[X == 0] = 0.5
    small, large = (
        make_rows(import_smote(), container(rows), np.arange(4), 9, 1, np.random.RandomState(0))
        for rows in (X, X * dtype(unit))
    )
    assert_array_equal((large / dtype(unit) != small).sum(), 0)


def test_smote_comes_from_an_extra(monkeypatch):
    asked = []
    monkeypatch.setattr(
        _smote,
        "import_extra",
        lambda *names, **said: asked.append((names, said)) or SimpleNamespace(SMOTE="SMOTE"),
    )
    assert import_smote() == "SMOTE"
    assert asked == [(("imblearn.over_sampling",), {"extra": "imbalance", "purpose": "SMOTE"})]
