"""The time of a fit of HardyClassifier on many rows, beside that of a forest of 300 trees.

Processor seconds, one thread each. The rows are normal, the first ten of 20 columns tell the label,
and 10 % of the labels are flipped. The load of the machine is kept beside the times.

    python benchmarks/fit_time.py [--rows 100000] [--write]
"""

import os

# Before anything loads a library that makes threads of its own.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from hardy import HardyClassifier
from hardy._versions import versions_in_words
from hardy.noise import flip_labels

RESULTS = Path(__file__).parent / "results" / "fit_time.csv"
N_COLUMNS, N_TELLING, FLIPPED = 20, 10, 0.1
MODELS: dict[str, Any] = {
    "random forest": RandomForestClassifier(300, random_state=0),
    "HardyClassifier": HardyClassifier(random_state=0, n_jobs=1),
}


def make_rows(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).normal(size=(n_rows, N_COLUMNS))
    y = (X[:, :N_TELLING].sum(axis=1) > 0).astype(int)
    return X, flip_labels(y, FLIPPED, random_state=0)[0]


def seconds_of_fit(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def main() -> None:
    """Measure, print, and write the table where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--write", action="store_true", help="keep the result")
    asked = parser.parse_args()
    rows = []
    with threadpool_limits(1):
        for model in MODELS.values():  # Everything is compiled before time is taken.
            model.fit(*make_rows(100))
        X, y = make_rows(asked.rows)
        for name, model in MODELS.items():
            rows.append(
                {
                    "method": name,
                    "n_rows": asked.rows,
                    "n_columns": N_COLUMNS,
                    "fit_seconds": round(seconds_of_fit(model, X, y), 2),
                    "load": round(os.getloadavg()[0], 1),
                    "versions": versions_in_words(),
                }
            )
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    if asked.write:
        table.to_csv(RESULTS, index=False)


if __name__ == "__main__":
    main()
