import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.decomposition import PCA

from hardy.audit import surroundings
from hardy.audit.surroundings import draw_map, find_nearest, rows_to_show, values_to_show
from hardy.panel.views import Views

RNG = np.random.RandomState(0)
X = RNG.normal(size=(30, 3))
CODES = np.where(np.arange(30) % 7 == 0, -1, np.arange(30) % 2)
LABELLED = np.flatnonzero(CODES >= 0)
NOTHING = np.empty(0, dtype=int)


def test_nearest_rows_equal_brute_force():
    views = Views(X[LABELLED])
    nearest = find_nearest(X, views, CODES, NOTHING, None)
    normal = views.transform(X, "normal")
    assert nearest.shape == (30, 10)
    for row in range(30):
        others = LABELLED[row != LABELLED]
        distance = np.linalg.norm(normal[others] - normal[row], axis=1)
        assert nearest[row].tolist() == others[np.argsort(distance, kind="stable")][:10].tolist()


def test_sparse_rows_have_nearest_rows():
    matrix = sparse.csr_array(np.abs(X))
    dense = find_nearest(np.abs(X), Views(np.abs(X)), np.zeros(30, dtype=int), NOTHING, None)
    found = find_nearest(matrix, Views(matrix), np.zeros(30, dtype=int), NOTHING, 2)
    assert found.shape == dense.shape
    scaled = np.abs(X) / np.abs(X).max(axis=0)
    for row in range(30):
        distance = np.linalg.norm(scaled - scaled[row], axis=1)
        distance[row] = np.inf
        assert found[row].tolist() == np.argsort(distance, kind="stable")[:10].tolist()


def test_few_rows_have_few_nearest_rows():
    codes = np.array([0, 1, 0, -1])
    nearest = find_nearest(X[:4], Views(X[:3]), codes, NOTHING, None)
    assert nearest.shape == (4, 2)
    assert [set(row) for row in nearest[:3].tolist()] == [{1, 2}, {0, 2}, {0, 1}]
    assert 3 not in nearest


def test_without_features_nothing_is_near():
    assert find_nearest(None, Views(None), CODES, NOTHING, None).shape == (30, 0)


def test_the_map_is_the_principal_components():
    views = Views(X[LABELLED])
    placed = draw_map(X, views, np.zeros((30, 2)))
    expected = PCA(2).fit(views.normal).transform(views.transform(X, "normal"))
    np.testing.assert_allclose(np.abs(placed), np.abs(expected), atol=1e-9)


def test_one_dimension_is_drawn_on_a_line():
    placed = draw_map(X[:, :1], Views(X[:, :1]), np.zeros((30, 2)))
    assert placed.shape == (30, 2)
    assert not placed[:, 1].any()
    assert np.ptp(placed[:, 0]) > 1


def test_without_features_the_probabilities_are_drawn():
    proba = RNG.dirichlet([1, 1, 1], 30)
    placed = draw_map(None, Views(None), proba)
    expected = PCA(2).fit_transform(proba)
    np.testing.assert_allclose(np.abs(placed), np.abs(expected), atol=1e-9)


@pytest.mark.parametrize("proba", [np.full((30, 2), 0.5), np.eye(30)[:, :2]])
def test_the_map_of_nothing_is_quiet(proba):
    matrix = sparse.csr_array(np.ones((30, 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(draw_map(None, Views(None), proba)).all()
        assert np.isfinite(draw_map(matrix, Views(matrix), proba)).all()


def test_sparse_rows_are_placed():
    matrix = sparse.csr_array(np.abs(X))
    placed = draw_map(matrix, Views(matrix), np.zeros((30, 2)))
    assert placed.shape == (30, 2)
    assert np.linalg.matrix_rank(placed) == 2


NEAREST = (np.arange(30)[:, None] + np.arange(1, 11)) % 30


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_shown_are_the_chosen_rows_and_their_five_nearest(container):
    values = values_to_show(container(X), np.array([20, 3]), NEAREST)
    assert isinstance(values, pd.DataFrame)
    assert values.index.tolist() == [*range(3, 9), *range(20, 26)]
    np.testing.assert_array_equal(values, X[values.index])


def test_names_and_types_of_columns_stay():
    frame = pd.DataFrame({"w": list("abc") * 10, "d": pd.date_range("2026", periods=30)})
    frame.index = pd.Index(["same"] * 30)
    values = values_to_show(frame, np.array([4]), NEAREST)
    assert values.index.tolist() == [4, 5, 6, 7, 8, 9]
    assert values.dtypes.tolist() == frame.dtypes.tolist()
    assert values["w"].tolist() == frame["w"].iloc[4:10].tolist()
    numbered = values_to_show(X, np.array([4]), NEAREST)
    assert numbered.columns.tolist() == ["x0", "x1", "x2"]


def test_of_too_many_the_most_doubtful_are_shown(monkeypatch):
    monkeypatch.setattr(surroundings, "MOST_ROWS_SHOWN", 2)
    shown = rows_to_show(np.linspace(0, 1, 30), np.arange(30) % 5 == 0)
    assert shown.tolist() == [25, 20]


@pytest.mark.parametrize("most_searched", [100, 9])
def test_among_many_rows_only_those_shown_have_nearest_rows(monkeypatch, most_searched):
    """All others are asked, or a sample of them."""
    monkeypatch.setattr(surroundings, "FEW_ROWS", 20)
    monkeypatch.setattr(surroundings, "_MOST_SEARCHED", most_searched)
    monkeypatch.setattr(surroundings, "N_NEAREST", 4)
    views = Views(X[LABELLED])
    shown = np.array([7, 3, 28])  # two of them without a label
    nearest = find_nearest(X, views, CODES, shown, None)
    assert nearest.shape == (30, 4)
    assert (np.delete(nearest, shown, axis=0) == -1).all()
    normal = views.transform(X, "normal")
    for row in shown:
        asked = LABELLED if most_searched == 100 else np.unique(nearest[shown])
        others = asked[asked != row]
        distance = np.linalg.norm(normal[others] - normal[row], axis=1)
        assert nearest[row].tolist() == others[np.argsort(distance, kind="stable")][:4].tolist()


@pytest.mark.parametrize("features", [None, sparse.csr_array(X)])
def test_without_columns_only_the_rows_are_known(features):
    near = np.empty((30, 0), dtype=int) if features is None else NEAREST
    values = values_to_show(features, np.array([4]), near)
    assert values.shape[1] == 0
    assert 4 in values.index
