"""Faults that were put into a table are found by the whole audit, in memory and from a file."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import hardy
from hardy.audit import audit_file
from hardy.exceptions import InputError, NotAssessableWarning


@pytest.fixture(scope="module")
def table():
    """Two kinds of fish by two annotators in two parts, with a fault of every kind."""
    rng = np.random.default_rng(0)
    n = 400
    kind = np.where(rng.random(n) < np.where(np.arange(n) < 200, 0.2, 0.6), "bream", "perch")
    frame = pd.DataFrame(rng.normal(size=(n, 4)).round(3), columns=list("abcd"))
    frame["a"] += np.where(kind == "bream", 4.0, 0.0)
    frame["who"] = rng.choice(["ann", "eve"], n)
    frame["part"] = np.where(np.arange(n) % 4 == 0, "test", "train")
    frame["when"] = pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d")
    wrong = (frame["who"] == "eve") & (rng.random(n) < 0.25)
    kind = np.where(wrong, np.where(kind == "bream", "perch", "bream"), kind).astype(object)
    frame["kind"] = kind
    frame["code"] = np.where(kind == "bream", "B7", "P2")
    frame.loc[10, "kind"] = "Bream" if kind[10] == "bream" else "Perch"
    frame.loc[12, "kind"] = "braem" if kind[12] == "bream" else "prech"
    frame.loc[21] = frame.loc[20]
    frame.loc[21, "kind"] = "perch" if kind[20] == "bream" else "bream"
    frame.loc[20:21, "part"] = ["test", "train"]
    frame.loc[30, ["a", "b", "c", "d"]] = [4000.0, -900.0, 5000.0, 700.0]
    return frame


EXPECTED = {
    "label_spelling",
    "contradicting_duplicates",
    "duplicates_across_split",
    "giveaway_column",
    "group_error_rate",
    "label_drift",
    "unlike_all_others",
}


def audited(table, **options):
    with pytest.warns(NotAssessableWarning):
        return hardy.audit_labels(
            table.drop(columns=["kind", "who", "part", "when"]),
            table["kind"],
            split=table["part"],
            order=pd.to_datetime(table["when"]),
            random_state=0,
            **options,
        )


def test_all_are_found_in_memory(table):
    # With the code, which follows the wrong labels too, nobody's labels look wrong.
    audit = audited(table.drop(columns="code"), groups=table["who"])
    found = {finding.kind: finding for finding in audit.findings}
    assert set(found) == EXPECTED - {"giveaway_column"}
    assert found["contradicting_duplicates"].rows.tolist() == [20, 21]
    assert found["duplicates_across_split"].rows.tolist() == [20, 21]
    assert 30 in found["unlike_all_others"].rows
    spellings = [f.rows.tolist() for f in audit.findings if f.kind == "label_spelling"]
    assert sorted(spellings) == [[10], [12]]
    assert 190 < found["label_drift"].details["rows_before"] < 230
    groups = {f.details["group"] for f in audit.findings if f.kind == "group_error_rate"}
    assert "eve" in groups


def test_all_are_found_in_a_file(table, tmp_path):
    table.drop(columns="who").to_csv(tmp_path / "fish.csv", index=False)
    with pytest.warns(NotAssessableWarning):
        audit = audit_file(
            tmp_path / "fish.csv", "kind", split="part", order="when", output=tmp_path / "out"
        )
    expected = EXPECTED - {"group_error_rate"}
    assert {finding.kind for finding in audit.findings} == expected
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    for kind in expected:
        assert kind.replace("_", " ").capitalize() in page
    assert audit.source["split"] == "part"
    assert audit.source["order"] == "when"


def test_clean_data_have_nothing_to_tell(table):
    rng = np.random.default_rng(1)
    y = rng.choice(["bream", "perch"], 300)
    X = rng.normal(size=(300, 5)) + 2 * (y == "perch")[:, None] * [1, 0.5, 0, 0, 0]
    audit = hardy.audit_labels(
        X,
        y,
        estimator=GaussianNB(),
        use_panel=False,
        groups=rng.integers(5, size=300),
        split=rng.integers(2, size=300),
        random_state=0,
    )
    assert audit.findings == ()


@pytest.mark.parametrize("option", ["split", "order", "groups"])
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, 2] * 9, "has 18 rows, but y has 20 labels"),
        ([None, 2] * 10, "has no value in row 0"),
        ([7] * 20, "has one value only, 7"),
        ([1, "a"] * 10, "can't be used"),
        ([[1], [2, 3]] * 10, "can't be used"),
    ],
)
def test_columns_that_cannot_be_used_are_named(option, values, words):
    X = np.arange(40.0).reshape(20, 2) % 7
    with pytest.raises(InputError, match=f"^{option} {words}"):
        hardy.audit_labels(X, ["a", "b"] * 10, **{option: values})


@pytest.mark.filterwarnings("ignore:Classes with fewer than 3 rows")
@pytest.mark.parametrize(
    ("option", "column", "words"),
    [
        ("split", "prat", "There is no column 'prat'; did you mean 'part'"),
        ("order", "kind", "can't be both the target and the order"),
        ("split", "who", "can't be both the group and the split"),
        ("order", "hole", "The column of the order, 'hole', has no value in line 2 "),
        ("split", "hole", "The column of the split, 'hole', has no value in line 2 "),
        ("split", "same", "fish.csv: split, the column 'same', has one value only, 'x', among"),
        ("order", "same", "fish.csv: order, the column 'same', has one value only, 'x'; there"),
        ("group", "same", "fish.csv: groups, the column 'same', has one value only, 'x', among"),
    ],
)
def test_columns_of_a_file_that_cannot_be_used_are_named(table, tmp_path, option, column, words):
    frame = table.assign(hole=[None, *range(1, len(table))], same="x")
    frame.to_csv(tmp_path / "fish.csv", index=False)
    with pytest.raises(InputError, match=words):
        audit_file(
            tmp_path / "fish.csv",
            "kind",
            output=tmp_path / "out",
            **{"group": "who", option: column},
        )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("dtype", ["int", "bool", "category", "Int64", "string"])
@pytest.mark.filterwarnings("ignore:The estimated noise rate")
def test_labels_of_any_kind_give_the_same_findings(table, dtype):
    X = table[["a", "b", "c", "d"]].to_numpy()
    plain = pd.Series(np.where(table["kind"].str[:1].str.lower() == "b", 1, 0))
    reference = hardy.audit_labels(
        X, plain.to_numpy(), estimator=GaussianNB(), use_panel=False, random_state=0
    )
    assert reference.findings
    audit = hardy.audit_labels(
        X, plain.astype(dtype), estimator=GaussianNB(), use_panel=False, random_state=0
    )
    assert [f.rows.tolist() for f in audit.findings] == [
        f.rows.tolist() for f in reference.findings
    ]
