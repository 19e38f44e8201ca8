"""The example file, the demo, and the code in README and documentation do what they say."""

import doctest
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import pandas as pd
import pytest
import typer
from sklearn.datasets import load_breast_cancer

import hardy
from hardy.cli import app

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.M | re.S)
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if BLOCK.search(page.read_text(encoding="utf-8"))
]
# What the code of a page needs beyond Hardy's own dependencies; without it, the page is skipped.
OPTIONAL = {
    "distributed.md": "dask",
    "elsewhere.md": "skl2onnx",
    "from_cleanlab.md": "cleanlab",
    "from_imbalanced_learn.md": "imblearn",
    "from_tabaudit.md": "tabaudit",
    "mlflow.md": "mlflow",
}
GALLERY = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))


def test_the_script_makes_the_very_bytes_of_the_example_file(tmp_path):
    subprocess.run([sys.executable, EXAMPLES / "make_breast_cancer.py", tmp_path], check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == ["breast_cancer.csv", "breast_cancer_flipped.csv"]
    for name in made:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_the_example_file_is_the_real_data_but_for_the_answers():
    truth = load_breast_cancer()
    true_labels = pd.Series(truth.target_names[truth.target])
    table = pd.read_csv(EXAMPLES / "breast_cancer.csv")
    answers = pd.read_csv(EXAMPLES / "breast_cancer_flipped.csv")
    assert (table.drop(columns="diagnosis").to_numpy() == truth.data).all()
    differing = table.index[table["diagnosis"] != true_labels]
    assert list(differing + 1) == list(answers["row"])
    assert list(true_labels[differing]) == list(answers["true_diagnosis"])
    assert len(answers) == round(0.1 * len(table)) == 57


def test_the_demo_runs_twice_and_finds_most_of_the_flipped_labels(tmp_path):
    def run():
        done = subprocess.run(
            [sys.executable, EXAMPLES / "demo.py"],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout

    def words(text):
        """Give what is the same wherever the demo runs, however wide the rule is drawn."""
        told = text.partition("diagnosis\n")[2].partition("The report:")[0]
        return [word for word in told.split() if set(word) != {"─"}]

    shown = run()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert words(shown) == words(readme.partition("$ hardy audit examples")[2]) != []
    assert run() == shown
    report = tmp_path / "breast_cancer.csv.audit" / "report.html"
    assert f"The report: {report.resolve()}\n" in shown
    assert report.stat().st_size > 10_000
    found, n_suspects = map(
        int, re.search(r"(\d+) of them are among the (\d+) suspects", shown).groups()
    )
    flipped = set(pd.read_csv(EXAMPLES / "breast_cancer_flipped.csv")["row"])
    suspects = set(pd.read_csv(report.with_name("suspects.csv"))["row"])
    assert (found, n_suspects) == (len(flipped & suspects), len(suspects))
    assert found >= 50
    assert found >= 0.8 * n_suspects


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    """Blocks marked python are run, blocks marked pycon show what comes out; in one namespace."""
    pytest.importorskip(OPTIONAL.get(page.name, "hardy"), reason=f"{page.name} needs an extra")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    names = {}
    for block in BLOCK.finditer(text):
        kind, code = block.groups()
        line = text[: block.start()].count("\n") + 1
        if kind == "python":
            exec(compile("\n" * line + code, str(page), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line)
        runner = doctest.DocTestRunner(
            optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False
        )
        shown = []
        runner.run(test, out=shown.append, clear_globs=False)
        assert not runner.failures, "".join(shown)
        names |= test.globs


# The first two run, the others aren't Python. What stands in braces is for Sphinx.
KINDS_OF_BLOCKS = {"python", "pycon", "bibtex", "console", "json", "text", "yaml"}
ALL_PAGES = sorted({*PAGES, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_code_stands_in_a_block_that_does_not_run(page):
    fences = re.findall(r"^ *(?:```|~~~)(.*)$", page.read_text(encoding="utf-8"), re.M)
    assert not any(fences[1::2]), "a block isn't closed"
    kinds = {kind.strip() for kind in fences[::2] if not kind.startswith("{")}
    assert kinds <= KINDS_OF_BLOCKS


def _typed_commands():
    """Give what is typed after the prompt in blocks of the terminal, with its page."""
    for page in ALL_PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
            for line in re.findall(r"^\$ (hardy .*)$", block.replace("\\\n", " "), re.M):
                yield pytest.param(line, id=f"{page.name}: {' '.join(line.split())}")


@pytest.mark.parametrize("line", list(_typed_commands()))
def test_a_typed_command_is_one_that_there_is(line):
    _, *arguments = shlex.split(line.partition(" > ")[0], comments=True)
    command = typer.main.get_command(app)
    if arguments[0].startswith("--"):
        assert arguments[0] in {option for parameter in command.params for option in parameter.opts}
        return
    # Nothing is run: whatever is wrong with the arguments is raised here.
    command.commands[arguments[0]].make_context(arguments[0], arguments[1:])


@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_a_gallery_example_runs(script, tmp_path, monkeypatch):
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "gallery"})


def test_the_command_line_page_names_every_option():
    page = (ROOT / "docs" / "guide" / "command_line.md").read_text(encoding="utf-8")
    sections = {section.split("`")[0]: section for section in page.split("\n## `hardy ")[1:]}
    commands = typer.main.get_command(app).commands
    assert set(sections) == set(commands)
    for name, command in commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        named = set(re.findall(r"^\| `(--[\w-]+)", sections[name], re.M))
        assert named == {option for option in options if option.startswith("--")}


def test_the_reference_names_every_public_name():
    page = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
    sections = {section.split("\n")[0]: section for section in page.split("\n## ")[1:]}
    modules = ["hardy", *(f"hardy.{name}" for name in dir(hardy) if name in hardy._SUBMODULES)]
    assert sorted(sections) == sorted(modules)
    for module in map(importlib.import_module, modules):
        section = sections[module.__name__]
        listed = {*re.findall(r"^   (\w+)$", section, re.M), *re.findall(r"\.(\w+)`", section)}
        own = [name for name, item in vars(module).items() if is_own(module, name, item)]
        assert set(getattr(module, "__all__", own)) == listed


def is_own(module, name, item):
    return not name.startswith("_") and getattr(item, "__module__", None) == module.__name__
