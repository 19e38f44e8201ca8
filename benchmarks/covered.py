"""Which lines the tests run: ``python benchmarks/covered.py``.

Runs the whole suite, shows the lines that no test runs, and writes the counts of each folder to
``benchmarks/results/coverage.json``. Compiled kernels are left out: their lines don't pass the
interpreter.
"""

import argparse
import json
import platform
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "build" / "coverage.json"
RESULT = ROOT / "benchmarks" / "results" / "coverage.json"
PACKAGE = Path("src", "hardy")


def main() -> None:
    """Run the tests, count, and write what was counted."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--workers", default="2", help="how many processes run tests")
    workers = options.parse_args().workers
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.unlink(missing_ok=True)
    reports = ["--cov-report=term-missing:skip-covered", f"--cov-report=json:{REPORT}"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "--cov", *reports],
        cwd=ROOT,
        check=False,
    ).returncode
    if ended:
        sys.exit(ended)
    lines, run = Counter[str](), Counter[str]()
    for name, file in json.loads(REPORT.read_text(encoding="utf-8"))["files"].items():
        folder, *inner = Path(name).relative_to(PACKAGE).parts
        for place in (f"{folder}/" if inner else "modules beside them", "all"):
            lines[place] += file["summary"]["num_statements"]
            run[place] += file["summary"]["covered_lines"]
    result = {
        "command": "python benchmarks/covered.py",
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("coverage", "pytest", "hypothesis")},
        },
        "folders": {
            place: {"statements": lines[place], "run": run[place]} for place in sorted(lines)
        },
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
