import csv
import dataclasses
import hashlib
import io
import json
import os
import zipfile
from datetime import date, datetime
from decimal import Decimal
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hardy import audit_labels
from hardy.annotators import find_consensus
from hardy.audit.storage import claim_folder, load_audit, save_audit
from hardy.exceptions import InputError

FILES = ["arrays.npz", "audit.json", "findings.csv", "report.html", "suspects.csv"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def read_suspects(folder):
    with (folder / "suspects.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_same_audit(left, right):
    for field in dataclasses.fields(left):
        one, other = getattr(left, field.name), getattr(right, field.name)
        if isinstance(one, pd.DataFrame):
            pd.testing.assert_frame_equal(one, other)
        elif isinstance(one, pd.Series):
            pd.testing.assert_series_equal(one, other)
        elif isinstance(one, pd.Index):
            pd.testing.assert_index_equal(one, other)
        elif isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, field.name
            np.testing.assert_array_equal(one, other, err_msg=field.name)
        elif field.name == "opinions":
            assert list(one) == list(other)
            for name, opinion in one.items():
                np.testing.assert_array_equal(opinion, other[name])
        else:
            assert one == other, field.name


@pytest.fixture(scope="module")
def schema():
    text = resources.files("hardy.audit").joinpath("schema/audit.schema.json").read_text()
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


@pytest.mark.parametrize(
    "classes",
    [
        ("ham", "spam"),
        (0, 1),
        (-1, 1),
        (0.5, 1.5),
        (False, True),
        ("ä", "</script>", "日本"),
        tuple(range(12)),
        (10**30, 10**31),
        (datetime(2024, 2, 29, 13, 5), datetime(2025, 1, 1)),
        (pd.Timestamp("2024-02-29 13:05:00.123456789"), pd.Timestamp("2025")),
        (np.datetime64("2024-02-29"), np.datetime64("2025-01-01")),
    ],
)
@pytest.mark.parametrize("n_unlabelled", [0, 2])
def test_loaded_audit_equals_the_saved_one(make_audit, tmp_path, classes, n_unlabelled):
    audit = make_audit(classes=classes, n_unlabelled=n_unlabelled, source={"file": "ä.csv"})
    audit.save(tmp_path / "out")
    assert_same_audit(audit, load_audit(tmp_path / "out"))


def test_values_of_every_kind_come_back(make_audit, tmp_path):
    n = 40
    moments = pd.date_range("2024-02-28", periods=n, freq="7h")
    values = pd.DataFrame(
        {
            "float": np.linspace(0, 1 / 3, n),
            "single": np.linspace(0, 1 / 3, n, dtype=np.float32),
            "hole": [np.nan, *range(n - 1)],
            "byte": np.arange(n, dtype=np.uint8),
            "flag": np.arange(n) % 3 == 0,
            "nullable": pd.array([None, *range(n - 1)], dtype="Int64"),
            "moment": moments,
            "zoned": moments.tz_localize("UTC"),
            "word": [f"'=<{i}>\x00\n" for i in range(n)],
            "sometimes": [None, *"x" * (n - 1)],
            "mixed": pd.Series([1, "one", 1.5, True] * (n // 4), dtype=object),
            "group": pd.Categorical(["a", "b"] * (n // 2)),
            7: range(n),
        }
    )
    audit = make_audit(values=values.iloc[[3, 1, 20]])
    audit.save(tmp_path / "out")
    assert_same_audit(audit, load_audit(tmp_path / "out"))


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(40),
        pd.RangeIndex(1, 41, name="row"),
        pd.Index([f"id-{i}" for i in range(40)], name="patient"),
        pd.Index(np.arange(40) * 3),
        pd.Index(np.arange(40) / 7, name="x"),
        pd.DatetimeIndex(pd.date_range("2024-01-01", periods=40).to_numpy()),
        pd.MultiIndex.from_product([["a", "b"], range(20)], names=["site", None]),
    ],
    ids=lambda index: type(index).__name__ + str(index.name),
)
def test_index_comes_back(make_audit, tmp_path, index):
    audit = make_audit(index=index)
    audit.save(tmp_path / "out")
    assert_same_audit(audit, load_audit(tmp_path / "out"))


def test_audit_without_suspects_or_lines_comes_back(make_audit, tmp_path):
    values = make_audit().values.iloc[:0]
    audit = make_audit(
        n_suspects=0,
        n_unlabelled=0,
        values=values,
        lines=None,
        first_row=0,
        noise_rate=0.0,
        note="why",
    )
    audit.save(tmp_path / "out")
    loaded = load_audit(tmp_path / "out")
    assert len(loaded.values) == 0
    assert loaded.lines is None
    assert_same_audit(dataclasses.replace(audit, values=loaded.values), loaded)


def test_folder_holds_the_files_of_an_audit_and_nothing_else(make_audit, tmp_path):
    make_audit().save(tmp_path / "out")
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == FILES


def test_document_follows_the_schema_and_tells_the_findings(make_audit, tmp_path, schema):
    audit = make_audit(n=6, n_suspects=2, n_unlabelled=1, noise_rate=0.08)
    audit.save(tmp_path / "out")
    document = json.loads((tmp_path / "out/audit.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert document["counts"] == {
        "rows": 6,
        "suspects": 2,
        "unlabelled": 1,
        "not_assessable": 0,
    }
    assert document["noise_rate"] == 0.08
    assert document["suspect_threshold"] == pytest.approx(0.85)
    assert document["classes"] == [
        {"label": "ham", "rows": 3, "suspects": 1, "assessable": 3},
        {"label": "spam", "rows": 2, "suspects": 1, "assessable": 2},
    ]
    np.testing.assert_allclose(
        document["transition_matrix"]["given_by_true"], [[0.95, 0.05], [0.05, 0.95]]
    )
    findings = [
        {key: finding[key] for key in ("row", "line", "given_label", "suggested_label", "doubt")}
        for finding in document["findings"]
    ]
    assert [tuple(finding.values()) for finding in findings] == [
        (1, 2, "ham", "spam", 0.95),
        (2, 3, "spam", "ham", 0.85),
        (6, 7, None, "spam", None),
    ]
    assert document["findings"][2]["reasons"] == ["no label given"]
    assert document["findings"][0]["reasons"] == audit.explain(0)


def test_document_of_numbers_that_json_lacks_follows_the_schema(make_audit, tmp_path, schema):
    matrix = pd.DataFrame([[np.nan, np.nan], [0.0, 1.0]])
    make_audit(noise_rate=np.nan, n_suspects=0, transition_matrix=matrix).save(tmp_path / "out")
    document = json.loads((tmp_path / "out/audit.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert document["noise_rate"] is None
    assert document["transition_matrix"]["given_by_true"] == [[None, None], [0.0, 1.0]]
    assert np.isnan(load_audit(tmp_path / "out").noise_rate)


def test_suspects_are_listed_by_doubt_with_the_rows_without_a_label_last(make_audit, tmp_path):
    doubt = np.full(8, 0.1)
    doubt[[5, 1, 3]] = [0.9, 0.7, 0.8]
    audit = make_audit(
        n=8,
        doubt=doubt,
        is_suspect=doubt > 0.5,
        n_unlabelled=1,
        index=pd.Index([f"p{i}" for i in range(8)], name="patient"),
    )
    audit.save(tmp_path / "out")
    rows = read_suspects(tmp_path / "out")
    assert list(rows[0]) == [
        "row",
        "line",
        "id",
        "given_label",
        "suggested_label",
        "doubt",
        "reasons",
    ]
    assert [(row["row"], row["line"], row["id"], row["doubt"]) for row in rows] == [
        ("6", "7", "p5", "0.9"),
        ("4", "5", "p3", "0.8"),
        ("2", "3", "p1", "0.7"),
        ("8", "9", "p7", ""),
    ]
    assert rows[3]["given_label"] == ""
    assert rows[3]["reasons"] == "no label given"
    assert rows[0]["reasons"] == "; ".join(audit.explain(5))


def test_suspects_are_harmless_in_spreadsheets(make_audit, tmp_path):
    words = ["=1+1", "+cmd", "-cmd", "@name"]
    audit = make_audit(
        n=8,
        classes=("=HYPERLINK(1)", "@sum"),
        n_suspects=4,
        index=pd.Index(words * 2, name="id"),
    )
    audit.save(tmp_path / "out")
    rows = read_suspects(tmp_path / "out")
    assert [row["id"] for row in rows[:4]] == ["'" + word for word in words]
    assert {row["given_label"] for row in rows[:4]} == {"'=HYPERLINK(1)", "'@sum"}
    for row in rows:
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_folder_may_be_empty_or_hold_an_audit_whose_neighbours_stay(make_audit, tmp_path):
    make_audit(n_suspects=1).save(tmp_path)
    (tmp_path / "decisions.sqlite").write_bytes(b"kept")
    (tmp_path / "notes").mkdir()
    make_audit(n_suspects=3).save(tmp_path)
    assert load_audit(tmp_path).is_suspect.sum() == 3
    assert len(read_suspects(tmp_path)) == 3 + 2
    assert (tmp_path / "decisions.sqlite").read_bytes() == b"kept"
    assert names(tmp_path) == sorted([*FILES, "decisions.sqlite", "notes"])


def test_the_consensus_on_every_row_is_written(make_audit, tmp_path):
    said = {"ann": ["=a", "b", None], "bob": ["=a", "a", None]}
    consensus = find_consensus(pd.DataFrame(said, index=list("xyz")))
    audit = make_audit(n=3, n_suspects=1, n_unlabelled=1, consensus=consensus)
    dataclasses.replace(audit, index=pd.Index(["p", "q", "r"])).save(tmp_path)
    assert (tmp_path / "consensus.csv").read_text() == (
        "row,line,id,consensus,probability,n_labels,is_disputed,ask_again\n"
        "1,2,p,'=a,1.0,2,False,\n2,3,q,a,0.5,2,True,1\n3,4,r,,,0,False,\n"
    )
    make_audit(n=3, n_suspects=1, n_unlabelled=1).save(tmp_path)
    assert names(tmp_path) == FILES


def test_a_table_of_the_users_own_is_left_alone(make_audit, tmp_path):
    make_audit().save(tmp_path)
    (tmp_path / "consensus.csv").write_text("mine")
    make_audit().save(tmp_path)
    assert (tmp_path / "consensus.csv").read_text() == "mine"


def test_folder_of_other_things_is_refused(make_audit, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="is not empty and holds no audit"):
        make_audit().save(tmp_path)
    (tmp_path / "audit.json").write_text('{"format": "something else"}')
    with pytest.raises(InputError, match="is not empty and holds no audit"):
        make_audit().save(tmp_path)
    (tmp_path / "audit.json").write_text("[1, 2")
    with pytest.raises(InputError, match="is not empty and holds no audit"):
        make_audit().save(tmp_path)
    assert names(tmp_path) == ["audit.json", "thesis.tex"]


SOURCE = {"path": "/a/t.csv", "sha256": "1" * 64, "file": "t.csv", "target": "kind"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"sha256": "2" * 64}, None),
        ({"path": "/b/t.csv"}, None),
        ({"path": "/b/t.csv", "sha256": "2" * 64}, r"audit of another file \('t.csv'\)"),
        ({"target": "size"}, r"audit of another target \('kind'\)"),
    ],
)
def test_folder_belongs_to_one_file_and_target(make_audit, tmp_path, changes, message):
    make_audit(source=SOURCE).save(tmp_path)
    if message is None:
        claim_folder(tmp_path, {**SOURCE, **changes})
    else:
        with pytest.raises(InputError, match=message):
            claim_folder(tmp_path, {**SOURCE, **changes})
    assert names(tmp_path) == FILES


def test_folder_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="is a file"):
        claim_folder(file)
    with pytest.raises(InputError, match="is no folder"):
        claim_folder(file / "out")
    with pytest.raises(InputError, match="is no folder"):
        claim_folder(tmp_path / "missing" / "out")
    with pytest.raises(InputError, match="can't be written"):
        claim_folder(tmp_path / ("long" * 100))
    assert names(tmp_path) == ["file"]


def test_read_only_place_is_refused(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("hardy.audit._folder.tempfile.mkdtemp", refuse)
    with pytest.raises(InputError, match=r"can't be written \(Read-only file system\)"):
        claim_folder(tmp_path / "out")


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, OSError(28, "No space left")])
@pytest.mark.parametrize("step", ["write_report", "write_suspects", "_digest", "publish"])
def test_failure_leaves_nothing_behind(make_audit, tmp_path, monkeypatch, interrupt, step):
    def fail(*_, **__):
        raise interrupt

    monkeypatch.setattr(f"hardy.audit.storage.{step}", fail)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new", tmp_path / "empty"):
        with pytest.raises(InputError if isinstance(interrupt, OSError) else interrupt) as caught:
            save_audit(make_audit(), folder)
        if isinstance(interrupt, OSError):
            assert str(caught.value) == (
                f"{folder} can't be written (No space left). Choose another output folder."
            )
    assert names(tmp_path) == ["empty"]
    assert names(tmp_path / "empty") == []


def test_failed_renewal_leaves_the_earlier_audit(make_audit, tmp_path, monkeypatch):
    make_audit(n_suspects=1).save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(
        "hardy.audit.storage._digest", lambda path: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        make_audit(n_suspects=3).save(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_new_folder_follows_the_umask(make_audit, tmp_path):
    (tmp_path / "ordinary").mkdir()
    make_audit().save(tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "ordinary").stat().st_mode
    modes = {path.stat().st_mode for path in (tmp_path / "out").iterdir()}
    (tmp_path / "file").write_text("")
    assert modes == {(tmp_path / "file").stat().st_mode}


def test_missing_audit_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"holds no audit: there is no audit\.json in it"):
        load_audit(tmp_path)
    with pytest.raises(InputError, match=r"There is no folder .*missing"):
        load_audit(tmp_path / "missing")


def test_audit_of_another_format_is_an_error(make_audit, tmp_path):
    make_audit().save(tmp_path)
    document = json.loads((tmp_path / "audit.json").read_text())
    (tmp_path / "audit.json").write_text(json.dumps({**document, "format_version": 99}))
    with pytest.raises(InputError, match="in format 99"):
        load_audit(tmp_path)


def tamper(folder, arrays):
    """Put other arrays into the folder, with the digest that belongs to them."""
    (folder / "arrays.npz").write_bytes(arrays)
    document = json.loads((folder / "audit.json").read_text())
    document["arrays"]["sha256"] = hashlib.sha256(arrays).hexdigest()
    (folder / "audit.json").write_text(json.dumps(document))


def test_changed_arrays_are_an_error(make_audit, tmp_path):
    make_audit().save(tmp_path)
    path = tmp_path / "arrays.npz"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError, match="was changed after the audit was saved"):
        load_audit(tmp_path)
    path.unlink()
    with pytest.raises(InputError, match="is damaged"):
        load_audit(tmp_path)


class Loud:
    ran = False

    def __reduce__(self):
        return (setattr, (Loud, "ran", True))


def test_tampered_arrays_cannot_run_code(make_audit, tmp_path):
    make_audit().save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as packed:
        arrays = dict(packed)
    arrays["doubt"] = np.array([Loud()], dtype=object)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    tamper(tmp_path, buffer.getvalue())
    with pytest.raises(InputError, match="is damaged"):
        load_audit(tmp_path)
    assert not Loud.ran


@pytest.mark.parametrize("code", [-2, 2])
def test_labels_beyond_the_classes_are_damage(make_audit, tmp_path, code):
    make_audit().save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as packed:
        arrays = dict(packed)
    arrays["given_codes"][3] = code
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    tamper(tmp_path, buffer.getvalue())
    with pytest.raises(InputError, match=r"is damaged .given_codes has values that no audit has"):
        load_audit(tmp_path)


def test_arrays_that_promise_more_than_they_have_are_never_made(make_audit, tmp_path):
    make_audit().save(tmp_path)
    header = io.BytesIO()
    facts = {"descr": "<f8", "fortran_order": False, "shape": (10**13,)}
    np.lib.format.write_array_header_1_0(header, facts)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("doubt.npy", header.getvalue())
    tamper(tmp_path, buffer.getvalue())
    with pytest.raises(InputError, match=r"part 'doubt.npy' an array says .* 80,000,000,000,000"):
        load_audit(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
@pytest.mark.parametrize("name", ["audit.json", "arrays.npz"])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(make_audit, tmp_path, name):
    make_audit().save(tmp_path)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="is a pipe or a device"):
        load_audit(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_a_pipe_in_the_place_of_an_earlier_document_is_refused_at_once(make_audit, tmp_path):
    os.mkfifo(tmp_path / "audit.json")
    with pytest.raises(InputError, match="is a pipe or a device"):
        make_audit().save(tmp_path)


def test_arrays_that_are_none_are_an_error(make_audit, tmp_path):
    make_audit().save(tmp_path)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("doubt.npy", b"no array")
    for arrays in (b"", b"no zip", buffer.getvalue()):
        tamper(tmp_path, arrays)
        with pytest.raises(InputError, match="is damaged"):
            load_audit(tmp_path)


def test_document_that_lacks_a_part_is_an_error(make_audit, tmp_path):
    make_audit().save(tmp_path)
    document = json.loads((tmp_path / "audit.json").read_text())
    for part in ("arrays", "noise_rate", "first_row", "source"):
        (tmp_path / "audit.json").write_text(
            json.dumps({key: value for key, value in document.items() if key != part})
        )
        with pytest.raises(InputError, match="is damaged"):
            load_audit(tmp_path)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        (b"x", "bytes"),
        (Decimal("1.5"), "Decimal"),
        (pd.Interval(0, 1), "Interval"),
        (pd.Period("2024-01"), "Period"),
        (date(2024, 2, 29), "date"),
        (pd.Timestamp("2024-02-29", tz="UTC"), "Timestamp"),
        ((1, 2), "tuple"),
    ],
)
def test_labels_that_would_come_back_as_others_are_refused(make_audit, tmp_path, label, name):
    classes = np.empty(2, dtype=object)
    classes[0], classes[1] = "a", label
    audit = dataclasses.replace(make_audit(), classes=classes)
    with pytest.raises(InputError, match=f"The audit holds labels of the type {name}"):
        audit.save(tmp_path / "out")
    assert names(tmp_path) == []


def test_numpys_scalars_among_other_labels_come_back_as_equals(make_audit, tmp_path):
    classes = np.empty(2, dtype=object)
    classes[:] = [np.int64(3), np.bool_(False)]
    audit = dataclasses.replace(make_audit(n_unlabelled=0), classes=classes)
    codes = np.arange(40) % 2
    audit = dataclasses.replace(audit, given_labels=classes[codes], suggested_labels=classes[codes])
    audit.save(tmp_path / "out")
    assert load_audit(tmp_path / "out").given_labels.tolist() == [3, False] * 20


def test_values_that_have_only_their_text_come_back_as_it(make_audit, tmp_path):
    n = 40
    values = pd.DataFrame(
        {
            "range": pd.arrays.IntervalArray.from_breaks(range(n + 1)),
            "money": [Decimal("1.50")] * n,
            "day": [date(2024, 2, 29)] * n,
        }
    )
    audit = make_audit(values=values, index=pd.IntervalIndex.from_breaks(range(n + 1)))
    audit.save(tmp_path / "out")
    loaded = load_audit(tmp_path / "out")
    assert loaded.values.iloc[1].tolist() == ["(1, 2]", "1.50", "2024-02-29"]
    assert loaded.index[1] == "(1, 2]"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("first_row", "x"),
        ("first_row", None),
        ("first_row", True),
        ("source", None),
        ("source", []),
        ("source", {"reading": "x"}),
        ("source", {"versions": {"hardy": 3}}),
        ("source", {"set_aside": 5}),
        ("source", {"dropped": [5]}),
        ("source", {"created": 5}),
        ("note", 3),
        ("noise_rate", "x"),
        ("noise_rate", -7),
        ("noise_rate", True),
    ],
)
def test_values_that_no_audit_writes_are_damage(make_audit, tmp_path, name, value):
    make_audit().save(tmp_path / "out")
    path = tmp_path / "out" / "audit.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, name: value}), encoding="utf-8")
    with pytest.raises(InputError, match=f"is damaged.*{name}"):
        load_audit(tmp_path / "out")


