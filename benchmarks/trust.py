"""What was tried against Hardy, and how it went, as a page: ``python benchmarks/trust.py``.

Fuzzes each reader and loader for a time, kills commands, opens a page on a large audit, and writes
``docs/reference/trust.md``.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "trust.md"
MUTANTS = ROOT / "benchmarks" / "results" / "mutants.json"
COVERAGE = ROOT / "benchmarks" / "results" / "coverage.json"
N_ROWS = 1_000_000


def fuzzed(seconds: int) -> tuple[str, list[str]]:
    """Fuzz; say what guided it, and give a row of a table for each target."""
    call = [sys.executable, str(ROOT / "tests" / "fuzz" / "run.py"), str(seconds)]
    told = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = re.split(r"^(\w+): ([\d,]+) inputs, ([\d,]+) taken$", told, flags=re.MULTILINE)[1:]
    rows = []
    for target, tried, taken, harm in zip(*[iter(found)] * 4, strict=True):
        kinds = re.findall(r"^  \w+ at ", harm, re.MULTILINE)
        rows.append(f"| {target} | {tried} | {taken} | {len(kinds)} |")
    return told.partition("\n")[0], rows


def survived(kills: int, decisions: int) -> list[str]:
    """Kill commands and decide at once; give a row for each test."""
    all_of_them = "audit, fit, predict, clean, compare and reproduce"
    tests = {
        "test_kills.py": f"{all_of_them}, killed {kills} times each",
        "test_interrupts.py": f"the same, Ctrl-C at {kills} moments each: ended within 2 seconds",
        "test_full_disk.py": f"the same, on {kills} disks each that become full",
        "test_vanished.py": f"their inputs, vanishing at {2 * kills} moments each",
        "test_read_only.py": "the same and review, in folders and with files that are barred",
        "test_clocks.py": "the same, while the time of day jumps by decades",
        "test_review.py": f"review, killed {kills} times while decisions are made",
        "../review/test_load.py": f"8 clients of a review, {decisions} decisions each",
    }
    limits = {"HARDY_KILLS": str(kills), "HARDY_DECISIONS": str(decisions)}
    rows = []
    for name, what in tests.items():
        test = os.path.normpath(f"tests/faults/{name}")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", test],
            cwd=ROOT,
            env={**os.environ, **limits},
            capture_output=True,
            text=True,
            check=False,
        )
        verdict = "survived" if done.returncode == 0 else "**failed**"
        if done.returncode:
            print(done.stdout, file=sys.stderr)
        rows.append(f"| {what} | `{test}` | {verdict} |")
    return rows


def read_result(path: Path) -> tuple[dict[str, Any], str]:
    """Give what a command has written, and the versions that it ran with."""
    told = json.loads(path.read_text(encoding="utf-8"))
    return told, ", ".join(f"{name} {number}" for name, number in told["versions"].items())


def covered() -> list[str]:
    """Tell what ``make coverage`` last wrote, with a row for each folder."""
    told, versions = read_result(COVERAGE)
    return [
        f"By `{told['command']}`; {versions}. Compiled kernels are left out: their lines don't",
        "pass the interpreter.",
        "",
        "| folder | statements | run by the tests | share |",
        "|---|---|---|---|",
        *(
            f"| {name} | {of['statements']:,} | {of['run']:,} "
            f"| {of['run'] / of['statements']:.1%} |"
            for name, of in told["folders"].items()
        ),
    ]


def noticed() -> list[str]:
    """Tell what ``make mutants`` last wrote, with a row for each folder."""
    told, versions = read_result(MUTANTS)
    return [
        f"By `{told['command']}`, drawn with the seed {told['seed']}; {versions}. What nothing",
        "could tell from the code as it is counts as not noticed too.",
        "",
        "| folder | possible | tried | noticed | not noticed | score |",
        "|---|---|---|---|---|---|",
        *(
            f"| `{name}/` | {of['possible']:,} | {of['tried']:,} | {of['killed']:,} "
            f"| {of['survived']} | {of['score']:.1%} |"
            for name, of in told["folders"].items()
        ),
    ]


def opened() -> tuple[float, float]:
    """Give the seconds from the start of a review's server to its first page, and of its imports.

    The audited file has a million rows and ten columns; its checksum is looked at on the way.
    """
    sys.path.insert(0, str(ROOT / "tests"))
    from audit.conftest import build_audit
    from review.conftest import Server

    loading = "import hardy.review.app, hardy.review.session, uvicorn"
    timed = (
        f"import time; begun = time.perf_counter(); {loading}; print(time.perf_counter() - begun)"
    )
    imports = subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True).stdout
    n_suspects = N_ROWS // 100
    with tempfile.TemporaryDirectory() as place:
        table = Path(place, "large.csv")
        numbers = np.random.default_rng(0).normal(size=(N_ROWS, 9)).round(3)
        frame = pd.DataFrame(numbers, columns=[f"x{at}" for at in range(9)])
        frame["label"] = np.array(["ham", "spam"])[np.arange(N_ROWS) % 2]
        frame.to_csv(table, index=False)
        source = {
            "file": table.name,
            "path": str(table),
            "sha256": sha256(table.read_bytes()).hexdigest(),
            "target": "label",
            "reading": {"format": "text", "encoding": "utf-8"},
            "id": None,
            "set_aside": {},
        }
        shown = frame.drop(columns="label").iloc[: 6 * n_suspects]
        audit = build_audit(n=N_ROWS, n_suspects=n_suspects, values=shown, source=source)
        audit.save(Path(place, "audit"))
        begun = time.perf_counter()
        server = Server(Path(place, "audit"))
        status, _, _ = server.ask(server.ask("/")[1]["location"])
        seconds = time.perf_counter() - begun
        server.stop()
        assert status == 200
    return seconds, float(imports)


def main() -> None:
    """Measure, and write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=60, help="of fuzzing for each target")
    options.add_argument("--kills", type=int, default=40)
    options.add_argument("--decisions", type=int, default=1000)
    options.add_argument("--large", action="store_true", help="a million rows as well")
    asked = options.parse_args()
    awkward = len(list((ROOT / "tests" / "data" / "awkward").iterdir()))
    kept = len(list((ROOT / "tests" / "data" / "found").iterdir()))
    guide, readers = fuzzed(asked.seconds)
    lines = [
        "# What was tried against it",
        "",
        "Made by `python benchmarks/trust.py`; [Threats](threats.md) says what each guard is for.",
        "",
        f"- awkward files that are read to the value or refused in one line: {awkward}",
        f"- inputs that fuzzing once found to do harm, and that the tests try since: {kept}",
        "",
        f"## Changed files, {asked.seconds} seconds for each reader",
        "",
        f"{guide}.",
        "",
        "| reader or loader | inputs | taken | kinds of harm found |",
        "|---|---|---|---|",
        *readers,
        "",
        "## Faults",
        "",
        "| what | test | |",
        "|---|---|---|",
        *survived(asked.kills, asked.decisions),
        "",
        "## Faults put into the code",
        "",
        *noticed(),
        "",
        "## Lines that the tests run",
        "",
        *covered(),
        "",
    ]
    if asked.large:
        first_page, imports = opened()
        lines += [
            f"## A review of {N_ROWS:,} rows",
            "",
            f"{first_page:.1f} seconds pass from the start of the server to the first page with a "
            "row (2 are the aim), the checksums of the file and of the audit among them; "
            f"{imports:.1f} more go to Python's imports. The rest of the file is read while "
            "people look.",
            "",
        ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
