import gzip
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from hardy._versions import used_versions
from hardy.audit.decisions import Decisions
from hardy.audit.files import audit_file
from hardy.audit.storage import load_audit
from hardy.exceptions import InputError
from hardy.panel import PanelData
from hardy.tabular import describe_columns

FILES = ["arrays.npz", "audit.json", "findings.csv", "report.html", "suspects.csv"]
N = 120
WRONG = [3, 50, 77]
UNLABELLED = [20, 99]


def lines_of_table():
    """Two kinds of fish that size and weight tell apart, with three labels wrong, two missing.

    Row 10 (counted from 0) has a line end in a field, so that later rows start a line later.
    """
    rng = np.random.default_rng(0)
    lines = ["fish_no,size,weight,sea,unit,kind"]
    for row in range(N):
        large = row % 2
        size = (5 if large else 1) + rng.normal(scale=0.3)
        weight = (9 if large else 2) + rng.normal(scale=0.4)
        sea = '"North\nSea"' if row == 10 else ["North", "East"][rng.integers(2)]
        label = ["=small", "large"][large ^ (row in WRONG)] if row not in UNLABELLED else ""
        lines.append(f"F{row:03d},{size:.3f},{weight:.3f},{sea},cm,{label}")
    return lines


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in" / "fish.csv"
    path.parent.mkdir()
    path.write_text("\n".join(lines_of_table()) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The audit of the table, made once: the audit and its folder."""
    place = tmp_path_factory.mktemp("audited")
    path = place / "fish.csv"
    path.write_text("\n".join(lines_of_table()) + "\n", encoding="utf-8")
    steps = []
    audit = audit_file(
        path,
        "kind",
        output=place / "out",
        progress=lambda *step: steps.append(step),
        command="hardy audit fish.csv --target kind",
    )
    assert path.read_text(encoding="utf-8") == "\n".join(lines_of_table()) + "\n"
    return audit, place / "out", steps


@pytest.fixture
def quick(monkeypatch, make_audit):
    """An audit that takes no time: the first labelled row is the suspect."""
    seen = []

    def audit(X, y, **options):
        seen.append((X, y, options))
        classes = tuple(sorted(pd.unique(pd.Series(y).dropna())))
        aside = {c.name: c.set_aside for c in describe_columns(X, keep=options["keep"])}
        made = make_audit(n=len(X), classes=classes, n_suspects=1, n_unlabelled=0)
        return replace(made, source={"set_aside": {n: why for n, why in aside.items() if why}})

    monkeypatch.setattr("hardy.audit.files.audit_labels", audit)
    return seen


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_wrong_labels_are_found_and_corrected(audited):
    audit, _, _ = audited
    assert set(WRONG) <= set(audit.suspects.tolist())
    assert audit.suggested_labels[WRONG].tolist() == ["large", "=small", "large"]
    assert np.flatnonzero(audit.is_unlabelled).tolist() == UNLABELLED
    assert audit.suggested_labels[UNLABELLED].tolist() == ["=small", "large"]


def test_rows_lines_and_identifiers_name_the_places_in_the_file(audited):
    audit, folder, _ = audited
    listed = pd.read_csv(folder / "suspects.csv", keep_default_na=False).set_index("row")
    assert {row + 1 for row in WRONG + UNLABELLED} <= set(listed.index)
    assert listed.loc[4, "line"] == 5
    assert listed.loc[51, "line"] == 53
    assert listed.loc[51, "id"] == "F050"
    assert listed.loc[4, "given_label"] == "'=small"
    assert listed.loc[100, "reasons"] == "no label given"
    assert listed["given_label"].tolist()[-2:] == ["", ""]
    assert audit.index[50] == "F050"
    assert audit.index.name == "fish_no"
    lines = lines_of_table()
    for row in range(N):
        assert lines[row + 1].startswith(f"F{row:03d}")
        assert audit.lines[row] == row + 2 + (row > 10)


def test_reasons_count_rows_as_the_file_does(audited):
    audit, _, _ = audited
    assert audit.first_row == 1
    nearest = int(audit.nearest_rows[50][0]) + 1
    assert any(str(nearest) in reason for reason in audit.explain(50))


def test_columns_that_say_nothing_are_set_aside_with_a_word(audited):
    audit, _, _ = audited
    assert list(audit.values.columns) == ["size", "weight", "sea"]
    assert set(audit.source["set_aside"]) == {"fish_no", "unit"}
    assert "distinct" in audit.source["set_aside"]["fish_no"]
    assert "every value is 'cm'" in audit.source["set_aside"]["unit"]


def test_folder_is_complete_and_opens_again(audited):
    audit, folder, _ = audited
    assert names(folder) == FILES
    loaded = load_audit(folder)
    assert loaded.doubt.tolist() == audit.doubt.tolist()
    assert loaded.source == audit.source
    pd.testing.assert_frame_equal(loaded.to_frame(), audit.to_frame())


def test_source_tells_how_the_audit_was_made(audited):
    audit, folder, _ = audited
    source = audit.source
    assert source["file"] == "fish.csv"
    assert source["target"] == "kind"
    assert source["id"] == "fish_no"
    assert source["reading"]["separator"] == ","
    assert source["reading"]["encoding"].lower().startswith("utf")
    assert source["versions"] == used_versions()
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in ("hardy audit fish.csv --target kind", source["versions"]["numpy"], "every value"):
        assert words in page


def test_document_follows_the_schema(audited):
    from importlib import resources

    _, folder, _ = audited
    schema = json.loads(
        resources.files("hardy.audit").joinpath("schema/audit.schema.json").read_text()
    )
    jsonschema.validate(json.loads((folder / "audit.json").read_text(encoding="utf-8")), schema)


def test_progress_is_told_from_reading_to_the_report(audited):
    _, _, steps = audited
    assert steps[0] == ("Reading fish.csv", 0, 1)
    assert steps[-1] == ("Writing the report", 1, 1)
    assert all(0 <= done <= total for _, done, total in steps)


def test_default_folder_is_in_the_current_one(table, quick, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    audit_file(table, "kind")
    assert names(tmp_path / "here") == ["fish.csv.audit"]
    assert names(tmp_path / "here/fish.csv.audit") == FILES
    assert names(tmp_path / "in") == ["fish.csv"]


def test_options_choose_columns_and_reach_the_audit(table, quick, tmp_path):
    audit = audit_file(
        table,
        "kind",
        drop=["sea"],
        id="size",
        keep=["unit"],
        output=tmp_path / "out",
        random_state=7,
        n_jobs=2,
    )
    ((X, y, options),) = quick
    assert list(X.columns) == ["fish_no", "weight", "unit"]
    assert options["keep"] == ("unit",)
    assert y.name == "kind"
    assert (options["random_state"], options["n_jobs"]) == (7, 2)
    assert audit.source["dropped"] == ["sea"]
    assert list(audit.source["set_aside"]) == ["fish_no"]
    assert audit.index.name == "size"


def test_kept_column_is_learnt_from(tmp_path):
    path = tmp_path / "t.csv"
    # Only the running number tells the classes apart.
    noise = np.random.default_rng(0).normal(size=60).round(3)
    rows = [f"{i},{noise[i]},{'ab'[i >= 30]}" for i in range(60)]
    path.write_text("\n".join(["number,x,y", *rows]))
    kept = audit_file(path, "y", keep=["number"], output=tmp_path / "kept")
    aside = audit_file(path, "y", output=tmp_path / "aside")
    own = np.arange(60), (np.arange(60) >= 30).astype(int)
    assert kept.pred_proba[own].mean() > 0.75 > 0.65 > aside.pred_proba[own].mean()
    assert kept.source["set_aside"] == {}
    pd.testing.assert_frame_equal(
        kept.values, pd.read_csv(path)[["number", "x"]].loc[kept.values.index]
    )


def test_renewed_audit_keeps_the_decisions(table, quick, tmp_path):
    out = tmp_path / "out"
    audit_file(table, "kind", output=out)
    Decisions(out, load_audit(out)).record(0, "skip")
    kept = (out / "decisions.sqlite").read_bytes()
    table.write_text(table.read_text().replace("North", "South"))
    audit = audit_file(table, "kind", output=out, drop=["sea"])
    assert audit.source["dropped"] == ["sea"]
    assert load_audit(out).source == audit.source
    assert (out / "decisions.sqlite").read_bytes() == kept
    assert names(out) == sorted([*FILES, "decisions.sqlite"])


def test_folder_of_another_file_or_of_other_things_is_refused(table, quick, tmp_path):
    out = tmp_path / "out"
    audit_file(table, "kind", output=out)
    other = table.with_name("other.csv")
    other.write_text(table.read_text().replace("cm", "mm"))
    with pytest.raises(InputError, match="audit of another file"):
        audit_file(other, "kind", output=out)
    with pytest.raises(InputError, match="audit of another target"):
        audit_file(table, "sea", output=out)
    with pytest.raises(InputError, match="is not empty and holds no audit"):
        audit_file(table, "kind", output=table.parent)
    assert len(quick) == 1


def test_moved_file_is_the_same_file(table, quick, tmp_path):
    audit_file(table, "kind", output=tmp_path / "out")
    moved = table.rename(tmp_path / "moved.csv")
    assert audit_file(moved, "kind", output=tmp_path / "out").source["file"] == "moved.csv"


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


ROWS = "".join(f"{i / 7:.3f},{'ab'[i % 2]}\n" for i in range(30))


@pytest.mark.parametrize(
    ("content", "target", "message"),
    [
        ("", "y", r"t\.csv.*(empty|no line)"),
        (" \n", "y", r"t\.csv"),
        ("x,y\n", "y", r"t\.csv.*row"),
        ("x,colour\n" + ROWS, "color", "no column 'color'; did you mean 'colour'"),
        ("x,y\n1,\n2,\n3,\n", "y", "target 'y' has no label in any row"),
        ("x,y\n1,a\n2,a\n3,\n", "y", "target 'y' has one class only"),
        ("x,y\n" + "".join(f"{i},{i % 3000}\n" for i in range(6000)), "y", "regression"),
        ("x,y\n" + "".join(f"{i},v{i}\n" for i in range(50)), "y", "value of its own"),
        ("x,x,y\n1,2,a\n2,3,b\n", "y", "'x'"),
        ("x,y\n1,a\n2,b,3\n4,a\n", "y", r"line 3"),
        (b"x,y\n1,a\x00\x00\n2,b\n", "y", r"t\.csv"),
        ("x,y\n1,a\ninf,b\n2,a\n3,b\n", "y", r"line 3: column 'x' has an infinite value"),
        ("y\na\nb\na\nb\n", "y", "no column left to learn from beside the target"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    tmp_path, quick, monkeypatch, content, target, message
):
    monkeypatch.chdir(tmp_path)
    write(Path("t.csv"), content)
    with pytest.raises(InputError, match=message) as caught:
        audit_file("t.csv", target)
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == ["t.csv"]
    assert not quick


def test_columns_that_all_say_nothing_are_an_error_that_names_them(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,z,y\n" + "".join(f"1,,{'ab'[i % 2]}\n" for i in range(30)))
    message = r"No column .* \('x': every value is 1; 'z': every value is missing\).*--keep"
    with pytest.raises(InputError, match=message):
        audit_file(path, "y", output=tmp_path / "out")
    assert names(tmp_path) == ["t.csv"]


def test_missing_file_and_folder_are_errors(tmp_path, quick):
    for path in (tmp_path / "missing.csv", tmp_path):
        with pytest.raises(InputError, match=path.name):
            audit_file(path, "y", output=tmp_path / "out")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["weigth"]}, "no column 'weigth'; did you mean 'weight'"),
        ({"id": "fish"}, "no column 'fish'; did you mean 'fish_no'"),
        ({"keep": ["units"]}, "no column 'units'; did you mean 'unit'"),
        ({"drop": ["kind"]}, "'kind' can't be both the target and dropped"),
        ({"id": "kind"}, "'kind' can't be both the target and the identifier"),
        ({"drop": ["sea"], "keep": ["sea"]}, "'sea' can't be both dropped and learnt from"),
        ({"drop": ["sea"], "id": "sea"}, "'sea' can't be both dropped and the identifier"),
    ],
)
def test_columns_must_exist_and_serve_one_purpose(table, quick, tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        audit_file(table, "kind", output=tmp_path / "out", **options)
    assert names(tmp_path) == ["in"]
    assert not quick


def test_folder_that_cannot_be_written_is_refused_before_the_audit(table, quick, tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        audit_file(table, "kind", output=table / "out")
    with pytest.raises(InputError, match="is a file"):
        audit_file(table, "kind", output=table)
    assert not quick
    assert names(tmp_path) == ["in"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_failing_audit_leaves_nothing(table, tmp_path, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("hardy.audit.files.audit_labels", fail)
    with pytest.raises(error):
        audit_file(table, "kind", output=tmp_path / "out")
    assert names(tmp_path) == ["in"]


def test_gzipped_tab_separated_file_with_a_mark_is_read(table, quick, tmp_path):
    text = table.read_text().replace("North\nSea", "North Sea").replace(",", "\t")
    path = tmp_path / "fish.tsv.gz"
    path.write_bytes(gzip.compress(text.encode("utf-16")))
    audit = audit_file(path, "kind", output=tmp_path / "out")
    reading = audit.source["reading"]
    assert reading["separator"] == "\t"
    assert reading["compression"] == "gzip"
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "<dd>tab</dd>" in page
    assert "<dd>gzip</dd>" in page
    assert audit.lines.tolist() == list(range(2, N + 2))


def test_parquet_has_rows_but_no_lines(table, quick, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "fish.parquet"
    pd.read_csv(table).to_parquet(path)
    audit = audit_file(path, "kind", output=tmp_path / "out")
    assert audit.lines is None
    listed = pd.read_csv(tmp_path / "out/suspects.csv")
    assert listed["row"].tolist()[:1] == [1]
    assert listed["line"].isna().all()
    assert 'data-key="line"' not in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def test_table_without_an_identifier_has_none(quick, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + ROWS)
    audit = audit_file(path, "y", output=tmp_path / "out")
    assert audit.source["id"] is None
    assert audit.index.equals(pd.RangeIndex(1, 31))
    assert pd.read_csv(tmp_path / "out/suspects.csv")["id"].isna().all()


def test_dimensions_of_embeddings_that_are_set_aside_name_no_rows(
    table, make_audit, tmp_path, monkeypatch
):
    np.save(tmp_path / "e.npy", np.ones((N, 2)))
    aside = {"embedding 1": "every value is 1", "fish_no": "it identifies rows"}
    made = make_audit(n=N, source={"set_aside": aside})
    monkeypatch.setattr("hardy.audit.files.audit_labels", lambda *_, **__: made)
    options = {"embeddings": tmp_path / "e.npy", "output": tmp_path / "out"}
    assert audit_file(table, "kind", **options).source["id"] == "fish_no"
    assert audit_file(table, "kind", drop=["fish_no"], **options).source["id"] is None


def test_same_seed_gives_the_same_findings(table, audited, tmp_path):
    audit_file(table, "kind", output=tmp_path / "out")
    _, folder, _ = audited
    assert (tmp_path / "out/suspects.csv").read_bytes() == (folder / "suspects.csv").read_bytes()


def test_columns_are_judged_by_the_rows_with_a_label(tmp_path):
    lines = [f"{'u' if row < 5 else 'v'},{row % 2 + row / 500:.3f}," for row in range(80)]
    lines = [line + ("" if row < 5 else "ab"[row % 2]) for row, line in enumerate(lines)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["place,size,kind", *lines]))
    audit = audit_file(path, "kind", output=tmp_path / "out")
    assert audit.source["set_aside"] == {"place": "every value is 'v'"}
    assert list(audit.values.columns) == ["size"]


def test_groups_share_a_fold_and_are_not_learnt_from(table, quick, tmp_path):
    audit = audit_file(table, "kind", group="sea", text=["unit"], output=tmp_path / "out")
    ((X, _, options),) = quick
    assert "sea" not in X.columns
    assert options["groups"].tolist() == pd.read_csv(table)["sea"].tolist()
    assert options["text"] == ("unit",)
    assert audit.source["group"] == "sea"


def test_a_row_without_a_group_is_named_by_its_line(table, quick, tmp_path):
    lines = table.read_text().splitlines()
    lines[5] = lines[5].replace("North", "").replace("South", "")
    table.write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"'sea', has no value in line 6 \(1 in all\)"):
        audit_file(table, "kind", group="sea", output=tmp_path / "out")


def test_blanks_do_not_tell_groups_apart(table, quick, tmp_path):
    table.write_text(table.read_text().replace("North", "North "))
    audit_file(table, "kind", group="sea", output=tmp_path / "out")
    assert set(quick[0][2]["groups"]) == {"North", "East", "North \nSea"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": ["units"]}, "no column 'units'; did you mean 'unit'"),
        ({"group": "Sea"}, "no column 'Sea'; did you mean 'sea'"),
        ({"group": "kind"}, "'kind' can't be both the target and the group"),
        ({"group": "sea", "text": ["sea"]}, "'sea' can't be both learnt from and the group"),
        ({"group": "sea", "drop": ["sea"]}, "'sea' can't be both dropped and the group"),
        ({"encoding": "klingon"}, "klingon"),
    ],
)
def test_text_group_and_encoding_are_checked(table, quick, tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        audit_file(table, "kind", output=tmp_path / "out", **options)
    assert not quick
    assert names(tmp_path) == ["in"]


def test_a_group_is_never_in_two_folds(table, monkeypatch, tmp_path):
    folds = []
    make = PanelData.make.__func__

    def spy(cls, *arguments, **options):
        data = make(cls, *arguments, **options)
        folds.extend(
            (options["groups"][train], options["groups"][test]) for train, test in data.folds
        )
        return data

    monkeypatch.setattr(PanelData, "make", classmethod(spy))
    frame = pd.read_csv(table, dtype=str)
    frame["patient"] = [f"p{row // 4}" for row in range(len(frame))]
    frame.to_csv(table, index=False)
    audit = audit_file(table, "kind", group="patient", output=tmp_path / "out")
    assert len(folds) == 10
    for train, test in folds:
        assert not set(train) & set(test)
    assert "patient" not in audit.values.columns
    assert "patient" not in audit.source["set_aside"]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<dt>Groups</dt><dd>patient</dd>" in page


def test_labels_that_cannot_be_saved_are_refused_before_any_work(quick, tmp_path):
    pytest.importorskip("pyarrow")
    days = [date(2024, 1, 1 + row % 2) for row in range(40)]
    pd.DataFrame({"x": np.arange(40) / 7, "day": days}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="'day' holds labels of the type date, such as"):
        audit_file(tmp_path / "t.parquet", "day", output=tmp_path / "out")
    assert not quick
    assert names(tmp_path) == ["t.parquet"]


def test_a_named_encoding_is_used(table, quick, tmp_path):
    table.write_bytes(table.read_text().replace("North", "Nörd").encode("cp437"))
    audit = audit_file(table, "kind", encoding="cp437", output=tmp_path / "out")
    assert audit.source["reading"]["encoding"] == "cp437"
    assert "Nörd" in set(quick[0][0]["sea"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": None}, "target=None is no name of a column"),
        ({"target": 3}, "target=3 is no name"),
        ({"drop": "size"}, "drop='size' must be a list of names"),
        ({"drop": 3}, "drop=3 must be a list"),
        ({"drop": [3]}, "3 is no name of a column"),
        ({"id": 3}, "3 is no name of a column"),
        ({"keep": "size"}, "keep='size' must be"),
    ],
)
def test_names_that_are_none(tmp_path, options, message):
    path = tmp_path / "t.csv"
    path.write_text("size,kind\n" + "1,a\n2,b\n" * 10)
    with pytest.raises(InputError, match=message):
        audit_file(path, **{"target": "kind", "output": tmp_path / "out", **options})
    assert not (tmp_path / "out").exists()
