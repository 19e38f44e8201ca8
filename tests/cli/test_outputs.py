"""Names and values of others, followed into what commands write and print."""

import csv
import json
import os

import numpy as np
import pandas as pd
import pytest

from hardy.audit import Decisions, load_audit
from hardy.cli import _console
from hardy.studies import reproduce
from hardy.studies.nr_boosting import NoiseReducingBoosting
from harmless import (
    FORMULAS,
    HTML,
    TERMINAL,
    assert_harmless_csv,
    assert_harmless_lines,
    assert_harmless_page,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no such names there")

COLUMN, ID, TARGET, CONSTANT = (f"{TERMINAL}{name}" for name in ("size", "id", "kind", "unit"))
ANNOTATORS = [f"{TERMINAL}{name}" for name in ("ann", "bob")]


def write_table(path, labels, columns=(COLUMN, ID, TARGET, CONSTANT), annotators=()):
    """Write a table whose labels follow from its first column, but for three of them."""
    rng = np.random.default_rng(0)
    kind = np.arange(80) % 2
    given = np.where(np.isin(np.arange(80), [3, 8, 20]), 1 - kind, kind)
    size, name, target, constant = columns
    frame = pd.DataFrame(
        {
            size: (5 * kind + rng.normal(size=80)).round(3),
            name: [f"{TERMINAL}{number}" for number in range(80)],
            target: np.array(labels)[given],
            constant: TERMINAL,
            **{one: np.array(labels)[kind ^ (rng.random(80) < 0.2)] for one in annotators},
        }
    )
    frame.loc[5, target] = None
    frame.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)
    return path


@pytest.mark.parametrize("label", FORMULAS)
def test_predictions_hold_no_formulas(run, tmp_path, label):
    columns = ("=size", "id", "a\r=kind", "unit")
    table = write_table(tmp_path / "=t.csv", [label, "b"], columns)
    model, out = tmp_path / "=model.hardy", tmp_path / "out.csv"
    asked = ["--target", columns[2], "--estimator", "decision-stump", "--output", model]
    assert run("fit", table, *asked).exit_code == 0
    assert run("predict", model, table, "--proba", "--output", out).exit_code == 0
    rows = assert_harmless_csv(out.read_bytes().decode())
    assert len(rows) == 81
    shown = label.strip() if label[0] in "=+-@" else label
    assert {row[1].removeprefix("'").strip() for row in rows[1:]} == {shown.strip(), "b"}


@pytest.fixture
def red(tmp_path):
    """A table, in a folder, all of whose names and values would speak to a terminal."""
    folder = tmp_path / TERMINAL
    folder.mkdir()
    return write_table(
        folder / f"{TERMINAL}.csv", [f"{TERMINAL}[/red]", "b"], annotators=ANNOTATORS
    )


def test_commands_say_nothing_to_the_terminal(run, red):
    audit, model = red.with_suffix(".audit"), red.with_suffix(".hardy")
    asked = ["--target", TARGET, "--id", ID, "--output", audit]
    for name in ANNOTATORS:
        asked += ["--annotators", name]
    told = [run("audit", red, *asked)]
    Decisions(audit, load_audit(audit)).record(3, "drop", person=TERMINAL, note=TERMINAL)
    told += [run("clean", audit, "--auto", "--output", red.with_name(f"{TERMINAL}.clean.csv"))]
    fit = ["--target", TARGET, "--estimator", "decision-stump", "--output", model]
    told += [run("fit", red, *fit)]
    told += [run("predict", model, red, "--output", red.with_name(f"{TERMINAL}.out.csv"))]
    told += [
        run("compare", red, "--target", TARGET, "--estimators", "decision-stump", "--folds", 2,
            "--noise", "0", "--output", red.with_suffix(".comparison"))
    ]  # fmt: skip
    for done in told:
        assert done.exit_code == 0, done.output
        assert_harmless_lines(done.stdout)
        assert_harmless_lines(done.stderr)
        # Neither taken for orders nor for pictures.
        assert "[red]:bomb:" in done.stdout


@pytest.mark.parametrize("command", ["audit", "fit", "predict", "clean", "review", "compare"])
def test_neither_do_errors(run, tmp_path, command):
    missing = tmp_path / TERMINAL
    given = {"predict": [missing, missing], "review": [missing, missing, missing]}
    options = [] if command == "review" else ["--output", missing / TERMINAL]
    options += ["--target", TARGET] if command in ("audit", "fit", "compare") else []
    done = run(command, *given.get(command, [missing]), *options)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert_harmless_lines(done.stderr)


def test_neither_does_progress(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with _console.working(f"Reading {TERMINAL}"):
        pass
    with _console.showing_progress() as progress:
        progress(f"Reading {TERMINAL}", 1, 2)
    said = capsys.readouterr().err
    assert "owned" in said
    assert "\x1b]" not in said


def test_figures_as_json_are_ascii(run, red):
    done = run("audit", red, "--target", TARGET, "--output", red.with_suffix(".audit"), "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["source"]["target"] == TARGET
    assert_harmless_lines(done.stdout)


def test_a_reproduction_believes_nothing_of_its_finished_cells(run, tmp_path, monkeypatch):
    cells = [
        cell
        for cell in NoiseReducingBoosting().cells(quick=True)
        if cell["method"] == "pp_bagging" and cell["dataset"] == "twonorm"
    ][:3]
    monkeypatch.setattr(NoiseReducingBoosting, "cells", lambda self, quick: cells)
    reproduce("nr-boosting", tmp_path, quick=True)
    finished = pd.read_csv(tmp_path / "cells.csv", dtype=str)
    finished["versions"] = finished["versions"].astype(object)
    finished.loc[0, "versions"] = HTML + TERMINAL
    finished.loc[1, "versions"] = FORMULAS[0]
    finished.loc[2, "error"] = HTML + TERMINAL
    finished.to_csv(tmp_path / "cells.csv", index=False, lineterminator="\n")
    done = run("reproduce", "nr-boosting", "--quick", "--output", tmp_path)
    assert done.exit_code == 0, done.output
    assert "1 cells failed" in done.stdout
    assert_harmless_lines(done.stdout)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert" in page
    assert_harmless_page(page.replace('<img src="figure', '<p src="figure'))
    assert_harmless_csv((tmp_path / "table_1.csv").read_bytes().decode())
