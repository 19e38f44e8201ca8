"""Scores of `benchmarks/protocol.py`, as tables of sets and methods: what its page compares."""

from pathlib import Path

import pandas as pd

from hardy.stats import friedman_test
from protocol import FOLDER, HARDY, METHODS, NOISE, SETTINGS

LEVELS = sorted(NOISE, key=lambda level: (level[0] != "uniform", level))
SCORES = {"accuracy": True, "balanced_accuracy": True, "log_loss": False}
HIGHER_IS_BETTER = {**SCORES, "average_precision": True, "calibration_error": False}
STACK, FOREST = "stacking", "random forest"
FEWEST_SETS, N_TESTED, ALPHA = 4, 5, 0.05
FIT_TIME = Path(__file__).parent / "results" / "fit_time.csv"


def read_cells() -> pd.DataFrame:
    """Read what is stored of all methods."""
    files = [path for path in sorted(FOLDER.glob("*.csv")) if path != SETTINGS]
    return pd.concat([pd.read_csv(path) for path in files], ignore_index=True)


def scores_of(
    cells: pd.DataFrame,
    level: tuple[str, float],
    score: str,
    size: str = "drawn",
    *,
    failed_last: bool = True,
) -> pd.DataFrame:
    """Give one score under one noise, of the sets that all methods have run; methods across.

    Where a method failed it is behind all others, which its rank shows; for means, which would have
    to invent a score, such a set is left out (`failed_last=False`).
    """
    is_level = (cells["kind"] == level[0]) & (cells["noise_rate"] == level[1])
    at_level = cells[is_level & (cells["size"] == size)]
    wide = at_level.pivot_table(index="dataset", columns="method", values=score)
    # Some methods take too long on whole sets.
    methods = METHODS if size == "drawn" else [name for name in METHODS if name in wide]
    wide = wide.reindex(columns=methods)
    # A method that failed in one of two repetitions has failed.
    for cell in at_level[at_level["error"].notna()].itertuples():
        behind = -1 if HIGHER_IS_BETTER[score] else 1
        worst = wide.loc[cell.dataset].min() if behind < 0 else wide.loc[cell.dataset].max()
        wide.loc[cell.dataset, cell.method] = worst + behind if failed_last else float("nan")
    return wide.dropna()


def by_level(
    cells: pd.DataFrame, score: str, size: str = "drawn", *, failed_last: bool = True
) -> dict[str, pd.DataFrame]:
    """Give the tables of all levels on which enough sets are done, by the level's name."""
    tables = {
        name_level(level): scores_of(cells, level, score, size, failed_last=failed_last)
        for level in LEVELS
    }
    return {name: table for name, table in tables.items() if len(table) >= FEWEST_SETS}


def failures(cells: pd.DataFrame) -> list[str]:
    """Name the methods that failed, where, and why."""
    return [
        f"{cell.method} on {cell.dataset} at {name_level((cell.kind, cell.noise_rate))} "
        f"({cell.error.rstrip('.')})"
        for cell in cells[cells["error"].notna()].itertuples()
    ]


def name_level(level: tuple[str, float]) -> str:
    return f"{level[0].replace('_', '-')} {level[1]:.0%}"


def left_out_of_means(cells: pd.DataFrame, size: str = "drawn") -> str:
    """Name the sets that means leave out because a method failed there, by level; or nothing."""
    failed = cells[cells["error"].notna() & (cells["size"] == size)]
    names = failed.groupby(["kind", "noise_rate"])["dataset"].unique()
    return "; ".join(f"{name_level(level)}: {', '.join(sets)}" for level, sets in names.items())


def ranks_of(tables: dict[str, pd.DataFrame], higher_is_better: bool) -> pd.DataFrame:
    """Give the average rank of each method at each level, and the mean over the levels."""
    ranks = pd.DataFrame(
        {
            name: friedman_test(table, higher_is_better=higher_is_better).average_ranks
            for name, table in tables.items()
        }
    )
    return ranks.assign(all=ranks.mean(axis=1)).sort_values("all")


def fit_times(cells: pd.DataFrame) -> pd.DataFrame:
    """Give the seconds of a fit of a forest of 300 trees and of HardyClassifier, by rows."""
    wide = cells.pivot_table(
        index=["dataset", "size"], columns="method", values=["fit_seconds", "n_rows"]
    )
    known = wide["fit_seconds"][[HARDY, FOREST]].dropna()
    return pd.DataFrame(
        {
            "rows": wide["n_rows"][HARDY].reindex(known.index),
            "forest": known[FOREST],
            "hardy": known[HARDY],
            "times": known[HARDY] / known[FOREST],
        }
    ).sort_values("rows")


def fit_times_of_many() -> pd.Series:
    """Give the same of the table that `fit_time.py` has drawn, and the load of the machine."""
    found = pd.read_csv(FIT_TIME).set_index("method")
    forest, hardy = found.loc[[FOREST, HARDY], "fit_seconds"]
    return pd.Series(
        {
            "rows": found["n_rows"].iloc[0],
            "forest": forest,
            "hardy": hardy,
            "times": hardy / forest,
            "load": found["load"].max(),
        }
    )
