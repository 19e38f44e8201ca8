"""Frames, sparse matrices, memory maps, float types and missing values."""

import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.linear_model import Perceptron
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from contract.registry import blobs, every, every_setting, outputs

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every
def test_a_frame_keeps_its_names(case):
    X, y = blobs()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = case().fit(frame, y)
    assert_array_equal(model.feature_names_in_, list("abcd"))
    assert model.n_features_in_ == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from_frame = outputs(model, frame)
    assert_array_equal(from_frame, outputs(case().fit(X, y), X))
    for wrong in (frame[list("badc")], frame[list("abc")], frame.assign(e=1.0)):
        with pytest.raises(ValueError, match="feature names"):
            model.predict(wrong)


@every
def test_polars_frames(case):
    X, y = blobs()
    frame = pl.DataFrame(X, schema=list("abcd"))
    model = case().fit(frame, pl.Series(y))
    # Whether polars names are known is up to scikit-learn's version.
    known = getattr(StandardScaler().fit(frame), "feature_names_in_", None)
    assert_array_equal(getattr(model, "feature_names_in_", None), known)
    assert_array_equal(outputs(model, frame), outputs(case().fit(X, y), X))


def _refuse(shape, make_dense):
    """Distances between rows may be dense, but not the rows."""

    def wrapped(self, *arguments, **options):
        assert self.shape != shape, "made dense"
        return make_dense(self, *arguments, **options)

    return wrapped


@every_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_rows_stay_sparse(case, settings, n_classes, monkeypatch):
    if not get_tags(case(**settings)).input_tags.sparse:
        pytest.skip("takes dense rows only")
    X, y = blobs(n_classes)
    X = np.where(abs(X) > 0.7, X, 0.0)
    dense = case(**settings).fit(X, y)

    for container in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        rows = container(X)
        with monkeypatch.context() as patch:
            for kind in (sparse.csr_array, sparse.csr_matrix, container):
                for name in ("toarray", "todense"):
                    patch.setattr(kind, name, _refuse(X.shape, getattr(kind, name)))
            fitted = case(**settings).fit(rows, y)
            said = outputs(fitted, rows)
        if isinstance(getattr(fitted, "estimator_", None), Perceptron) or hasattr(
            fitted, "hardness_"
        ):
            # scikit-learn's perceptron moves its intercept more slowly on sparse rows, and they
            # are scaled without being shifted.
            assert fitted.score(rows, y) > 1 / n_classes + 0.15
        else:
            assert_allclose(said, outputs(dense, X), atol=1e-6)


@every
def test_a_cell_that_is_named_twice_is_their_sum(case):
    if not get_tags(case()).input_tags.sparse:
        pytest.skip("takes dense rows only")
    X, y = blobs()
    half = sparse.csr_array(X / 2)
    columns = np.concatenate([half.indices, half.indices]).reshape(2, -1, 4)
    data = np.concatenate([half.data, half.data]).reshape(2, -1, 4)
    twice = sparse.csr_array(
        (data.swapaxes(0, 1).ravel(), columns.swapaxes(0, 1).ravel(), 2 * half.indptr)
    )
    once = sparse.csr_array(X)
    model = case().fit(twice, y)
    assert twice.nnz == 2 * once.nnz
    assert_array_equal(outputs(model, twice), outputs(case().fit(once, y), once))


@every_setting
def test_dense_rows_are_asked_for_where_they_are_needed(case, settings):
    if get_tags(case(**settings)).input_tags.sparse:
        pytest.skip("takes sparse rows")
    X, y = blobs()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        case(**settings).fit(sparse.csr_array(X), y)


@every_setting
def test_missing_values(case, settings):
    X, y = blobs()
    X[::7, 1] = np.nan
    if get_tags(case(**settings)).input_tags.allow_nan:
        # Two means explain part of the variance only.
        least = 0.6 if is_classifier(case(**settings)) else 0.2
        assert case(**settings).fit(X, y).score(X, y) > least
        return
    frame = pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 1, row 0"):
        case(**settings).fit(X, y)
    with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 'b', row 0"):
        case(**settings).fit(frame, y)
    model = case(**settings).fit(frame.fillna(0.0), y)
    with pytest.raises(ValueError, match=r"contains NaN(.|\n)*column 'b', row 0"):
        model.predict(frame)


@every
def test_infinite_values(case):
    X, y = blobs()
    X[3, 2] = np.inf
    with pytest.raises(ValueError, match=r"contains infinity(.|\n)*column 2, row 3"):
        case().fit(X, y)


@every
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_memory_mapped_rows_in_two_workers(case, backend, tmp_path):
    X, y = blobs()
    joblib.dump(X, tmp_path / "X")
    mapped = joblib.load(tmp_path / "X", mmap_mode="r")
    with joblib.parallel_config(backend):
        said = cross_val_predict(case(), mapped, y, cv=3, n_jobs=2)
    assert_array_equal(said, cross_val_predict(case(), X, y, cv=3))


@every_setting
def test_the_seed_settles_everything(case, settings):
    X, y = blobs(n_classes=3)
    first, second = (case(**settings).fit(X, y) for _ in range(2))
    assert_array_equal(outputs(first, X), outputs(second, X))


@every_setting
def test_input_is_not_changed(case, settings):
    X, y = blobs()
    X_before, y_before, weights = X.copy(), y.copy(), np.ones(len(y))
    X.flags.writeable = y.flags.writeable = weights.flags.writeable = False
    case(**settings).fit(X, y, sample_weight=weights).predict(X)
    assert_array_equal(X, X_before)
    assert_array_equal(y, y_before)


@every
def test_the_order_in_memory_does_not_matter(case):
    X, y = blobs()
    expected = outputs(case().fit(X, y), X)
    assert_array_equal(outputs(case().fit(np.asfortranarray(X), y), np.asfortranarray(X)), expected)


@every
def test_float32_rows_are_learned_as_well(case):
    X, y = blobs(n_samples=400)
    single = X.astype(np.float32)
    assert abs(case().fit(single, y).score(single, y) - case().fit(X, y).score(X, y)) < 0.05
