"""HardyClassifier against what people use today, while training labels are wrong.

Ten development sets, on which HardyClassifier was made, and fifteen confirming sets, on which it
was not (twelve of these were seen once, in the study that it began with). At most 1,000 rows of
each, by a stratified draw that keeps 10 rows of a class; smaller classes are dropped. Four sets are
taken at their full size too. Five folds; labels are flipped in training folds only, the same ones
for all methods, and the scores are taken on the true labels of all test folds together. A rival's
settings are chosen once for each set, by inner validation on its clean labels. Every fit has one
thread; times are of the processor.

A cell is one method on one set under one noise; each is stored when it is finished, in a file of
its method under `results/protocol/`, so that a run that was cut goes on, and so that several runs
may go on beside each other with `--only`.

    python benchmarks/protocol.py                      estimate the time, then run what is missing
    python benchmarks/protocol.py --only LightGBM      one method (may be repeated)
    python benchmarks/protocol.py --sets pima liver    some of the sets
    python benchmarks/protocol.py --stage development  the development sets; by default confirming
    python benchmarks/protocol.py --estimate           only estimate the time

`benchmarks/protocol_page.py` makes tables, tests and diagrams of what is stored. The data folder is
named by the environment variable HARDY_DATA.
"""

import os

# Before anything loads a library that makes threads of its own.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import argparse
import json
import sys
import time
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from threadpoolctl import threadpool_limits

import hardy
from _rivals import RIVALS, make_rival
from hardy._versions import versions_in_words
from hardy.datasets import fetch_uci
from hardy.metrics import expected_calibration_error
from hardy.noise import flip_labels
from hardy.studies.cells import error_in_words, make_seed
from hardy.studies.scores import score_predictions
from hardy.studies.store import CellStore
from hardy.tabular import TableEncoder

FOLDER = Path(__file__).parent / "results" / "protocol"
SETTINGS = FOLDER / "settings.csv"
HARDY = "HardyClassifier"
METHODS = [*RIVALS, HARDY]
STAGES = {
    "development": "wdbc pima ionosphere glass vertebral ilpd vehicle sonar phoneme haberman",
    "confirming": "liver transfusion ecoli yeast vowel_990 satimage ctg cancer german banknote "
    "spambase page_blocks thyroid mammography abalone19",
}
WHOLE = ["page_blocks", "abalone19", "thyroid", "mammography"]
# What matters most comes first, as a run may be cut.
NOISE = [
    ("uniform", 0.0),
    ("uniform", 0.2),
    ("class_conditional", 0.2),
    ("uniform", 0.4),
    ("uniform", 0.1),
    ("uniform", 0.3),
    ("feature_dependent", 0.2),
]
N_FOLDS, N_REPEATS = 5, 2
MOST_ROWS, FEWEST_OF_A_CLASS = 1_000, 10
KEYS = ["dataset", "size", "kind", "noise_rate", "repeat", "method"]
SCORES = ["accuracy", "balanced_accuracy", "log_loss", "average_precision", "calibration_error"]
NUMBERS = [*SCORES, "n_rows", "fit_seconds", "seed"]
COLUMNS = [*KEYS, *NUMBERS, "error", "versions"]
# Processor seconds of a fit on 800 rows, where nothing is known yet.
GUESS = {"stacking": 5.0, "cleanlab, LightGBM": 3.0, "cleanlab, forest": 1.5, HARDY: 3.0}
USUAL_GUESS = 0.5


class Cell(NamedTuple):
    """One method on one set under one noise."""

    dataset: str
    size: str
    kind: str
    noise_rate: float
    repeat: int
    method: str


class Table(NamedTuple):
    """The rows of one set, as drawn."""

    X: pd.DataFrame
    codes: np.ndarray
    n_classes: int
    numbers: np.ndarray


