"""Where the time goes: each piece of work of `speed.py` under Python's profiler.

A fresh process with one thread for each; kernels are compiled before. The share is the function's
own time in that of the whole. Compiled kernels stand under their Python names, parts of other
libraries under the module.

    python benchmarks/profiles.py    write benchmarks/results/profiles.md
"""

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from speed import make_rows

RESULTS = Path(__file__).parent / "results" / "profiles.md"
SHOWN = 6

Work = Callable[[], Any]


def boosted_stumps() -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(100_000, 50, 20, 0.1)
    model = hardy.AdaBoostClassifier(random_state=0)
    return "`AdaBoostClassifier`, 50 stumps, 100,000 × 50", lambda: model.fit(X, y)


def selective_boosting() -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(20_000, 50, 20, 0.1)
    model = hardy.SelectiveBoostClassifier(n_estimators=50, random_state=0)
    return "`SelectiveBoostClassifier`, 50 stumps, 20,000 × 50", lambda: model.fit(X, y)


def parallel_perceptron() -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(1_000_000, 50, 20, 0.1)
    X = X.astype(np.float32)
    model = hardy.ParallelPerceptronClassifier(max_iter=50, random_state=0)
    return "`ParallelPerceptronClassifier`, 50 passes, 1,000,000 × 50", lambda: model.fit(X, y)


def noise_reduction() -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(100_000, 50, 20, 0.1)
    X = X.astype(np.float32)
    model = hardy.NoiseReducingBoostClassifier(random_state=0)
    return "`NoiseReducingBoostClassifier`, 10 rounds, 100,000 × 50", lambda: model.fit(X, y)


def hardness_bagging() -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(20_000, 50, 20, 0.1)
    model = hardy.HardnessBaggingClassifier(random_state=0)
    return "`HardnessBaggingClassifier`, 50 perceptrons, 20,000 × 50", lambda: model.fit(X, y)


def text_boosting() -> tuple[str, Work]:
    import hardy
    from hardy.datasets import fetch_reuters
    from hardy.text import make_text_filter

    stories = fetch_reuters("crude", data_home=os.environ["HARDY_DATA"])
    X, y = make_text_filter(min_df=3)[:-1].fit_transform(stories.data), stories.target
    model = hardy.LinearPerceptronBoostClassifier(random_state=0)
    return "`LinearPerceptronBoostClassifier`, 100 rounds, Reuters", lambda: model.fit(X, y)


def audit_of(n_rows: int) -> tuple[str, Work]:
    import hardy

    X, y, _ = make_rows(n_rows, 20, 10, 0.1)
    work = f"`audit_labels`, {n_rows:,} × 20"
    return work, lambda: hardy.audit_labels(X, y, random_state=0, n_jobs=1)


WORKS: dict[str, Callable[[], tuple[str, Work]]] = {
    "boosted_stumps": boosted_stumps,
    "selective_boosting": selective_boosting,
    "parallel_perceptron": parallel_perceptron,
    "noise_reduction": noise_reduction,
    "hardness_bagging": hardness_bagging,
    "text_boosting": text_boosting,
    "audit_10k": lambda: audit_of(10_000),
    "audit_1m": lambda: audit_of(1_000_000),
}


def profile(name: str) -> str:
    """Run a piece of work twice, the second time under the profiler; give its table."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        title, work = WORKS[name]()
        work()
        profiler = cProfile.Profile()
        profiler.runcall(work)
    # The ignored type: `stats` has no type in the library's stubs.
    times: dict[tuple[str, int, str], Any] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in times.values())
    first = sorted(times.items(), key=lambda item: -item[1][2])[:SHOWN]
    lines = [
        f"## {title}",
        "",
        f"{total:.2f} s",
        "",
        "| function | calls | share |",
        "|---|---|---|",
    ]
    for (file, _, function), (_, calls, own, _, _) in first:
        place = Path(file).stem if file.endswith(".py") else ""
        named = f"{place}.{function}" if place else function.strip("<>")
        lines.append(f"| `{named}` | {calls:,} | {own / total:.0%} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--here", choices=list(WORKS), help="profile one piece of work, and print")
    chosen = parser.parse_args().here
    if chosen:
        print(profile(chosen))
        return
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    parts = ["# Profiles", "", "Made by `python benchmarks/profiles.py`.", ""]
    for name in WORKS:
        call = [sys.executable, __file__, "--here", name]
        done = subprocess.run(
            call, env={**os.environ, **threads}, stdout=subprocess.PIPE, check=True, text=True
        )
        parts.append(done.stdout)
    RESULTS.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
