"""Texts and embeddings in an audit, and input that isn't either."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import hardy
from hardy.audit import audit_file
from hardy.exceptions import InputError, NotAssessableWarning

WRONG = [3, 10, 50]


def write(n_rows: int = 120) -> tuple[list[str], np.ndarray]:
    rng = np.random.RandomState(0)
    words = {"oil": ["crude", "barrel", "opec", "well"], "grain": ["wheat", "corn", "crop", "farm"]}
    labels = np.array(["grain", "oil"] * (n_rows // 2))
    texts = [" ".join([*rng.choice(words[label], 4), "of", "the"]) for label in labels]
    labels[WRONG] = np.where(labels[WRONG] == "oil", "grain", "oil")
    return texts, labels


@pytest.mark.parametrize("container", [list, tuple, np.array, pd.Series, pd.DataFrame])
def test_wrong_labels_of_texts_are_found(container):
    texts, labels = write()
    audit = hardy.audit_labels(container(texts), labels, random_state=0)
    assert sorted(audit.suspects[:3]) == WRONG
    assert list(audit.opinions) == ["words", "similar texts"]


def test_missing_and_empty_texts_are_judged_by_the_shares_of_the_classes():
    texts, labels = write()
    texts[0], texts[1] = None, ""
    with pytest.warns(NotAssessableWarning):
        audit = hardy.audit_labels(texts, labels, random_state=0)
    np.testing.assert_allclose(audit.pred_proba[0], audit.pred_proba[1], atol=0.1)
    assert set(WRONG) <= set(audit.suspects)


def test_of_very_long_texts_the_beginning_is_learnt_from():
    texts, labels = write()
    filled = [f"{text} {'and so on ' * 10_000}" for text in texts[:2]]
    audits = [
        hardy.audit_labels([*some, *texts[2:]], labels, random_state=0)
        for some in (filled, [text + " never seen anywhere" * 5_000 for text in filled])
    ]
    np.testing.assert_array_equal(audits[0].pred_proba, audits[1].pred_proba)
    assert set(WRONG) <= set(audits[0].suspects)


def test_texts_without_a_label_get_one():
    texts, labels = write()
    given = labels.astype(object)
    given[[20, 21]] = None
    audit = hardy.audit_labels(texts, given, random_state=0)
    assert audit.suggested_labels[[20, 21]].tolist() == labels[[20, 21]].tolist()


def test_a_huge_cell_is_a_text_like_others():
    texts, labels = write()
    texts[0] = "wheat corn " * 1_000_000
    assert not hardy.audit_labels(texts, labels, random_state=0).is_suspect[0]


@pytest.mark.parametrize("text", ["same words", "", None])
def test_equal_texts_leave_nothing_to_judge_by(text):
    with pytest.raises(InputError, match="No column is left"):
        hardy.audit_labels([text] * 6 if text else pd.DataFrame({"t": [text] * 6}), ["a", "b"] * 3)


def make_embeddings(labels: np.ndarray) -> np.ndarray:
    right = labels.copy()
    right[WRONG] = np.where(labels[WRONG] == "oil", "grain", "oil")
    noise = np.random.RandomState(0).normal(size=(len(labels), 6))
    return noise + 4 * (right == "oil")[:, None]


def test_embeddings_judge_alone_and_beside_columns():
    texts, labels = write()
    numbers = make_embeddings(labels)
    for rows in (None, texts, pd.DataFrame({"size": np.arange(120) % 7 / 7})):
        audit = hardy.audit_labels(rows, labels, embeddings=numbers, random_state=0)
        assert set(WRONG) <= set(audit.suspects)
        assert not any("embedding" in str(name) for name in audit.values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda numbers: numbers[:7], "7 rows, but y has 120"),
        (lambda numbers: numbers[0], "rows and columns"),
        (lambda numbers: numbers.astype(str), "must be numbers"),
        (lambda numbers: numbers[:, :0], "no columns"),
        (lambda numbers: np.where(numbers > 4, np.nan, numbers), "finite number"),
    ],
)
def test_embeddings_that_do_not_fit_are_refused(change, message):
    texts, labels = write()
    with pytest.raises(InputError, match=message):
        hardy.audit_labels(texts, labels, embeddings=change(make_embeddings(labels)))


def test_a_file_of_embeddings(tmp_path):
    texts, labels = write()
    path = tmp_path / "texts.csv"
    pd.DataFrame({"text": texts, "label": labels}).to_csv(path, index=False)
    np.save(tmp_path / "numbers.npy", make_embeddings(labels))
    options = {"output": tmp_path / "found", "embeddings": tmp_path / "numbers.npy"}
    audit = audit_file(path, "label", **options)
    assert set(WRONG) <= set(audit.suspects)
    assert audit.source["embeddings"] == "numbers.npy"
    np.save(tmp_path / "numbers.npy", np.zeros(len(labels)))
    with pytest.raises(InputError, match=r"numbers\.npy: .*rows and columns, but have the shape"):
        audit_file(path, "label", **options)
    np.save(tmp_path / "numbers.npy", np.zeros((5, 2)))
    with pytest.raises(InputError, match="the table has 120 rows"):
        audit_file(path, "label", **options)
    np.save(tmp_path / "numbers.npy", np.full((120, 2), np.nan))
    with pytest.raises(InputError, match=r"numbers\.npy: embeddings has the value nan in row 0"):
        audit_file(path, "label", **options)
    (tmp_path / "numbers.npy").write_text("no numbers")
    with pytest.raises(InputError, match=r"no \.npy file"):
        audit_file(path, "label", **options)


def test_a_file_of_labels_beside_embeddings(tmp_path):
    _, labels = write()
    path = tmp_path / "labels.csv"
    pd.DataFrame({"id": [f"r{row}" for row in range(len(labels))], "label": labels}).to_csv(
        path, index=False
    )
    numbers = make_embeddings(labels)
    np.save(tmp_path / "numbers.npy", numbers)
    options = {
        "id": "id",
        "output": tmp_path / "found",
        "embeddings": tmp_path / "numbers.npy",
        "random_state": 0,
    }
    audit = audit_file(path, "label", **options)
    alone = hardy.audit_labels(None, labels, embeddings=numbers, random_state=0)
    np.testing.assert_array_equal(audit.doubt, alone.doubt)
    assert audit.index.tolist()[:2] == ["r0", "r1"]
    np.save(tmp_path / "numbers.npy", numbers[:, :0])
    with pytest.raises(InputError, match="no columns"):
        audit_file(path, "label", **options)
    np.save(tmp_path / "numbers.npy", numbers.astype(object))
    with pytest.raises(InputError, match="store numbers"):
        audit_file(path, "label", **options)


def test_rows_with_nothing_in_them_are_not_assessed():
    texts, labels = write()
    texts = list(texts)
    texts[3], texts[7] = "", None
    with pytest.warns(NotAssessableWarning, match=r"counted from 0\) can't be assessed: 3, 7\."):
        audit = hardy.audit_labels(texts, labels, random_state=0)
    assert np.flatnonzero(~audit.is_assessable).tolist() == [3, 7]
    assert not audit.doubt[[3, 7]].any()
    assert not audit.is_suspect[[3, 7]].any()


def test_rows_with_nothing_are_named_as_a_file_names_rows(tmp_path):
    texts, labels = write()
    size = np.where(labels == "oil", "5.1", "1.2").astype(object)
    size[[5, 6]] = ""
    texts = np.array(texts, dtype=object)
    texts[[5, 6]] = ""
    labels = labels.astype(object)
    labels[6] = ""
    rows = [",".join(row) for row in zip(size, texts, labels, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["size,text,label", *rows]) + "\n")
    with pytest.warns(NotAssessableWarning, match=r"^Rows without .* assessed: line 7\.$"):
        audit_file(tmp_path / "t.csv", "label", text=["text"], output=tmp_path / "out")


def test_zeros_of_a_sparse_matrix_are_values():
    rng = np.random.default_rng(0)
    labels = np.tile(["grain", "oil"], 30)
    X = (rng.random((60, 4)) < 0.2) + 2.0 * (np.arange(4) % 2 == (labels == "oil")[:, None])
    X[[4, 9]] = 0
    assert hardy.audit_labels(sparse.csr_array(X), labels, random_state=0).is_assessable.all()
