"""What was tried against Hardy, and how it went, as a page: ``python benchmarks/trust.py``.

Fuzzes each reader and loader for a time, kills commands, opens a page on a large audit, and writes
``docs/reference/trust.md``.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "trust.md"
N_ROWS = 1_000_000


def fuzzed(seconds: int) -> list[str]:
    """Fuzz, and give a row of a table for each target."""
    call = [sys.executable, str(ROOT / "tests" / "fuzz" / "run.py"), str(seconds)]
    told = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = re.split(r"^(\w+): ([\d,]+) inputs, ([\d,]+) taken$", told, flags=re.MULTILINE)[1:]
    rows = []
    for target, tried, taken, harm in zip(*[iter(found)] * 4, strict=True):
        kinds = re.findall(r"^  \w+ at ", harm, re.MULTILINE)
        rows.append(f"| {target} | {tried} | {taken} | {len(kinds)} |")
    return rows


def survived(kills: int, decisions: int) -> list[str]:
    """Kill commands and decide at once; give a row for each test."""
    tests = {
        "tests/faults/test_kills.py": f"audit, fit and compare, {kills} kills each",
        "tests/faults/test_full_disk.py": "audit and fit on a full disk",
        "tests/review/test_load.py": f"8 clients, {decisions} decisions each",
    }
    limits = {"HARDY_KILLS": str(kills), "HARDY_DECISIONS": str(decisions)}
    rows = []
    for test, what in tests.items():
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", test],
            cwd=ROOT,
            env={**os.environ, **limits},
            capture_output=True,
            text=True,
            check=False,
        )
        verdict = "survived" if done.returncode == 0 else "**failed**"
        rows.append(f"| {what} | `{test}` | {verdict} |")
    return rows


def opened() -> float:
    """Give the seconds that the review page takes to open the audit of a million rows."""
    sys.path.insert(0, str(ROOT / "tests"))
    from audit.conftest import build_audit
    from hardy.review.session import Session

    with tempfile.TemporaryDirectory() as folder:
        build_audit(n=N_ROWS, n_suspects=N_ROWS // 100).save(folder)
        begun = time.perf_counter()
        Session(Path(folder), None)
        return time.perf_counter() - begun


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
        "| reader or loader | inputs | taken | kinds of harm found |",
        "|---|---|---|---|",
        *fuzzed(asked.seconds),
        "",
        "## Faults",
        "",
        "| what | test | |",
        "|---|---|---|",
        *survived(asked.kills, asked.decisions),
        "",
    ]
    if asked.large:
        lines += [
            f"## A review of {N_ROWS:,} rows",
            "",
            f"The page opens their audit in {opened():.1f} seconds; 2 are the aim.",
            "",
        ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
