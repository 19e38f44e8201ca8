"""How often findings are wrong, and what it costs to look for them.

The sets of the UCI repository, two of software defects and the sentences of `medical_cause` are
audited as they are, with one thread: what is told of them, and the share of the processor's time of
the audit in which findings are looked for, measured within the process.

In tables drawn at random no column has to do with the labels, so that whatever is told of one is
wrong. Their columns are independent, their labels as likely each. Probabilities of the labels are
drawn, too, and no panel is asked, since no finding depends on what looks wrong but that of groups;
for it the panel is asked, in two folds of whole groups, which takes the time.

    python benchmarks/findings.py            measure all, write the results and their tables
    python benchmarks/findings.py --tables   only write the tables of the stored results

The data folder is named by the environment variable HARDY_DATA.
"""

import argparse
import json
import time
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

import hardy
from _markdown import in_markdown
from detection import REAL, TEXT, data_folder, load_table
from hardy.audit.findings import find_faults

RESULTS = Path(__file__).parent / "results" / "findings.json"
TABLES = RESULTS.with_suffix(".md")
CLOUDS: dict[str, Callable[..., np.ndarray]] = {
    "normal": np.random.Generator.normal,
    "uniform": np.random.Generator.uniform,
    "lognormal": np.random.Generator.lognormal,
    "long tails": lambda rng, size: rng.lognormal(0, 3, size),
    "counts": lambda rng, size: rng.poisson(1, size).astype(float),
}
N_COLUMNS = (2, 4, 8, 16)
N_ROWS = (200, 2000)
N_TABLES = 50
LABELS = np.array(["ash", "birch", "cedar", "elm", "fir"])
N_GROUPED, N_GROUPS = 200, 8
# Of a table without groups; those of annotators and splits need what none of the sets has.
KINDS = (
    "contradicting_duplicates",
    "contradicting_near_duplicates",
    "label_spelling",
    "giveaway_column",
    "label_drift",
    "unlike_all_others",
)


def audit(X: Any, y: Any, **options: Any) -> hardy.LabelAudit:
    """Audit with one thread and without a word."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hardy.audit_labels(X, y, random_state=0, n_jobs=1, **options)


def read_set(name: str) -> tuple[Any, Any]:
    """Read features and labels as the file has them."""
    if name in (*REAL, *TEXT):
        return load_table(name)[:2]
    frame = pd.read_csv(data_folder() / "uci" / f"{name}.csv")
    return frame.drop(columns="target"), frame["target"]


def of_a_set(name: str) -> dict[str, Any]:
    """Tell the findings of a set, and what share of the audit's time they took."""
    X, y = read_set(name)
    spent = 0.0

    def timed(evidence: Any) -> Any:
        nonlocal spent
        start = time.process_time()
        found = find_faults(evidence)
        spent += time.process_time() - start
        return found

    with patch("hardy.audit.labels.find_faults", timed):
        start = time.process_time()
        findings = audit(X, y).findings
        whole = time.process_time() - start
    return {
        "findings": [
            {"kind": found.kind, "rows": len(found.rows), "sentence": found.sentence}
            for found in findings
        ],
        "equal_but_for_labels": equal_but_for_labels(X, y),
        "share_of_time": round(spent / whole, 3),
    }


def equal_but_for_labels(X: Any, y: Any) -> int:
    """Count the rows that others are equal to, with another label."""
    frame = pd.DataFrame(X)
    labels = pd.Series(y).groupby([frame[name] for name in frame], dropna=False)
    return int((labels.transform("nunique") > 1).sum())


def of_chance(cloud: str, n_columns: int, n_rows: int) -> dict[str, int]:
    """Count the random tables of which each kind is told."""
    tables: Counter[str] = Counter()
    for seed in range(N_TABLES):
        rng = np.random.default_rng(seed)
        X = CLOUDS[cloud](rng, size=(n_rows, n_columns))
        proba = rng.dirichlet(np.ones(len(LABELS)), size=n_rows)
        found = audit(X, rng.choice(LABELS, n_rows), pred_proba=proba, use_panel=False).findings
        tables.update({finding.kind for finding in found})
    return dict(tables)