def test_a_document_that_cannot_be_read_is_not_called_missing(make_audit, tmp_path):
    make_audit().save(tmp_path / "out")
    path = tmp_path / "out" / "audit.json"
    for text in ("", "[" * 100_000, "[]", "{}", "\x00"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="is damaged or no audit's"):
            load_audit(tmp_path / "out")
    with pytest.raises(InputError, match="is a file; name the folder of an audit, which `hardy"):
        load_audit(path)


def test_whoever_names_the_table_is_told_where_its_audit_is(make_audit, tmp_path):
    table = tmp_path / "table.csv"
    table.touch()
    make_audit().save(tmp_path / "table.csv.audit")
    with pytest.raises(InputError, match=r"folder of an audit, here .*table\.csv\.audit\."):
        load_audit(table)


def test_half_characters_in_the_name_of_the_file_are_written_as_escapes(make_audit, tmp_path):
    """As Python gives the byte E9 of a name that isn't UTF-8."""
    name = "caf\udce9.csv"
    make_audit(source={"file": name, "path": f"/data/{name}"}).save(tmp_path / "out")
    loaded = load_audit(tmp_path / "out")
    assert loaded.source["file"] == name
    loaded.report(tmp_path / "again.html")
    assert "caf\\udce9.csv" in (tmp_path / "again.html").read_text(encoding="utf-8")


