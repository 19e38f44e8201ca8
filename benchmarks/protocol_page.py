"""Tables, tests and diagrams of what `benchmarks/protocol.py` has stored: the page of the docs.

python benchmarks/protocol_page.py
"""

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import pandas as pd
from matplotlib import pyplot as plt

from _markdown import in_markdown
from _protocol_aims import aims
from _protocol_tables import (
    ALPHA,
    FEWEST_SETS,
    LEVELS,
    N_TESTED,
    STACK,
    by_level,
    failures,
    fit_times,
    fit_times_of_many,
    left_out_of_means,
    name_level,
    ranks_of,
    read_cells,
    scores_of,
)
from _protocol_targets import targets
from hardy.stats import CriticalDifferenceDisplay, friedman_test, wilcoxon_holm
from protocol import HARDY, METHODS, STAGES, WHOLE, list_cells

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "protocol.md"
IMAGES = PAGE.parent / "protocol"
TESTED = (
    "Wilcoxon's signed-rank test over the sets against the five best-ranked rivals of each level, "
    "with Holm's correction, and of the stack by itself; * for p < .05. Wins are HardyClassifier's."
)
INTRODUCTION = """\
# HardyClassifier and its rivals

Made by `python benchmarks/protocol_page.py` of what `python benchmarks/protocol.py` has stored,
which goes on where it was cut. Five folds, two repetitions, at most 1,000 rows of each set;
labels are flipped in the training folds only, the same ones for all methods, and the scores are on
the true labels of all test folds. Rivals choose their settings once for each set, by inner
validation on its clean labels, which is more than one has where labels are wrong; HardyClassifier
has no settings.

page_blocks and abalone19 have 1,005 and 1,002 rows, since the draw keeps at least 10 rows of a
class: of their rarest ones it would be 5 and 8 by their share.

`HardyClassifier` was made on ten development sets (wdbc, pima, ionosphere, glass, vertebral, ilpd,
vehicle, sonar, phoneme, haberman) and frozen; what follows is on fifteen others. Twelve of these
(liver, transfusion, ecoli, yeast, vowel, satimage, ctg, cancer, german, banknote, spambase,
page_blocks) **were seen once before**, in the study from which it started; thyroid, mammography and
abalone19 were not. The second repetition was run when the figures of the first were known; between
the two HardyClassifier didn't change.
"""


def with_leaders(table: pd.DataFrame, form: str, best: str) -> str:
    """Write a table of methods, with the best of each column in bold type."""
    return in_markdown(table, form, table.eq(getattr(table, best)()), "method")


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
        f"\nA level is in the tables from {FEWEST_SETS} sets on. Failed: "
        f"{'; '.join(failures(cells)) or 'none'}. A method that failed on a set ranks behind all "
        "others there, in tests and diagrams too; means, which would need a score, leave the set "
        "out for all methods, so that those of the level are over one set less."
    )
    return "".join(lines)


def means_by_level(cells: pd.DataFrame, score: str, size: str = "drawn") -> pd.DataFrame:
    """Give the means over the sets on which no method failed; methods down, levels across."""
    tables = by_level(cells, score, size, failed_last=False)
    return pd.DataFrame({name: table.mean() for name, table in tables.items()})


def sets_of_means(cells: pd.DataFrame, size: str = "drawn") -> str:
    """Tell which sets means are over."""
    left_out = left_out_of_means(cells, size)
    return "Means over the sets" + (
        f" but those where a method failed ({left_out})" if left_out else ""
    )


def rank_tables(
    cells: pd.DataFrame, score: str, higher_is_better: bool, size: str = "drawn"
) -> str:
    tables = by_level(cells, score, size)
    ranks = ranks_of(tables, higher_is_better)
    means = means_by_level(cells, score, size)
    means = means.assign(all=means.mean(axis=1)).loc[ranks.index]
    form, best = ("{:.1f}", "max") if higher_is_better else ("{:.3f}", "min")
    shown = with_leaders(100 * means if higher_is_better else means, form, best)
    unit = ", per cent" if higher_is_better else ""
    return (
        f"Average ranks, 1 for the best:\n\n{with_leaders(ranks, '{:.2f}', 'min')}\n\n"
        f"{sets_of_means(cells, size)}{unit}:\n\n{shown}"
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
        means = means_by_level(cells, score)
        return with_leaders(
            means.sort_values(means.columns[0], ascending=best == "min"), form, best
        )

    return write


def times(cells: pd.DataFrame) -> str:
    """Tell how many times as long as a forest of 300 trees HardyClassifier takes, by rows."""
    lines = ["| set | rows | forest (s) | HardyClassifier (s) | times |", "|---|---|---|---|---|"]
    lines += [
        f"| {name}{' (whole)' * (size == 'whole')} | {row.rows:,.0f} | {row.forest:.2f} | "
        f"{row.hardy:.2f} | {row.times:.1f} |"
        for (name, size), row in fit_times(cells).iterrows()
    ]
    many = fit_times_of_many()
    lines.append(
        f"| drawn | {many.rows:,.0f} | {many.forest:.2f} | {many.hardy:.2f} | {many.times:.2f} |"
    )
    return "\n".join(lines) + (
        "\n\nThe last line is of `python benchmarks/fit_time.py --write`: 20 normal columns, 10 % "
        f"of the labels flipped, one fit each; the load of the machine was {many.load:.1f}. Beyond "
        "20,000 rows each tree sees 20,000 of them, which is why it takes less than the forest."
    )


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
        "Accuracy, tested": lambda c: f"{TESTED}\n\n{tests(c, 'accuracy', True)}",
        "Critical differences": diagrams,
        "Balanced accuracy": lambda c: rank_tables(c, "balanced_accuracy", True),
        "Balanced accuracy, tested": lambda c: tests(c, "balanced_accuracy", True),
        "Aims at classes that count alike": aims,
        "Log loss": lambda c: rank_tables(c, "log_loss", False),
        "Log loss, tested": lambda c: tests(c, "log_loss", False),
        "Whole sets": lambda c: (
            f"Accuracy on the sets that were taken whole too, {', '.join(WHOLE)}, without support "
            "vectors, which take too long there. Four sets prove little.\n\n"
            + rank_tables(c, "accuracy", True, "whole")
        ),
        "Average precision of the rarest class": lambda c: (
            f"{sets_of_means(c)}:\n\n{means_of('average_precision', '{:.3f}', 'max')(c)}\n\n"
            f"{TESTED}\n\n{tests(c, 'average_precision', True)}"
        ),
        "Calibration": lambda c: (
            "Expected calibration error of the likeliest class in 15 bins of equal mass, on the "
            f"test folds of a set together. {sets_of_means(c)}:\n\n"
            + means_of("calibration_error", "{:.3f}", "min")(c)
        ),
        "Time of a fit": lambda c: (
            "Processor seconds of one thread, mean over the cells that are done, on a "
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
