"""Frames, sparse matrices, memory maps, float types and missing values."""

import warnings
from copy import deepcopy

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import is_regressor
from sklearn.linear_model import Perceptron
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from contract.registry import (
    blobs,
    every,
    every_of_numbers,
    every_setting,
    every_setting_of_numbers,
    fit,
    outputs,
    said,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every_of_numbers
def test_a_frame_keeps_its_names(case):
    X, y = blobs()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = fit(case(), frame, y)
    assert_array_equal(model.feature_names_in_, list("abcd"))
    assert model.n_features_in_ == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from_frame = outputs(model, frame)
    assert_array_equal(from_frame, outputs(fit(case(), X, y), X))


@every_of_numbers
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame[list("badc")], "must be in the same order"),
        (lambda frame: frame[list("abc")], "seen at fit time, yet now missing:\n- d"),
        (lambda frame: frame.assign(e=1.0), "unseen at fit time:\n- e"),
    ],
)
def test_other_columns_are_an_error_that_shows_the_difference(case, change, message):
    if case.is_sampler:
        pytest.skip("is asked of no rows but those that it is fitted on")
    X, y = blobs()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = fit(case(), frame, y)
    with pytest.raises(ValueError, match=message):
        said(model, change(frame))
    if hasattr(StandardScaler().fit(pl.from_pandas(frame)), "feature_names_in_"):
        with pytest.raises(ValueError, match=message):
            said(model, pl.from_pandas(change(frame)))


@every_of_numbers
def test_polars_frames(case):
    X, y = blobs()
    frame = pl.DataFrame(X, schema=list("abcd"))
    model = fit(case(), frame, pl.Series(y))
    # Whether polars names are known is up to scikit-learn's version.
    known = getattr(StandardScaler().fit(frame), "feature_names_in_", None)
    assert_array_equal(getattr(model, "feature_names_in_", None), known)
    assert_array_equal(outputs(model, frame), outputs(fit(case(), X, y), X))


@every_of_numbers
def test_numbers_in_any_other_container(case):
    X, y = blobs()
    expected = outputs(fit(case(), X, y), X)
    frame = pd.DataFrame(X, columns=list("abcd"))
    for rows in (
        X.tolist(),
        X.astype(object),
        np.asfortranarray(X),
        frame.set_index(np.arange(120)[::-1]),
        frame.astype("Float64"),
    ):
        assert_array_equal(outputs(fit(case(), rows, y), rows), expected)


def _refuse(shape, make_dense):
    """Distances between rows may be dense, but not the rows."""

    def wrapped(self, *arguments, **options):
        assert self.shape != shape, "made dense"
        return make_dense(self, *arguments, **options)

    return wrapped


@every_setting_of_numbers
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_rows_stay_sparse(case, settings, n_classes, monkeypatch):
    if not get_tags(case(**settings)).input_tags.sparse:
        pytest.skip("takes dense rows only")
    X, y = blobs(n_classes)
    X = np.where(abs(X) > 0.7, X, 0.0)
    dense = fit(case(**settings), X, y)

    for container in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        rows = container(X)
        with monkeypatch.context() as patch:
            for kind in (sparse.csr_array, sparse.csr_matrix, container):
                for name in ("toarray", "todense"):
                    patch.setattr(kind, name, _refuse(X.shape, getattr(kind, name)))
            fitted = fit(case(**settings), rows, y)
            answer = said(fitted, rows)
        assert sparse.issparse(answer) == case.is_transformer
        if (
            isinstance(getattr(fitted, "estimator_", None), Perceptron)
            or hasattr(fitted, "hardness_")
            or "sparse" in case.cannot
        ):
            # scikit-learn's perceptron moves its intercept more slowly on sparse rows, and they
            # are scaled without being shifted.
            assert fitted.score(rows, y) > 1 / n_classes + 0.15
        else:
            assert_allclose(outputs(fitted, rows), outputs(dense, X), atol=1e-6)


