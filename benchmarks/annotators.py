"""How good the consensus of several annotators is on labels made for it, beside the majority's.

    python benchmarks/annotators.py [--draws N]

Labels of 100 rows of two classes, 50:50 to 95:5, by three to five annotators who are right in 60 to
90 % of the rows, alike in all classes; and labels of 100 and 500 rows of two and four classes, even
or 80 % of one, by three and five annotators who differ, in all classes alike or from class to
class: how many rows consensus and majority have right, of which a tie of the majority counts half.
Where crowd-kit is installed, its models are there too. And labels of 100 to 1,000 rows of two to
four classes by annotators who differ: how often the interval of an accuracy holds the share that is
right.

How the consensus chooses was settled on other draws, from the settings of `alike` whose places in
the three lists have an even sum, and from settings as in `unlike` with even classes.
"""

import argparse
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from hardy.annotators import find_consensus

try:
    import crowdkit.aggregation as crowdkit
except ImportError:
    crowdkit = None

N_ROWS = 100
SHARES = (0.5, 0.6, 0.8, 0.9, 0.95)
QUALITIES = (0.6, 0.7, 0.75, 0.8, 0.9)
NUMBERS = (3, 4, 5)
# Classes, annotators, rows.
INTERVALS = ((2, 3, 100), (2, 5, 1000), (3, 4, 300), (4, 5, 500), (3, 3, 1000))
RIGHT = ((0.6, 0.95), (0.95, 1.0))
N_INTERVAL_DRAWS = 40


def label(
    true: np.ndarray, qualities: np.ndarray, n_classes: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Give each annotator's labels: the true ones, or any other as likely as the rest."""
    number = qualities.shape[-1]
    wrong = (true[:, None] + rng.integers(1, n_classes, (len(true), number))) % n_classes
    is_right = rng.random(wrong.shape) < qualities
    names = [f"annotator {at}" for at in range(number)]
    return pd.DataFrame(np.where(is_right, true[:, None], wrong), columns=names)


def label_unlike(
    true: np.ndarray, number: int, n_classes: int, by_class: bool, rng: np.random.Generator
) -> pd.DataFrame:
    """Give labels of annotators who are right in 55 to 95 %, or so from class to class."""
    columns = {}
    for at in range(number):
        right = rng.uniform(0.55, 0.95, n_classes if by_class else 1) * np.ones(n_classes)
        columns[f"annotator {at}"] = label(true, right[true][:, None], n_classes, rng).iloc[:, 0]
    return pd.DataFrame(columns)


def alike(n_draws: int) -> Iterator[tuple[tuple[Any, ...], np.ndarray, pd.DataFrame]]:
    """Give settings, true labels, and the labels of annotators who are alike."""
    for share, quality, number in product(SHARES, QUALITIES, NUMBERS):
        for draw in range(n_draws):
            rng = np.random.default_rng(draw)
            true = np.zeros(N_ROWS, dtype=int)
            true[: round((1 - share) * N_ROWS)] = 1
            said = label(true, np.full(number, quality), 2, rng)
            yield (share, quality, number), true, said


def unlike(n_draws: int) -> Iterator[tuple[tuple[Any, ...], np.ndarray, pd.DataFrame]]:
    """Give settings, true labels, and the labels of annotators who differ."""
    for setting in product((2, 4), (3, 5), (100, 500), (False, True), (False, True)):
        n_classes, number, n_rows, by_class, is_uneven = setting
        for draw in range(n_draws):
            rng = np.random.default_rng(draw)
            first = 0.8 if is_uneven else 1 / n_classes
            shares = [first, *[(1 - first) / (n_classes - 1)] * (n_classes - 1)]
            true = rng.choice(n_classes, n_rows, p=shares)
            yield setting, true, label_unlike(true, number, n_classes, by_class, rng)


def share_right(said: pd.DataFrame, true: np.ndarray) -> dict[str, float]:
    """Give the share of rows that each way has right."""
    votes = np.stack([(said == code).sum(axis=1) for code in range(said.to_numpy().max() + 1)], 1)
    is_most = votes == votes.max(axis=1, keepdims=True)
    of_true = is_most[np.arange(len(true)), np.minimum(true, votes.shape[1] - 1)]
    found = {
        "consensus": float((find_consensus(said).labels == true).mean()),
        "majority": float((of_true / is_most.sum(axis=1)).mean()),
    }
    if crowdkit is not None:
        lines = said.rename_axis("task").reset_index().melt("task", None, "worker", "label")
        for name in ("DawidSkene", "OneCoinDawidSkene"):
            labels = getattr(crowdkit, name)(n_iter=100).fit_predict(lines)
            found[name] = float((labels.reindex(said.index).to_numpy() == true).mean())
    return found


def rows_right(
    draws: Iterator[tuple[tuple[Any, ...], np.ndarray, pd.DataFrame]], names: list[str]
) -> pd.DataFrame:
    """Give the mean share of rows that each way has right, by setting."""
    found = [
        dict(zip(names, setting, strict=True)) | share_right(said, true)
        for setting, true, said in draws
    ]
    return pd.DataFrame(found).groupby(names, as_index=False).mean()


def intervals_hold() -> pd.DataFrame:
    """Give the share of intervals of accuracy that hold the share that is right, by setting."""
    found = []
    for (n_classes, number, n_rows), right_in in product(INTERVALS, RIGHT):
        held = []
        for draw in range(N_INTERVAL_DRAWS):
            rng = np.random.default_rng(draw)
            true = rng.integers(n_classes, size=n_rows)
            said = label(true, rng.uniform(*right_in, number), n_classes, rng)
            right = (said.to_numpy() == true[:, None]).mean(axis=0)
            table = find_consensus(said).annotators
            held.append((table["low"] <= right) & (right <= table["high"]))
        found.append((n_classes, number, n_rows, right_in, np.mean(held)))
    return pd.DataFrame(found, columns=["classes", "annotators", "rows", "right in", "held"])


def tell(title: str, table: pd.DataFrame) -> None:
    """Print how each way compares with the majority."""
    print(f"{title}: {len(table)} settings, majority {table['majority'].mean():.1%}")
    for name in table.columns.intersection(["consensus", "DawidSkene", "OneCoinDawidSkene"]):
        more = 100 * (table[name] - table["majority"])
        print(
            f"  {name} {table[name].mean():.1%}: more than 2 points worse in {(more < -2).sum()} "
            f"({more.min():+.1f} at most), better in {(more > 2).sum()} ({more.max():+.1f})"
        )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=20, help="of each setting")
    n_draws = parser.parse_args().draws
    tell("Alike", rows_right(alike(n_draws), ["frequent class", "quality", "annotators"]))
    tell(
        "Unlike",
        rows_right(unlike(n_draws), ["classes", "annotators", "rows", "by class", "uneven"]),
    )
    print(intervals_hold().round(3).to_string(index=False))


if __name__ == "__main__":
    main()
