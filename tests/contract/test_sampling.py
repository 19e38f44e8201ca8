"""What holds for every sampler beyond that."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone

from contract.registry import (
    blobs,
    every_check_of_samplers,
    every_sampler,
    every_sampler_setting,
    fit,
)
from hardy.exceptions import InputError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@every_check_of_samplers
def test_imbalanced_learns_checks(estimator, check):
    check(estimator)


def _rare(n_classes=2):
    """A common class beside rare ones, with some overlap."""
    y = np.where(np.arange(300) % 5 == 0, np.arange(300) // 5 % n_classes, 0)
    return np.random.default_rng(0).normal(size=(300, 4)) + 1.5 * y[:, None], y


@every_sampler_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_comes_out_are_the_rows_that_are_published(case, settings, n_classes):
    X, y = _rare(n_classes)
    sampler = case(**settings)
    X_kept, y_kept = sampler.fit_resample(X, y)
    indices = sampler.sample_indices_
    assert 0 < len(indices) < 300
    assert (np.diff(indices) > 0).all()
    assert_array_equal(X_kept, X[indices])
    assert_array_equal(y_kept, y[indices])
    assert sampler.sampling_strategy_ == dict(enumerate(np.bincount(y).tolist()))


@every_sampler
@pytest.mark.parametrize(
    "container",
    [
        np.asarray,
        np.ndarray.tolist,
        lambda X: pd.DataFrame(X, columns=list("abcd"), index=range(1000, 1300)).astype(
            {"b": "f4"}
        ),
        lambda X: pd.DataFrame(X, columns=list("abcd")).astype({"c": "Float64"}),
        lambda X: pl.DataFrame(X, schema=list("abcd")),
        *(
            lambda X, kind=kind: sparse.csr_array(X).asformat(kind)
            for kind in ("csr", "csc", "coo")
        ),
        *(lambda X, kind=kind: sparse.csr_matrix(X).asformat(kind) for kind in ("bsr", "lil")),
    ],
)
def test_rows_come_out_as_they_came_in(case, container):
    X, y = _rare()
    X = X.round(2)
    rows = container(X)
    sampler = case()
    X_kept, _ = sampler.fit_resample(rows, y)
    indices = sampler.sample_indices_
    assert type(X_kept) is type(rows)
    if isinstance(rows, pd.DataFrame):
        pd.testing.assert_frame_equal(X_kept, rows.iloc[indices])
        assert_array_equal(sampler.feature_names_in_, rows.columns)
        assert_array_equal(sampler.get_feature_names_out(), rows.columns)
    elif isinstance(rows, pl.DataFrame):
        assert X_kept.equals(rows[indices.tolist()])
    elif sparse.issparse(rows):
        assert X_kept.format == rows.format
        assert_array_equal(X_kept.toarray(), X[indices])
    else:
        assert_array_equal(X_kept, X[indices])


@every_sampler
@pytest.mark.parametrize(
    "container",
    [
        np.ndarray.tolist,
        lambda y: y.astype(object),
        lambda y: pd.Series(y, index=range(1000, 1300), name="state"),
        lambda y: pd.Series(y, dtype="category"),
        lambda y: pd.Series(y, dtype="string"),
        lambda y: pd.Series(y == "rare", dtype="boolean"),
        lambda y: pd.Series((y == "rare").astype(int), dtype="Int64"),
        lambda y: pd.DataFrame({"state": y}),
        lambda y: pl.Series("state", y.tolist()),
    ],
)
def test_labels_come_out_as_they_came_in(case, container):
    X, codes = _rare()
    labels = container(np.array(["common", "rare"])[codes])
    sampler = case()
    _, y_kept = sampler.fit_resample(X, labels)
    indices = sampler.sample_indices_
    assert type(y_kept) is type(labels)
    if isinstance(labels, pd.Series):
        pd.testing.assert_series_equal(y_kept, labels.iloc[indices])
    elif isinstance(labels, pl.Series):
        assert y_kept.equals(labels[indices.tolist()], check_dtypes=True, check_names=True)
    else:
        assert_array_equal(y_kept, np.asarray(labels)[indices])


@every_sampler_setting
@pytest.mark.parametrize(
    "y",
    [
        np.repeat(["a", "b", "c"], [117, 2, 1]),
        np.repeat(["a", "b"], [119, 1]),
        np.random.default_rng(3).choice(["a", "b"], 120),
        np.random.default_rng(3).choice(["a", "b", "c", "d"], 120, p=(0.6, 0.2, 0.1, 0.1)),
    ],
    ids=["tiny", "one_row", "noise", "noise_of_four"],
)
def test_every_class_keeps_a_row(case, settings, y):
    for seed in range(5):
        X, _ = blobs(seed=seed)
        _, y_kept = case(**settings, random_state=seed).fit_resample(X, y)
        assert set(y_kept) == set(y)


@every_sampler
def test_in_a_pipeline_rows_are_left_out_in_training_only(case):
    X, y = _rare()
    pipeline = case.in_pipeline(case()).fit(X, y)
    scaled = clone(pipeline[0]).fit_transform(X)
    expected = clone(pipeline[-1]).fit(*case().fit_resample(scaled, y))
    assert_array_equal(pipeline.predict_proba(X), expected.predict_proba(scaled))


@every_sampler
@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weights_by_the_users_labels(case, n_classes):
    X, y = blobs(n_classes, 240, seed=1)
    names = np.array(["ham", "spam", "veal"])[y]
    chosen = []
    for class_weight in ({0: 1, 1: 20}, {0: 1, 1: 1}, {0: 20, 1: 1}):
        by_name = dict(zip(["ham", "spam"], class_weight.values(), strict=True))
        both = []
        for labels, weights in ((y, class_weight), (names, by_name)):
            sampler = case(estimator=case.member().set_params(class_weight=weights))
            both.append(fit(sampler, X, labels).sample_indices_)
        assert_array_equal(*both)
        chosen.append(tuple(both[0]))
    assert len(set(chosen)) > 1


@every_sampler
@pytest.mark.parametrize("y", [np.ones((6, 3), dtype=int), np.arange(18).reshape(6, 3)])
def test_several_labels_of_a_row_are_refused(case, y):
    with pytest.raises(InputError, match="Multilabel"):
        case().fit_resample(np.arange(12.0).reshape(6, 2), y)
