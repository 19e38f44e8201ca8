import os
import platform
import re
import signal
import subprocess
import sys
from importlib import metadata

import pytest
import typer
from joblib.externals.loky.process_executor import TerminatedWorkerError

from hardy.cli._app import Commands
from hardy.exceptions import InputError, MissingExtraError

HEAVY = ["sklearn", "numba", "matplotlib", "pandas", "numpy", "scipy", "skrub"]


def python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.mark.parametrize(
    "code",
    [
        "import hardy",
        "import sys; sys.argv = ['hardy', '--help']\n"
        "from hardy.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0",
        "import sys; sys.argv = ['hardy', 'fit', '--help']\n"
        "from hardy.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0",
    ],
)
def test_nothing_heavy_is_imported(code):
    done = python(f"{code}\nimport sys\nprint([m for m in {HEAVY} if m in sys.modules])")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_lists_the_commands(run):
    for arguments in ([], ["--help"]):
        done = run(*arguments)
        assert done.exit_code == 0
        assert "fit" in done.stdout
        assert "predict" in done.stdout


def test_version_names_what_matters(run):
    done = run("--version")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"hardy {metadata.version('hardy')} (Python 3.")
    assert f"scikit-learn {metadata.version('scikit-learn')}" in done.stdout
    assert f"Extras: pyarrow {metadata.version('pyarrow')}" in done.stdout
    assert f"On {platform.platform()}\n" in done.stdout


def test_version_names_the_extras_that_are_missing(run, monkeypatch):
    monkeypatch.setattr("hardy._versions._OPTIONAL", ("pyarrow", "no-such-package"))
    assert "Not installed: no-such-package\n" in run("--version").stdout
    monkeypatch.setattr("hardy._versions._OPTIONAL", ("no-such-package",))
    assert "Extras: none\n" in run("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ftt"], "No such command 'ftt'"),
        (["fit"], "Missing argument"),
        (["fit", "a.csv", "--output", "m"], "Missing option '--target'"),
        (["fit", "a.csv", "--nothing"], "No such option: --nothing"),
        (
            ["fit", "a.csv", "--target", "y", "--output", "m", "--random-state", "x"],
            "Invalid value for '--random-state'",
        ),
    ],
)
def test_a_wrong_call_costs_one_line(run, arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr
    assert "--help)" in done.stderr


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("row 3:\n  is wrong"), "hardy: row 3: is wrong"),
        (MissingExtraError("needs x"), "hardy: needs x"),
        (PermissionError(13, "Permission denied", "/a/b"), "hardy: /a/b: Permission denied"),
        (OSError("odd"), "hardy: odd"),
        (MemoryError(), "hardy: there is not enough memory for this."),
        (
            TerminatedWorkerError("signal 9"),
            "hardy: a process was killed, perhaps because memory ran short; try fewer with "
            "--n-jobs.",
        ),
    ],
)
def test_a_users_mistake_costs_one_line(runner, error, line):
    app = typer.Typer(cls=Commands)
    app.callback()(lambda: None)

    @app.command()
    def fail():
        raise error

    done = runner.invoke(app, ["fail"])
    assert done.exit_code == 2
    assert done.stderr == f"{line}\n"
    assert done.stdout == ""


def test_other_errors_stay_visible(runner):
    app = typer.Typer(cls=Commands)
    app.callback()(lambda: None)

    @app.command()
    def fail():
        raise RuntimeError("a bug")

    assert isinstance(runner.invoke(app, ["fail"]).exception, RuntimeError)


def test_exit_statuses_and_warnings_pass(runner):
    app = typer.Typer(cls=Commands)
    app.callback()(lambda: None)

    @app.command()
    def find():
        import warnings

        warnings.warn("two\nlines", UserWarning, stacklevel=1)
        warnings.warn("not for users", DeprecationWarning, stacklevel=1)
        raise typer.Exit(1)

    done = runner.invoke(app, ["find"])
    assert done.exit_code == 1
    assert done.stderr == "hardy: warning: two lines\n"


