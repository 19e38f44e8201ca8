"""How good the consensus of several annotators is on labels made for it, beside the majority's.

    python benchmarks/annotators.py

Labels of 100 rows of two classes, 50:50 to 95:5, by three to five annotators who are right in 60 to
90 % of the rows, alike in all classes: how many rows consensus and majority have right, of which a
tie of the majority counts half. And labels of 100 to 1,000 rows of two to four classes by
annotators who differ: how often the interval of an accuracy holds the share that is right.
"""

from itertools import product

import numpy as np
import pandas as pd

from hardy.annotators import find_consensus

N_ROWS, N_DRAWS = 100, 20
SHARES = (0.5, 0.6, 0.8, 0.9, 0.95)
QUALITIES = (0.6, 0.7, 0.75, 0.8, 0.9)
NUMBERS = (3, 4, 5)
# Classes, annotators, rows.
INTERVALS = ((2, 3, 100), (2, 5, 1000), (3, 4, 300), (4, 5, 500), (3, 3, 1000))
N_INTERVAL_DRAWS = 40


def label(
    true: np.ndarray, qualities: np.ndarray, n_classes: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Give each annotator's labels: the true ones, or any other as likely as the rest."""
    wrong = (true[:, None] + rng.integers(1, n_classes, (len(true), len(qualities)))) % n_classes
    is_right = rng.random(wrong.shape) < qualities
    names = [f"annotator {at}" for at in range(len(qualities))]
    return pd.DataFrame(np.where(is_right, true[:, None], wrong), columns=names)


def rows_right() -> pd.DataFrame:
    """Give the share of rows that consensus and majority have right, by setting."""
    found = []
    for share, quality, number in product(SHARES, QUALITIES, NUMBERS):
        ours, theirs = [], []
        for draw in range(N_DRAWS):
            rng = np.random.default_rng(draw)
            true = np.zeros(N_ROWS, dtype=int)
            true[: round((1 - share) * N_ROWS)] = 1
            said = label(true, np.full(number, quality), 2, rng)
            votes = said.to_numpy().mean(axis=1)
            ours.append((find_consensus(said).labels == true).mean())
            theirs.append(np.where(votes == 0.5, 0.5, (votes > 0.5) == true).mean())
        found.append((share, quality, number, np.mean(ours), np.mean(theirs)))
    columns = ["frequent class", "quality", "annotators", "consensus", "majority"]
    return pd.DataFrame(found, columns=columns)


def intervals_hold() -> pd.DataFrame:
    """Give the share of intervals of accuracy that hold the share that is right, by setting."""
    found = []
    for n_classes, number, n_rows in INTERVALS:
        held = []
        for draw in range(N_INTERVAL_DRAWS):
            rng = np.random.default_rng(draw)
            true = rng.integers(n_classes, size=n_rows)
            said = label(true, rng.uniform(0.6, 0.95, number), n_classes, rng)
            right = (said.to_numpy() == true[:, None]).mean(axis=0)
            table = find_consensus(said).annotators
            held.append((table["low"] <= right) & (right <= table["high"]))
        found.append((n_classes, number, n_rows, np.mean(held)))
    return pd.DataFrame(found, columns=["classes", "annotators", "rows", "held"])


def main() -> None:
    """Measure, and print."""
    table = rows_right()
    more = table["consensus"] - table["majority"]
    means = table[["consensus", "majority"]].mean()
    print(f"{len(table)} settings: consensus {means.consensus:.1%}, majority {means.majority:.1%}")
    print(f"More than 2 points worse in {(more < -0.02).sum()}, {100 * more.min():+.1f} at most;")
    print(f"more than 2 points better in {(more > 0.02).sum()}, {100 * more.max():+.1f} at most.")
    print(table.assign(more=more).sort_values("more").round(3).head(15).to_string(index=False))
    print(intervals_hold().round(3).to_string(index=False))


if __name__ == "__main__":
    main()
