"""Tables, tests and diagrams of what `benchmarks/protocol.py` has stored: the page of the docs.

python benchmarks/protocol_page.py
"""

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import pandas as pd
from matplotlib import pyplot as plt

from hardy.stats import CriticalDifferenceDisplay, friedman_test, wilcoxon_holm
from protocol import FOLDER, HARDY, METHODS, NOISE, SETTINGS, STAGES, WHOLE, list_cells

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "protocol.md"
IMAGES = PAGE.parent / "protocol"
LEVELS = sorted(NOISE, key=lambda level: (level[0] != "uniform", level))
SCORES = {"accuracy": True, "balanced_accuracy": True, "log_loss": False}
STACK, FOREST = "stacking", "random forest"
FEWEST_SETS, N_TESTED, ALPHA = 4, 5, 0.05
INTRODUCTION = """\
# HardyClassifier and its rivals

Made by `python benchmarks/protocol_page.py` of what `python benchmarks/protocol.py` has stored,
which goes on where it was cut. Five folds, **one repetition**, at most 1,000 rows of each set;
labels are flipped in the training folds only, the same ones for all methods, and the scores are on
the true labels of all test folds. Rivals choose their settings once for each set, by inner
validation on its clean labels, which is more than one has where labels are wrong; HardyClassifier
has no settings.

`HardyClassifier` was made on ten development sets (wdbc, pima, ionosphere, glass, vertebral, ilpd,
vehicle, sonar, phoneme, haberman) and frozen; what follows is on fifteen others. Twelve of these
(liver, transfusion, ecoli, yeast, vowel, satimage, ctg, cancer, german, banknote, spambase,
page_blocks) **were seen once before**, in the study from which it started; thyroid, mammography and
abalone19 were not.
"""


def read_cells() -> pd.DataFrame:
    """Read what is stored of all methods."""
    files = [path for path in sorted(FOLDER.glob("*.csv")) if path != SETTINGS]
    return pd.concat([pd.read_csv(path) for path in files], ignore_index=True)


def scores_of(
    cells: pd.DataFrame, level: tuple[str, float], score: str, size: str = "drawn"
) -> pd.DataFrame:
    """Give one score under one noise, of the sets that all methods have run; methods across."""
    is_level = (cells["kind"] == level[0]) & (cells["noise_rate"] == level[1])
    wide = cells[is_level & (cells["size"] == size)].pivot_table(
        index="dataset", columns="method", values=score
    )
    # Some methods take too long on whole sets.
    methods = METHODS if size == "drawn" else [name for name in METHODS if name in wide]
    return wide.reindex(columns=methods).dropna()


def by_level(cells: pd.DataFrame, score: str, size: str = "drawn") -> dict[str, pd.DataFrame]:
    """Give the tables of all levels on which enough sets are done, by the level's name."""
    tables = {name_level(level): scores_of(cells, level, score, size) for level in LEVELS}
    return {name: table for name, table in tables.items() if len(table) >= FEWEST_SETS}


def name_level(level: tuple[str, float]) -> str:
    return f"{level[0].replace('_', '-')} {level[1]:.0%}"


def ranks_of(tables: dict[str, pd.DataFrame], higher_is_better: bool) -> pd.DataFrame:
    """Give the average rank of each method at each level, and the mean over the levels."""
    ranks = pd.DataFrame(
        {
            name: friedman_test(table, higher_is_better=higher_is_better).average_ranks
            for name, table in tables.items()
        }
    )
    return ranks.assign(all=ranks.mean(axis=1)).sort_values("all")


