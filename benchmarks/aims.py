"""What HardyClassifier's aims gain where classes count alike, and what they cost in accuracy.

Folds, flips and rows are those of `benchmarks/protocol.py`. HardyClassifier is fitted once on each
fold; its aims differ only in what they make of the same probabilities. Cleanlab's filter over a
forest, which has the best balanced accuracy of all rivals there, and a random forest are beside it.

The development sets are run twice: as they are drawn, and with the smallest class thinned to a
twentieth of the rows (HardyClassifier alone, at three noises; of two classes also the threshold
that is best in hindsight). The aims may then be run once on the confirming sets, for which the
protocol's run has stored what the rivals can do. `benchmarks/protocol_page.py` tells of all that is
stored.

    python benchmarks/aims.py                      run what is missing on the development sets
    python benchmarks/aims.py --stage confirming   the same on the confirming sets
    python benchmarks/aims.py --estimate           only estimate the time

A cell is stored when it is finished, so that a run that was cut goes on. The data folder is named
by the environment variable HARDY_DATA.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

import hardy
import protocol  # before numpy, as it keeps libraries to one thread
from hardy.panel.base import Floats, PanelData
from hardy.panel.deciding import gains_for
from hardy.studies.scores import score_predictions
from hardy.studies.store import CellStore
from protocol import HARDY, KEYS, NOISE, STAGES, Cell, Table

RESULTS = Path(__file__).parent / "results" / "aims.csv"
AIMS = ("accuracy", "g_mean", "f1")
RIVALS = ("cleanlab, forest", "random forest")
SCORES = ["accuracy", "balanced_accuracy", "geometric_mean", "f1"]
COLUMNS = ["stage", *KEYS, *SCORES]
HINDSIGHT = "best threshold in hindsight"
RARE_SHARE, FEWEST_OF_RARE = 0.05, 10
RARE_NOISE = [("uniform", 0.1), ("uniform", 0.2), ("class_conditional", 0.2)]
SECONDS_OF_A_FIT = {HARDY: 1.1, "cleanlab, forest": 0.7, "random forest": 0.4}


class Opened(hardy.HardyClassifier):
    """HardyClassifier that shows by what it chooses the gains."""

    def _correct(self, opinion: Floats, data: PanelData) -> Floats:
        self.believed = super()._correct(opinion, data)
        self.counts = data.weights
        return self.believed


class Answers(NamedTuple):
    """What a fitted model believes of its own rows, and what it says of others."""

    believed: Floats
    given: np.ndarray
    proba: Floats
    correction: Any


def ask(cell: Cell, table: Table, fold: protocol.Fold) -> Answers:
    """Fit HardyClassifier on a training fold."""
    model = Opened(random_state=fold.seed, n_jobs=1).fit(table.X.iloc[fold.train], fold.given)
    proba = model.predict_proba(table.X.iloc[fold.test])
    return Answers(model.believed, fold.given, proba, model.noise_correction_)


def thinned(name: str) -> Table:
    """Give a set with so few rows of its smallest class that it is rare."""
    table = protocol.load(name, "drawn")
    rarest = int(np.bincount(table.codes).argmin())
    own, others = (np.flatnonzero(w) for w in (table.codes == rarest, table.codes != rarest))
    wanted = max(FEWEST_OF_RARE, round(RARE_SHARE / (1 - RARE_SHARE) * len(others)))
    rng = np.random.RandomState(protocol.make_seed("rare", name))
    rows = np.sort(np.concatenate([others, rng.permutation(own)[:wanted]]))
    return Table(
        table.X.iloc[rows].reset_index(drop=True),
        table.codes[rows],
        table.n_classes,
        table.numbers[rows],
    )


def score_aims(cell: Cell) -> Iterator[tuple[str, dict[str, float]]]:
    """Fit once on each fold; give the scores of each aim on all test folds."""
    table = thinned(cell.dataset) if cell.size == "rare" else protocol.load(*cell[:2])
    proba = np.zeros((len(table.codes), table.n_classes))
    predicted = {aim: np.zeros(len(table.codes), dtype=np.intp) for aim in AIMS}
    for fold in protocol.draw_folds(cell, table):
        answers = ask(cell, table, fold)
        proba[fold.test] = answers.proba
        for aim in AIMS:
            gains = gains_for(aim, answers.believed)
            predicted[aim][fold.test] = (answers.proba @ gains).argmax(axis=1)
    for aim in AIMS:
        yield f"{HARDY}, {aim}", scores_of(table, predicted[aim])
    if cell.size == "rare" and table.n_classes == 2:
        tried = [scores_of(table, (proba[:, 1] > t).astype(int)) for t in np.unique(proba[:, 1])]
        yield HINDSIGHT, max(tried, key=lambda scores: scores["balanced_accuracy"])


def scores_of(table: Table, predicted: np.ndarray) -> dict[str, float]:
    """Score the predictions of all rows; of two classes, F1 is the rarer one's."""
    rarest = int(np.bincount(table.codes).argmin())
    found = score_predictions(table.codes, predicted, n_classes=table.n_classes, positive=rarest)
    return {name: float(found[name]) for name in SCORES}


def list_cells(stage: str) -> list[Cell]:
    """Give all cells, of HardyClassifier first; its aims are one cell."""
    wanted = [("drawn", HARDY, NOISE)]
    if stage == "development":
        wanted.append(("drawn", RIVALS[0], NOISE))
        wanted.append(("rare", HARDY, RARE_NOISE))
        wanted.append(("drawn", RIVALS[1], NOISE))
    return [
        Cell(name, size, kind, rate, 0, method)
        for size, method, noise in wanted
        for kind, rate in noise
        for name in STAGES[stage].split()
    ]


def run(cell: Cell, stage: str, store: CellStore) -> None:
    """Measure a cell, and store a line of it for each aim."""
    if cell.method == HARDY:
        found = list(score_aims(cell))
    else:
        row = protocol.measure(cell)
        found = [(cell.method, {name: row[name] for name in ("accuracy", "balanced_accuracy")})]
    # The line that tells that the cell is finished is the last one.
    for method, scores in reversed(found):
        row = cell._replace(method=method)._asdict()
        if row not in store:
            store.append({**dict.fromkeys(COLUMNS), **row, "stage": stage, **scores})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--stage", choices=list(STAGES), default="development")
    parser.add_argument("--estimate", action="store_true", help="only estimate the time")
    options = parser.parse_args()
    store = CellStore(RESULTS, KEYS, COLUMNS, ["noise_rate", "repeat", *SCORES])
    missing = [
        cell
        for cell in list_cells(options.stage)
        if cell._replace(method=last_line(cell.method))._asdict() not in store
    ]
    seconds = protocol.N_FOLDS * sum(SECONDS_OF_A_FIT[cell.method] for cell in missing)
    print(f"{len(missing)} cells are missing: about {seconds / 60:.0f} minutes.", flush=True)
    if options.estimate:
        return
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, cell in enumerate(missing, 1):
            run(cell, options.stage, store)
            print(f"{number}/{len(missing)} {' '.join(map(str, cell))}", file=sys.stderr)


def last_line(method: str) -> str:
    """Name the line that is stored last of a cell."""
    return f"{HARDY}, {AIMS[0]}" if method == HARDY else method


if __name__ == "__main__":
    main()
