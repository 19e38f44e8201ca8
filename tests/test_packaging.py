"""Releases have the same bytes whoever builds them, and all places name the same things."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# What a package is called where it isn't called the same.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def read_yaml(path):
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, which Dask brings")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def build(source, into):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", into],
        cwd=source,
        env={"PATH": "", "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": into.name[-1]},
        capture_output=True,
        check=True,
    )
    return {path.name: path.read_bytes() for path in into.iterdir()}


def test_two_builds_have_the_same_bytes(tmp_path):
    pytest.importorskip("hatchling", reason="needs hatchling")
    built = []
    for number in (1, 2):
        source = tmp_path / f"somewhere{number}"
        source.mkdir()
        for name in ("src", "examples"):
            shutil.copytree(
                ROOT / name,
                source / name,
                ignore=shutil.ignore_patterns("__pycache__"),
                # Other moments, which the copies would otherwise share.
                copy_function=shutil.copy if number == 1 else shutil.copy2,
            )
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        built.append(build(source, tmp_path / f"dist{number}"))
    assert built[0] == built[1]
    assert {Path(name).suffix for name in built[0]} == {".whl", ".gz"}
    with zipfile.ZipFile(next((tmp_path / "dist1").glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("hardy/")}
    wanted = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "hardy").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == wanted


def test_the_conda_recipe_names_what_the_wheel_needs():
    recipe = read_yaml(ROOT / "packaging" / "conda" / "recipe.yaml")
    assert recipe["context"]["version"] == PROJECT["version"]
    needed = [
        re.sub(r"^[\w-]+", lambda name: CONDA_NAMES.get(name[0], name[0]), text)
        for text in (f"python{PROJECT['requires-python']}", *PROJECT["dependencies"])
    ]
    assert [line.replace(" ", "") for line in recipe["requirements"]["run"]] == needed
    entry_points = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == entry_points


def test_the_citation_has_the_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation


def test_the_image_copies_what_there_is():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    own = [word for word in copied if not word.startswith(("--", "/"))]
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert len(own) == 5
    for name in own:
        assert (ROOT / name).exists()
        assert f"!{name}" in allowed


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_what_there_is(workflow):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    jobs = read_yaml(workflow)["jobs"]
    assert all(needed in jobs for job in jobs.values() for needed in [job.get("needs")] if needed)
    assert all((ROOT / job["uses"]).exists() for job in jobs.values() if "uses" in job)
    steps = [step for job in jobs.values() for step in job.get("steps", [])]
    commands = [step["run"] for step in steps if "run" in step]
    called = re.findall(r"^make ([\w-]+)$", "\n".join(commands), re.M)
    assert called
    assert set(called) <= set(targets)


def test_the_workflow_tests_what_is_promised():
    job = read_yaml(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["newest"]
    matrix = job["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    pythons = {*matrix["python"], *(more["python"] for more in matrix["include"])}
    promised = {text.rpartition(" ")[2] for text in PROJECT["classifiers"] if ":: 3." in text}
    assert pythons == promised


def test_the_workflow_asks_for_no_data_sets_that_it_has_not():
    environment = read_yaml(ROOT / ".github" / "workflows" / "tests.yml")["env"]
    assert "HARDY_DATA" in environment or environment["CI"] == ""
