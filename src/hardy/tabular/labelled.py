"""Tables with a column of labels, and what their other columns are for."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hardy._files import as_path, naming
from hardy._shelf import BLOCK_ROWS
from hardy.exceptions import InputError
from hardy.tabular.columns import describe_columns, refuse_nothing_left, resolve_column
from hardy.tabular.reading import Table, read_table, shortest_labels
from hardy.tabular.stored import StoredFrame, take_rows
from hardy.tabular.targets import TargetFacts, check_target, refuse_other_labels
from hardy.tabular.votes import ANNOTATION_COLUMNS, agree, read_annotations, read_votes


@dataclass(frozen=True)
class LabelledTable:
    r"""What :func:`read_labelled_table` has read.

    Attributes
    ----------
    table : Table
        The whole table, and where its rows stand in the file.
    features : DataFrame of shape (n, n_features)
        The columns that may be learnt from.
    labels : Series of shape (n,)
        The column of labels.
    facts : TargetFacts
        The classes, their sizes, and the rows without a label.
    drop, keep, text : tuple of str
        The columns that were named so, as the table names them.
    annotators : DataFrame of shape (n, n_annotators) or None
        The labels by each of several annotators.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.tabular import read_labelled_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text("size,colour,label\n1,red,apple\n2,blue,plum\n3,red,apple\n")
    ...     labelled = read_labelled_table(path, "label", drop=["colour"])
    >>> list(labelled.features), labelled.labels.tolist()
    (['size'], ['apple', 'plum', 'apple'])
    """

    table: Table
    features: pd.DataFrame
    labels: "pd.Series[Any]"
    facts: TargetFacts
    drop: tuple[str, ...]
    keep: tuple[str, ...]
    text: tuple[str, ...]
    annotators: pd.DataFrame | None = None

    @cached_property
    def set_aside(self) -> dict[str, str]:
        """Why columns that say nothing about a row's class shouldn't be learnt from, by name.

        Judged by the rows with a label, as by :func:`describe_columns`. A fold of cross-validation
        may not show it: what counts the rows of a table doesn't count those of a part of it.

        Raises
        ------
        InputError
            Where no column is left.
        """
        labelled = np.flatnonzero(~self.facts.is_missing)
        if isinstance(self.features, StoredFrame):
            # The first ones will do: what names a row is looked for in all of them afterwards.
            labelled = labelled[:BLOCK_ROWS]
        rows = take_rows(self.features, labelled)
        columns = describe_columns(rows, keep=self.keep, text=self.text)
        with naming(self.table.source.path):
            refuse_nothing_left(columns, len(rows))
        return {column.name: column.set_aside for column in columns if column.set_aside}


def read_labelled_table(
    path: str | os.PathLike[str],
    target: str | None,
    *,
    drop: Sequence[str] = (),
    id: str | None = None,
    keep: Sequence[str] = (),
    text: Sequence[str] = (),
    group: str | None = None,
    split: str | None = None,
    order: str | None = None,
    annotators: Sequence[str] = (),
    annotations: str | os.PathLike[str] | None = None,
    annotation_columns: Sequence[str] = ANNOTATION_COLUMNS,
    encoding: str | None = None,
    reader: Callable[..., Table] = read_table,
    may_be_bare: bool = False,
) -> LabelledTable:
    r"""Read a table from a file, and check its labels and what its columns are named for.

    Parameters
    ----------
    path : path-like
        The file, as :func:`read_table` reads it.
    target : str or None
        The column that holds the labels; some may be missing. None where the consensus of
        `annotators`, or of those in `annotations`, is to be taken.
    drop : sequence of str, default=()
        Columns that aren't to be used.
    id : str, optional
        The column that names the rows; it isn't learnt from.
    keep : sequence of str, default=()
        Columns that are to be used although they would be set aside.
    text : sequence of str, default=()
        Columns that are text whatever they look like.
    group : str, optional
        The column that says which rows belong together; it isn't learnt from.
    split : str, optional
        The column that says in which part of a split a row is; it isn't learnt from.
    order : str, optional
        The column of numbers or moments, or of words in alphabetical order, that puts the rows in
        order; it isn't learnt from.
    annotators : sequence of str, default=()
        The columns of labels by each of several annotators; they aren't learnt from.
    annotations : path-like, optional
        A file with a line for each label by one of several annotators. It names rows by the column
        `id`, or counts them from 1.
    annotation_columns : sequence of three str, default=("row", "annotator", "label")
        Its columns.
    encoding : str, optional
        The file's encoding by Python's name, such as ``"shift_jis"``; by default it is found out.
    reader : callable, default=read_table
        What reads the file.
    may_be_bare : bool, default=False
        Whether there may be no column to learn from.

    Returns
    -------
    LabelledTable
        The table, its labels and features.

    Raises
    ------
    InputError
        Where the file can't be read, a column doesn't exist or is named for two purposes, the
        target holds no labels of two classes or more, or no column is left to learn from.

    See Also
    --------
    check_target : What a column of labels must be.
    make_table_classifier : A classifier for such tables.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.tabular import read_labelled_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text("size,unit,note,label\n" + "1.5,mm,a,raw\n2.5,mm,b,ripe\n" * 2)
    ...     fruit = read_labelled_table(path, "label", drop=["note"])
    >>> list(fruit.features), fruit.set_aside
    (['size', 'unit'], {'unit': "every value is 'mm'"})
    >>> fruit.labels.tolist()
    ['raw', 'ripe', 'raw', 'ripe']
    """
    if not isinstance(target, str) and not (target is None and (annotators or annotations)):
        raise InputError(f"target={target!r} is no name of a column.")
    if annotators and annotations is not None:
        raise InputError(
            "annotators and annotations can't be given both: labels stand in columns of the table, "
            "or in lines of a file of their own."
        )
    if annotations is None and tuple(annotation_columns) != ANNOTATION_COLUMNS:
        raise InputError(
            f"The annotation columns {tuple(annotation_columns)!r} are those of a file of labels; "
            "name that file, too, as annotations."
        )
    for option, names in (
        ("drop", drop),
        ("keep", keep),
        ("text", text),
        ("annotators", annotators),
    ):
        if isinstance(names, str) or not isinstance(names, Collection):
            raise InputError(f"{option}={names!r} must be a list of names.")
    apart = {
        purpose: name
        for purpose, name in (
            ("the identifier", id),
            ("the group", group),
            ("the split", split),
            ("the order", order),
        )
        if name is not None
    }
    table = reader(
        path,
        target=target,
        text=[*text, *annotators, *(name for name in apart.values() if name != order)],
        unchecked=drop,
        encoding=encoding,
    )
    frame = table.frame
    with naming(table.source.path):
        dropped, kept, worded = (
            tuple(resolve_column(name, frame.columns) for name in names)
            for names in (drop, keep, text)
        )
        purposes = {} if target is None else {target: "the target"}
        named = [(name, "dropped") for name in dropped]
        named += [(name, "learnt from") for name in (*kept, *worded)]
        named += [(resolve_column(name, frame.columns), purpose) for purpose, name in apart.items()]
        by_annotators = list(
            dict.fromkeys(resolve_column(name, frame.columns) for name in annotators)
        )
        named += [(name, "an annotator's") for name in by_annotators]
        for name, purpose in named:
            earlier = purposes.setdefault(name, purpose)
            if earlier != purpose:
                raise InputError(f"The column {name!r} can't be both {earlier} and {purpose}.")
    if annotations is None:
        votes, said_by = read_votes(frame, by_annotators), by_annotators
    else:
        named_by = None if id is None else resolve_column(id, frame.columns)
        votes = read_annotations(annotations, annotation_columns, table, named_by)
        said_by = [as_path(annotations).name]
    with naming(table.source.path):
        title = target or consensus_title(said_by)
        labels = agree(votes, title) if target is None else _read_labels(table, target)
        facts = check_target(labels, title)
        refuse_other_labels(facts.classes, f"The target {title!r}")
        features = frame.drop(columns=[n for n, use in purposes.items() if use != "learnt from"])
        if not (features.shape[1] or may_be_bare):
            raise InputError(f"There is no column left to learn from beside the target {title!r}.")
    return LabelledTable(table, features, labels, facts, dropped, kept, worded, votes)


def consensus_title(names: Sequence[str]) -> str:
    """Name the consensus of annotators, by their columns or the file of their labels."""
    return f"consensus of {', '.join(names)}"


def _read_labels(table: Table, target: str) -> "pd.Series[Any]":
    frame: Any = table.frame
    labels: pd.Series[Any]
    if not isinstance(frame, StoredFrame):
        labels = frame[target]
        return labels
    # Each label is held once, however many rows have it.
    numbers: dict[Any, int] = {}
    codes = []
    for block in frame.only(target).blocks():
        places, distinct = pd.factorize(block[target])
        known = [numbers.setdefault(label, len(numbers)) for label in distinct]
        codes.append(np.append(np.array(known, dtype=np.int32), -1)[places])
    labels = pd.Series(list(numbers), name=target, dtype=object)
    if table.source.format == "text":
        labels = shortest_labels(labels)
    if labels.dtype == np.int64:
        labels = labels.astype("Int64")
    rows = np.concatenate(codes)
    labels = labels.reindex(rows).reset_index(drop=True)
    return labels if labels.dtype == object or labels.hasnans else labels.astype(np.int64)
