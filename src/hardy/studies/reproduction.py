"""How a paper's tables are recomputed: its cells, their store, and their evaluation."""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import metadata
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.parallel import delayed

from hardy._steps import Progress
from hardy._versions import versions_in_words
from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.studies.cells import error_in_words, make_seed, run_cells
from hardy.studies.store import CellStore

Cell = dict[str, Any]
_NOTES = ("seed", "seconds", "error", "command", "versions")
_RIVALS = ("imbalanced-learn", "lightgbm")


class Reproduction(ABC):
    """A published study, cut into cells that are evaluated one by one.

    A study says which cells there are, how one is evaluated, and makes tables and figures of those
    that are finished. The quick cells come first among all cells, so that a full run goes on from a
    quick one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    # The columns that tell cells apart, and those of them that the seed is made of.
    keys: ClassVar[tuple[str, ...]]
    seeded_by: ClassVar[tuple[str, ...]]
    measures: ClassVar[tuple[str, ...]]

    @abstractmethod
    def cells(self, *, quick: bool) -> list[Cell]:
        """List the cells: a value for each of `keys`, the quick ones first."""

    @abstractmethod
    def load(self, cell: Cell, data_home: str | None) -> Any:
        """Give the cell's data; those of a second cell on the same data cost nothing."""

    @abstractmethod
    def evaluate(self, cell: Cell, data: Any) -> dict[str, float]:
        """Give the cell's measures."""

    @abstractmethod
    def tables(self, results: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Make tables of the finished cells, the main one first."""

    @abstractmethod
    def figures(self, results: pd.DataFrame, data_home: str | None) -> dict[str, Any]:
        """Draw the figures: matplotlib's, by name."""

    def seed(self, cell: Cell) -> int:
        """Give the seed of a cell, which methods to be compared share."""
        return make_seed(*(cell[key] for key in self.seeded_by))

    def open_store(self, path: str | os.PathLike[str]) -> CellStore:
        """Open the file of finished cells.

        Parameters
        ----------
        path : path-like
            A CSV file; it is made with the first cell.

        Returns
        -------
        CellStore
            The finished cells.

        Raises
        ------
        InputError
            Where the file is damaged, or holds what is no cell of this study.
        """
        first = self.cells(quick=True)[0]
        counts = [key for key in self.keys if isinstance(first[key], int)]
        numbers = [*counts, *self.measures, "seed", "seconds"]
        store = CellStore(path, self.keys, [*self.keys, *self.measures, *_NOTES], numbers)
        self._check(store)
        return store

    def _check(self, store: CellStore) -> None:
        """Refuse lines that no run of this study has written."""
        results = store.frame
        known = {tuple(cell[key] for key in self.keys) for cell in self.cells(quick=False)}
        found = results[list(self.keys)].itertuples(index=False, name=None)
        is_foreign = np.array([key not in known for key in found], dtype=bool)
        measured = results[list(self.measures)].to_numpy(dtype=np.float64)
        is_odd = ~(np.isfinite(measured) & (measured >= 0)).all(axis=1)
        for rows, what in (
            (is_foreign, "holds no cell of this study"),
            (is_odd & results["error"].isna(), "has a figure that is missing or impossible"),
        ):
            if rows.any():
                # The first line holds the names of the columns.
                line = int(np.flatnonzero(rows)[0]) + 2
                raise InputError(
                    f"{store.path} is damaged: line {line} {what}. Mend or remove the line."
                )

    def run(
        self,
        store: CellStore,
        *,
        quick: bool = False,
        data_home: str | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Evaluate what isn't finished yet, and store each cell at once.

        Parameters
        ----------
        store : CellStore
            As `open_store` gives it.
        quick : bool, default=False
            Whether to stop after the quick cells.
        data_home : str, optional
            A folder in which data sets are looked for first.
        n_jobs : int, optional
            The number of jobs, as in joblib. No figure but the times depends on it.
        progress : callable, optional
            Called with what was done, the number of cells done, and their total.

        Raises
        ------
        InputError
            Where a data set can't be found, or the file can't be written.
        """
        cells = self.cells(quick=quick)
        waiting = [cell for cell in cells if cell not in store]
        for cell in waiting:
            # What is missing is told before the work begins.
            self.load(cell, data_home)
        rows = run_cells(
            [delayed(_evaluate)(self, cell, data_home) for cell in waiting],
            lambda row: " ".join(str(row[key]) for key in self.keys),
            stored=store,
            n_done=len(cells) - len(waiting),
            n_jobs=n_jobs,
            progress=progress,
        )
        for _ in rows:
            pass


def _evaluate(study: Reproduction, cell: Cell, data_home: str | None) -> dict[str, Any]:
    row = {
        **cell,
        **dict.fromkeys((*study.measures, *_NOTES)),
        "seed": study.seed(cell),
        "command": f"hardy reproduce {study.name}",
        "versions": " ".join([versions_in_words(), *_rival_versions()]),
    }
    data = study.load(cell, data_home)
    start = time.perf_counter()
    try:
        row |= study.evaluate(cell, data)
    except Exception as error:  # Whatever a method may raise is its result.
        row["error"] = error_in_words(error)
    row["seconds"] = round(time.perf_counter() - start, 3)
    return row


@cache
def _rival_versions() -> list[str]:
    """Give the versions of what rivals come from, where it is installed."""
    found = []
    for name in _RIVALS:
        with suppress(metadata.PackageNotFoundError):
            found.append(f"{name}={metadata.version(name)}")
    return found


def accuracy_under_noise(
    make: Callable[[int], Any],
    X: NDArray[np.float64],
    y: NDArray[Any],
    *,
    noise_rate: float,
    n_folds: int,
    seed: int,
) -> float:
    """Cross-validate while labels of the training folds are flipped.

    Parameters
    ----------
    make : callable
        Makes the classifier of a seed.
    X : ndarray of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,)
        The true labels.
    noise_rate : float
        The probability that a training label becomes one of the others.
    n_folds : int
        The number of stratified folds.
    seed : int
        Seeds the folds; with the rate and the fold, the flips and the classifiers.

    Returns
    -------
    float
        The mean over the folds of the share of right predictions, in percent.
    """
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    scores = []
    for fold, (train, test) in enumerate(folds.split(X, y)):
        place = make_seed(seed, noise_rate, fold)
        noisy, _ = flip_labels(y[train], noise_rate, random_state=place)
        model = make(place).fit(X[train], noisy)
        scores.append(np.mean(model.predict(X[test]) == y[test]))
    return float(100 * np.mean(scores))


def settle(cells: Iterable[Cell], is_quick: Callable[[Cell], bool], *, quick: bool) -> list[Cell]:
    """Put the quick cells first, each group in its own order; leave the others out if asked to."""
    ordered = sorted(cells, key=lambda cell: not is_quick(cell))
    return [cell for cell in ordered if is_quick(cell)] if quick else ordered
