import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import hardy
from hardy.distributed import LinearPerceptronClassifier
from hardy.saving import load_model, save_model


def in_memory(model):
    return hardy.LinearPerceptronClassifier(**model.get_params(deep=False), mode="batch")


def assert_same_fit(model, other):
    assert model.classes_.tolist() == other.classes_.tolist()
    assert model.n_iter_ == other.n_iter_
    for name in ("coef_", "intercept_", "loss_curve_", "learning_rate_"):
        ours, theirs = np.asarray(getattr(model, name)), np.asarray(getattr(other, name))
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-6 if ours.dtype == np.float32 else 1e-9)


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "settings", [{}, {"class_weight": "balanced", "momentum": 0.0, "bias_scale": 0.1}]
)
def test_it_is_the_classifier_in_memory(n_blocks, n_classes, settings, in_blocks, whole_numbers):
    X, y = whole_numbers(n_classes)
    X = X / 10
    weight = np.arange(len(y)) % 3.0
    model = LinearPerceptronClassifier(**settings).fit(*in_blocks(n_blocks, X, y, weight))
    assert_same_fit(model, in_memory(model).fit(X, y, weight))


def test_long_rows_single_precision_and_warm_starts(in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    X = X.astype(np.float32)
    model = LinearPerceptronClassifier(warm_start=True, max_iter=4)
    other = in_memory(model)
    for _ in range(2):
        with pytest.warns(ConvergenceWarning, match="learning_rate=0.2 was lowered"):
            model.fit(*in_blocks(3, X, y))
        with pytest.warns(ConvergenceWarning):
            other.fit(X, y)
    assert_same_fit(model, other)


def test_sparse_blocks_and_lazy_answers(tmp_path, whole_numbers):
    import dask
    import dask.array as da

    X, y = whole_numbers(3)
    X = X / 10
    parts = [sparse.csr_matrix(X[:100]), sparse.csr_matrix(X[100:])]
    blocks = da.concatenate(
        [da.from_delayed(dask.delayed(p), p.shape, meta=parts[0][:0]) for p in parts]
    )
    model = LinearPerceptronClassifier().fit(blocks, da.from_array(y, chunks=(100, 103)))
    assert_same_fit(model, in_memory(model).fit(sparse.csr_matrix(X), y))
    lazy = model.decision_function(blocks)
    np.testing.assert_allclose(lazy.compute(), model.decision_function(X), rtol=1e-12)
    save_model(model, tmp_path / "model.hardy")
    assert (load_model(tmp_path / "model.hardy").model.predict(X) == model.predict(X)).all()