@every_of_numbers
def test_a_cell_that_is_named_twice_is_their_sum(case):
    if not get_tags(case()).input_tags.sparse:
        pytest.skip("takes dense rows only")
    X, y = blobs()
    X = np.where(abs(X) > 0.7, X, 0.0)
    once = sparse.csr_array(X)
    # Cells of 0 are stored as well, which changes nothing either.
    data = np.repeat(X[:, None] / 2, 2, axis=1).ravel()
    columns = np.tile(np.arange(4), 2 * len(X))
    twice = sparse.csr_array((data, columns, np.arange(0, data.size + 1, 8)), shape=X.shape)
    model = fit(case(), twice, y)
    assert twice.nnz == data.size
    assert_allclose(outputs(model, twice), outputs(fit(case(), once, y), once), atol=1e-12)


@every_setting_of_numbers
def test_dense_rows_are_asked_for_where_they_are_needed(case, settings):
    if get_tags(case(**settings)).input_tags.sparse:
        pytest.skip("takes sparse rows")
    X, y = blobs()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        fit(case(**settings), sparse.csr_array(X), y)


@every_setting_of_numbers
def test_missing_values(case, settings):
    X, y = blobs()
    X[::7, 1] = np.nan
    if get_tags(case(**settings)).input_tags.allow_nan:
        # Two means explain part of the variance only.
        least = 0.2 if is_regressor(case(**settings)) else 0.6
        assert case.in_pipeline(case(**settings)).fit(X, y).score(X, y) > least
        return
    frame = pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 1, row 0"):
        fit(case(**settings), X, y)
    with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 'b', row 0"):
        fit(case(**settings), frame, y)
    model = fit(case(**settings), frame.fillna(0.0), y)
    if not case.is_sampler:
        with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 'b', row 0"):
            said(model, frame)


@every_of_numbers
@pytest.mark.parametrize("size", [np.inf, -np.inf])
def test_infinite_values(case, size):
    X, y = blobs()
    X[3, 2] = size
    frame = pd.DataFrame(X, columns=list("abcd"))
    for rows, column in ((X, "2"), (frame, "'c'"), (sparse.csr_array(X), "2")):
        if sparse.issparse(rows) and not get_tags(case()).input_tags.sparse:
            continue
        said_of = (
            rf"infinity: column {column}, row 3|Column {column} has an infinite value in row 3"
        )
        with pytest.raises(ValueError, match=said_of):
            fit(case(), rows, y)


@every
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_memory_mapped_rows_in_two_workers(case, backend, tmp_path):
    X, y = case.data()
    model = case.in_pipeline(case())
    joblib.dump(X, tmp_path / "X")
    mapped = joblib.load(tmp_path / "X", mmap_mode="r")
    with joblib.parallel_config(backend):
        predicted = cross_val_predict(model, mapped, y, cv=3, n_jobs=2)
    # Sums by two threads of linear algebra may round otherwise than by the one of a worker.
    with threadpool_limits(2, "blas"):
        expected = cross_val_predict(model, X, y, cv=3)
    assert_array_equal(predicted, expected)


@every_setting
def test_input_is_not_changed(case, settings):
    X, y = case.data()
    weights = np.ones(len(y))
    before = deepcopy((X, y))
    for array in (X, y, weights):
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    options = {"sample_weight": weights} if has_fit_parameter(case(), "sample_weight") else {}
    said(fit(case(**settings), X, y, **options), X)
    for now, then in zip((X, y), before, strict=True):
        pd.testing.assert_frame_equal(pd.DataFrame(now), pd.DataFrame(then))


@every_of_numbers
def test_float32_rows_are_learned_as_well(case):
    X, y = blobs(n_samples=400)
    single = X.astype(np.float32)
    if case.is_sampler:
        assert np.mean(outputs(fit(case(), single, y), X) != outputs(fit(case(), X, y), X)) < 0.1
        return
    scores = [case.in_pipeline(case()).fit(rows, y).score(rows, y) for rows in (single, X)]
    assert abs(scores[0] - scores[1]) < 0.05