def in_markdown(table: pd.DataFrame, form: str, best: str, first: str = "method") -> str:
    """Write a table, with the best of each column in bold type."""
    lines = [f"| {first} | {' | '.join(table.columns)} |", "|---" * (table.shape[1] + 1) + "|"]
    leaders = getattr(table, best)()
    for name, row in table.iterrows():
        cells = [
            f"**{form.format(value)}**" if value == leaders[column] else form.format(value)
            for column, value in row.items()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def what_is_done(cells: pd.DataFrame) -> str:
    """Tell how many cells are finished, and on how many sets all methods can be compared."""
    keys = ["dataset", "size", "kind", "noise_rate", "repeat", "method"]
    names = STAGES["confirming"].split()
    wanted = pd.DataFrame(list_cells("confirming", METHODS, None))[keys]
    stored = cells[cells["dataset"].isin(names)]
    merged = wanted.merge(stored[[*keys, "error"]], on=keys, how="left", indicator=True)
    is_done = merged["_merge"] == "both"
    lines = [
        f"Of {len(wanted):,} cells (a method on a set under a noise) {is_done.sum():,} are done, "
        f"{merged['error'].notna().sum()} of which failed. ",
        ""
        if is_done.all()
        else "**The run is not complete:** what is missing is in no figure below.",
        "\n\n| noise | cells of rivals | of HardyClassifier | sets in the tables |\n",
        "|---|---|---|---|\n",
    ]
    for level in LEVELS:
        at = (merged["kind"] == level[0]) & (merged["noise_rate"] == level[1])
        own = merged["method"] == HARDY
        parts = [f"{(at & who & is_done).sum()} of {(at & who).sum()}" for who in (~own, own)]
        n_sets = len(scores_of(cells, level, "accuracy"))
        lines.append(f"| {name_level(level)} | {' | '.join(parts)} | {n_sets} of {len(names)} |\n")
    lines.append(
        f"\nA level is in the tables from {FEWEST_SETS} sets on; "
        "a set is left out where a method failed."
    )
    return "".join(lines)


def rank_tables(
    cells: pd.DataFrame, score: str, higher_is_better: bool, size: str = "drawn"
) -> str:
    tables = by_level(cells, score, size)
    ranks = ranks_of(tables, higher_is_better)
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    means = means.assign(all=means.mean(axis=1)).loc[ranks.index]
    form, best = ("{:.1f}", "max") if higher_is_better else ("{:.3f}", "min")
    shown = in_markdown(100 * means if higher_is_better else means, form, best)
    unit = ", per cent" if higher_is_better else ""
    return (
        f"Average ranks, 1 for the best:\n\n{in_markdown(ranks, '{:.2f}', 'min')}\n\n"
        f"Means over the sets{unit}:\n\n{shown}"
    )


def tests(cells: pd.DataFrame, score: str, higher_is_better: bool) -> str:
    """Test HardyClassifier against the best-ranked rivals of each level, and the stack."""
    lines = ["| noise | rival | its rank | wins–losses | p (Holm) |", "|---|---|---|---|---|"]
    for name, table in by_level(cells, score).items():
        ranks = friedman_test(table, higher_is_better=higher_is_better).average_ranks
        rivals = ranks.drop([HARDY, STACK]).nsmallest(N_TESTED).index.tolist()
        for group in (rivals, [STACK]):
            found = wilcoxon_holm(table[[HARDY, *group]], HARDY, higher_is_better)
            lines += [
                f"| {name} | {rival} | {ranks[rival]:.2f} | {row.wins:.0f}–{row.loses:.0f} | "
                f"{row.pvalue_holm:.3f}{' *' if row.pvalue_holm < ALPHA else ''} |"
                for rival, row in found.iterrows()
            ]
    return "\n".join(lines)


def means_of(score: str, form: str, best: str) -> Callable[[pd.DataFrame], str]:
    """Give what writes the means of a score at each level."""

    def write(cells: pd.DataFrame) -> str:
        tables = by_level(cells, score)
        means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
        return in_markdown(means.sort_values(means.columns[0], ascending=best == "min"), form, best)

    return write


def times(cells: pd.DataFrame) -> str:
    """Tell how many times as long as a forest of 300 trees HardyClassifier takes, by rows."""
    wide = cells.pivot_table(
        index=["dataset", "size"], columns="method", values=["fit_seconds", "n_rows"]
    )
    known = wide["fit_seconds"][[HARDY, FOREST]].dropna()
    table = pd.DataFrame(
        {
            "rows": wide["n_rows"][HARDY].reindex(known.index),
            "forest (s)": known[FOREST],
            "HardyClassifier (s)": known[HARDY],
            "times": known[HARDY] / known[FOREST],
        }
    ).sort_values("rows")
    lines = ["| set | rows | forest (s) | HardyClassifier (s) | times |", "|---|---|---|---|---|"]
    lines += [
        f"| {name}{' (whole)' * (size == 'whole')} | {row.iloc[0]:,.0f} | {row.iloc[1]:.2f} | "
        f"{row.iloc[2]:.2f} | {row.iloc[3]:.1f} |"
        for (name, size), row in table.iterrows()
    ]
    return "\n".join(lines)


def targets(cells: pd.DataFrame) -> str:
    """Set what was aimed at beside what was reached, by the levels that can be compared."""
    lines = ["| aim | reached |", "|---|---|"]

    def tell(aim: str, verdicts: dict[str, bool | str]) -> None:
        words = {True: "yes", False: "no"}
        found = "; ".join(f"{name}: {words.get(said, said)}" for name, said in verdicts.items())
        lines.append(f"| {aim} | {found or 'not yet known'} |")

    for score, higher in SCORES.items():
        tables = by_level(cells, score)
        noisy = {name: table for name, table in tables.items() if not name.endswith(" 0%")}
        ranks = {
            name: friedman_test(table, higher_is_better=higher).average_ranks
            for name, table in tables.items()
        }
        tell(
            f"best average rank by {score.replace('_', ' ')} from 10 % on",
            {name: bool(ranks[name].idxmin() == HARDY) for name in noisy},
        )
        strong = {name: table for name, table in noisy.items() if not name.endswith("10%")}
        found = {}
        for name, table in strong.items():
            rivals = ranks[name].drop([HARDY, STACK]).nsmallest(N_TESTED).index.tolist()
            tested = wilcoxon_holm(table[[HARDY, *rivals]], HARDY, higher)
            better = (tested["pvalue_holm"] < ALPHA) & (tested["wins"] > tested["loses"])
            found[name] = f"{better.sum()} of {N_TESTED}"
        tell("significantly better than each of the five best rivals from 20 % on", found)
        if score == "accuracy" and tables:
            joint = ranks_of(tables, higher)["all"]
            ahead = joint.drop([HARDY, STACK]).min() - joint[HARDY]
            tell("joint mean rank 1.5 better than the next rival", {"ahead by": f"{ahead:.2f}"})
    errors = by_level(cells, "calibration_error")
    limits = {"uniform 0%": 0.05, "uniform 20%": 0.08}
    tell(
        "calibration error under .05 at 0 % and .08 at 20 %",
        {name: f"{errors[name][HARDY].mean():.3f}" for name in limits if name in errors},
    )
    rarest = by_level(cells, "average_precision")
    name = name_level(("class_conditional", 0.2))
    tell(
        "best average precision of the rarest class under class-conditional noise",
        {name: f"best mean is of {rarest[name].mean().idxmax()}"} if name in rarest else {},
    )
    return "\n".join(lines)


def diagrams(cells: pd.DataFrame) -> str:
    """Draw the critical differences of accuracy at each level."""
    IMAGES.mkdir(exist_ok=True)
    lines = []
    for name, table in by_level(cells, "accuracy").items():
        file = f"{name.replace(' ', '_').replace('%', '')}.png"
        display = CriticalDifferenceDisplay.from_scores(table)
        display.figure_.savefig(IMAGES / file, dpi=90, metadata={"Software": None})
        plt.close(display.figure_)
        lines.append(f"{name}, {len(table)} sets:\n\n![Average ranks at {name}](protocol/{file})\n")
    return "\n".join(lines)


def page(cells: pd.DataFrame) -> str:
    """Write the whole page."""
    sections = {
        "What is done": what_is_done,
        "What was aimed at": targets,
        "Accuracy": lambda c: rank_tables(c, "accuracy", True),
        "Accuracy, tested": lambda c: (
            "Wilcoxon's signed-rank test over the sets against the five best-ranked rivals of each "
            "level, with Holm's correction, and of the stack by itself; * for p < .05.\n\n"
            + tests(c, "accuracy", True)
        ),
        "Critical differences": diagrams,
        "Balanced accuracy": lambda c: rank_tables(c, "balanced_accuracy", True),
        "Log loss": lambda c: rank_tables(c, "log_loss", False),
        "Whole sets": lambda c: (
            f"Accuracy on the sets that were taken whole too, {', '.join(WHOLE)}, without support "
            "vectors, which take too long there. Four sets prove little.\n\n"
            + rank_tables(c, "accuracy", True, "whole")
        ),
        "Average precision of the rarest class": means_of("average_precision", "{:.3f}", "max"),
        "Calibration": lambda c: (
            "Expected calibration error of the likeliest class in 15 bins of equal mass, on the "
            "test folds of a set together, mean over the sets.\n\n"
            + means_of("calibration_error", "{:.3f}", "min")(c)
        ),
        "Time of a fit": lambda c: (
            "Processor seconds of one thread, mean over the cells that are done, in one run on a "
            "machine that had other work too.\n\n" + times(c)
        ),
    }
    known = bool(by_level(cells, "accuracy"))
    parts = [INTRODUCTION]
    for title, write in sections.items():
        if known or title == "What is done":
            parts.append(f"## {title}\n\n{write(cells)}\n")
    return "\n".join(parts)


def main() -> None:
    PAGE.write_text(page(read_cells()), encoding="utf-8")


if __name__ == "__main__":
    main()
