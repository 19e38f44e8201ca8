"""How often findings are wrong: what is told of random tables, and of sets as they are.

Random tables have normal columns, and labels, groups and probabilities that are drawn without
regard to them. No panel is asked, since no finding but that of uneven groups depends on what looks
wrong; there the rows are suspects by chance.

    python benchmarks/findings.py    print the figures of docs/guide/findings.md

The data folder is named by the environment variable HARDY_DATA.
"""

import warnings
from collections import Counter

import numpy as np

import hardy
from detection import REAL, data_folder, load_table

N_TABLES, N_ROWS, N_COLUMNS = 100, 200, 4


def told(X: object, y: np.ndarray, **more: object) -> Counter[str]:
    """Count the findings of each kind, of classes that the rows are given at random."""
    n_classes = len(np.unique(y))
    proba = np.random.default_rng(len(y)).dirichlet(np.ones(n_classes), size=len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        audit = hardy.audit_labels(X, y, pred_proba=proba, random_state=0, **more)
    return Counter(finding.kind for finding in audit.findings)


def of_chance(n_classes: int, n_groups: int) -> Counter[str]:
    """Count the random tables of which each kind is told."""
    tables: Counter[str] = Counter()
    for seed in range(N_TABLES):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(N_ROWS, N_COLUMNS)), rng.integers(n_classes, size=N_ROWS)
        groups = rng.integers(n_groups, size=N_ROWS).astype(str)
        tables.update(set(told(X, y, groups=groups)))
    return tables


def main() -> None:
    """Count, and print."""
    found = of_chance(5, 8)
    print(f"{N_TABLES} random tables of 5 labels and 8 groups: {dict(found)}", flush=True)
    sets = sorted(path.stem for path in (data_folder() / "uci").glob("*.csv"))
    for name in (*sets, *REAL):
        X, given, _ = load_table(name)
        print(name, dict(told(X, np.asarray(given))), flush=True)


if __name__ == "__main__":
    main()
