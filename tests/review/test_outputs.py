"""Names and values that would be formulas or pages elsewhere, followed into every output."""

import csv
import json
import os
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from hardy.audit import Decisions, audit_file, clean_file, load_audit
from harmless import FORMULAS, HTML, assert_harmless_csv, assert_harmless_page
from review.conftest import write_fish

COLUMN, ID, TARGET, GROUP = "@SUM(A1)", "<evil>id</evil>", "=kind", "-<evil>group"
LABELS = FORMULAS[1], FORMULAS[-1]
ANNOTATORS = ["=ann", "a\r=bob", HTML]


@pytest.fixture(scope="module")
def audited_evil(tmp_path_factory):
    place = tmp_path_factory.mktemp("evil")
    rng = np.random.default_rng(0)
    kind = np.arange(80) % 2
    frame = pd.DataFrame(
        {
            ID: [f"={number}+1" for number in range(80)],
            COLUMN: (5 * kind + rng.normal(size=80)).round(3),
            "note": rng.choice([*FORMULAS, HTML], 80),
            GROUP: np.array([HTML, *FORMULAS])[np.arange(80) // 10],
            TARGET: np.array(LABELS)[kind],
            **{name: np.array(LABELS)[kind ^ (rng.random(80) < 0.2)] for name in ANNOTATORS},
        }
    )
    for row in (3, 8, *range(20, 30)):
        frame.loc[row, TARGET] = LABELS[1 - kind[row]]
    # Each value is quoted, line ends within it included.
    frame.to_csv(place / "=evil;<evil>.csv", index=False, quoting=csv.QUOTE_ALL)
    audit_file(
        place / "=evil;<evil>.csv",
        TARGET,
        id=ID,
        group=GROUP,
        annotators=ANNOTATORS,
        output=place / "out",
    )
    return place


@pytest.mark.parametrize("name", ["suspects.csv", "findings.csv", "consensus.csv"])
def test_csv_files_of_an_audit_hold_no_formulas(audited_evil, name):
    rows = assert_harmless_csv((audited_evil / "out" / name).read_bytes().decode())
    cells = {cell for row in rows for cell in row}
    assert {"'" + LABELS[0], LABELS[1], "'=21+1"} <= cells


def test_the_report_holds_no_elements_of_the_datas(audited_evil):
    assert_harmless_page((audited_evil / "out" / "report.html").read_text(encoding="utf-8"))


def test_a_cleaned_table_keeps_every_byte_of_what_stays(audited_evil, tmp_path):
    audit = load_audit(audited_evil / "out")
    Decisions(tmp_path, audit).record(0, "drop", person="=Ada")
    before = (audited_evil / "=evil;<evil>.csv").read_bytes().split(b"\n")
    for part in (audited_evil / "out").iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    clean_file(tmp_path, tmp_path / "clean.csv")
    # What somebody else's program reads must be what it was: the table is data, no report.
    assert (tmp_path / "clean.csv").read_bytes() == b"\n".join([before[0], *before[2:]])
    assert_harmless_csv((tmp_path / "clean.csv.changes.csv").read_bytes().decode())


def test_the_review_page_and_its_downloads(audited_evil, serve, tmp_path):
    for part in (audited_evil / "out").iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    server = serve(tmp_path, audited_evil / "=evil;<evil>.csv")
    row = int(load_audit(tmp_path).suspects[0]) + 1
    assert server.decide(row, "drop", note=HTML)[0] == 303
    for path in ("/", f"/row/{row}", "/table?state=all", f"/table?state={HTML}", "/finish"):
        status, headers, text = server.ask(path.replace("<", "%3C").replace(" ", "%20"))
        assert status in {200, 303, 400, 404}
        assert_harmless_page(text)
    kinds = ("table", "changes", "label-studio", "label-studio-interface", "argilla")
    got = {kind: server.ask(f"/finish/{kind}") for kind in kinds}
    for status, headers, _ in got.values():
        assert status == 200
        assert headers["content-disposition"].startswith("attachment; ")
        assert not {"<", "\n"} & set(headers["content-disposition"])
        assert headers["content-type"].partition(";")[0] != "text/html"
    assert_harmless_csv(got["changes"][2])
    for kind in ("label-studio", "argilla"):
        # Values for other programs, exactly as they are.
        assert json.dumps(LABELS[0])[1:-1] in got[kind][2]
        assert json.loads(got[kind][2])
    values = {
        v
        for e in ElementTree.fromstring(got["label-studio-interface"][2]).iter()
        for v in e.attrib.values()
    }
    assert set(LABELS) <= values


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_half_characters_in_names_are_shown_as_escapes(serve, tmp_path):
    """As Python gives the byte E9 of a name that isn't UTF-8, and JSON an escape of one half."""
    table = tmp_path / os.fsdecode(b"caf\xe9.csv")
    write_fish(table)
    folder = tmp_path / "audit"
    audit_file(table, "kind", text=["note"], id="case", output=folder)
    document = json.loads((folder / "audit.json").read_text(encoding="utf-8"))
    document["note"] = "half \ud800"
    (folder / "audit.json").write_text(json.dumps(document), encoding="utf-8")
    server = serve(folder)
    row = int(load_audit(folder).suspects[0]) + 1
    assert server.decide(row, "drop")[0] == 303
    for path in (f"/row/{row}", "/table?state=all", "/finish"):
        status, _, text = server.ask(path)
        assert status == 200
        assert "caf\\udce9.csv" in text
    for kind in ("table", "changes", "label-studio", "label-studio-interface", "argilla"):
        status, headers, _ = server.ask(f"/finish/{kind}")
        assert status == 200
        assert headers["content-disposition"].startswith("attachment; filename*=UTF-8''caf%3F.")
