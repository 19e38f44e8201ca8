import csv
import json
import os
import re
import signal
import subprocess
import sys
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest

from hardy.audit import audit_again, load_audit
from hardy.cli._console import printable
from hardy.exceptions import InputError

FILES = ["arrays.npz", "audit.json", "findings.csv", "report.html", "suspects.csv"]
WRONG = [4, 61]


@pytest.fixture(scope="module")
def lines():
    """A table whose rows 5 and 62 have the wrong label, and row 100 has none."""
    rng = np.random.default_rng(1)
    made = ["id,size,[b]weight[/b],kind"]
    for row in range(100):
        large = row % 2
        numbers = rng.normal(5 * large, 0.4, 2)
        label = ["[red]small", "large"][large ^ (row in WRONG)] if row < 99 else ""
        made.append(f"{row + 500},{numbers[0]:.3f},{numbers[1]:.3f},{label}")
    return made


@pytest.fixture
def here(tmp_path, monkeypatch, lines):
    """The current folder, with the table in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_audit_writes_the_folder_and_prints_the_worst_suspects(here, run):
    done = run("audit", "t.csv", "--target", "kind")
    assert done.exit_code == 0, done.stderr
    assert names(here) == ["t.csv", "t.csv.audit"]
    assert names(here / "t.csv.audit") == FILES
    with (here / "t.csv.audit/suspects.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["row"] == "5"
    assert (rows[0]["line"], rows[0]["id"]) == ("6", "504")
    assert rows[-1]["row"] == "100"
    n_suspects = len(rows) - 1
    assert re.search(rf"^{n_suspects} of 99 labels looks? wrong", done.stdout)
    assert "[red]small" in done.stdout
    assert "Report: t.csv.audit/report.html" in done.stdout
    assert "Column 'id' was set aside" in done.stdout
    assert "1 row has no label" in done.stdout
    assert done.stderr == ""


def test_other_findings_are_printed_with_their_first_rows(here, run, lines):
    table = [line + ("," + ("test" if at % 3 else "train") if at else ",part")
             for at, line in enumerate(lines)]  # fmt: skip
    twins = [f"{at + 900},{table[at].split(',', 1)[1]}" for at in (10, 20)]
    twins = [twin[: twin.rindex(",")] + ",train" for twin in twins]
    written = [*table, *twins]
    written[12] = written[12].replace("large", "Large").replace("small", "Small")
    (here / "t.csv").write_text("\n".join(written) + "\n")
    done = run("audit", "t.csv", "--target", "kind", "--split", "part")
    assert done.exit_code == 0, done.stderr
    assert "Label spelling. 1 row with the label 'Large'" in done.stdout
    assert "Rows: 12\n" in done.stdout
    assert "Duplicates across split. 4 rows in 2 sets" in done.stdout
    assert "Rows: 10, 101, 20, 102\n" in done.stdout
    with (here / "t.csv.audit/findings.csv").open(newline="") as file:
        rows = [line["row"] for line in csv.DictReader(file)]
    assert rows == ["12", "10", "101", "20", "102"]
    summary = run("audit", "t.csv", "--target", "kind", "--split", "part", "--json")
    kinds = [item["kind"] for item in json.loads(summary.stdout)["other_findings"]]
    assert kinds == ["label_spelling", "duplicates_across_split"]
    assert "rows" not in json.loads(summary.stdout)["other_findings"][0]


def test_annotators_are_measured_and_their_consensus_is_audited(here, run, lines):
    rng = np.random.default_rng(0)
    made = [lines[0].replace("kind", "ann,bob,eve")]
    for row, line in enumerate(lines[1:]):
        said = np.where(rng.random(3) < (0.97, 0.95, 0.6), row % 2, 1 - row % 2)
        made.append(line.rsplit(",", 1)[0] + "".join(f",{'SL'[code]}" for code in said))
    (here / "t.csv").write_text("\n".join(made) + "\n")
    options = [word for name in ("ann", "bob", "eve") for word in ("--annotators", name)]
    done = run("audit", "t.csv", *options)
    assert done.exit_code == 0, done.stderr
    for name in ("ann", "bob", "eve"):
        assert re.search(rf"^ *{name} +100 +100 +\d+", done.stdout, re.M)
    assert "Krippendorff's alpha" in done.stdout
    assert "Annotator accuracy. Of the labels by `eve`" in done.stdout
    assert "Their consensus on every row is in t.csv.audit/consensus.csv." in done.stdout
    agreed = pd.read_csv(here / "t.csv.audit/consensus.csv")
    assert agreed["line"].tolist() == list(range(2, 102))
    assert (
        agreed["consensus"].tolist() == load_audit(here / "t.csv.audit").consensus.labels.tolist()
    )
    summary = json.loads(run("audit", "t.csv", *options, "--json").stdout)
    assert [item["name"] for item in summary["annotators"]["quality"]] == ["ann", "bob", "eve"]


def test_an_annotator_who_writes_labels_in_another_way_is_told_in_the_line(here, run, lines):
    made = [lines[0].replace("kind", "ann,bob,eve")]
    for line in lines[1:]:
        said = "large" if line.endswith("large") else "small"
        made.append(f"{line.rsplit(',', 1)[0]},{said},{said},{said.upper()}")
    (here / "t.csv").write_text("\n".join(made) + "\n")
    options = [word for name in ("ann", "bob", "eve") for word in ("--annotators", name)]
    done = run("audit", "t.csv", *options)
    assert done.exit_code == 0, done.stderr
    assert re.search(r"^ *annotator .* counted as wrong *$", done.stdout, re.M)
    assert re.search(r"^ *eve .* writes 'LARGE' for", done.stdout, re.M)
    assert not re.search(r"^ *(ann|bob) .*writes", done.stdout, re.M)


def test_many_columns_that_are_set_aside_are_one_line(here, run, lines):
    made = [lines[0] + "".join(f",e{n}" for n in range(700))]
    made += [line + "".join(f",{n}" for n in range(700)) for line in lines[1:]]
    (here / "t.csv").write_text("\n".join(made) + "\n")
    done = run("audit", "t.csv", "--target", "kind")
    assert done.exit_code == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if "set aside" in line]
    assert told == [
        "Column 'id' was set aside: it counts the rows from 500 to 598.",
        "700 columns were set aside ('e0', 'e1', 'e2' and 697 more): they are constant.",
    ]
    kept = load_audit(here / "t.csv.audit").source["set_aside"]
    assert len(kept) == 701
    assert kept["e699"] == "every value is 699"


@pytest.fixture
def annotated(here, lines):
    """A table without labels, and a file with a line for each label by three annotators."""
    rng = np.random.default_rng(0)
    table, said = [lines[0].removesuffix(",kind")], ["sample,who,says"]
    for row, line in enumerate(lines[1:]):
        table.append(line.rsplit(",", 1)[0])
        case = line.split(",", 1)[0]
        is_right = rng.random(3) < (0.97, 0.95, 0.6)
        codes = np.where(is_right, row % 2, 1 - row % 2)
        said += [f"{case},{who},{'SL'[code]}" for who, code in zip("abc", codes, strict=True)]
    (here / "t.csv").write_text("\n".join(table) + "\n")
    (here / "said.csv").write_text("\n".join(said) + "\n")
    return ["t.csv", "--annotations", "said.csv", "--annotation-columns", "sample", "who", "says"]


def test_labels_one_a_line_are_taken_as_columns_are(here, run, annotated):
    done = run("audit", *annotated, "--id", "id")
    assert done.exit_code == 0, done.stderr
    for name in "abc":
        assert re.search(rf"^ *{name} +100 +100 +\d+", done.stdout, re.M)
    source = json.loads((here / "t.csv.audit/audit.json").read_text())["source"]
    assert source["target"] == "consensus of said.csv"
    assert source["annotations"] == {"file": "said.csv", "columns": ["sample", "who", "says"]}
    long = load_audit(here / "t.csv.audit")
    wide = pd.read_csv(here / "said.csv").pivot(index="sample", columns="who", values="says")
    pd.read_csv(here / "t.csv").join(wide, on="id").to_csv(here / "wide.csv", index=False)
    options = [word for name in "abc" for word in ("--annotators", name)]
    assert run("audit", "wide.csv", *options, "--id", "id").exit_code == 0
    np.testing.assert_array_equal(long.doubt, load_audit(here / "wide.csv.audit").doubt)
    np.testing.assert_array_equal(audit_again(here / "t.csv.audit").doubt, long.doubt)


def test_lines_of_labels_count_rows_without_names_from_1(here, run, annotated):
    said = pd.read_csv(here / "said.csv")
    said["sample"] = np.repeat(np.arange(1, 101), 3)
    said.iloc[3:].to_csv(here / "said.csv", index=False)
    done = run("audit", *annotated, "--drop", "id")
    assert done.exit_code == 0, done.stderr
    assert load_audit(here / "t.csv.audit").is_unlabelled.nonzero()[0].tolist() == [0]


def test_a_class_that_one_annotator_gave_only_is_no_obstacle(here, run, annotated):
    text = (here / "said.csv").read_text().replace(",a,S", ",a,Z", 4)
    (here / "said.csv").write_text(text)
    done = run("audit", *annotated, "--id", "id")
    assert done.exit_code == 0, done.stderr


def test_lines_of_annotators_who_never_meet_cost_one_line(here, run, annotated):
    said = pd.read_csv(here / "said.csv")
    apart = np.arange(len(said)) % 3 == np.arange(len(said)) // 3 % 3
    said[apart].to_csv(here / "said.csv", index=False)
    done = run("audit", *annotated, "--id", "id")
    assert done.exit_code == 0
    assert len(done.stderr.strip().splitlines()) == 1
    assert "No row was labelled by two annotators" in done.stderr


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        (lambda t: t, ["--annotation-columns", "sample", "whom", "says"],
         "said.csv: There is no column 'whom'; did you mean 'who'?"),
        (lambda t: t, ["--annotation-columns", "who", "who", "says"],
         "The annotation columns ('who', 'who', 'says') must be three names"),
        (lambda t: t + "x99,a,S\n", [],
         "There is no row 'x99' in t.csv, as line 302 says: its rows are named by the column 'id'"),
        (lambda t: t + ",a,S\n", [], "'sample' has no value in line 302"),
        (lambda t: t + t.splitlines()[1].replace(",a,S", ",a,L") + "\n", [],
         "The annotator 'a' gave the row"),
        (lambda t: t.replace(",b,", ",a,").replace(",c,", ",a,"), [],
         "said.csv: Two annotators or more are needed, but only 'a' gave labels"),
        (lambda t: re.sub(r",[SL]\n", ",\n", t), [], "but there is no label"),
        (lambda t: t, ["--annotators", "size"], "can't be given both"),
        (lambda t: t, ["--memory-limit", "2GB"], "annotations are held in memory"),
        (lambda t: t, ["--annotations", "none.csv"], "none.csv"),
    ],
)  # fmt: skip
def test_lines_of_labels_that_cannot_be_used_cost_one_line(
    here, run, annotated, change, options, words
):
    text = (here / "said.csv").read_text()
    (here / "said.csv").write_text(change(text))
    done = run("audit", *annotated, "--id", "id", *options)
    assert done.exit_code == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (here / "t.csv.audit").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.replace("\n501,", "\n500,", 1), "names a row again in line 3"),
        (lambda t: t.replace("\n500,", "\n,", 1), "has no value in line 2"),
    ],
)
def test_rows_that_labels_are_given_to_need_names(here, run, annotated, change, words):
    (here / "t.csv").write_text(change((here / "t.csv").read_text()))
    done = run("audit", *annotated, "--id", "id")
    assert done.exit_code == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_annotators_who_never_meet_cost_one_line(here, run):
    rows = [f"{at % 7},{at % 2},{'x' * (at % 2)},{'y' * (1 - at % 2)}" for at in range(40)]
    (here / "t.csv").write_text("\n".join(["a,b,ann,bob", *rows]) + "\n")
    done = run("audit", "t.csv", "--annotators", "ann", "--annotators", "bob")
    assert done.exit_code == 0
    assert "hardy: warning: No row was labelled by two annotators" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_json_goes_to_standard_output_alone(here, run):
    done = run("audit", "t.csv", "--target", "kind", "--drop", "id", "--output", "out", "--json")
    assert done.exit_code == 0, done.stderr
    printed = json.loads(done.stdout)
    schema = resources.files("hardy.audit").joinpath("schema/audit.schema.json").read_text()
    jsonschema.validate(printed, json.loads(schema))
    assert printed["counts"]["rows"] == 100
    assert printed["source"]["dropped"] == ["id"]
    written = json.loads((here / "out/audit.json").read_text())
    assert {key: written[key] for key in printed} == printed


def test_fail_over_turns_a_high_noise_rate_into_status_1(here, run):
    call = ("audit", "t.csv", "--target", "kind", "--json", "--fail-over")
    done = run(*call, "0")
    rate = json.loads(done.stdout)["noise_rate"]
    assert rate > 0
    assert done.exit_code == 1
    assert "above --fail-over 0" in done.stderr
    assert names(here / "t.csv.audit") == FILES
    done = run(*call, rate)
    assert json.loads(done.stdout)["noise_rate"] == rate
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["t.csv"], "Missing option '--target'"),
        (["t.csv", "--target", "kind", "--fail-over", "5"], "--fail-over 5 must be a share"),
        (["t.csv", "--target", "kind", "--fail-over", "nan"], "--fail-over nan must be a share"),
        (["t.csv", "--target", "kind", "--n-jobs", "many"], "Invalid value for '--n-jobs'"),
        (["missing.csv", "--target", "kind"], "missing.csv"),
        (["t.csv", "--target", "kin"], "There is no column 'kin'; did you mean 'kind'?"),
        (["t.csv", "--target", "kind", "--drop", "sise"], "did you mean 'size'?"),
        (["t.csv", "--target", "kind", "--text", "sise"], "did you mean 'size'?"),
        (["t.csv", "--target", "kind", "--group", "sise"], "did you mean 'size'?"),
        (["t.csv", "--target", "kind", "--group", "kind"], "can't be both"),
        (["t.csv", "--target", "kind", "--encoding", "utf-9"], "no encoding 'utf-9'"),
        (["latin.csv", "--target", "y", "--encoding", "utf-8"], "as utf-8: byte 5 (line 2)"),
        (["t.csv", "--target", "kind", "--id", "kind"], "can't be both"),
        (["t.csv", "--target", "size"], "regression"),
        (["t.csv", "--target", "id"], "100 distinct values in 100 rows"),
        (["t.csv", "--target", "kind", "--output", "t.csv"], "t.csv is a file"),
        (["t.csv", "--target", "kind", "--output", "t.csv/out"], "t.csv is no folder"),
        (["t.csv", "--target", "kind", "--output", "."], "is not empty and holds no audit"),
        (["ragged.csv", "--target", "y"], "line 3"),
        (["empty.csv", "--target", "y"], "empty.csv"),
        (["header.csv", "--target", "y"], "header.csv"),
        (["twice.csv", "--target", "y"], "'x'"),
        (["infinite.csv", "--target", "y"], "infinite"),
        (["one.csv", "--target", "y"], "one class only"),
        (["blank.csv", "--target", "y"], "no label in any row"),
    ],
)
def test_bad_input_costs_one_line_and_status_2(here, run, arguments, message):
    (here / "latin.csv").write_bytes("x,y\né,a\n".encode("latin-1"))
    for name, text in {
        "ragged.csv": "x,y\n1,a\n2,b,3\n",
        "empty.csv": "",
        "header.csv": "x,y\n",
        "twice.csv": "x,x,y\n1,2,a\n",
        "infinite.csv": "x,y\n1,a\n-inf,b\n2,a\n3,b\n",
        "one.csv": "x,y\n1,a\n2,a\n",
        "blank.csv": "x,y\n1,\n2,\n",
    }.items():
        (here / name).write_text(text)
    before = names(here)
    done = run("audit", *arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert message in done.stderr
    complaints = done.stderr.splitlines()
    assert len(complaints) == 1
    assert complaints[0].startswith("hardy: ")
    assert names(here) == before


PATCHED = """
import time
import hardy.audit.{module} as module

