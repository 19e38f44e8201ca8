import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import hardy
from hardy.distributed import ParallelPerceptronClassifier
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model

FITTED = ("coef_", "intercept_", "margin_", "activation_scale_")
every_partitioning = pytest.mark.parametrize("n_blocks", [1, 2, 7])


def in_memory(model):
    return hardy.ParallelPerceptronClassifier(**model.get_params(deep=False))


def assert_same_fit(model, other, rtol=1e-12):
    assert model.classes_.tolist() == other.classes_.tolist()
    assert model.n_iter_ == other.n_iter_
    assert model.n_features_in_ == other.n_features_in_
    for name in FITTED:
        ours, theirs = np.asarray(getattr(model, name)), np.asarray(getattr(other, name))
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=rtol)


@every_partitioning
@pytest.mark.parametrize("margin_update", ["mean", "sum"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_the_classifier_in_memory(
    n_blocks, margin_update, n_classes, in_blocks, whole_numbers
):
    X, y = whole_numbers(n_classes)
    weight = np.arange(len(y)) % 3.0
    model = ParallelPerceptronClassifier(max_iter=30, margin_update=margin_update, random_state=1)
    model.fit(*in_blocks(n_blocks, X, y, weight))
    assert_same_fit(model, in_memory(model).fit(X, y, weight))


@every_partitioning
@pytest.mark.parametrize("class_weight", ["balanced", {"red": 2.0, "green": 0.5}])
@pytest.mark.parametrize("update_rule", ["nr", "p-delta"])
def test_classes_have_weights(n_blocks, class_weight, update_rule, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(
        max_iter=5, class_weight=class_weight, update_rule=update_rule, random_state=1
    )
    model.fit(*in_blocks(n_blocks, X, y))
    assert_same_fit(model, in_memory(model).fit(X, y), rtol=1e-9)


@every_partitioning
def test_rounding_alone_differs_on_fractions(n_blocks, in_blocks):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(203, 4))
    y = X[:, 0] + X[:, 1] + rng.normal(size=len(X)) > 0
    model = ParallelPerceptronClassifier(max_iter=5, random_state=1)
    model.fit(*in_blocks(n_blocks, X, y))
    assert_same_fit(model, in_memory(model).fit(X, y), rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_types_are_those_in_memory(dtype, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(max_iter=5, random_state=1)
    (blocks,) = in_blocks(2, X.astype(dtype))
    model.fit(blocks, *in_blocks(2, y))
    other = in_memory(model).fit(X.astype(dtype), y)
    assert_same_fit(model, other, rtol=1e-6)
    decisions = model.decision_function(blocks)
    assert decisions.dtype == other.decision_function(X.astype(dtype)).dtype


def test_sparse_blocks_stay_sparse(whole_numbers):
    import dask
    import dask.array as da

    X, y = whole_numbers(2)
    parts = [sparse.csr_matrix(X[:100]), sparse.csr_matrix(X[100:])]
    blocks = da.concatenate(
        [da.from_delayed(dask.delayed(p), p.shape, meta=parts[0][:0]) for p in parts]
    )
    model = ParallelPerceptronClassifier(max_iter=10, random_state=1)
    model.fit(blocks, da.from_array(y, chunks=(100, 103)))
    assert_same_fit(model, in_memory(model).fit(sparse.csr_matrix(X), y))
    assert model.predict(blocks).compute().tolist() == model.predict(X).tolist()


def test_a_warm_start_goes_on(in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(max_iter=5, warm_start=True, random_state=1)
    other = in_memory(model)
    for _ in range(2):
        model.fit(*in_blocks(2, X, y))
        other.fit(X, y)
    assert_same_fit(model, other)


def test_answers_for_arrays_are_lazy_and_those_in_memory(in_blocks, whole_numbers):
    X, y = whole_numbers(3)
    blocks, labels = in_blocks(3, X, y)
    model = ParallelPerceptronClassifier(max_iter=5, random_state=1).fit(blocks, labels)
    other = in_memory(model).fit(X, y)
    for name in ("predict", "predict_proba", "decision_function", "activations"):
        lazy, there = getattr(model, name)(blocks), getattr(other, name)(X)
        assert (lazy.shape, lazy.dtype) == (there.shape, there.dtype)
        assert lazy.chunks[0] == blocks.chunks[0]
        np.testing.assert_allclose(*map(_numbers, (lazy.compute(), there)), rtol=1e-12)
        assert isinstance(getattr(model, name)(X), np.ndarray)
    lazy = model.categorize(blocks, labels)
    assert lazy.dtype == np.int8
    assert lazy.compute().tolist() == other.categorize(X, y).tolist()
    assert model.categorize(X, y, rule="all").tolist() == other.categorize(X, y, "all").tolist()
    lazy = model.categorize(blocks, labels, rule="all")
    assert lazy.compute().tolist() == other.categorize(X, y, "all").tolist()


def _numbers(answer):
    return answer if answer.dtype.kind == "f" else pd.factorize(answer, sort=True)[0]


def test_what_was_asked_for_isnt_changed_by_a_later_fit(in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(max_iter=5, random_state=1).fit(*in_blocks(2, X, y))
    asked, before = model.decision_function(*in_blocks(2, X)), model.decision_function(X)
    model.set_params(random_state=2).fit(*in_blocks(2, X, y))
    assert (asked.compute() == before).all()
    assert (model.decision_function(X) != before).any()


def test_it_is_cloned_and_saved_like_others(tmp_path, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(max_iter=5, random_state=1).fit(*in_blocks(2, X, y))
    assert type(clone(model)) is ParallelPerceptronClassifier
    save_model(model, tmp_path / "model.hardy")
    loaded = load_model(tmp_path / "model.hardy").model
    assert (loaded.predict(X) == model.predict(X)).all()
    assert (loaded.predict(*in_blocks(2, X)).compute() == model.predict(X)).all()


def test_passes_over_single_rows_cant_be_split(in_blocks, whole_numbers):
    model = ParallelPerceptronClassifier(mode="online")
    with pytest.raises(InputError, match="mode='batch'"):
        model.fit(*in_blocks(2, *whole_numbers(2)))


def test_parameters_are_checked(in_blocks, whole_numbers):
    with pytest.raises(ValueError, match="'max_iter' parameter"):
        ParallelPerceptronClassifier(max_iter=0).fit(*in_blocks(2, *whole_numbers(2)))
    with pytest.raises(InputError, match="must be odd"):
        ParallelPerceptronClassifier(n_perceptrons=2).fit(*in_blocks(2, *whole_numbers(2)))
