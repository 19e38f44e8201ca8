"""What a fit takes: all that Dask's collections can be, and errors that say what is wrong."""

import sys

import numpy as np
import pandas as pd
import pytest

import hardy
from hardy.distributed import ParallelPerceptronClassifier
from hardy.exceptions import InputError, MissingExtraError

NAMES = ["p", "q", "r", "s"]


def make():
    return ParallelPerceptronClassifier(max_iter=5, random_state=1)


def assert_fits_as_in_memory(model, X, y, weight=None):
    other = hardy.ParallelPerceptronClassifier(**model.get_params(deep=False)).fit(X, y, weight)
    assert model.classes_.tolist() == other.classes_.tolist()
    assert model.classes_.dtype == other.classes_.dtype
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-12)
    return other


@pytest.fixture
def frame(whole_numbers):
    X, y = whole_numbers(3)
    return pd.DataFrame(X, columns=NAMES).assign(label=y, weight=np.arange(len(y)) % 4)


def test_frames_keep_their_names(frame):
    import dask.dataframe as dd

    table = dd.from_pandas(frame, npartitions=3)
    model = make().fit(table[NAMES], table["label"], table["weight"])
    other = assert_fits_as_in_memory(model, frame[NAMES], frame["label"], frame["weight"])
    assert model.feature_names_in_.tolist() == NAMES
    predicted = model.predict(table[NAMES])
    assert np.isnan(predicted.shape[0])
    assert predicted.compute().tolist() == other.predict(frame[NAMES]).tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table[NAMES[::-1]])
    categories = model.categorize(table[NAMES], table["label"])
    assert categories.compute().tolist() == other.categorize(frame[NAMES], frame["label"]).tolist()


def test_blocks_of_unknown_length_and_without_rows(frame):
    import dask.dataframe as dd

    table = dd.from_pandas(frame, npartitions=4)
    some = table[table["p"] > 0].repartition(npartitions=4)
    some = dd.concat([some.partitions[0], some.partitions[1][some.partitions[1]["p"] > 9],
                      some.partitions[2]])  # fmt: skip
    X, y = some[NAMES].to_dask_array(), some["label"].to_dask_array()
    rows = some.compute()
    model = make().fit(X, y)
    other = assert_fits_as_in_memory(model, rows[NAMES].to_numpy(), rows["label"].to_numpy())
    predicted = model.predict(X).compute()
    assert predicted.tolist() == other.predict(rows[NAMES].to_numpy()).tolist()


def test_columns_come_together_and_labels_go_where_their_rows_are(frame):
    import dask.array as da

    X, y = frame[NAMES].to_numpy(), frame["label"].to_numpy(dtype="U5")
    model = make().fit(da.from_array(X, chunks=(50, 3)), da.from_array(y, chunks=70))
    assert_fits_as_in_memory(model, X, y)
    column = da.from_array(y[:, None], chunks=(50, 1))
    assert_fits_as_in_memory(make().fit(da.from_array(X, chunks=(50, 4)), column), X, y)


