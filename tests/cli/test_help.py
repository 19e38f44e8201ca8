"""Help that can be read, examples in it that can be typed, and names that can be completed."""

import os
import re
import shlex
import subprocess
import sys

import pytest
import typer

import hardy.studies.reproducing as reproducing
from hardy.cli import app
from hardy.cli._estimators import estimator_names, method_names
from hardy.cli._help import EXAMPLES
from hardy.cli.compare import _KINDS, _SCORES
from hardy.cli.reproduce import _STUDIES
from hardy.noise import injection
from hardy.studies.scores import SCORES

COMMANDS = typer.main.get_command(app).commands


def show(run, *arguments, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run(*arguments, "--help")
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_is_too_long_and_no_word_is_cut(run, monkeypatch, command, columns):
    shown = show(run, *([command] if command else []), columns=columns, monkeypatch=monkeypatch)
    # The whole of a typed command stands on its line, so that it can be copied.
    examples = EXAMPLES.get(command, ())
    assert all(len(line) <= columns or line.strip() in examples for line in shown.splitlines())
    assert "…" not in shown
    assert not re.search(r"\w\.\.\.", shown.replace("[ARGS]...", "").replace("FILE...", ""))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_takes_and_does(command):
    for parameter in COMMANDS[command].params:
        assert parameter.help.endswith("."), parameter.name
        is_flag = getattr(parameter, "is_flag", False)
        assert is_flag or parameter.metavar, parameter.name


@pytest.mark.parametrize(
    ("command", "example"), [(name, line) for name, lines in EXAMPLES.items() for line in lines]
)
def test_examples_can_be_typed(command, example, run, monkeypatch):
    assert example in show(run, command, columns=80, monkeypatch=monkeypatch)
    program, name, *arguments = shlex.split(example)
    assert (program, name) == ("hardy", command)
    # Whatever is wrong with the arguments is raised here; nothing is run.
    COMMANDS[command].make_context(command, arguments)


def test_every_command_has_examples():
    assert set(EXAMPLES) == set(COMMANDS)


def test_names_in_help_are_those_that_there_are(run, monkeypatch):
    assert set(_STUDIES) == set(reproducing.study_names())
    assert set(_SCORES) == set(SCORES)
    assert set(_KINDS) == set(injection._KINDS)
    for command, names in (("fit", estimator_names()), ("compare", method_names())):
        listed = show(run, command, columns=80, monkeypatch=monkeypatch)
        listed = listed.partition("Estimators:\n")[2].partition("\n\n")[0]
        assert sorted(re.split(r",\s+", listed.strip())) == sorted(names)


def complete(line):
    """Ask as bash asks when the tabulator key is pressed."""
    done = subprocess.run(
        [sys.executable, "-c", "from hardy.cli import main; main()"],
        env={
            **os.environ,
            "_HARDY_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("hardy re", ["reproduce", "review"]),
        ("hardy audit a.csv --fa", ["--fail-over"]),
        ("hardy fit a.csv --estimator rob", ["robust-boost"]),
        (
            "hardy compare a.csv --estimators ada-boost,rand",
            ["ada-boost,random-forest", "ada-boost,random-subspace"],
        ),
        ("hardy compare a.csv --score lo", ["log_loss"]),
        ("hardy reproduce s", ["sboost"]),
        ("hardy clean a --action re", ["relabel"]),
    ],
)
def test_completion(line, completed):
    assert complete(line) == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_the_script_for_a_shell_is_shown(shell):
    done = subprocess.run(
        [sys.executable, "-c", "from hardy.cli import main; main()"],
        env={**os.environ, "_HARDY_COMPLETE": f"source_{shell}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_HARDY_COMPLETE" in done.stdout
