"""A fit that needs less memory than its table: what is kept where, and what memory it needs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from hardy._cut_off import Clock, working_place
from hardy._memory import give_back, held_memory, parse_memory_limit, written_limit, written_size
from hardy._shelf import DiskShelf, blocks, release, releasing
from hardy._steps import OF_STORING, Progress, Step
from hardy._versions import used_versions
from hardy.ensembles import NoiseReducingBoostClassifier
from hardy.ensembles._base import BaseBoostClassifier
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model
from hardy.tabular import LabelledTable, Table, make_table_classifier
from hardy.tabular._long_texts import digest
from hardy.tabular.stored import StoredFrame
from hardy.tabular.streaming import estimate_shape, stream_table

Learn = Callable[[LabelledTable, Any, NDArray[Any]], Pipeline]

_SHARES = {
    **OF_STORING,
    Step.ENCODING: (0.2, 0.3),
    Step.FITTING: (0.3, 1.0),
}
# Bytes beside the libraries, for each row, and for each row and class where a classifier knows of
# no other number; for each row and column where all rows are held in memory.
_LEAST, _PER_ROW, _PER_CLASS, _PER_CELL = 150_000_000, 300, 80, 64
# What may be read before somebody looks how much there is.
_SLACK = 128_000_000
# Columns whose mean is found at once take about so much.
_SCALED_AT_ONCE = 8_000_000
_ENCODED = "encoding"
# Of the rows that a file seems to have by its first lines so many are there at least.
_SURE_SHARE = 0.8


def learns_where_rows_lie(classifier: Any) -> bool:
    """Whether a classifier makes no copy of its rows, so that they may lie on disk."""
    if isinstance(classifier, BaseBoostClassifier):
        return classifier._learns_where_rows_lie()
    return getattr(classifier, "_reads_in_place", False) and is_classifier(classifier)


@dataclass(frozen=True)
class Budget:
    """A limit of memory, in bytes, and what of it a classifier would need.

    `base` is what the process holds already: interpreter, libraries, and what else it keeps.
    """

    limit: int
    base: int
    classifier: Any

    @property
    def most_mapped(self) -> int:
        """The memory above which what was read of files is to be given back."""
        return self.limit - _SLACK

    def check_file(self, path: Path) -> None:
        """Refuse a limit that is clearly too small for a file, before it is read."""
        n_rows, n_columns = estimate_shape(path)
        lower = self._needs(int(_SURE_SHARE * n_rows), n_columns, 2)
        if self.limit < lower[not learns_where_rows_lie(self.classifier)]:
            self.check(n_rows, n_columns)

    def _needs(self, n_rows: int, n_columns: int, n_classes: int) -> tuple[int, int]:
        """Give the memory that is needed where rows lie on disk, and where they don't."""
        per_class = getattr(self.classifier, "_bytes_per_class", _PER_CLASS)
        per_row = _PER_ROW + per_class * (n_classes - 2) + n_columns
        on_disk = self.base + _LEAST + n_rows * per_row
        return on_disk, on_disk + n_rows * n_columns * _PER_CELL

    def check(self, n_rows: int = 0, n_columns: int = 0, n_classes: int = 2) -> None:
        """Refuse a limit that is too small, and say what would do.

        Before the table is read all numbers are those of an empty one.
        """
        on_disk, in_memory = self._needs(n_rows, n_columns, n_classes)
        by_parts = learns_where_rows_lie(self.classifier)
        needed = on_disk if by_parts else in_memory
        if self.limit >= needed:
            return
        limit, name = written_limit(self.limit), type(self.classifier).__name__
        if not n_rows:
            raise InputError(
                f"A memory limit of {limit} is too small: the libraries alone take "
                f"{written_size(self.base)}, and {name} needs about {written_size(needed)} in all, "
                "and more for long tables."
            )
        remedy = "give that"
        if not by_parts:
            instead = NoiseReducingBoostClassifier.__name__
            remedy += f", or use {instead}, which needs about {written_size(on_disk)}"
        raise InputError(
            f"A memory limit of {limit} is too small: {name} needs about {written_size(needed)} "
            f"for {n_rows:,} rows of {n_columns} columns; {remedy}."
        )


@contextmanager
def naming_learner(classifier: Any, path: Path) -> Iterator[None]:
    """Say what can't learn from which file."""
    try:
        yield
    except ValueError as error:
        raise InputError(f"{type(classifier).__name__} can't learn from {path}: {error}") from error


