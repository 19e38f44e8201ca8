from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hardy.exceptions import InputError

# The audits of make_audit: rows 0 to 3 are suspects, rows 38 and 39 have no label.
GONE = [0, 1, 2, 3, 38, 39]
KEPT = [row for row in range(40) if row not in GONE]
X = np.arange(80.0).reshape(40, 2)


@pytest.fixture
def audit(make_audit):
    return make_audit()


def test_suspects_come_by_falling_doubt(make_audit):
    doubt = np.array([0.5, 0.9, 0.7, 0.9, *[0.99] * 36])
    audit = make_audit(doubt=doubt)
    # Equal doubts keep their order; the rows with .99 are no suspects.
    assert audit.suspects.tolist() == [1, 3, 2, 0]


def test_given_codes_point_at_the_classes(audit):
    assert audit.given_codes.tolist() == [0, 1] * 19 + [-1, -1]
    assert np.flatnonzero(audit.is_unlabelled).tolist() == [38, 39]


def test_repr(audit):
    assert repr(audit) == "LabelAudit(40 rows, 4 suspects, estimated noise rate 0.080)"


def test_a_result_is_not_changed(audit):
    with pytest.raises(FrozenInstanceError):
        audit.noise_rate = 0.0


def test_to_frame_has_a_line_for_every_row(audit):
    frame = audit.to_frame()
    assert frame.columns.tolist() == [
        *("given_label", "suggested_label", "doubt"),
        *("is_suspect", "is_assessable", "reasons"),
    ]
    assert frame.index.equals(audit.index)
    assert frame["given_label"].isna().sum() == 2
    assert frame.loc[frame["is_suspect"], "reasons"].tolist() == [
        "; ".join(audit.explain(row)) for row in range(4)
    ]
    assert set(frame.loc[~frame["is_suspect"], "reasons"]) == {""}


CONTAINERS = {
    "numpy": np.asarray,
    "list": np.ndarray.tolist,
    "pandas": lambda values: pd.DataFrame(values, columns=["a", "b"], index=[5] * 40),
    "polars": lambda values: pl.DataFrame(values, schema=["a", "b"]),
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
}


def as_dense(table):
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


@pytest.mark.parametrize("name", CONTAINERS)
def test_drop(audit, name):
    table = CONTAINERS[name](X)
    kept, labels = audit.clean(table, audit.given_labels)
    assert as_dense(kept).tolist() == X[KEPT].tolist()
    assert labels.tolist() == audit.given_labels[KEPT].tolist()
    if name in ("pandas", "polars"):
        assert type(kept) is type(table)
        assert list(kept.columns) == ["a", "b"]
    if sparse.issparse(table):
        assert sparse.issparse(kept)


@pytest.mark.parametrize("name", CONTAINERS)
def test_weight(audit, name):
    kept, labels, weight = audit.clean(CONTAINERS[name](X), audit.given_labels, "weight")
    assert as_dense(kept).tolist() == X[:38].tolist()
    assert labels.tolist() == audit.given_labels[:38].tolist()
    np.testing.assert_allclose(weight, 1 - audit.doubt[:38])


COLUMNS = {
    "numpy": (np.asarray, np.ndarray),
    "list": (np.ndarray.tolist, np.ndarray),
    "pandas": (lambda y: pd.Series(y, index=[5] * 40, name="y"), pd.Series),
    "category": (lambda y: pd.Series(y, name="y").astype("category"), pd.Series),
    "frame": (lambda y: pd.DataFrame({"y": y}, index=[5] * 40), pd.DataFrame),
    "polars": (lambda y: pl.Series("y", y.tolist()), pl.Series),
    "polars frame": (lambda y: pl.DataFrame({"y": y.tolist()}), pl.DataFrame),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("action", ["drop", "relabel", "weight"])
def test_labels_stay_in_their_container(audit, name, action):
    convert, kind = COLUMNS[name]
    labels = convert(audit.given_labels)
    before = np.ravel(np.asarray(labels, dtype=object)).tolist()
    table, cleaned, *_ = audit.clean(X, labels, action)
    assert type(cleaned) is kind
    expected = {
        "drop": audit.given_labels[KEPT],
        "relabel": audit.suggested_labels,
        "weight": audit.given_labels[:38],
    }[action]
    assert np.ravel(np.asarray(cleaned, dtype=object)).tolist() == expected.tolist()
    assert len(table) == len(expected)
    assert np.ravel(np.asarray(labels, dtype=object)).tolist() == before
    if kind in (pd.Series, pl.Series):
        assert cleaned.dtype == labels.dtype
        assert cleaned.name == "y"


def test_lists_keep_numbers_beside_words(audit):
    rows = [[row, f"word {row}", None] for row in range(40)]
    kept, _ = audit.clean(rows, audit.given_labels)
    assert kept.tolist() == [rows[row] for row in KEPT]


def test_rows_of_any_shape(audit):
    images = np.arange(40 * 4).reshape(40, 2, 2)
    kept, _ = audit.clean(images, audit.given_labels)
    np.testing.assert_array_equal(kept, images[KEPT])
    texts = [f"text {row}" for row in range(40)]
    assert audit.clean(texts, audit.given_labels)[0].tolist() == [texts[row] for row in KEPT]


@pytest.mark.parametrize(
    ("table", "labels", "action", "message"),
    [
        (X[:3], np.zeros(40), "drop", "X has 3 rows, but the audit was made of 40"),
        (X, np.zeros(3), "relabel", "y has 3 rows, but the audit was made of 40"),
        (sparse.csr_array(X[:3]), np.zeros(40), "drop", "X has 3 rows"),
        (X, np.zeros(40), "delete", "action='delete' is unknown; choose drop, relabel or weight"),
    ],
)
def test_what_does_not_fit_is_named(audit, table, labels, action, message):
    with pytest.raises(InputError, match=message):
        audit.clean(table, labels, action)
