"""What an audit is given, in blocks: rows of any kind, their classes, folds, and a sample."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._labels import as_label_array
from hardy.audit._features import check_features
from hardy.distributed._blocks import Blocks
from hardy.distributed._collections import check_table, column_parts, table_parts
from hardy.distributed._drawing import draw_uniform, first_places
from hardy.distributed._training import encode_blocks, refuse_uneven
from hardy.exceptions import InputError
from hardy.learners._rows import stack_rows
from hardy.panel.views import Views
from hardy.tabular import TableEncoder


@dataclass(frozen=True)
class AuditedBlocks:
    """The blocks that have rows: as they were given, checked, and their class indices.

    `filled` are the numbers of these blocks among all, `sizes` the numbers of rows of the classes.
    """

    rows: Blocks
    codes: Blocks
    classes: NDArray[Any]
    sizes: NDArray[np.intp]
    lengths: list[int]
    filled: NDArray[np.intp]
    n_blocks: int

    @classmethod
    def lay_out(cls, X: Any, y: Any) -> "AuditedBlocks":
        """Check the input where it lies."""
        X = check_table(X)
        parts = table_parts(X)
        labels = Blocks(tuple(column_parts("y", y, X)))
        checked = Blocks(tuple(parts)).map(_check_part, labels, Blocks(tuple(range(len(parts)))))
        lengths = checked.gather(_n_rows)
        filled = np.flatnonzero(lengths)
        if not filled.size:
            raise InputError("X has no rows.")
        checked = checked.at(filled)
        classes, codes = encode_blocks(checked.map(_second))
        sizes = codes.total(_count_classes, len(classes))
        kept = [lengths[int(number)] for number in filled]
        return cls(checked.map(_first), codes, classes, sizes, kept, filled, len(parts))

    def draw_folds(self, n_folds: int, random_state: np.random.RandomState) -> Blocks:
        """Give each row a fold, those of a class evenly, however the rows are split.

        The rows of a class are counted through all blocks; each `n_folds` that follow each other
        are in different folds, in a rotation of their own.
        """
        n_classes = len(self.classes) + 1  # Rows without a label come last.
        seeds = random_state.randint(np.iinfo(np.int32).max, size=n_classes)
        counts = np.array(self.codes.gather(_count_all_classes, n_classes))
        before = Blocks(tuple(np.cumsum(counts, axis=0) - counts))
        return self.codes.map(_draw_folds, before, seeds, n_folds)

    def draw_sample(
        self, folds: Blocks, size: int, random_state: np.random.RandomState, **names: Any
    ) -> Any:
        """Gather some labelled rows, on average `size`, or all where they are no more."""
        share = size / int(self.sizes.sum())
        seeds = random_state.randint(np.iinfo(np.int32).max, size=2)
        firsts = first_places(self.lengths)
        chosen = self.rows.map(_choose, self.codes, folds, firsts, int(seeds[0]), share)
        return chosen.meet(_join, int(seeds[1]), names)


@dataclass(frozen=True)
class Sample:
    """Labelled rows in the forms that members ask for, their class indices and folds."""

    views: Views
    codes: NDArray[np.intp]
    folds: NDArray[np.intp]


def _check_part(X: Any, y: Any, number: int) -> tuple[Any, NDArray[Any]] | None:
    refuse_uneven(number, X, y)
    if not X.shape[0]:
        return None
    try:
        with warnings.catch_warnings():
            return check_features(X, X.shape[0])[0], as_label_array(y)
    except InputError as error:
        raise InputError(f"In block {number} of the rows, counted from 0: {error}") from None


def _first(part: tuple[Any, NDArray[Any]]) -> Any:
    return part[0]


def _second(part: tuple[Any, NDArray[Any]]) -> NDArray[Any]:
    return part[1]


def _n_rows(part: tuple[Any, NDArray[Any]] | None) -> int:
    return 0 if part is None else len(part[1])


def _count_classes(codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
    return np.bincount(codes[codes >= 0], minlength=n_classes)


def _count_all_classes(codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
    return np.bincount(codes % n_classes, minlength=n_classes)


def _draw_folds(
    codes: NDArray[np.intp], before: NDArray[np.intp], seeds: NDArray[Any], n_folds: int
) -> NDArray[np.intp]:
    folds = np.empty(len(codes), dtype=np.intp)
    for code, (first, seed) in enumerate(zip(before, seeds, strict=True)):
        rows = np.flatnonzero(codes % len(seeds) == code)
        if not rows.size:
            continue
        ranks = first + np.arange(len(rows))
        turns = ranks // n_folds
        rotations = draw_uniform(int(seed), int(turns[0]), int(turns[-1] - turns[0]) + 1)
        folds[rows] = (ranks + (n_folds * rotations[turns - turns[0]]).astype(np.intp)) % n_folds
    return folds


def _choose(
    rows: Any,
    codes: NDArray[np.intp],
    folds: NDArray[np.intp],
    first: int,
    seed: int,
    share: float,
) -> tuple[Any, NDArray[np.intp], NDArray[np.intp]]:
    chosen = codes >= 0
    if share < 1:
        chosen &= draw_uniform(seed, first, len(codes)) < share
    kept = np.flatnonzero(chosen)
    taken = rows.iloc[kept] if isinstance(rows, pd.DataFrame) else rows[kept]
    return taken, codes[kept], folds[kept]


def _join(parts: list[Any], seed: int, names: dict[str, Any]) -> Sample:
    rows, codes, folds = zip(*parts, strict=True)
    are_frames = isinstance(rows[0], pd.DataFrame)
    table = pd.concat(rows, ignore_index=True) if are_frames else stack_rows(rows)
    return Sample(
        Views(table, TableEncoder(**names), seed), np.concatenate(codes), np.concatenate(folds)
    )