@contextmanager
def within_limit(
    path: Path,
    output: Path,
    memory_limit: object,
    classifier: Any,
    options: object,
    progress: Progress | None,
) -> Iterator[tuple[Callable[..., Table], Learn]]:
    """Give what reads a table into a place on disk, and what learns from it there.

    Parameters
    ----------
    path, output : Path
        The table's file, and that of the model.
    memory_limit : str or int
        As :func:`hardy.fitting.fit_file` takes it.
    classifier : classifier
        What is to be fitted.
    options : object
        Whatever else the model depends on, as its `repr` tells.
    progress : callable or None
        Called with a text, how much is done, and how much there is.

    Yields
    ------
    reader, learn : callables
        As :func:`hardy.tabular.read_table`; and what is given the table, the rows with a label and
        their labels, and gives the fitted model.
    """
    budget = Budget(parse_memory_limit(memory_limit), held_memory(), classifier)
    budget.check()
    budget.check_file(path)
    clock = Clock(progress, _SHARES)
    sha256 = digest(path, clock.tell)
    settings = {name: repr(value) for name, value in classifier.get_params().items()}
    facts = {
        "sha256": sha256,
        "options": repr((options, type(classifier).__name__, settings)),
        "versions": used_versions(),
    }

    def read(path: Path, **named: Any) -> Table:
        return stream_table(path, shelf, sha256, clock.tell, **named)

    def learn(given: LabelledTable, features: StoredFrame, labels: NDArray[Any]) -> Pipeline:
        n_classes = len(given.facts.classes)
        n_rows, n_columns = features.shape
        budget.check(n_rows, n_columns, n_classes)
        model = make_table_classifier(classifier, keep=given.keep, text=given.text)
        if not learns_where_rows_lie(classifier):
            clock.tell(f"{Step.FITTING} {type(classifier).__name__}", 0, 1)
            with naming_learner(classifier, path):
                return model.fit(features.take(np.arange(len(features))), labels)
        encoded, rows = _encode(model, features, shelf, budget, clock)
        budget.check(n_rows, rows.shape[1], n_classes)
        with releasing(rows, budget.most_mapped), naming_learner(classifier, path):
            _fit(classifier, np.asarray(rows), labels, KeptMembers(shelf, clock, classifier))
        return Pipeline([*encoded.steps, ("classifier", classifier)])

    with working_place(output, facts) as shelf:
        yield read, learn


def _encode(
    model: Pipeline, features: StoredFrame, shelf: DiskShelf, budget: Budget, clock: Clock
) -> tuple[Pipeline, NDArray[np.float64]]:
    """Fit encoder and scaler, and give them with the rows that they make, which lie on disk."""
    path = shelf.folder / f"{_ENCODED}.hardy"
    if shelf.is_done(_ENCODED):
        encoded = load_model(path).model
        shape = len(features), encoded["scaler"].n_features_in_
        return encoded, shelf.zeros(_ENCODED, shape)
    encoder = model["encoder"].fit_stored(features)
    rows = shelf.zeros(_ENCODED, (len(features), len(encoder.get_feature_names_out())))
    done = 0
    for block in features.blocks():
        rows[done : done + len(block)] = encoder.transform(block)
        release(rows)
        done += len(block)
        clock.tell(Step.ENCODING, done, len(features))
    with releasing(rows, budget.most_mapped):
        scaler = fit_scaler(model["scaler"], rows)
    for some in blocks(len(rows)):
        rows[some] = scaler.transform(rows[some])
        release(rows)
    encoded = Pipeline([("encoder", encoder), ("scaler", scaler)])
    save_model(encoded, path)
    shelf.finish(_ENCODED, rows)
    return encoded, rows


def fit_scaler(scaler: StandardScaler, rows: NDArray[np.float64]) -> StandardScaler:
    """Fit a scaler on a few columns at a time, which gives the digits of all at once.

    A single column of a matrix would be summed in another order than several are.
    """
    n_rows, n_columns = rows.shape
    width = min(n_columns, max(2, _SCALED_AT_ONCE // (8 * n_rows)))
    found = {name: np.empty(n_columns) for name in ("mean_", "var_", "scale_")}
    for start in range(0, n_columns, width):
        first = min(start, n_columns - width)
        some = slice(first, first + width)
        scaler.fit(np.array(rows[:, some], order="C"))
        for name, values in found.items():
            values[some] = getattr(scaler, name)
        give_back()
    for name, values in found.items():
        setattr(scaler, name, values)
    scaler.n_features_in_ = n_columns
    return scaler


def _fit(classifier: Any, rows: Any, labels: NDArray[Any], fit_member: "KeptMembers") -> None:
    if not isinstance(classifier, BaseBoostClassifier):
        fit_member.tell()
        classifier.fit(rows, labels)
        return
    classifier._fit_member = fit_member
    try:
        classifier.fit(rows, labels)
    finally:
        del classifier._fit_member


class KeptMembers:
    """Fits members, each of which is a step that is done once, in this run or one before.

    They are asked for in the same order in every run, with the same parameters and weights.
    """

    def __init__(self, shelf: DiskShelf, clock: Clock, classifier: Any) -> None:
        self._shelf, self._clock = shelf, clock
        self._name = type(classifier).__name__
        self._n_members = getattr(classifier, "n_estimators", 1)
        self._number = 0

    def __call__(self, member: Any, X: Any, y: Any, weights: NDArray[np.float64]) -> Any:
        """Give the member fitted on all rows."""
        self.tell()
        step = f"member {self._number}"
        self._number += 1
        path = self._shelf.folder / f"{step}.hardy"
        if self._shelf.is_done(step):
            return load_model(path).model
        member.fit(X, y, sample_weight=weights)
        save_model(member, path)
        self._shelf.finish(step)
        return member

    def tell(self) -> None:
        """Tell how many members there are."""
        done = min(self._number, self._n_members)
        self._clock.tell(f"{Step.FITTING} {self._name}", done, self._n_members)