def test_a_name_that_is_too_long_is_named(tmp_path):
    with pytest.raises(InputError, match=r"xxx.* can't be read"):
        load_audit(tmp_path / ("x" * 300))


DEEP = np.frombuffer(b"[" * 100_000, dtype=np.uint8)


def as_json(value):
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("doubt", lambda a: a[:-1], r"doubt is of the type float64 and the shape \(39,\)"),
        ("doubt", lambda a: a.astype(str), "doubt is of the type <U"),
        ("doubt", lambda a: np.full_like(a, np.nan), "doubt has values"),
        ("pred_proba", lambda a: a + 7, "pred_proba has values"),
        ("given_codes", lambda a: np.full_like(a, -1), "suspects without a label"),
        ("suggested_codes", lambda a: np.full_like(a, -1), "suspects without a label"),
        ("is_assessable", lambda a: ~a, "suspects without a label"),
        ("given_codes", lambda a: a.astype(float), "given_codes is of the type float64"),
        ("nearest_rows", lambda a: np.full_like(a, 2**62), "nearest_rows has values"),
        ("lines", lambda a: a[:-9], "lines is of the type"),
        ("opinions", lambda a: DEEP, "recursion"),
        ("opinions", lambda a: as_json({"a": 1}), "distinct names"),
        ("opinions", lambda a: a.astype(complex), "bytes are of the type"),
        ("detectors", lambda a: as_json([[1]]), "distinct names"),
        ("index.range", lambda a: as_json([0, 10**18, 1, None]), "names of 40 rows"),
        ("opinions", lambda a: as_json([[]] * 1_000_001), "more than 1,000,000 lists or values"),
        ("classes.0", lambda a: as_json(["a", "a"]), "classes are not distinct"),
        ("classes.0", lambda a: np.zeros(2, "V4"), "a column is of the type"),
    ],
)
def test_arrays_that_no_audit_has_are_damage_whatever_their_hash_says(
    make_audit, tmp_path, name, change, message
):
    make_audit(lines=np.arange(2, 42)).save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as packed:
        arrays = dict(packed)
    arrays[name] = change(arrays[name])
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    tamper(tmp_path, buffer.getvalue())
    with pytest.raises(InputError, match=message) as refused:
        load_audit(tmp_path)
    assert "is damaged" in str(refused.value)