def list_cells(stage: str, methods: list[str], sets: list[str] | None) -> Iterator[Cell]:
    """Give all cells, the most important ones first."""
    names = [name for name in STAGES[stage].split() if sets is None or name in sets]
    sizes = [("drawn", names), ("whole", [n for n in WHOLE if n in names])]
    for size, of_size in sizes:
        for repeat in range(N_REPEATS if size == "drawn" else 1):
            for kind, rate in NOISE:
                for name in of_size:
                    for method in methods:
                        if method == HARDY or RIVALS[method].affordable(count_rows(name, size)):
                            yield Cell(name, size, kind, rate, repeat, method)


@cache
def load(name: str, size: str) -> Table:
    """Draw the rows of a set: a stratified draw with rows of every class, or all rows."""
    X, y = fetch_uci(name, return_X_y=True)
    codes = np.unique(y, return_inverse=True)[1]
    counts = np.bincount(codes)
    kept = np.flatnonzero(counts >= FEWEST_OF_A_CLASS)
    share = 1.0 if size == "whole" else min(1.0, MOST_ROWS / counts[kept].sum())
    rng = np.random.RandomState(make_seed(name))
    drawn = [
        rng.permutation(np.flatnonzero(codes == code))[
            : max(FEWEST_OF_A_CLASS, round(share * counts[code]))
        ]
        for code in kept
    ]
    rows = np.sort(np.concatenate(drawn))
    X = X.iloc[rows].reset_index(drop=True)
    codes = np.searchsorted(kept, codes[rows])
    return Table(X, codes, len(kept), TableEncoder().fit_transform(X))


@cache
def count_rows(name: str, size: str) -> int:
    return len(load(name, size).codes)


def open_store(method: str) -> CellStore:
    numbers = ["noise_rate", "repeat", *NUMBERS]
    file = method.lower().replace(", ", "_").replace(" ", "_") + ".csv"
    return CellStore(FOLDER / file, KEYS, COLUMNS, numbers)


def choose_settings(name: str, size: str, method: str) -> dict[str, Any]:
    """Choose a rival's settings by inner validation on clean labels, once for each set."""
    if method == HARDY or not RIVALS[method].grid:
        return {}
    store = CellStore(
        SETTINGS, ["dataset", "size", "method"], ["dataset", "size", "method", "settings"]
    )
    key = {"dataset": name, "size": size, "method": method}
    if key not in store:
        table = load(name, size)
        seed = make_seed("settings", name, size)
        folds = StratifiedKFold(3, shuffle=True, random_state=seed)
        search = GridSearchCV(
            RIVALS[method].make(seed, len(table.codes)),
            dict(RIVALS[method].grid),
            scoring="accuracy",
            cv=folds,
            refit=False,
        )
        search.fit(table.numbers, table.codes)
        store.append({**key, "settings": json.dumps(search.best_params_)})
    return dict(json.loads(store.select([key])["settings"][0]))


def make_method(cell: Cell, seed: int, n_rows: int) -> Any:
    if cell.method == HARDY:
        return hardy.HardyClassifier(random_state=seed, n_jobs=1)
    return make_rival(
        cell.method, seed, n_rows, choose_settings(cell.dataset, cell.size, cell.method)
    )


class Fold(NamedTuple):
    """The positions of training and test rows, and the labels that are given for training."""

    train: np.ndarray
    test: np.ndarray
    given: np.ndarray
    seed: int


def draw_folds(cell: Cell, table: Table) -> Iterator[Fold]:
    """Give the same folds and flips for all methods."""
    seed = make_seed(*cell[:-1])
    fold_seed = make_seed(cell.dataset, cell.size, cell.repeat)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=fold_seed)
    for number, (train, test) in enumerate(folds.split(table.codes, table.codes)):
        given, _ = flip_labels(
            table.codes[train],
            cell.noise_rate,
            kind=cell.kind,
            X=table.numbers[train] if cell.kind == "feature_dependent" else None,
            random_state=seed + number,
        )
        yield Fold(train, test, given, seed + number)


