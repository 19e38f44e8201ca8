import gzip
import io
import os
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hardy
from hardy.audit import Decisions, audit_file, clean_file, load_audit
from hardy.audit.cleaned import annotators_of, find_source
from hardy.exceptions import InputError


def table_of_fish(n=60):
    rng = np.random.default_rng(0)
    lines = ["number,size,kind"]
    for row in range(n):
        size = (5 if row % 2 else 1) + rng.normal(scale=0.2)
        lines.append(f"{row:03d},{size:.3f},{'large' if row % 2 else ' small '}")
    return "\r\n".join(lines) + "\r\n"


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    place = tmp_path_factory.mktemp("fish")
    (place / "fish.csv").write_bytes(table_of_fish().encode())
    audit_file(place / "fish.csv", "kind", output=place / "fish.audit")
    return place


@pytest.fixture
def folder(audited, tmp_path):
    shutil.copytree(audited / "fish.audit", tmp_path / "fish.audit")
    return tmp_path / "fish.audit"


def test_the_audit_of_a_file_applies_decisions_to_its_rows_in_memory(folder, audited):
    audit, table = load_audit(folder), pd.read_csv(audited / "fish.csv")
    decisions = Decisions(folder, audit)
    decisions.record(3, "drop")
    decisions.record(1, "relabel", label="small")
    X, y = audit.clean(table[["size"]], table["kind"].str.strip(), None, decisions=folder)
    assert X.index.tolist() == [0, 1, 2, *range(4, 60)]
    assert y[1] == "small"
    other = hardy.audit_labels(table[["size"]], table["kind"].str.strip(), random_state=0)
    with pytest.raises(InputError, match="holds the decisions of another audit"):
        other.clean(table[["size"]], table["kind"].str.strip(), None, decisions=folder)


def decide(folder):
    decisions = Decisions(folder, load_audit(folder))
    decisions.record(1, "relabel", label="small", person="Ada", note="seen")
    decisions.record(3, "drop", person="=Bob")
    decisions.record(5, "keep")
    return decisions


def test_the_table_and_its_log(audited, folder, tmp_path):
    decide(folder)
    cleaned = clean_file(folder, tmp_path / "clean.csv")
    lines = table_of_fish().splitlines(keepends=True)
    lines[2] = lines[2].replace("large", " small ")
    del lines[4]
    assert (tmp_path / "clean.csv").read_bytes().decode() == "".join(lines)
    log = pd.read_csv(cleaned.log)
    assert log[["row", "line", "id", "change", "before", "who"]].values.tolist() == [
        [2, 3, 1, "relabel", "large", "Ada"],
        [4, 5, 3, "drop", "large", "'=Bob"],
    ]
    assert (cleaned.n_rows, cleaned.n_dropped, cleaned.n_relabelled) == (60, 1, 1)
    assert (audited / "fish.csv").read_bytes().decode() == table_of_fish()


def test_gzipped_by_name_and_with_weights(folder, tmp_path):
    decide(folder)
    clean_file(folder, tmp_path / "clean.csv.gz", action="weight")
    text = gzip.decompress((tmp_path / "clean.csv.gz").read_bytes()).decode()
    frame = pd.read_csv(io.StringIO(text))
    assert frame.columns.tolist() == ["number", "size", "kind", "weight"]
    assert frame["weight"].between(0, 1).all()
    assert frame["weight"].iloc[1] == 1


def test_parquet_stays_parquet(audited, tmp_path):
    frame = pd.read_csv(io.StringIO(table_of_fish())).assign(kind=lambda f: f["kind"].str.strip())
    frame["number"] = frame["number"].astype("int16")
    frame.to_parquet(tmp_path / "fish.parquet")
    audit = audit_file(tmp_path / "fish.parquet", "kind", output=tmp_path / "out")
    Decisions(tmp_path / "out", audit).record(1, "relabel", label="small")
    with pytest.raises(InputError, match=r"ends in \.parquet"):
        clean_file(tmp_path / "out", tmp_path / "clean.csv")
    clean_file(tmp_path / "out", tmp_path / "clean.parquet")
    frame.loc[1, "kind"] = "small"
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "clean.parquet"), frame)


