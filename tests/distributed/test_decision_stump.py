import numpy as np
import pytest
from scipy import sparse

import hardy
from hardy.distributed import DecisionStumpClassifier
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model


def in_memory(model):
    return hardy.DecisionStumpClassifier(**model.get_params(deep=False))


def assert_same_fit(model, other):
    assert model.classes_.tolist() == other.classes_.tolist()
    asked = [
        (m.feature_, m.threshold_, m.missing_go_left_, m.n_features_in_) for m in (model, other)
    ]
    assert asked[0] == asked[1]
    np.testing.assert_allclose(model.leaf_probabilities_, other.leaf_probabilities_, rtol=1e-12)


@pytest.fixture(params=[0.0, 0.2], ids=["complete", "with missing values"])
def rows(request):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(203, 6))
    y = np.array(["red", "green", "blue"])[np.digitize(X[:, 4] + rng.normal(size=203), [-1, 0])]
    X[rng.random(X.shape) < request.param] = np.nan
    return X, y


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize(
    "settings",
    [{}, {"criterion": "entropy", "max_bins": 9}, {"class_weight": "balanced"}],
    ids=["default", "entropy", "balanced"],
)
def test_it_is_the_stump_in_memory(n_blocks, settings, rows, in_blocks):
    X, y = rows
    weight = np.arange(len(y)) % 3.0
    for labels in (y, y == "red"):
        model = DecisionStumpClassifier(**settings).fit(*in_blocks(n_blocks, X, labels, weight))
        assert_same_fit(model, in_memory(model).fit(X, labels, weight))


def test_a_block_may_have_one_class_and_a_column_one_value(in_blocks):
    X = np.column_stack([np.ones(8), np.arange(8.0)])
    y = np.repeat([0, 1], 4)
    model = DecisionStumpClassifier().fit(*in_blocks(2, X, y))
    assert_same_fit(model, in_memory(model).fit(X, y))
    model.fit(*in_blocks(2, X[:, :1], y))
    assert_same_fit(model, in_memory(model).fit(X[:, :1], y))


def test_answers_are_lazy_and_those_in_memory(tmp_path, rows, in_blocks):
    X, y = rows
    blocks, labels = in_blocks(3, X, y)
    model = DecisionStumpClassifier().fit(blocks, labels)
    assert model.predict(blocks).compute().tolist() == model.predict(X).tolist()
    assert (model.predict_proba(blocks).compute() == model.predict_proba(X)).all()
    save_model(model, tmp_path / "stump.hardy")
    assert (load_model(tmp_path / "stump.hardy").model.predict(X) == model.predict(X)).all()


def test_what_cant_be_used_is_refused(rows, in_blocks):
    import dask
    import dask.array as da

    X, y = rows
    blocks, labels = in_blocks(3, X, y)
    with pytest.raises(InputError, match="of one class"):
        DecisionStumpClassifier().fit(blocks, da.zeros_like(labels, dtype=int))
    endless = np.where(np.arange(len(y)) == 5, np.inf, 1.0)[:, None]
    with pytest.raises(InputError, match=r"block 0 .* infinity: column 0, row 5"):
        DecisionStumpClassifier().fit(*in_blocks(3, endless), labels)
    matrix = sparse.csr_matrix(np.nan_to_num(X))
    table = da.from_delayed(dask.delayed(matrix), matrix.shape, meta=matrix[:0])
    with pytest.raises(InputError, match=r"[Ss]parse"):
        DecisionStumpClassifier().fit(table, da.from_array(y, chunks=-1))