def measure(cell: Cell) -> dict[str, Any]:
    """Fit one method on every training fold; score all test folds together."""
    table = load(cell.dataset, cell.size)
    proba = np.zeros((len(table.codes), table.n_classes))
    predicted = np.zeros(len(table.codes), dtype=np.intp)
    row: dict[str, Any] = dict.fromkeys(COLUMNS) | cell._asdict()
    row |= {"n_rows": len(table.codes), "seed": make_seed(*cell[:-1]), "versions": versions()}
    seconds = []
    try:
        for fold in draw_folds(cell, table):
            model = make_method(cell, fold.seed, len(fold.train))
            start = time.process_time()
            model.fit(table.X.iloc[fold.train], fold.given)
            seconds.append(time.process_time() - start)
            X_test = table.X.iloc[fold.test]
            proba[np.ix_(fold.test, model.classes_)] = model.predict_proba(X_test)
            predicted[fold.test] = model.predict(X_test)
    except Exception as error:  # Whatever a method may raise is its result.
        row["error"] = error_in_words(error)
        return row
    scores = score_predictions(table.codes, predicted, proba, n_classes=table.n_classes)
    rarest = int(np.bincount(table.codes).argmin())
    return row | {
        "accuracy": scores["accuracy"],
        "balanced_accuracy": scores["balanced_accuracy"],
        "log_loss": scores["log_loss"],
        "average_precision": average_precision_score(table.codes == rarest, proba[:, rarest]),
        "calibration_error": expected_calibration_error(table.codes, proba),
        "fit_seconds": round(float(np.mean(seconds)), 4),
    }


@cache
def versions() -> str:
    rivals = ("lightgbm", "cleanlab", "imbalanced-learn")
    return " ".join([versions_in_words(), *(f"{p}={metadata.version(p)}" for p in rivals)])


def estimate_seconds(cells: list[Cell], stores: dict[str, CellStore]) -> float:
    """Tell how long some cells will take, by those of the same method that are finished."""
    total = 0.0
    for method, store in stores.items():
        done = store.frame
        rate = GUESS.get(method, USUAL_GUESS) / 800
        if len(done):
            rate = done["fit_seconds"].sum() / done["n_rows"].sum() / (1 - 1 / N_FOLDS)
        rows = sum(count_rows(cell.dataset, cell.size) for cell in cells if cell.method == method)
        # Predictions and the choice of settings come on top.
        total += 1.1 * rate * rows * (N_FOLDS - 1)
    return total


def warm_up() -> None:
    """Have everything compiled before time is taken."""
    X = np.random.RandomState(0).normal(size=(60, 3))
    for n_classes in (2, 3):
        y = np.arange(60) % n_classes
        for name in ("hardness bagging", "NR boosting"):
            make_rival(name, 0, len(y), {}).fit(X, y).predict(X)
        hardy.HardyClassifier(random_state=0).fit(X, y).predict(X)


def run(cells: list[Cell], stores: dict[str, CellStore]) -> None:
    warm_up()
    for number, cell in enumerate(cells, 1):
        row = measure(cell)
        stores[cell.method].append(row)
        found = row["error"] or f"{row['accuracy']:.3f} {row['fit_seconds']:.2f} s"
        print(f"{number}/{len(cells)} {' '.join(map(str, cell))}: {found}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", choices=METHODS, help="run one method")
    parser.add_argument("--sets", nargs="*", help="some of the sets; all by default")
    parser.add_argument("--stage", choices=list(STAGES), default="confirming")
    parser.add_argument("--estimate", action="store_true", help="only estimate the time")
    options = parser.parse_args()
    methods = options.only or METHODS
    stores = {method: open_store(method) for method in methods}
    cells = [
        cell
        for cell in list_cells(options.stage, methods, options.sets)
        if cell._asdict() not in stores[cell.method]
    ]
    hours = estimate_seconds(cells, stores) / 3600
    print(f"{len(cells)} cells are missing: about {hours:.1f} hours of one processor.", flush=True)
    if not options.estimate:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(cells, stores)


if __name__ == "__main__":
    main()
