"""What was tried against Hardy, and how it went, as a page.

Fuzzes each reader and loader for a time, kills commands and takes away what they need, lets eight
clients decide at once, and opens a page on an audit of a million rows. Each part is kept, with the
versions that it ran with, in ``benchmarks/results/trust.json`` when it is finished;
``docs/reference/trust.md`` is made from it, with what ``make mutants`` and ``make coverage`` have
written. Ctrl-C's two seconds and the first page want a machine that does nothing else.

    python benchmarks/trust.py               all parts, then the page
    python benchmarks/trust.py --only PART   one part (may be repeated), then the page
    python benchmarks/trust.py --only page   the page alone
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "trust.md"
RESULTS = ROOT / "benchmarks" / "results"
TRUST = RESULTS / "trust.json"
N_ROWS = 1_000_000
ALL_OF_THEM = "audit, fit, predict, clean, compare and reproduce"
FAULTS = {
    "test_kills": ALL_OF_THEM + ", killed {kills} times each, and again over a finished output",
    "test_interrupts": "the same, Ctrl-C at {kills} moments each: ended within 2 seconds",
    "test_full_disk": "the same, on {kills} disks each that become full",
    "test_vanished": "their inputs, vanishing at {twice} moments each",
    "test_read_only": "the same and review, in folders and with files that are barred",
    "test_clocks": "the same, while the time of day jumps by decades",
    "test_review": "review, killed {kills} times while decisions are made",
    "test_load": "8 clients of a review, {decisions} decisions each",
}
PARTS = ["fuzz", *FAULTS, "review", "page"]


def fuzzed(seconds: int) -> dict[str, Any]:
    """Fuzz; say what guided it, and what was found in each target."""
    call = [sys.executable, str(ROOT / "tests" / "fuzz" / "run.py"), str(seconds)]
    told = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = re.split(r"^(\w+): ([\d,]+) inputs, ([\d,]+) taken$", told, flags=re.MULTILINE)[1:]
    return {
        "seconds": seconds,
        "guide": told.partition("\n")[0],
        "targets": {
            target: [tried, taken, len(re.findall(r"^  \w+ at ", harm, re.MULTILINE))]
            for target, tried, taken, harm in zip(*[iter(found)] * 4, strict=True)
        },
    }


def endured(part: str, kills: int, decisions: int) -> dict[str, Any]:
    """Run tests of faults as often as that, and count how they ended."""
    test = f"tests/{'review' if part == 'test_load' else 'faults'}/{part}.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", test],
        cwd=ROOT,
        env={**os.environ, "HARDY_KILLS": str(kills), "HARDY_DECISIONS": str(decisions)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    what = FAULTS[part].format(kills=kills, twice=2 * kills, decisions=decisions)
    return {"what": what, "test": test, "ended": count_ends(done.stdout, done.returncode)}


def count_ends(told: str, status: int) -> dict[str, int]:
    """Read how many tests passed, were skipped or failed in pytest's last line."""
    last = told.strip().rpartition("\n")[2]
    ends = {end: int(n) for n, end in re.findall(r"(\d+) (passed|skipped|failed|error)", last)}
    # A run that was cut off tells only what it did until then.
    has_failed = ends.keys() & {"failed", "error"}
    return ends if has_failed or status == 0 else {**ends, "error": 1}


def tell_ends(ends: dict[str, int]) -> str:
    """Say how tests ended, loudly where not all of those that ran passed, or none did."""
    counted = ", ".join(f"{n} {end}" for end, n in ends.items())
    is_good = ends.keys() <= {"passed", "skipped"} and ends.get("passed", 0) > 0
    return counted if is_good else f"**{counted}**"


def tell_versions(told: dict[str, Any]) -> str:
    """Say what most parts ran with, and which parts ran with something else."""
    parts: dict[str, list[str]] = {}
    for part, of in told.items():
        parts.setdefault(name_versions(of), []).append(f"`{part}`")
    usual, *others = sorted(parts, key=lambda versions: -len(parts[versions]))
    return "; ".join([usual, *(f"{', '.join(parts[other])} with {other}" for other in others)])


def name_versions(told: dict[str, Any]) -> str:
    """Give the versions that something ran with as a list."""
    return ", ".join(f"{name} {number}" for name, number in told["versions"].items())


def read_result(name: str) -> tuple[dict[str, Any], str]:
    """Give what a command has written, and the versions that it ran with."""
    told = json.loads(Path(RESULTS, name).read_text(encoding="utf-8"))
    return told, name_versions(told)


def covered() -> list[str]:
    """Tell what ``make coverage`` last wrote, with a row for each folder."""
    told, versions = read_result("coverage.json")
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
    told, versions = read_result("mutants.json")
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


def opened() -> dict[str, Any]:
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
            "reading": {"format": "text", "encoding": "utf-8", "separator": ",", "decimal": "."},
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
    return {"first_page": round(seconds, 1), "imports": round(float(imports), 1)}


def page(told: dict[str, Any]) -> str:
    """Write the page from what the parts have found."""
    fuzz, review = told["fuzz"], told["review"]
    data = ROOT / "tests" / "data"
    awkward, kept = (len(list(Path(data, name).iterdir())) for name in ("awkward", "found"))
    faults = [told[part] for part in FAULTS]
    lines = [
        "# What was tried against it",
        "",
        f"Made by `make trust`; {tell_versions(told)}. [Threats](threats.md) says what each guard",
        "is for.",
        "",
        f"- awkward files that are read to the value or refused in one line: {awkward}",
        f"- inputs that fuzzing once found to do harm, and that the tests try since: {kept}",
        "",
        f"## Changed files, {fuzz['seconds']} seconds for each reader",
        "",
        f"{fuzz['guide']}.",
        "",
        "| reader or loader | inputs | taken | kinds of harm found |",
        "|---|---|---|---|",
        *(f"| {target} | {' | '.join(map(str, of))} |" for target, of in fuzz["targets"].items()),
        "",
        "## Faults",
        "",
        "| what | test | how it ended |",
        "|---|---|---|",
        *(f"| {of['what']} | `{of['test']}` | {tell_ends(of['ended'])} |" for of in faults),
        "",
        f"## A review of {N_ROWS:,} rows",
        "",
        f"{review['first_page']} seconds pass from the start of the server to the first page with "
        "a row (2 are the aim), the checksums of the file and of the audit among them; "
        f"{review['imports']} more go to Python's imports. The rest of the file is read while "
        "people look.",
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
    return "\n".join(lines)


def main() -> None:
    """Try, keep what was found, and write the page."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", choices=PARTS, action="append", help="one part")
    options.add_argument("--seconds", type=int, default=60, help="of fuzzing for each target")
    options.add_argument("--kills", type=int, default=40)
    options.add_argument("--decisions", type=int, default=1000)
    asked = options.parse_args()
    told = json.loads(TRUST.read_text(encoding="utf-8")) if TRUST.exists() else {}
    for part in asked.only or PARTS:
        if part == "page":
            continue
        if part == "fuzz":
            told[part] = fuzzed(asked.seconds)
        elif part == "review":
            told[part] = opened()
        else:
            told[part] = endured(part, asked.kills, asked.decisions)
        libraries = {name: version(name) for name in ("numpy", "pandas", "pytest", "hypothesis")}
        told[part]["versions"] = {"python": platform.python_version(), **libraries}
        TRUST.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        print(part, told[part], flush=True)
    missing = [part for part in PARTS if part != "page" and part not in told]
    if missing:
        print(f"The page waits for {', '.join(missing)}.")
    else:
        PAGE.write_text(page(told), encoding="utf-8")


if __name__ == "__main__":
    main()