class TestWeights:
    def test_a_column_of_that_name_is_not_doubled(self, tmp_path):
        text = table_of_fish().replace("size", "weight")
        (tmp_path / "fish.csv").write_text(text)
        pd.read_csv(io.StringIO(text)).to_parquet(tmp_path / "fish.parquet")
        for name in ("fish.csv", "fish.parquet"):
            audit_file(tmp_path / name, "kind", output=tmp_path / f"{name}.audit")
            with pytest.raises(InputError, match="has a column 'weight' already"):
                clean_file(tmp_path / f"{name}.audit", tmp_path / f"c.{name}", action="weight")
            assert not (tmp_path / f"c.{name}").exists()

    def test_rows_without_a_label_weigh_nothing(self, tmp_path):
        lines = table_of_fish().splitlines()
        lines[8] = lines[8].rpartition(",")[0] + ","
        (tmp_path / "fish.csv").write_text("\n".join(lines))
        audit_file(tmp_path / "fish.csv", "kind", output=tmp_path / "out")
        clean_file(tmp_path / "out", tmp_path / "clean.csv", action="weight")
        weight = pd.read_csv(tmp_path / "clean.csv")["weight"]
        assert np.flatnonzero(weight == 0).tolist() == [7]


@pytest.mark.parametrize("name", ["audit.json", "suspects.csv", "decisions.sqlite"])
def test_the_audit_itself_is_never_overwritten(folder, tmp_path, name):
    decide(folder)
    before = (folder / name).read_bytes()
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "other").symlink_to(folder / name)
    for output in (folder / name, tmp_path / "link" / name, tmp_path / "other"):
        with pytest.raises(InputError, match="a file of the audit itself"):
            clean_file(folder, output)
    assert (folder / name).read_bytes() == before
    (folder / "decisions.sqlite").unlink()
    with pytest.raises(InputError, match="a file of the audit itself"):
        clean_file(folder, folder / "decisions.sqlite")
    clean_file(folder, folder / "clean.csv")


class TestOtherFiles:
    def test_a_file_that_was_changed_is_refused(self, folder, tmp_path):
        other = tmp_path / "other.csv"
        other.write_text(table_of_fish() + "060,1.1,small\r\n")
        with pytest.raises(InputError, match="checksum differs"):
            clean_file(folder, tmp_path / "clean.csv", file=other)
        assert not (tmp_path / "clean.csv").exists()

    def test_a_file_that_was_moved_can_be_named(self, audited, tmp_path):
        moved = tmp_path / "fish.csv"
        moved.write_bytes(table_of_fish().encode())
        audit_file(moved, "kind", output=tmp_path / "out")
        moved = moved.rename(tmp_path / "moved.csv")
        with pytest.raises(InputError, match=r"isn't there; name .* --file"):
            clean_file(tmp_path / "out", tmp_path / "clean.csv")
        clean_file(tmp_path / "out", tmp_path / "clean.csv", file=moved)
        assert (tmp_path / "clean.csv").read_bytes() == moved.read_bytes()
        with pytest.raises(InputError, match="never changed"):
            clean_file(tmp_path / "out", moved, file=moved)

    def test_an_audit_in_memory_has_no_file(self, tmp_path, make_audit):
        make_audit().save(tmp_path / "out")
        with pytest.raises(InputError, match="data in memory"):
            clean_file(tmp_path / "out", tmp_path / "clean.csv")

    def test_text_is_not_written_as_parquet(self, folder, tmp_path):
        with pytest.raises(InputError, match="text, not Parquet"):
            clean_file(folder, tmp_path / "clean.parquet")

    def test_a_folder_that_does_not_exist(self, folder, tmp_path):
        with pytest.raises(InputError, match="is no folder"):
            clean_file(folder, tmp_path / "none" / "clean.csv")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX devices")
def test_an_audit_that_says_it_is_of_a_device_is_refused_at_once(make_audit):
    audit = make_audit(source={"path": "/dev/zero", "sha256": "0" * 64})
    with pytest.raises(InputError, match="is a pipe or a device"):
        find_source(audit)


def test_labels_of_annotators_are_looked_for_beside_the_table_only():
    source = {"annotations": {"file": "../elsewhere/a.csv", "columns": ["row", "who", "label"]}}
    assert annotators_of(source, Path("here", "t.csv"))["annotations"] == Path("here", "a.csv")
