import csv
import json
from importlib import resources

import jsonschema
import numpy as np
import pytest

from hardy.audit import Finding, load_audit
from hardy.audit.findings.listing import describe_findings, list_rows
from hardy.exceptions import InputError

FINDINGS = (
    Finding(
        "label_spelling",
        "`<b>` may be a misspelling.",
        np.array([3, 1]),
        ("`ham`?", "=1+1"),
        {"label": np.int64(4), "p": np.nan, "interval": [0.1, 0.2]},
    ),
    Finding("label_drift", "From here on, more are `ham`.", np.arange(20, 40), (), {}),
    Finding("giveaway_column", "The column `a` tells all.", np.array([], dtype=np.intp)),
)


def test_rows_are_listed_as_the_audit_counts_them(make_audit):
    audit = make_audit(findings=FINDINGS)
    assert list_rows(audit, FINDINGS[0]) == [
        {"row": 4, "line": 5, "id": None, "given_label": "spam", "note": "`ham`?"},
        {"row": 2, "line": 3, "id": None, "given_label": "spam", "note": "=1+1"},
    ]
    assert [row["row"] for row in list_rows(audit, FINDINGS[1], slice(2))] == [21, 22]
    assert [item["n_rows"] for item in describe_findings(audit)] == [2, 20, 0]


def test_findings_come_back_from_disk(make_audit, tmp_path):
    make_audit(findings=FINDINGS).save(tmp_path / "out")
    loaded = load_audit(tmp_path / "out").findings
    assert len(loaded) == 3
    for one, other in zip(FINDINGS, loaded, strict=True):
        assert (one.kind, one.sentence, one.notes) == (other.kind, other.sentence, other.notes)
        assert one.rows.tolist() == other.rows.tolist()
    assert loaded[0].details == {"label": 4, "p": None, "interval": [0.1, 0.2]}


def test_the_document_holds_rows_and_notes_as_the_schema_says(make_audit, tmp_path):
    make_audit(findings=FINDINGS).save(tmp_path / "out")
    document = json.loads((tmp_path / "out" / "audit.json").read_text(encoding="utf-8"))
    schema = json.loads(
        resources.files("hardy.audit").joinpath("schema/audit.schema.json").read_text()
    )
    jsonschema.validate(document, schema)
    first = document["other_findings"][0]
    assert (first["rows"], first["n_rows"], first["notes"]) == ([4, 2], 2, ["`ham`?", "=1+1"])


def test_a_line_of_the_table_for_each_row_of_each_finding(make_audit, tmp_path):
    make_audit(findings=FINDINGS).save(tmp_path / "out")
    with (tmp_path / "out" / "findings.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["finding"] for line in lines] == ["1"] * 2 + ["2"] * 20
    assert lines[0]["kind"] == "label_spelling"
    assert lines[1]["note"] == "'=1+1"
    assert [int(line["row"]) for line in lines[2:]] == list(range(21, 41))


@pytest.mark.parametrize("change", [{"rows": "x"}, {"kind": 3}, {"notes": [4]}])
def test_a_document_whose_findings_were_changed_is_refused(make_audit, tmp_path, change):
    make_audit(findings=FINDINGS).save(tmp_path / "out")
    path = tmp_path / "out" / "audit.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["other_findings"][0].update(change)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        load_audit(tmp_path / "out")


def test_a_finding_tells_itself_in_a_line():
    assert repr(FINDINGS[1]) == ("Finding('label_drift', 20 rows: From here on, more are `ham`.)")
