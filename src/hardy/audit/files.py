"""The audit of a file, from reading it to the folder with the report."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._archives import check_array
from hardy._files import as_path, naming, reading
from hardy._labels import as_label_array
from hardy._memory import give_back
from hardy._quoting import counted
from hardy._shelf import release
from hardy._steps import Progress, Step
from hardy._versions import used_versions
from hardy.audit._features import check_embeddings
from hardy.audit._limits import naming_rows
from hardy.audit._streaming import Reader, streaming, with_settled
from hardy.audit.decisions import DECISIONS, Decision, Decisions, FileRows
from hardy.audit.labels import audit_labels
from hardy.audit.result import LabelAudit
from hardy.audit.storage import claim_folder, save_audit
from hardy.audit.trust import restore_given, settle_labels
from hardy.exceptions import InputError
from hardy.tabular import LabelledTable, Table, describe_columns, read_labelled_table, read_table
from hardy.tabular._decoding import refuse_stream
from hardy.tabular._frames import as_moments, as_words, parse_numbers
from hardy.tabular.votes import ANNOTATION_COLUMNS


def audit_file(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    drop: Sequence[str] = (),
    id: str | None = None,
    keep: Sequence[str] = (),
    text: Sequence[str] = (),
    embeddings: str | os.PathLike[str] | None = None,
    group: str | None = None,
    split: str | None = None,
    order: str | None = None,
    annotators: Sequence[str] = (),
    annotations: str | os.PathLike[str] | None = None,
    annotation_columns: Sequence[str] = ANNOTATION_COLUMNS,
    encoding: str | None = None,
    output: str | os.PathLike[str] | None = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    command: str | None = None,
    memory_limit: str | int | None = None,
) -> LabelAudit:
    r"""Audit the labels of a file and write what was found into a folder.

    The folder holds ``report.html`` (a page for people), ``suspects.csv`` (a table of the
    suspects), ``findings.csv`` (the rows of other faults), with annotators ``consensus.csv`` (what
    they say together of each row), and ``audit.json`` with ``arrays.npz`` (for programs and
    :func:`hardy.audit.load_audit`). It is written whole or not at all.

    Columns that say nothing about a row's class (identifiers, constants, columns without a
    value) are set aside; :func:`hardy.tabular.describe_columns` says which.

    Parameters
    ----------
    path : path-like
        The file: delimited text such as CSV and TSV, or Parquet; gzipped or not.
    target : str, optional
        The column that holds the labels. Rows without a label are left out of training and get
        a suggested one. May be left out where there are `annotators` or `annotations`: their
        consensus is audited.
    drop : sequence of str, default=()
        Columns that aren't to be used.
    id : str, optional
        The column that names the rows; it isn't used otherwise. By default the first column
        that was set aside and differs in every row.
    keep : sequence of str, default=()
        Columns that are to be used although they would be set aside.
    text : sequence of str, default=()
        Columns that are text whatever they look like.
    embeddings : path-like, optional
        A ``.npy`` file with numbers that a model of your own gives for each row of the file, in
        its order: an array of shape (n_samples, n_dimensions).
    group : str, optional
        The column that says which rows belong together, such as those of one patient: they don't
        judge each other, and groups with more or fewer wrong labels are told. It isn't used
        otherwise.
    split : str, optional
        The column that says in which part of a split a row is, such as train and test: rows that
        stand in several are told. It isn't used otherwise.
    order : str, optional
        The column of numbers or moments, or of words in alphabetical order, in whose order the
        share of a label may change; by default the order of the file. It isn't used otherwise.
    annotators : sequence of str, default=()
        The columns of labels by each of several annotators: how good each of them is, and which
        rows to ask again, is told. They aren't used otherwise.
    annotations : path-like, optional
        Their labels in a file of its own instead, one a line. Lines name rows as the column `id`
        does, or by their number, counted from 1.
    annotation_columns : sequence of three str, default=("row", "annotator", "label")
        The columns of that file: the row, the annotator, and the label.
    encoding : str, optional
        The file's encoding by Python's name, such as ``"shift_jis"``; by default it is found out.
    output : path-like, optional
        The folder; by default the file's name and ``.audit`` in the current folder. It may be
        new, empty, or hold an earlier audit of the same file and target, which is renewed:
        what people settled in it is learnt from and never suspect again; other files stay.
    random_state : int or None, default=0
        Makes the result the same in each run.
    n_jobs : int, optional
        The number of processors to use; all of them with −1.
    progress : callable, optional
        Called with what is being done, how many steps are done, and how many there are.
    command : str, optional
        The command that was called, for the report.
    memory_limit : str or int, optional
        How much memory to use at most, such as ``"500MB"`` or a number of bytes, interpreter and
        libraries included. The table is then kept in a hidden folder beside the audit's, from
        which the same call goes on where one was cut off, and what is found is the same. See
        :doc:`/guide/large_files`.

    Returns
    -------
    LabelAudit
        The audit; rows are counted from 1, `index` holds the column `id` and `lines` the lines
        of the file.

    Raises
    ------
    InputError
        Where the file, the target, a column or the folder can't be used. Nothing is written
        then.

    Examples
    --------
    >>> import os, tempfile
    >>> from pathlib import Path
    >>> from hardy.audit import audit_file
    >>> lines = [f"{size + step / 50:.2f},{kind}" for step in range(50)
    ...          for size, kind in ((1, "small"), (5, "large"))]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place, "fish.csv")
    ...     _ = path.write_text("\n".join(["size,kind", *lines]))
    ...     audit = audit_file(path, "kind", output=Path(place, "fish.audit"))
    ...     sorted(os.listdir(Path(place, "fish.audit")))
    ['arrays.npz', 'audit.json', 'findings.csv', 'report.html', 'suspects.csv']
    >>> len(audit.suspects)
    0
    """
    path = as_path(path)
    folder = default_folder(path) if output is None else as_path(output)
    work = partial(
        _audit,
        path,
        folder,
        target,
        {
            "drop": drop,
            "id": id,
            "keep": keep,
            "text": text,
            "group": group,
            "split": split,
            "order": order,
            "annotators": annotators,
            "annotations": annotations,
            "annotation_columns": annotation_columns,
            "encoding": encoding,
        },
        embeddings=embeddings,
        random_state=random_state,
        n_jobs=n_jobs,
        command=command,
    )
    if memory_limit is None:
        return work(progress=progress)
    for name, held in (("embeddings", embeddings), ("annotations", annotations)):
        if held is not None:
            raise InputError(f"{name} are held in memory; leave them out, or the memory limit.")
    with streaming(path, folder, memory_limit, [target, work.args[3], random_state], progress) as (
        reader,
        tell,
    ):
        return work(reader=reader, progress=tell)


def _audit(
    path: Path,
    folder: Path,
    target: str | None,
    purposes: Mapping[str, Any],
    *,
    embeddings: str | os.PathLike[str] | None,
    random_state: int | None,
    n_jobs: int | None,
    command: str | None,
    progress: Progress | None,
    reader: Reader = read_table,
) -> LabelAudit:
    _report(progress, f"Reading {path.name}", 0)
    given = read_labelled_table(
        path, target, **purposes, reader=reader, may_be_bare=embeddings is not None
    )
    table, features = given.table, given.features
    id, group, split, order = (purposes[name] for name in ("id", "group", "split", "order"))
    source = {
        **_describe_source(table),
        "target": given.labels.name,
        "id": id,
        "group": group,
        "embeddings": None if embeddings is None else as_path(embeddings).name,
        "split": split,
        "order": order,
        "annotators": list(purposes["annotators"]),
        "annotations": None
        if purposes["annotations"] is None
        else {
            "file": as_path(purposes["annotations"]).name,
            "columns": list(purposes["annotation_columns"]),
        },
        "dropped": list(given.drop),
        "kept": list(given.keep),
        "text": list(given.text),
        "random_state": random_state,
        "command": command,
        "versions": used_versions(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    numbers = None if embeddings is None else _read_embeddings(as_path(embeddings), len(features))
    claim_folder(folder, source)
    settled = _find_settled(folder, given, source)
    features = with_settled(features, settled)
    with naming_rows(table.place), naming(path):
        audit = audit_labels(
            features if features.shape[1] else None,
            settle_labels(given.labels, settled),
            classes=given.facts.classes if settled else None,
            groups=None if group is None else _read_sets(table, group, "groups"),
            split=None if split is None else _read_sets(table, split, "the split"),
            order=None if order is None else _read_order(table, order),
            annotators=given.annotators,
            keep=given.keep,
            text=given.text,
            embeddings=numbers,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )
    if id is None:
        source["id"] = _find_id(features, audit.source["set_aside"])
    audit = replace(
        audit,
        first_row=1,
        lines=table.lines if table.source.format == "text" else None,
        index=_make_index(table.frame, source["id"]),
        source={**source, **audit.source},
    )
    audit = restore_given(audit, given.labels, settled)
    release(audit.pred_proba, audit.nearest_rows, audit.coordinates, *audit.opinions.values())
    give_back()
    _report(progress, f"{Step.WRITING} the report", 0)
    save_audit(audit, folder)
    _report(progress, f"{Step.WRITING} the report", 1)
    return audit


def default_folder(path: Path) -> Path:
    """Give the folder in which an audit is written when none is named."""
    return Path(f"{path.name}.audit")


def _read_embeddings(path: Path, n_rows: int) -> NDArray[Any]:
    with reading(path):
        refuse_stream(path)
        with naming(path), path.open("rb") as file:
            if file.peek(1).startswith(b"\x93"):
                check_array(file, path.stat().st_size)
        try:
            numbers = np.load(path, allow_pickle=False)
        except (ValueError, EOFError):
            numbers = None
    if not isinstance(numbers, np.ndarray):
        raise InputError(f"{path} is no .npy file with numbers; make one with numpy.save.")
    if numbers.ndim == 2 and len(numbers) != n_rows:
        raise InputError(
            f"{path} has an array of the shape {numbers.shape}, but the table has "
            f"{counted(n_rows, 'row')}: one row of numbers is needed for each."
        )
    with naming(path):
        return check_embeddings(numbers, n_rows)


def _report(progress: Progress | None, text: str, done: int) -> None:
    if progress is not None:
        progress(text, done, 1)


def _read_sets(table: Table, name: str, what: str) -> "pd.Series[Any]":
    """Give a column of sets as words without blanks at their ends; every row needs one."""
    sets = as_words(table.frame[name])
    _refuse_missing(table, name, what, sets)
    return sets


def _read_order(table: Table, name: str) -> "pd.Series[Any]":
    """Give a column as numbers, moments, or words in alphabetical order; every row needs one."""
    column = table.frame[name]
    described = describe_columns(table.frame[[name]])[0]
    if described.kind == "numeric":
        order = pd.Series(parse_numbers(column))
    elif described.kind == "date":
        order = as_moments(column, described.date_format)
    else:
        order = as_words(column)
    _refuse_missing(table, name, "the order", order)
    return order


def _refuse_missing(table: Table, name: str, what: str, values: "pd.Series[Any]") -> None:
    missing = np.flatnonzero(values.isna())
    if missing.size:
        raise InputError(
            f"The column of {what}, {name!r}, has no value in {table.place(int(missing[0]))} "
            f"({len(missing):,} in all); every row needs one."
        )


def _find_settled(
    folder: Path, given: LabelledTable, source: Mapping[str, Any]
) -> Mapping[int, Decision]:
    """Give the decisions that people have made in an earlier audit of this file."""
    if not (folder / DECISIONS).exists():
        return {}
    id = source["id"] or _find_id(given.features, given.set_aside)
    rows = FileRows(
        given.facts.classes,
        as_label_array(given.labels),
        _make_index(given.table.frame, id),
        source,
    )
    return Decisions(folder, rows).settled()


def _find_id(features: pd.DataFrame, set_aside: Mapping[str, str]) -> str | None:
    """Give the first column of the file that was set aside and names each row."""
    # Dimensions of embeddings may be set aside, too, which no column of the file is.
    for name in (name for name in features.columns if name in set_aside):
        if features[name].is_unique and features[name].notna().all() and len(features) > 1:
            return name
    return None


def _make_index(frame: pd.DataFrame, row_names: str | None) -> "pd.Index[Any]":
    if row_names is None:
        return pd.RangeIndex(1, len(frame) + 1, name="row")
    index: pd.Index[Any] = pd.Index(frame[row_names], name=row_names)
    return index


def _describe_source(table: Table) -> dict[str, Any]:
    facts = asdict(table.source)
    path = facts.pop("path")
    return {
        "file": path.name,
        "path": str(path.resolve()),
        "sha256": facts.pop("sha256"),
        "reading": facts,
    }