@pytest.mark.parametrize(
    "convert",
    [
        lambda y: y == "red",
        lambda y: (y == "red").astype(np.int8),
        lambda y: np.where(y == "red", 2.0, -1.0),
        lambda y: y.astype(object),
        lambda y: np.where(y == "red", np.datetime64("2020-01-01"), np.datetime64("2021-01-01")),
    ],
    ids=["bool", "int8", "float", "object", "datetime"],
)
def test_labels_are_of_any_kind(convert, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = make().fit(*in_blocks(3, X, convert(y)))
    assert_fits_as_in_memory(model, X, convert(y))


def test_categories_are_labels(frame):
    import dask.dataframe as dd

    frame["label"] = frame["label"].astype("category")
    table = dd.from_pandas(frame, npartitions=3)
    assert_fits_as_in_memory(make().fit(table[NAMES], table["label"]), frame[NAMES], frame["label"])


def test_a_class_may_be_in_one_block_only_and_rows_of_no_weight_are_absent(in_blocks):
    X = np.array([[-3.0], [-2.0], [4.0], [-1.0], [2.0], [5.0], [1.0]])
    y = np.array([0, 0, 7, 0, 1, 1, 1])
    weight = np.array([1.0, 2, 0, 1, 1, 1, 3])
    model = make().fit(*in_blocks(3, X, y, weight))
    assert model.classes_.tolist() == [0, 1]
    assert_fits_as_in_memory(model, X, y, weight)
    weight[:3] = 0
    assert_fits_as_in_memory(make().fit(*in_blocks(3, X, y, weight)), X, y, weight)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.nan}, r"In block 1 .* column 0, row 32 \(4 cells in all\)"),
        ({"y": None}, r"In block 1 .* Row 32 has no label"),
        ({"weight": -1.0}, r"In block 1 .*[Nn]egative"),
    ],
    ids=["missing value", "missing label", "negative weight"],
)
def test_what_is_wrong_is_named_with_its_block(change, message, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    given = {"X": X, "y": y.astype(object), "weight": np.ones(len(y))}
    for name, value in change.items():
        given[name][100] = value
    with pytest.raises(InputError, match=message):
        make().fit(*in_blocks(3, *given.values()))


@pytest.mark.parametrize("pair", [("ab", [1, 2]), ([1, 2], "ab")])
def test_labels_that_have_no_order_are_refused(pair, whole_numbers):
    import dask
    import dask.array as da

    X, _ = whole_numbers(2, n_rows=4)
    parts = [dask.delayed(np.array(list(part))) for part in pair]
    y = da.concatenate([da.from_delayed(part, (2,), dtype=object) for part in parts])
    with pytest.raises(InputError, match="no common order"):
        make().fit(da.from_array(X, chunks=(2, 4)), y)


def test_what_cant_be_used_is_refused(in_blocks, whole_numbers):
    import dask.array as da

    X, y = whole_numbers(2)
    blocks, labels = in_blocks(3, X, y)
    with pytest.raises(InputError, match=r"X is a ndarray.* Dask"):
        make().fit(X, labels)
    with pytest.raises(InputError, match=r"two axes"):
        make().fit(labels, labels)
    with pytest.raises(InputError, match=r"y is a ndarray.* Dask"):
        make().fit(blocks, y)
    with pytest.raises(InputError, match=r"sample_weight is a list"):
        make().fit(blocks, labels, [1.0] * len(y))
    with pytest.raises(InputError, match=r"y is a Array.* one column"):
        make().fit(blocks, blocks)
    with pytest.raises(InputError, match=r"y has 2 blocks and X has 3"):
        make().fit(blocks, labels[:100].rechunk(50))
    with pytest.raises(InputError, match=r"Block 2 .* differ in length"):
        make().fit(blocks, labels[:-1])
    with pytest.raises(InputError, match=r"of one class"):
        make().fit(blocks, da.zeros_like(labels, dtype=int))
    with pytest.raises(InputError, match=r"no row of positive weight"):
        make().fit(blocks, labels, da.zeros(len(y), chunks=labels.chunks))
    unknown = da.from_delayed(blocks.to_delayed()[0, 0], (68, np.nan), dtype=float)
    with pytest.raises(InputError, match=r"compute_chunk_sizes"):
        make().fit(unknown, labels[:68])
    model = make().fit(blocks, labels)
    with pytest.raises(ValueError, match="expecting 4 features"):
        model.predict(blocks[:, :3])


def test_a_missing_dask_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(MissingExtraError, match=r"needs dask: pip install 'hardy\[distributed\]'"):
        make().fit([[0.0], [1.0]], [0, 1])


def test_what_was_fitted_predicts_without_dask(monkeypatch, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = make().fit(*in_blocks(2, X, y))
    monkeypatch.delitem(sys.modules, "dask")
    assert len(model.predict(X)) == len(X)
