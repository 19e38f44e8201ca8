import json

import pytest

from hardy.audit import Decisions, audit_file


@pytest.fixture
def audited(fruit, tmp_path):
    text = fruit.read_text().splitlines()
    text[1] = (
        text[1].replace("ripe", "=raw") if "ripe" in text[1] else text[1].replace("=raw", "ripe")
    )
    fruit.write_text("\n".join(text) + "\n")
    audit = audit_file(fruit, "state", output=tmp_path / "out")
    return audit, tmp_path / "out"


def test_decisions_are_applied(run, audited, fruit, tmp_path):
    audit, folder = audited
    Decisions(folder, audit).record(0, "drop", person="Ada")
    result = run("clean", folder, "--output", tmp_path / "clean.csv")
    assert result.exit_code == 0
    assert "79 of 80 rows; 0 relabelled, 1 dropped." in result.stdout
    assert str(tmp_path / "clean.csv.changes.csv") in result.stdout
    lines = fruit.read_text().splitlines(keepends=True)
    assert (tmp_path / "clean.csv").read_text() == "".join([lines[0], *lines[2:]])


def test_automatic_changes_are_asked_for(run, audited, tmp_path):
    audit, folder = audited
    assert audit.suspects.size
    result = run("clean", folder, "--output", tmp_path / "a.csv")
    assert "0 relabelled, 0 dropped" in result.stdout
    result = run("clean", folder, "--output", tmp_path / "b.csv", "--auto", "--action", "relabel")
    assert (
        f"{audit.suspects.size} relabelled, 0 dropped, {audit.suspects.size} of them automatic"
        in (result.stdout)
    )
    sure = run("clean", folder, "--output", tmp_path / "c.csv", "--auto", "--min-precision", "1")
    assert "0 relabelled, 0 dropped" in sure.stdout
    assert run("clean", folder, "--output", tmp_path / "d.csv", "--action", "weight").exit_code == 0
    assert (tmp_path / "d.csv").read_text().startswith("size,colour,unit,batch,state,weight\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--action", "drop"], "add --auto"),
        (["--min-precision", "0.9"], "belongs to --auto"),
        (["--auto", "--min-precision", "nan"], "--min-precision nan must be a share, from 0 to 1"),
        (["--auto", "--min-precision", "2"], "--min-precision 2 must be a share, from 0 to 1"),
        (["--auto", "--min-precision", "0.9", "--action", "weight"], "belongs to --auto"),
        (["--file", "no such file"], "isn't there"),
    ],
)
def test_calls_that_make_no_sense_cost_one_line(run, audited, tmp_path, options, message):
    result = run("clean", audited[1], "--output", tmp_path / "clean.csv", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "clean.csv").exists()


def test_an_encoding_of_no_text_costs_one_line(run, audited, tmp_path):
    document = audited[1] / "audit.json"
    document.write_text(document.read_text().replace('"utf-8"', '"rot13"'))
    result = run("clean", audited[1], "--output", tmp_path / "clean.csv")
    assert result.exit_code == 2
    assert "rot13" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_audited_file_is_never_replaced(run, audited, fruit):
    before = fruit.read_bytes()
    result = run("clean", audited[1], "--output", fruit)
    assert result.exit_code == 2
    assert "never changed" in result.stderr
    assert fruit.read_bytes() == before


def test_decisions_on_rows_that_are_gone_are_told(run, audited, fruit, tmp_path):
    audit, folder = audited
    Decisions(folder, audit).record(79, "drop")
    fruit.write_text("\n".join(fruit.read_text().splitlines()[:-1]) + "\n")
    refused = run("clean", folder, "--output", tmp_path / "clean.csv")
    assert (refused.exit_code, "checksum differs" in refused.stderr) == (2, True)
    audit_file(fruit, "state", output=folder)
    result = run("clean", folder, "--output", tmp_path / "clean.csv")
    assert "1 decision is on another version of the data, whose rows have no names" in result.stdout


def test_named_rows_that_are_gone_are_told(run, fruit, tmp_path):
    lines = [
        f"{'case' if not at else f'c{at}'},{line}"
        for at, line in enumerate(fruit.read_text().splitlines())
    ]
    fruit.write_text("\n".join(lines) + "\n")
    audit = audit_file(fruit, "state", id="case", output=tmp_path / "out")
    Decisions(tmp_path / "out", audit).record(79, "drop")
    fruit.write_text("\n".join(lines[:-1]) + "\n")
    audit_file(fruit, "state", id="case", output=tmp_path / "out")
    result = run("clean", tmp_path / "out", "--output", tmp_path / "clean.csv")
    assert "1 decision is on rows that are gone from the data" in result.stdout
    assert "it is left out." in result.stdout


def test_what_somebody_skipped_stays_and_is_told(run, audited, tmp_path):
    audit, folder = audited
    Decisions(folder, audit).record(int(audit.suspects[0]), "skip")
    result = run("clean", folder, "--output", tmp_path / "clean.csv", "--auto")
    n_dropped = audit.suspects.size - 1
    assert f"{n_dropped} dropped, {n_dropped} of them automatic" in result.stdout
    assert "1 skipped row stays as it is." in result.stdout


def test_the_expected_precision_is_told_as_in_the_audit(run, audited, tmp_path):
    audit, folder = audited
    result = run("clean", folder, "--output", tmp_path / "clean.csv", "--auto")
    cuts = json.loads((folder / "audit.json").read_text())["expected_precision"]
    told = next(cut["careful"] for cut in cuts if cut["rows"] == audit.suspects.size)
    assert f"about {100 * told:.0f} % should be right, by the careful reading" in result.stdout