def test_values_take_no_more_room_than_they_need(make_audit, tmp_path):
    make_audit().save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as packed:
        arrays = dict(packed)
    arrays["classes.dtypes"] = as_json(["S1000000000"])
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    tamper(tmp_path, buffer.getvalue())
    assert load_audit(tmp_path).classes.tolist() == make_audit().classes.tolist()


def test_arrays_are_never_unpacked(make_audit, tmp_path):
    """They are stored as they are; packed, some kilobytes could be millions of words."""
    make_audit().save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as packed:
        arrays = {**packed, "opinions": as_json(["ab"] * 1_000_000)}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    tamper(tmp_path, buffer.getvalue())
    with pytest.raises(InputError, match=r"was not loaded: unpacked, its"):
        load_audit(tmp_path)


@pytest.mark.parametrize("name", ["note", "noise_rate", "source", "format_version"])
def test_messages_hold_only_the_start_of_what_has_no_end(make_audit, tmp_path, name):
    make_audit().save(tmp_path)
    document = json.loads((tmp_path / "audit.json").read_text())
    (tmp_path / "audit.json").write_text(json.dumps({**document, name: [0] * 100_000}))
    with pytest.raises(InputError) as told:
        load_audit(tmp_path)
    assert len(str(told.value)) < 1000


@pytest.mark.parametrize("X", [None, sparse.csr_array(np.eye(20, 3))], ids=["none", "sparse"])
def test_an_audit_without_columns_to_show_comes_back(X, tmp_path):
    proba = np.tile([[0.9, 0.1], [0.2, 0.8]], (10, 1))
    audit = audit_labels(X, ["a", "b"] * 9 + ["b", "a"], pred_proba=proba, use_panel=False)
    audit.save(tmp_path)
    loaded = load_audit(tmp_path)
    assert loaded.values.shape == audit.values.shape
    assert_same_audit(dataclasses.replace(audit, values=loaded.values), loaded)
    assert loaded.values.index.equals(audit.values.index)