def wait(*_, **__):
    print("waiting", flush=True)
    time.sleep(600)

module.{name} = wait
import sys
sys.argv = ["hardy", "audit", "t.csv", "--target", "kind", "--drop", "id"]
from hardy.cli import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
@pytest.mark.parametrize(
    ("module", "name"), [("files", "audit_labels"), ("storage", "write_report")]
)
def test_interrupt_ends_with_one_line_and_leaves_nothing(here, module, name):
    process = subprocess.Popen(
        [sys.executable, "-c", PATCHED.format(module=module, name=name)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 2
    assert errors == "hardy: interrupted\n"
    assert names(here) == ["t.csv"]


@pytest.mark.skipif(os.name == "nt", reason="closes a POSIX pipe")
def test_a_reader_who_leaves_early_is_no_finding(here):
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from hardy.cli import main; main()",
            *("audit", "t.csv", "--target", "kind", "--drop", "id"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


def test_escape_codes_in_labels_do_not_reach_the_terminal():
    assert printable("\x1b[31mred") == "\N{REPLACEMENT CHARACTER}[31mred"


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['hardy', 'audit', '--help']\n"
        "from hardy.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print([m for m in ('sklearn', 'numba', 'pandas', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.fixture
def calls(monkeypatch):
    """What the command asks of `audit_file`, which then stops."""
    made = []

    def audit_file(*arguments, **options):
        made.append((arguments, options))
        raise InputError("stopped")

    monkeypatch.setattr("hardy.audit.files.audit_file", audit_file)
    return made


def test_options_are_handed_on(here, run, calls):
    run("audit", "t.csv", "--target", "kind")
    call = ("--text", "a", "--text", "b", "--group", "g", "--encoding", "cp437")
    run("audit", "t.csv", "--target", "kind", *call)
    names = ("text", "group", "encoding")
    handed = [tuple(call[name] for name in names) for _, call in calls]
    assert handed == [((), None, None), (["a", "b"], "g", "cp437")]


def test_a_folder_name_that_is_too_long_is_refused_before_anything_is_read(here, run, calls):
    name = "t" * 250
    (here / name).write_text("x,y\n1,a\n2,b\n")
    for arguments in (["t.csv", "--output", "o" * 256], [name]):
        done = run("audit", *arguments, "--target", "y")
        assert done.exit_code == 2
        assert "can't be written: File name too long. Choose another one" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not calls


def test_text_group_and_encoding_have_their_effect(here, run, lines):
    head, *rows = lines
    wide = [f"{head},größe,patient", *(f"{row},{at},p{at // 5}" for at, row in enumerate(rows))]
    (here / "w.csv").write_text("\n".join(wide) + "\n", encoding="cp437")
    call = ("audit", "w.csv", "--target", "kind", "--json", "--encoding", "cp437")
    done = run(*call, "--text", "größe", "--group", "patient")
    assert done.exit_code == 0, done.stderr
    source = json.loads(done.stdout)["source"]
    assert source["reading"]["encoding"] == "cp437"
    assert list(source["set_aside"]) == ["id"]
    done = run(*call)
    assert list(json.loads(done.stdout)["source"]["set_aside"]) == ["id", "größe"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_as_input_is_refused_at_once(here, run):
    os.mkfifo(here / "pipe")
    done = run("audit", "pipe", "--target", "kind")
    assert done.exit_code == 2
    assert done.stderr.startswith("hardy: pipe is a pipe or a device; save")
    assert len(done.stderr.splitlines()) == 1
