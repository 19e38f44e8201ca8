"""Commands that are killed: files are whole, what was finished is there, the next run goes on."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from cli.conftest import make_fruit
from hardy.audit import load_audit
from hardy.exceptions import InputError
from hardy.saving import load_model

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
# `make faults` asks for more.
KILLS = int(os.environ.get("HARDY_KILLS", "3"))
MORTAL = Path(__file__).with_name("mortal.py")


def check_audit(folder):
    """Either the audit is there and whole, or it says that it isn't."""
    try:
        assert len(load_audit(folder / "out").doubt) == 80
    except InputError as error:
        # A renewal moves five files one by one; between them, the checksum tells.
        assert re.search("holds no audit|was changed after", str(error))  # noqa: PT017


def check_model(folder):
    if (folder / "out").exists():
        assert load_model(folder / "out").target == "state"


def check_comparison(folder):
    table = folder / "out" / "results.csv"
    if table.exists() and table.stat().st_size:
        content = table.read_text()
        whole = pd.read_csv(table).dropna(subset=["accuracy"])
        assert len(whole) >= content.count("\n") - 1


COMMANDS = {
    "audit": (["audit", "fruit.csv", "--target", "state"], check_audit),
    "fit": (
        ["fit", "fruit.csv", "--target", "state", "--estimator", "ada-boost"],
        check_model,
    ),
    "compare": (
        ["compare", "fruit.csv", "--target", "state", "--folds", "2", "--noise", "0.1"]
        + ["--estimators", "logistic-regression,decision-stump"],
        check_comparison,
    ),
}


@pytest.fixture
def call(tmp_path):
    """Run a command of one folder until it touches a file for the n-th time; give its status."""
    running = []

    def start(arguments):
        command = [sys.executable, str(MORTAL), str(tmp_path), *arguments]
        command += ["--output", str(tmp_path / "out")]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        running.append(process)

        def run(number):
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
            return tuple(map(int, process.stdout.readline().split()))

        return run

    yield start
    for process in running:
        process.communicate()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_killed_leaves_whole_files_and_the_next_run_goes_on(
    tmp_path, call, command
):
    arguments, check = COMMANDS[command]
    fruit = make_fruit(tmp_path / "fruit.csv")
    before = fruit.read_bytes()
    run = call(arguments)
    status, n_touched = run(0)
    assert (status, n_touched > 2) == (0, True)
    draw = random.Random(0)
    for attempt in range(KILLS):
        # Every other time nothing is there yet but an empty folder.
        if attempt % 2 == 0 and (tmp_path / "out").is_dir():
            shutil.rmtree(tmp_path / "out")
            (tmp_path / "out").mkdir()
        status, _ = run(draw.randint(2, n_touched))
        # A run that finds a finished one does less, and may end before its time.
        assert status in (-signal.SIGKILL, 0)
        assert fruit.read_bytes() == before
        check(tmp_path)
    assert run(0)[0] == 0
    check(tmp_path)
    assert (tmp_path / "out").exists()
