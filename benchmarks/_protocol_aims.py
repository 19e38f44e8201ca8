"""What `benchmarks/aims.py` has stored, as a section of the protocol's page."""

import pandas as pd

from _markdown import in_markdown
from _protocol_tables import LEVELS, left_out_of_means, name_level, ranks_of
from aims import AIMS, HINDSIGHT, RESULTS, RIVALS
from protocol import HARDY, STAGES

OWN = [f"{HARDY}, {aim}" for aim in AIMS]
CLEANLAB = RIVALS[0]
SCORES = ("balanced_accuracy", "accuracy")


def aims(cells: pd.DataFrame) -> str:
    """Write what the aims do on the development sets, and on the confirming ones where they ran."""
    stored = pd.read_csv(RESULTS)
    development = stored[stored["stage"] == "development"]
    parts = [
        "`optimize` changes which class `predict` takes, not the probabilities. What the aims do "
        "on the ten **development sets**, on which one may choose (`python benchmarks/aims.py`; "
        "folds and flips as above); beside them the rivals, at the levels at which they were run.",
        compared(development[development["size"] == "drawn"]),
        rare(development[development["size"] == "rare"]),
    ]
    if (stored["stage"] == "confirming").any():
        is_theirs = cells["method"].isin(RIVALS) & (cells["size"] == "drawn")
        rivals = cells[is_theirs & (cells["repeat"] == 0)]
        confirming = pd.concat([stored[stored["stage"] == "confirming"], rivals])
        parts += [
            "The same on the confirming sets, in the first repetition. This is **an addition, made "
            "after the single confirming run** and after its figures were known; `g_mean` was "
            "chosen before, by the tables above, the other two are shown beside it. "
            + sets_here(cells),
            compared(confirming[confirming["dataset"].isin(STAGES["confirming"].split())]),
        ]
    return "\n\n".join(part for part in parts if part)


def sets_here(cells: pd.DataFrame) -> str:
    """Tell how the sets of these means differ from those of the other tables."""
    left_out = left_out_of_means(cells)
    if not left_out:
        return "The sets are those of the other tables:"
    return (
        "All methods that are shown here have run all sets, so that these means are also over what "
        f"the other tables' means leave out ({left_out}):"
    )


def tables_by_level(cells: pd.DataFrame, score: str) -> dict[str, pd.DataFrame]:
    """Give a score at each level, of the methods that have run all sets there."""
    found = {}
    for level in LEVELS:
        at = cells[(cells["kind"] == level[0]) & (cells["noise_rate"] == level[1])]
        wide = at.pivot_table(index="dataset", columns="method", values=score)
        found[name_level(level)] = wide.reindex(columns=[*OWN, *RIVALS]).dropna(axis=1)
    return {name: table for name, table in found.items() if len(table.columns) > 1}


def compared(cells: pd.DataFrame) -> str:
    """Write ranks and means of balanced accuracy, and the means of accuracy."""
    balanced, plain = (tables_by_level(cells, name) for name in SCORES)
    ranked = {name: table for name, table in balanced.items() if CLEANLAB in table}
    means, accuracy = (
        100 * pd.DataFrame({name: table.mean() for name, table in tables.items()})
        for tables in (balanced, plain)
    )
    parts = [
        f"Balanced accuracy, means, per cent:\n\n{in_markdown(means, '{:.1f}', first='method')}",
        f"Accuracy, means, per cent:\n\n{in_markdown(accuracy, '{:.1f}', first='method')}",
    ]
    if ranked:
        ranks = ranks_of(ranked, True)
        shown = in_markdown(ranks, "{:.2f}", ranks.eq(ranks.min()), "method")
        parts.insert(0, f"Balanced accuracy, average ranks among these methods:\n\n{shown}")
    return "\n\n".join(parts)


def rare(cells: pd.DataFrame) -> str:
    """Write the balanced accuracy where one class has a twentieth of the rows."""
    if cells.empty:
        return ""
    two = cells[cells["dataset"].isin(cells[cells["method"] == HINDSIGHT]["dataset"])]
    wide = 100 * two.pivot_table(
        index="method", columns=["kind", "noise_rate"], values="balanced_accuracy"
    )
    wide.columns = [name_level(level) for level in wide.columns]
    n_sets = two["dataset"].nunique()
    return (
        "With the smaller class thinned to a twentieth of the rows, balanced accuracy of the "
        f"{n_sets} sets of two classes, means, per cent:\n\n"
        + in_markdown(wide, "{:.1f}", first="method")
    )


def aims_in_short() -> str:
    """Tell in a clause what the best aim for balanced accuracy gains and costs."""
    stored = pd.read_csv(RESULTS)
    drawn = stored[(stored["stage"] == "development") & (stored["size"] == "drawn")]
    usual, rare_aim = (drawn[drawn["method"] == name].mean(numeric_only=True) for name in OWN[:2])
    gain, cost = (100 * (rare_aim[score] - usual[score]) for score in SCORES)
    balanced = {
        name: table
        for name, table in tables_by_level(drawn, SCORES[0]).items()
        if CLEANLAB in table
    }
    ahead = sum(table[OWN[1]].mean() > table[CLEANLAB].mean() for table in balanced.values())
    return (
        f'`optimize="g_mean"` has {gain:+.1f} points of it on the development sets, for '
        f"{cost:+.1f} of accuracy, and a higher mean than cleanlab's forest at {ahead} of "
        f"{len(balanced)} levels (see [the aims](#aims-at-classes-that-count-alike))"
    )
