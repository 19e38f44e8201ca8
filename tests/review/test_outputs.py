"""Names and values that would be formulas or pages elsewhere, followed into every output."""

import csv
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from hardy.audit import Decisions, audit_file, clean_file, load_audit

FORMULA, HTML = '=HYPERLINK("http://evil.example")', "<img src=x onerror=alert(1)>"
COLUMN, ID, TARGET = "@SUM(A1)", "<evil>id</evil>", "=kind"
LABELS = ("+1+1<script>alert(1)</script>", "-cmd|'/C calc'!A0")


class Tags(HTMLParser):
    """The names of the elements of a page, and of all of their attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def assert_harmless_page(text):
    page = Tags(text)
    assert not page.tags & {"img", "evil"}
    assert not any(name.startswith("on") for name in page.attributes)
    assert "<script>alert" not in text


def assert_harmless_csv(text):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for row in rows:
        for cell in row:
            if cell[:1] in set("=+-@\t\r"):
                float(cell)
    return rows


@pytest.fixture(scope="module")
def audited_evil(tmp_path_factory):
    place = tmp_path_factory.mktemp("evil")
    rng = np.random.default_rng(0)
    kind = np.arange(80) % 2
    frame = pd.DataFrame(
        {
            ID: [f"={number}+1" for number in range(80)],
            COLUMN: (5 * kind + rng.normal(size=80)).round(3),
            "note": np.where(rng.random(80) < 0.5, FORMULA, HTML),
            TARGET: np.array(LABELS)[kind],
        }
    )
    for row in (3, 8, 20):
        frame.loc[row, TARGET] = LABELS[1 - kind[row]]
    frame.to_csv(place / "=evil;<evil>.csv", index=False)
    audit_file(place / "=evil;<evil>.csv", TARGET, id=ID, output=place / "out")
    return place


def test_csv_files_of_an_audit_hold_no_formulas(audited_evil):
    suspects = (audited_evil / "out" / "suspects.csv").read_text(encoding="utf-8")
    rows = assert_harmless_csv(suspects)
    assert any("'" + LABELS[0] in row for row in rows)
    assert_harmless_csv((audited_evil / "out" / "findings.csv").read_text(encoding="utf-8"))


def test_the_report_holds_no_elements_of_the_datas(audited_evil):
    assert_harmless_page((audited_evil / "out" / "report.html").read_text(encoding="utf-8"))


def test_a_cleaned_table_keeps_every_byte_of_what_stays(audited_evil, tmp_path):
    audit = load_audit(audited_evil / "out")
    Decisions(tmp_path, audit).record(0, "drop", person="=Ada")
    before = (audited_evil / "=evil;<evil>.csv").read_bytes().splitlines(keepends=True)
    for part in (audited_evil / "out").iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    clean_file(tmp_path, tmp_path / "clean.csv")
    # What somebody else's program reads must be what it was: the table is data, no report.
    assert (tmp_path / "clean.csv").read_bytes() == b"".join([before[0], *before[2:]])
    assert_harmless_csv((tmp_path / "clean.csv.changes.csv").read_text(encoding="utf-8"))


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
