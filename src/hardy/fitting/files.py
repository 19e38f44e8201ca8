"""From the file of a table to the file of a model."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from hardy._files import as_path
from hardy._labels import as_label_array
from hardy._steps import Progress
from hardy.ensembles import NoiseReducingBoostClassifier
from hardy.fitting._within import Learn, naming_learner, within_limit
from hardy.saving import save_model
from hardy.tabular import (
    LabelledTable,
    Table,
    make_table_classifier,
    read_labelled_table,
    read_table,
)
from hardy.tabular.stored import StoredFrame
from hardy.tabular.unread import UnreadCells, find_unread_cells


@dataclass(frozen=True)
class FittedFile:
    r"""What :func:`fit_file` has made.

    Attributes
    ----------
    model : Pipeline
        The encoder, the scaler and the classifier, fitted.
    given : LabelledTable
        The table, its labels and their facts. Where memory was limited its rows aren't to be had
        any more.
    unread : list of UnreadCells
        The cells that count as missing because they can't be read as what their column holds.
    learnt_from : Table
        The rows with a label, which `unread` counts.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy import DecisionStumpClassifier
    >>> from hardy.fitting import fit_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, model = Path(folder, "fruit.csv"), Path(folder, "fruit.hardy")
    ...     _ = path.write_text("size,label\n" + "1.5,plum\n2.5,apple\n" * 5)
    ...     fitted = fit_file(path, "label", DecisionStumpClassifier(), output=model)
    >>> fitted.given.facts.classes.tolist(), len(fitted.unread)
    (['apple', 'plum'], 0)
    """

    model: Pipeline
    given: LabelledTable
    unread: list[UnreadCells]
    learnt_from: Table


def fit_file(
    path: str | os.PathLike[str],
    target: str,
    estimator: Any = None,
    *,
    output: str | os.PathLike[str],
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    text: Sequence[str] = (),
    encoding: str | None = None,
    memory_limit: str | int | None = None,
    progress: Progress | None = None,
) -> FittedFile:
    r"""Train a classifier on a table in a file, and save it.

    This is what ``hardy fit`` does. Rows without a label are left out.

    Parameters
    ----------
    path : path-like
        The table: delimited text or Parquet, gzipped or not. It is only read.
    target : str
        The column of labels.
    estimator : classifier, optional
        What is trained on the encoded, standardised columns, by default
        ``NoiseReducingBoostClassifier(random_state=0)``; a clone is not made.
    output : path-like
        The model file to write, as :func:`hardy.saving.save_model` does.
    drop, keep, text : sequences of str, default=()
        Columns to leave out, to use though they would be set aside, and to use as text.
    encoding : str, optional
        The file's encoding by Python's name; by default it is found out.
    memory_limit : str or int, optional
        How much memory to use at most, such as ``"500MB"``, or in bytes, this process included. The
        table is then read a part at a time and kept on disk beside `output` until the model is
        written, and the model is the same. A fit that was cut off goes on when it is called
        again. By default there is no limit.
    progress : callable, optional
        Called with what is being done, how much is done, and how much there is.

    Returns
    -------
    FittedFile
        The model, and what is to be said of the table.

    Raises
    ------
    InputError
        Where the file or a column can't be used, the limit is too small (the message says what
        would do), or the output can't be written.
    MissingExtraError
        Where memory is limited and pyarrow isn't installed.

    See Also
    --------
    hardy.saving.load_model : Read the model file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> from hardy import DecisionStumpClassifier
    >>> from hardy.fitting import fit_file
    >>> from hardy.saving import load_model
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, model = Path(folder, "fruit.csv"), Path(folder, "fruit.hardy")
    ...     _ = path.write_text("size,label\n" + "1.5,plum\n2.5,apple\n" * 5)
    ...     stump = DecisionStumpClassifier()
    ...     _ = fit_file(path, "label", stump, output=model, memory_limit="64GB")
    ...     load_model(model).model.predict(pd.DataFrame({"size": [1.0, 3.0]})).tolist()
    ['plum', 'apple']
    """
    path, output = as_path(path), as_path(output)
    classifier = NoiseReducingBoostClassifier(random_state=0) if estimator is None else estimator
    named: dict[str, Any] = {"drop": drop, "keep": keep, "text": text, "encoding": encoding}
    way = (
        _in_memory(classifier, progress)
        if memory_limit is None
        else within_limit(path, output, memory_limit, classifier, [target, named], progress)
    )
    with way as (reader, learn):
        given = read_labelled_table(path, target, **named, reader=reader)
        learnt_from, labels = _select_labelled(given)
        model = learn(given, learnt_from.frame, labels)
        unread = find_unread_cells(learnt_from.frame, model["encoder"].columns_)
        save_model(model, output, target=target, dropped=given.drop)
    return FittedFile(model, given, unread, learnt_from)


def _select_labelled(given: LabelledTable) -> tuple[Table, NDArray[Any]]:
    """Give the rows with a label, and their labels."""
    features: Any = given.features
    if not given.facts.n_missing:
        return replace(given.table, frame=features), as_label_array(given.labels)
    rows = np.flatnonzero(~given.facts.is_missing)
    stored = isinstance(features, StoredFrame)
    features = features.select(rows) if stored else features.iloc[rows]
    table = replace(given.table, frame=features, lines=given.table.lines[rows])
    return table, as_label_array(given.labels.iloc[rows])


@contextmanager
def _in_memory(
    classifier: Any, progress: Progress | None
) -> Iterator[tuple[Callable[..., Table], Learn]]:
    """Give what reads a table at once, and what learns from it."""

    def read(path: Any, **named: Any) -> Table:
        _report(progress, f"Reading {path}", 0)
        return read_table(path, **named)

    def learn(given: LabelledTable, features: Any, labels: NDArray[Any]) -> Pipeline:
        _report(progress, f"Fitting {type(classifier).__name__} to {len(features)} rows", 1)
        model = make_table_classifier(classifier, keep=given.keep, text=given.text)
        with naming_learner(classifier, given.table.source.path):
            return model.fit(features, labels)

    yield read, learn


def _report(progress: Progress | None, text: str, done: int) -> None:
    if progress is not None:
        progress(text, done, 2)
