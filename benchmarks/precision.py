"""How well the expected precision of an audit's first rows is met, and the picture of it.

The tables of `detection.py` with real and with injected errors, one seed; the first 2, 5, 10 and
20 % of the rows of each (10 rows at least). Each finished cell is appended to the results at once.
The careful reading is learnt from other tables (`development.py`), each of which is told of by
coefficients that don't know it.

    python benchmarks/precision.py            run what is missing, print the table, draw the picture
    python benchmarks/precision.py --tables   only print the table and draw the picture
    python benchmarks/precision.py --fit      learn the coefficients and the spread between tables,
                                              and print them: half an hour, and a minute where the
                                              folder named by --kept has the audits

The data folder is named by the environment variable HARDY_DATA.
"""

import argparse
import csv
import sys
import tempfile
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.optimize import brentq
from threadpoolctl import threadpool_limits

import hardy
from detection import (
    DIRECTIONS,
    ONE_SIDED,
    REAL,
    TEXT,
    TOPICS,
    Cell,
    flip,
    kinds_of_noise,
    load_table,
)
from development import SHARES as ALL_SHARES
from development import audit_all, fit, leave_one_table_out
from hardy.audit.error_probability import COEFFICIENTS
from hardy.audit.expectation import expect_precision, interval

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "precision.csv"
LEARNT = HERE / "results" / "precision_development.csv"
PICTURE = HERE.parent / "docs" / "images" / "expected_precision.png"
SHARES = (0.02, 0.05, 0.1, 0.2)
FEWEST = 10
PROMISED = 0.8
NEAR = 0.05
KEY = ["dataset", "noise", "rate"]


def cells() -> list[Cell]:
    return [
        Cell(dataset, noise, rate, 0, "hardy")
        for dataset in (*TEXT, *REAL, *ONE_SIDED, *TOPICS)
        for noise, rate in kinds_of_noise(dataset, 0)
    ]


def measure(cell: Cell) -> list[dict[str, object]]:
    X, given, true = load_table(cell.dataset)
    given, is_wrong = flip(given, cell) if true is None else (given, given != true)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        audit = hardy.audit_labels(X, given, random_state=0, n_jobs=1)
    ranked = is_wrong[(-audit.doubt).argsort(kind="stable")]
    cuts = [max(FEWEST, round(share * len(ranked))) for share in SHARES]
    judged = audit.is_assessable
    expected = expect_precision(audit.error_probability[judged], audit.doubt[judged], cuts)
    return [
        {name: getattr(cell, name) for name in KEY}
        | {"share": share, "rows": cut, "true": round(float(ranked[:cut].mean()), 4)}
        | expected.iloc[at].round(4).to_dict()
        for at, (share, cut) in enumerate(zip(SHARES, cuts, strict=True))
    ]


def run() -> None:
    known = pd.read_csv(RESULTS)[KEY] if RESULTS.exists() else pd.DataFrame(columns=KEY)
    done = {(dataset, noise, f"{rate:g}") for dataset, noise, rate in known.to_numpy()}
    for cell in cells():
        if (cell.dataset, cell.noise, f"{cell.rate:g}") in done:
            continue
        rows = measure(cell)
        is_new = not RESULTS.exists()
        with RESULTS.open("a", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerows(rows)
        print(cell, file=sys.stderr)


def learn(folder: Path) -> pd.DataFrame:
    """Print the coefficients, and give what is told of each table by the others."""
    audits = list(audit_all(folder))
    coefficients = fit(audits, np.array(COEFFICIENTS))
    rows = [
        {"dataset": audit.dataset, "noise": audit.noise, "rate": audit.rate, "seed": audit.seed}
        | {"share": share, "rows": int(cut), "true": true, "expected": audit.doubt[:cut].mean()}
        | {"careful": np.minimum(told, audit.doubt)[:cut].mean()}
        for audit, told in leave_one_table_out(audits, coefficients)
        for share, cut, true in zip(ALL_SHARES, audit.cuts, audit.true, strict=True)
    ]
    results = pd.DataFrame(rows)
    first = results[results["share"].isin(SHARES)]

    def excess(spread: float) -> float:
        return float(_is_held(_with_interval(first, spread)).mean()) - PROMISED

    spread = brentq(excess, 0.1, 5, xtol=0.01)
    print("COEFFICIENTS =", tuple(float(value) for value in coefficients.round(3)))
    print(f"SPREAD = {spread:.1f}")
    results = _with_interval(results, spread)
    results["seed"] = results["seed"].astype(int)
    results.round(4).to_csv(LEARNT, index=False, lineterminator="\n")
    return results


def _with_interval(results: pd.DataFrame, spread: float) -> pd.DataFrame:
    (low, high), (least, _) = (
        interval(results[reading].to_numpy(), results["rows"].to_numpy(), spread**2)
        for reading in ("expected", "careful")
    )
    return results.assign(low=np.minimum(low, least), high=high)


def _is_held(results: pd.DataFrame) -> "pd.Series[bool]":
    return results["true"].between(results["low"] - 1e-4, results["high"] + 1e-4)


def name_family(row: "pd.Series") -> str:
    is_text = row["dataset"] in (*TEXT, *TOPICS) or row["dataset"].startswith("reuters_")
    noise = "one direction" if row["noise"] in DIRECTIONS else row["noise"].replace("_", " ")
    return f"{'text' if is_text else 'table'}, {noise}"


def print_table(results: pd.DataFrame) -> None:
    """Print means over the cells of each family, and over all."""
    miss = results["expected"] - results["true"]
    told = results.assign(
        miss=miss,
        distance=miss.abs(),
        near=miss.abs() <= NEAR,
        held=_is_held(results),
        width=results["high"] - results["low"],
    )
    for family, cells in [*told.groupby("family"), ("all", told)]:
        mean = cells[["true", "expected", "careful", "miss", "distance", "width"]].mean()
        shares = cells[["near", "held"]].mean().map("{:.0%}".format)
        shown = [f"{value:.3f}" for value in mean]
        shown[3] = f"{mean['miss']:+.3f}".replace("-", "−")
        print("|", " | ".join([family, *shown[:5], *shares, shown[5], f"{len(cells):,}"]), "|")


def draw(results: pd.DataFrame) -> None:
    figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    for (family, rows), marker in zip(results.groupby("family"), "os^vDX", strict=False):
        axes.plot(rows["expected"], rows["true"], marker, label=family, alpha=0.7)
    axes.set(xlabel="expected precision", ylabel="true precision", xlim=(0, 1), ylim=(-0.02, 1.02))
    axes.legend(frameon=False)
    figure.savefig(PICTURE, dpi=110, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", action="store_true", help="use the stored results only")
    parser.add_argument("--fit", action="store_true", help="learn the coefficients")
    parser.add_argument("--kept", type=Path, help="where the audits for --fit are kept")
    options = parser.parse_args()
    if options.fit:
        with tempfile.TemporaryDirectory() as folder:
            learnt = learn(options.kept or Path(folder))
        learnt["family"] = learnt.apply(name_family, axis=1)
        print_table(learnt[learnt["share"].isin(SHARES)])
        return
    if not options.tables:
        run()
    results = pd.read_csv(RESULTS)
    results["family"] = results.apply(name_family, axis=1)
    print_table(results)
    draw(results)


if __name__ == "__main__":
    main()