WAITING = """
import sys, time
import hardy.tabular

def wait(*_, **__):
    print("waiting", flush=True)
    time.sleep(600)

hardy.tabular.read_labelled_table = wait
sys.argv = ["hardy", "fit", "t.csv", "--target", "y", "--output", "m"]
from hardy.cli import main
main()
"""


def test_ctrl_c_ends_cleanly(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 2
    assert (out, err) == ("", "hardy: interrupted\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="the shell closes the streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(tmp_path, closed):
    """All commands in one process, for the time's sake; their ends go to a file."""
    lines = [f"{row % 2 * 9 + row / 50},{'ab'[row % 2]}" for row in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["n,y", *lines]) + "\n")
    (tmp_path / "run.py").write_text("""
import os, sys
from hardy.cli import main
ends = []
for call in (
    "--version",
    "--help",
    "fit t.csv --target y --output m --estimator ada-boost",
    "predict m t.csv --output out.csv",
    "audit t.csv --target y",
    "audit nofile --target y",
    "fit t.csv --target z --output m",
    "nothing",
):
    sys.argv = ["hardy", *call.split()]
    try:
        main()
    except SystemExit as end:
        ends.append(str(end.code))
with open("ends", "w") as file:
    file.write(" ".join(ends))
""")
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" run.py {closed}'],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0
    assert (tmp_path / "ends").read_text() == "0 0 0 0 0 2 2 2"
    assert (tmp_path / "out.csv").read_text().startswith("row,prediction\n")
    assert (tmp_path / "t.csv.audit" / "audit.json").exists()
    # What was meant for a closed stream must not come out of the other one.
    assert ("There is no column 'z'" in done.stderr) == (closed == ">&-")
    assert "There is no column 'z'" not in done.stdout
    assert "Traceback" not in done.stderr


def test_no_color_is_honoured():
    code = (
        "from hardy.cli._console import output_console\n"
        "output_console().print('[red]a[/red] [bold]b[/bold]')"
    )
    assert "\x1b[" in python(code, FORCE_COLOR="1", TERM="xterm").stdout
    plain = python(code, FORCE_COLOR="1", NO_COLOR="1", TERM="xterm").stdout
    # Bold and dim letters are no colours; colours are the codes 30 to 49 and 90 to 107.
    styles = {int(n) for codes in re.findall(r"\x1b\[([\d;]*)m", plain) for n in codes.split(";")}
    assert not styles & {*range(30, 50), *range(90, 108)}


# The second of these keeps Python from taking UTF-8 for the locale C.
TERMINALS = [
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "latin-1"},
]


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda settings: "-".join(settings.values()))
def test_letters_that_the_terminal_cannot_show(tmp_path, terminal):
    """All commands in one process, for the time's sake; each one's end is printed."""
    rows = [
        f"{(row % 2) * 5 + row / 100:.2f},{('ja', 'nein')[row % 3 > 0]},{('süß', '日本')[row % 2]}"
        for row in range(60)
    ]
    (tmp_path / "t.csv").write_text("größe,żółć,art\n" + "\n".join(rows) + "\n", encoding="utf-8")
    code = """
import sys
from hardy.cli import main
for call in (
    "audit t.csv --target art",
    "audit t.csv --target art --drop gr",
    "fit t.csv --target art --output m --estimator ada-boost",
    "fit t.csv --target kind --output m",
    "predict m t.csv --output out.csv --proba",
    "predict m m --output out.csv",
):
    sys.argv = ["hardy", *call.split()]
    try:
        main()
    except SystemExit as end:
        print("end", end.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, **terminal},
        cwd=tmp_path,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    ends = [line for line in done.stdout.splitlines() if line.startswith(b"end")]
    assert ends == [b"end 0", b"end 2", b"end 0", b"end 2", b"end 0", b"end 2"]
    assert rb"class \u65e5\u672c: 30 rows" in done.stdout
    assert rb"'\u017c\xf3\u0142\u0107'" in done.stderr.replace("ó".encode("latin-1"), rb"\xf3")
    assert (tmp_path / "out.csv").read_text("utf-8").startswith("row,prediction,proba_süß,")
