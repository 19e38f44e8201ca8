"""The memory and time of an audit and a fit within a limit, beside those in memory of one file.

Each is a command of its own, whose greatest resident memory the system tells; the pages of the
libraries' files are in it. The rows are normal, the first ten of 20 columns tell the label, and
10 % of the labels are flipped. Both audits must write the same suspects, both models the same
numbers. The fit has a limit of its own, since it needs more for each row.

    python benchmarks/large_files.py [--rows 1000000] [--limit 800MB] [--fit-limit 1.2GB] [--write]
"""

import argparse
import os
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

RESULTS = Path(__file__).parent / "results" / "large_files.csv"
_AT_ONCE = 100_000
_N_COLUMNS, _N_TELLING, _FLIPPED = 20, 10, 0.1


def write_table(path: Path, n_rows: int) -> None:
    """Write the table a part at a time."""
    rng = np.random.default_rng(0)
    for start in range(0, n_rows, _AT_ONCE):
        X = rng.normal(size=(min(_AT_ONCE, n_rows - start), _N_COLUMNS)).round(3)
        is_yes = (X[:, :_N_TELLING].sum(axis=1) > 0) ^ (rng.random(len(X)) < _FLIPPED)
        frame = pd.DataFrame(X, columns=[f"x{at}" for at in range(_N_COLUMNS)])
        frame["label"] = np.where(is_yes, "yes", "no")
        frame.to_csv(path, mode="a", header=start == 0, index=False)


def run(name: str, path: Path, output: Path, *options: str) -> tuple[float, float]:
    """Run a command; give its seconds and the most MB that it had."""
    command = [
        sys.executable, "-m", "hardy", name, str(path), "--target", "label",
        "--output", str(output), *options,
    ]  # fmt: skip
    silent = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, silent, 1), (os.POSIX_SPAWN_DUP2, silent, 2)]
    process = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    os.close(silent)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024 / 1e6


def findings(name: str, output: Path) -> list[bytes]:
    """Give what both ways must write: the suspects of an audit, or the numbers of a model."""
    if name == "audit":
        return [(output / "suspects.csv").read_bytes()]
    with zipfile.ZipFile(output) as model:
        return sorted(model.read(part) for part in model.namelist() if part.endswith(".npy"))


def main() -> None:
    """Measure, print, and write the table where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--limit", default="800MB")
    parser.add_argument("--fit-limit", default="1.2GB")
    parser.add_argument("--write", action="store_true", help="keep the result")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "table.csv")
        write_table(path, asked.rows)
        for name, limit in (("audit", asked.limit), ("fit", asked.fit_limit)):
            found = []
            for way, options in (("in memory", ()), (f"limit {limit}", ("--memory-limit", limit))):
                output = Path(place, f"{name} {way}")
                seconds, peak = run(name, path, output, *options)
                rows.append(
                    {
                        "rows": asked.rows,
                        "columns": _N_COLUMNS,
                        "file (MB)": round(path.stat().st_size / 1e6),
                        "command": name,
                        "way": way,
                        "peak (MB)": round(peak),
                        "seconds": round(seconds),
                    }
                )
                found.append(findings(name, output))
            if found[0] != found[1]:
                raise SystemExit(f"hardy {name} found something else within a limit.")
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    if asked.write:
        table.to_csv(RESULTS, index=False)


if __name__ == "__main__":
    main()
