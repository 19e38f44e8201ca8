"""How many small faults put into the code the tests notice: ``python benchmarks/mutants.py``.

mutmut changes one thing at a time in a copy of the sources (build/mutants), and runs those tests
that call the changed function. It changes nothing that is decorated; in the copy decorators are
therefore calls after the function, and what numba would compile is left to the interpreter. The
counts of each folder are written to ``benchmarks/results/mutants.json``, the names of what no test
noticed to ``build/mutants/survivors.txt``; there ``mutmut show NAME`` shows what was changed.
"""

import argparse
import json
import platform
import random
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import libcst as cst
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code
from mutmut.utils.format_utils import get_mutant_name

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "mutants"
RESULT = ROOT / "benchmarks" / "results" / "mutants.json"
# What ends otherwise than with tests that pass was noticed.
UNNOTICED = {"survived", "no tests"}


class _Undecorated(cst.CSTTransformer):
    """Turns ``@decorator`` before a function into ``name = decorator(name)`` after it."""

    def leave_FunctionDef(  # noqa: N802 - libcst's name
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        match updated_node.decorators:
            case [cst.Decorator(cst.Name(decorator))] if decorator != "classmethod":
                bare = updated_node.with_changes(decorators=[])
                if decorator == "compiled":
                    return bare
                name = updated_node.name.value
                return cst.FlattenSentinel(
                    [bare, cst.parse_statement(f"{name} = {decorator}({name})\n")]
                )
        return updated_node


def copied(folders: list[str]) -> list[str]:
    """Copy sources and tests, and name all mutants that there can be of the folders."""
    shutil.rmtree(COPY, ignore_errors=True)
    tracked = subprocess.check_output(["git", "ls-files", "src", "tests"], cwd=ROOT, text=True)
    for name in ["pyproject.toml", *tracked.splitlines()]:
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, COPY / name)
    names = []
    for folder in folders:
        for path in sorted(COPY.glob(folder)):
            code = cst.parse_module(path.read_text()).visit(_Undecorated()).code
            path.write_text(code)
            place = path.relative_to(COPY)
            found = mutate_file_contents(str(place), code).mutant_names
            names += [get_mutant_name(place, mutant) for mutant in found]
    return names


def outcomes() -> dict[str, str]:
    """Tell what became of each mutant that was tried."""
    told: dict[str, str] = {}
    for path in (COPY / "mutants" / "src").rglob("*.meta"):
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items():
            if code is not None:
                told[name] = status_by_exit_code[code]
    return told


def main() -> None:
    """Try mutants, and write what became of them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sample", type=int, help="how many to try, drawn at random; default all")
    options.add_argument("--seed", type=int, default=0, help="of that draw")
    options.add_argument("--match", default="", help="a part of the names of those to try")
    options.add_argument("--jobs", type=int, default=1, help="how many at a time")
    asked = options.parse_args()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    names = [name for name in copied(settings["only_mutate"]) if asked.match in name]
    if asked.sample is not None and asked.sample < len(names):
        tried = random.Random(asked.seed).sample(names, asked.sample)
    else:
        tried = names
    call = [sys.executable, "-m", "mutmut", "run", "--max-children", str(asked.jobs), *tried]
    subprocess.run(call, cwd=COPY, check=True)
    told = outcomes()
    unnoticed = sorted(name for name, status in told.items() if status in UNNOTICED)
    (COPY / "survivors.txt").write_text("\n".join(unnoticed) + "\n")
    folders = {}
    for folder in sorted({name.split(".")[1] for name in names}):
        own = Counter(status for name, status in told.items() if name.split(".")[1] == folder)
        survived = sum(own[status] for status in UNNOTICED)
        folders[folder] = {
            "possible": sum(name.split(".")[1] == folder for name in names),
            "tried": own.total(),
            "killed": own.total() - survived,
            "survived": survived,
            "score": round(1 - survived / max(own.total(), 1), 4),
        }
        print(folder, folders[folder], dict(own))
    if asked.match:
        return
    result = {
        "command": " ".join(["python", "benchmarks/mutants.py", *sys.argv[1:]]),
        "seed": asked.seed,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("mutmut", "pytest", "hypothesis", "numpy")},
        },
        "folders": folders,
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