def uneven_groups() -> int:
    """Count the groups that are told, of rows that are in them by chance."""
    n_told = 0
    for seed in range(N_GROUPED):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(N_ROWS[0], N_COLUMNS[1])), rng.choice(LABELS, N_ROWS[0])
        found = audit(X, y, groups=rng.integers(N_GROUPS, size=N_ROWS[0]), cv=2).findings
        n_told += sum(finding.kind == "group_error_rate" for finding in found)
    return n_told


def measure() -> dict[str, Any]:
    """Measure all that is told."""
    names = [*sorted(path.stem for path in (data_folder() / "uci").glob("*.csv")), *REAL, *TEXT]
    of_a_set(names[0])  # Compiles what is compiled at first.
    told: dict[str, Any] = {"sets": {}, "chance": []}
    for name in names:
        told["sets"][name] = of_a_set(name)
        print(name, told["sets"][name], flush=True)
    for cloud, n_columns, n_rows in product(CLOUDS, N_COLUMNS, N_ROWS):
        found = of_chance(cloud, n_columns, n_rows)
        told["chance"].append(
            {"cloud": cloud, "columns": n_columns, "rows": n_rows, "tables": found}
        )
        print(told["chance"][-1], flush=True)
    return told | {"uneven_groups": uneven_groups()}


def tables(told: dict[str, Any]) -> str:
    """Write the tables of the page on findings."""
    sets, chance = told["sets"], pd.DataFrame(told["chance"])
    rows = {}
    for kind in KINDS:
        where = {
            name: sum(found["rows"] for found in of["findings"] if found["kind"] == kind)
            for name, of in sets.items()
        }
        where = {name: n_rows for name, n_rows in where.items() if n_rows}
        by_cloud = chance["tables"].map(lambda found, kind=kind: found.get(kind, 0))
        rows[f"`{kind}`"] = {
            f"told in, of {len(sets)} sets": _named(where),
            **by_cloud.groupby(chance["cloud"], sort=False).sum().to_dict(),
        }
    told_of = {name for name, of in sets.items() if _has(of, "contradicting_duplicates")}
    equal = {
        name: of["equal_but_for_labels"]
        for name, of in sets.items()
        if of["equal_but_for_labels"] and name not in told_of
    }
    n_tables = N_TABLES * len(N_COLUMNS) * len(N_ROWS)
    shares = np.array([of["share_of_time"] for of in sets.values()])
    largest = max(sets, key=lambda name: sets[name]["share_of_time"])
    return "\n".join(
        [
            in_markdown(pd.DataFrame(rows).T, "{}", first="finding"),
            "",
            "Beside each set stands of how many rows it is told. The last columns count the random "
            f"tables of which something is told, out of {n_tables} of each kind: "
            f"{_listed(N_COLUMNS)} columns, {_listed(N_ROWS)} rows, {len(LABELS)} labels; columns "
            "with long tails are lognormal, with a deviation of 3, counts Poisson's with mean 1. Of"
            f" {N_GROUPED} tables of {N_ROWS[0]} rows in {N_GROUPS} "
            f"groups, all in all {told['uneven_groups']} groups were told; "
            f"{N_GROUPED // 100} at most are to be expected.",
            "",
            "Nothing is told where rows with different labels are equal in every column because "
            f"values coincide by chance: {_named(equal)}.",
            "",
            f"All checks together took {shares.min():.0%} to {shares.max():.0%} of an audit's "
            f"time, measured as the processor's ({np.median(shares):.0%} in the middle of the "
            f"sets, the most in `{largest}`).".replace("%", " %"),
            "",
        ]
    )


def _has(of: dict[str, Any], kind: str) -> bool:
    return any(found["kind"] == kind for found in of["findings"])


def _named(where: dict[str, int]) -> str:
    return ", ".join(f"`{name}` {n:,}" for name, n in where.items())


def _listed(numbers: tuple[int, ...]) -> str:
    *most, last = (f"{number:,}" for number in numbers)
    return f"{', '.join(most)} or {last}"


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", action="store_true", help="write those of stored results only")
    if not parser.parse_args().tables:
        text = json.dumps(measure(), indent=1, ensure_ascii=False)
        RESULTS.write_text(text + "\n", encoding="utf-8")
    told = json.loads(RESULTS.read_text(encoding="utf-8"))
    TABLES.write_text(tables(told), encoding="utf-8")
    print(tables(told))


if __name__ == "__main__":
    main()
