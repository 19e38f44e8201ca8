import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cli.conftest import make_fruit
from hardy.audit import Decisions, audit_file, load_audit
from hardy.exceptions import InputError
from hardy.saving import load_model

UNLUCKY = Path(__file__).with_name("unlucky.py")
# `make faults` asks for more.
TIMES = int(os.environ.get("HARDY_KILLS", "1"))
N_ROWS = 80
# Seconds from Ctrl-C to the end. In the suite other work may slow it down.
AT_MOST = 2.0 if "HARDY_KILLS" in os.environ else 60.0
_BY_THE_WAY = r"hardy: warning: |hardy: .* \(\d+ %\)$"

if os.name == "nt":
    collect_ignore_glob = ["test_*.py"]


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    status: int
    touched: int
    said: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        """What was said, but for warnings and progress."""
        return [x for x in self.said.splitlines() if not re.match(_BY_THE_WAY, x)]


def check_audit(out):
    """Either the audit is there and whole, or it says that it isn't."""
    try:
        assert len(load_audit(out).doubt) == N_ROWS
    except InputError as error:
        assert re.search("There is no folder|holds no audit", str(error))  # noqa: PT017


def check_model(out):
    if out.exists():
        assert load_model(out).target == "state"


def check_table(out):
    if out.exists():
        assert len(pd.read_csv(out)) == N_ROWS


def check_cells(table):
    """Every line that has an end is whole."""
    ended = table.read_bytes().rpartition(b"\n")[0] if table.exists() else b""
    if ended:
        assert pd.read_csv(io.BytesIO(ended))["versions"].notna().all()


def check_comparison(out):
    check_cells(out / "results.csv")
    for picture in out.glob("*.png"):
        assert picture.read_bytes().endswith(b"IEND\xaeB`\x82")


def check_reproduction(out):
    check_cells(out / "cells.csv")
    if (out / "index.html").exists():
        assert (out / "index.html").read_text().rstrip().endswith("</html>")
        assert (out / "table_1.csv").exists()


@dataclass(frozen=True)
class Command:
    """A command that writes `out`, and what must be true of it whenever it was cut off."""

    arguments: list[str]
    check: Any


OUTPUTS = ("out", "out.changes.csv")
_FRUIT = ["fruit.csv", "--target", "state"]
_OUT = ["--output", OUTPUTS[0]]
COMMANDS = {
    "audit": Command(["audit", *_FRUIT, *_OUT], check_audit),
    "audit-on-disk": Command(["audit", *_FRUIT, *_OUT, "--memory-limit", "8GB"], check_audit),
    "fit": Command(["fit", *_FRUIT, *_OUT, "--estimator", "ada-boost"], check_model),
    "predict": Command(["predict", "model.hardy", "fruit.csv", *_OUT], check_table),
    "clean": Command(["clean", "fruit.audit", "--file", "fruit.csv", *_OUT], check_table),
    "compare": Command(
        ["compare", *_FRUIT, *_OUT, "--folds", "2", "--noise", "0.1"]
        + ["--estimators", "logistic-regression,decision-stump"],
        check_comparison,
    ),
    "reproduce": Command(["reproduce", "nr-boosting", "--quick", *_OUT], check_reproduction),
}


@pytest.fixture(scope="session")
def inputs(tmp_path_factory, run_unlucky):
    """What the commands start from: a table, its audit with a decision, a model."""
    place = tmp_path_factory.mktemp("inputs")
    make_fruit(place / "fruit.csv")
    audit = audit_file(place / "fruit.csv", "state", output=place / "fruit.audit")
    Decisions(place / "fruit.audit", audit).record(3, "relabel", label="ripe", person="Ada")
    fit = COMMANDS["fit"].arguments
    assert run_unlucky(place, fit, "none").status == 0
    (place / "out").rename(place / "model.hardy")
    return place


@pytest.fixture
def here(inputs, tmp_path):
    """A folder with the inputs, for one test to spoil."""
    return shutil.copytree(inputs, tmp_path / "here")


@pytest.fixture(scope="session")
def run_unlucky():
    """Run commands in folders, each time with a misfortune."""
    process = subprocess.Popen(
        [sys.executable, str(UNLUCKY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def run(folder, arguments, fault, **facts):
        asked = {"folder": str(folder), "arguments": arguments, "fault": fault, **facts}
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        return Outcome(**json.loads(process.stdout.readline()))

    yield run
    process.communicate()


@pytest.fixture(scope="session")
def undisturbed(inputs, run_unlucky, tmp_path_factory):
    """Run a command without any misfortune, once; give what came of it and its folder."""

    @cache
    def run(name):
        folder = tmp_path_factory.mktemp("undisturbed")
        shutil.copytree(inputs, folder, dirs_exist_ok=True)
        done = run_unlucky(folder, COMMANDS[name].arguments, "none")
        assert (done.status, done.touched > 2) == (0, True), done.said
        COMMANDS[name].check(folder / "out")
        return done, folder

    return run


@pytest.fixture
def draw():
    """Random numbers, the same in each run."""
    return random.Random(0)


def contents(folder):
    """Give all files of a folder with what is in them, but for the output and what is hidden."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.relative_to(folder).parts[0] not in OUTPUTS
        and not path.relative_to(folder).parts[0].startswith(".")
    }


def remove_output(folder):
    """Remove what a command has written."""
    for path in map(folder.joinpath, OUTPUTS):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
