"""The audited file with decisions and findings applied, and the log of what was changed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardy._files import as_path, atomic_write, reading, writing
from hardy._quoting import quote
from hardy.audit._folder import FILES
from hardy.audit._lost import describe_lost
from hardy.audit._source import check_source
from hardy.audit.cleaning import CHANGE_COLUMNS, Action, CleaningPlan, list_changes, plan_cleaning
from hardy.audit.decisions import DECISIONS, Decisions
from hardy.audit.result import LabelAudit
from hardy.audit.storage import load_audit
from hardy.exceptions import InputError
from hardy.tabular._decoding import read_bytes, refuse_stream
from hardy.tabular.editing import TableEdit, edit_table, pack
from hardy.tabular.labelled import consensus_title
from hardy.tabular.writing import to_csv

WEIGHT = "weight"


class NoSourceError(InputError):
    """The audited file isn't there, or there was none."""


@dataclass(frozen=True)
class CleanedFile:
    """What :func:`clean_file` has written.

    Attributes
    ----------
    output : Path
        The cleaned table.
    log : Path
        The change log: a CSV file with a line for each changed row.
    n_rows : int
        The rows of the audited file.
    n_dropped, n_relabelled : int
        How many of them were left out, and how many have another label.
    n_automatic : int
        How many of these changes nobody has decided on.
    precision : float or None
        What share of those is expected to be right; None where there are none.
    n_skipped : int
        How many suspects somebody has skipped; they stay as they are.
    lost : str
        How many decisions are on rows that weren't found in this version of the file, and why, in
        a sentence; the empty string where none is.

    Examples
    --------
    >>> from pathlib import Path
    >>> cleaned = CleanedFile(Path("a.csv"), Path("a.csv.changes.csv"), 9, 1, 2, 0, None, 0, "")
    >>> cleaned.n_rows - cleaned.n_dropped
    8
    """

    output: Path
    log: Path
    n_rows: int
    n_dropped: int
    n_relabelled: int
    n_automatic: int
    precision: float | None
    n_skipped: int
    lost: str


def clean_file(
    folder: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    file: str | os.PathLike[str] | None = None,
    action: Action | None = None,
    min_precision: float | None = None,
) -> CleanedFile:
    r"""Write the audited file with the decisions applied, and a change log beside it.

    What isn't changed stays as it is: in text files byte for byte, with quotes, line ends,
    byte-order mark and encoding; in Parquet values, types and notes. The audited file itself is
    never changed.

    Parameters
    ----------
    folder : path-like
        The audit's folder, with the decisions of ``hardy review``.
    output : path-like
        The file to write; a name that ends in ``.gz`` is gzipped. The change log has this name
        and ``.changes.csv``.
    file : path-like, optional
        The audited file, where it was moved.
    action : {"drop", "relabel", "weight"}, optional
        What happens to suspects that nobody has decided on: by default nothing, and never to those
        that somebody has skipped. With ``"weight"`` a column ``weight`` is added that says how far
        each label can be trusted; it is 0 for rows without one.
    min_precision : float, optional
        Only so many of these suspects are dropped or relabelled, the likeliest errors first, that
        this share of them is expected to be wrong (of the suggested labels to be right), by the
        careful reading in :attr:`LabelAudit.expected_precision`.

    Returns
    -------
    CleanedFile
        What was written, and how much was changed.

    Raises
    ------
    InputError
        Where the folder holds no audit of a file, the file isn't where it was or was changed
        since, or the output can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.audit import Decisions, audit_file, clean_file
    >>> lines = [f"{size + step / 50:.2f},{kind}" for step in range(50)
    ...          for size, kind in ((1, "small"), (5, "large"))]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path, folder = Path(place, "fish.csv"), Path(place, "fish.audit")
    ...     _ = path.write_text("\n".join(["size,kind", *lines]))
    ...     audit = audit_file(path, "kind", output=folder)
    ...     _ = Decisions(folder, audit).record(0, "relabel", label="large", note="I saw it")
    ...     cleaned = clean_file(folder, Path(place, "clean.csv"))
    ...     cleaned.n_relabelled, Path(place, "clean.csv").read_text()[:20]
    (1, 'size,kind\n1.00,large')
    """
    audit = load_audit(folder)
    path, data = read_source(audit, file)
    target = as_path(output)
    log = target.with_name(target.name + ".changes.csv")
    for place in (target, log):
        if place.exists() and place.samefile(path):
            raise InputError(f"{place} is the audited file, which is never changed; name another.")
        _refuse_own_file(as_path(folder), place)
    decisions = Decisions(folder, audit)
    latest = decisions.latest()
    plan = plan_cleaning(audit, latest, action=action, min_precision=min_precision)
    changes = list_changes(audit, plan)
    _refuse_other_format(audit, target)
    cleaned = pack(apply_plan(audit, plan, path, data, with_weight=action == WEIGHT), target)
    remedy = "Name a file in a folder that exists and can be written."
    # The log takes its place first: without it nobody would know what was changed.
    with (
        writing(target, remedy),
        atomic_write(target, "wb") as table,
        atomic_write(log, "wb") as lines,
    ):
        table.write(cleaned)
        lines.write(changes_as_csv(changes))
    return CleanedFile(
        output=target,
        log=log,
        n_rows=len(audit.doubt),
        n_dropped=sum(change["change"] == "drop" for change in changes),
        n_relabelled=sum(change["change"] == "relabel" for change in changes),
        n_automatic=int(plan.is_automatic.sum()),
        precision=plan.precision,
        n_skipped=sum(decision.verdict == "skip" for decision in latest.values()),
        lost=describe_lost(audit, decisions.lost()),
    )


def read_source(
    audit: LabelAudit, file: str | os.PathLike[str] | None = None
) -> tuple[Path, bytes]:
    """Read the file that was audited, and refuse any other one.

    Parameters
    ----------
    audit : LabelAudit
        The audit of a file.
    file : path-like, optional
        Where the file is now; by default where it was.

    Returns
    -------
    path : Path
        The file.
    data : bytes
        What is in it.

    Raises
    ------
    InputError
        Where the audit isn't one of a file, or the file isn't there or was changed.

    Examples
    --------
    >>> import hardy
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> read_source(audit)
    Traceback (most recent call last):
    ...
    hardy.audit.cleaned.NoSourceError: The audit is of data in memory, not of a file; use
    LabelAudit.clean in Python.
    """
    path = find_source(audit, file)
    data = read_bytes(path)
    refuse_other_source(audit, path, sha256(data).hexdigest())
    return path, data


def find_source(audit: LabelAudit, file: str | os.PathLike[str] | None = None) -> Path:
    """Find the file that was audited; what is in it isn't looked at.

    Parameters
    ----------
    audit : LabelAudit
        The audit of a file.
    file : path-like, optional
        Where the file is now; by default where it was.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    NoSourceError
        Where the audit isn't one of a file, or the file isn't there.
    InputError
        Where a pipe or a device is there, or what the audit says of the file is damaged.
    """
    known = audit.source.get("path"), audit.source.get("sha256")
    if not all(isinstance(fact, str) for fact in known):
        raise NoSourceError(
            "The audit is of data in memory, not of a file; use LabelAudit.clean in Python."
        )
    path = as_path(known[0] if file is None else file)
    with reading(path):
        is_there = path.exists()
    if not is_there:
        remedy = "; name the place to which it was moved with --file" if file is None else ""
        raise NoSourceError(f"The audited file {path} isn't there{remedy}.")
    refuse_stream(path)
    check_source(audit.source)
    return path


def refuse_other_source(audit: LabelAudit, path: Path, checksum: str) -> None:
    """Refuse a file whose checksum is another one than that of the audited file."""
    if checksum != audit.source["sha256"]:
        raise InputError(
            f"{path} isn't the file that was audited, or was changed since: its checksum differs. "
            "Audit it again, or put the audited version back."
        )


def target_column(source: Mapping[str, Any]) -> str | None:
    """Give the column of the file that was audited; None for the consensus of annotators."""
    target, names = str(source["target"]), list(source.get("annotators", ()))
    if source.get("annotations"):
        names = [source["annotations"]["file"]]
    return None if names and target == consensus_title(names) else target


def annotators_of(source: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Give the options of :func:`audit_file` that say where annotators' labels are.

    Of a file of their own only the name is known: it is looked for beside the table.
    """
    known = source.get("annotations")
    if not known:
        return {"annotators": source.get("annotators", ())}
    return {
        "annotations": path.parent / Path(known["file"]).name,
        "annotation_columns": known["columns"],
    }


def apply_plan(
    audit: LabelAudit, plan: CleaningPlan, path: Path, data: bytes, *, with_weight: bool = False
) -> bytes:
    """Give the bytes of the audited file with a plan applied, not gzipped."""
    given = audit.given_codes
    usual = {code: int(np.flatnonzero(given == code)[0]) for code in np.unique(given).tolist()}
    changed = np.flatnonzero((plan.codes != given) & ~plan.drop).tolist()
    for code in {int(plan.codes[row]) for row in changed} - usual.keys():
        raise InputError(
            f"No row of {path} has the label {quote(audit.classes[code])} to copy it from."
        )
    target = target_column(audit.source)
    if target is None:
        raise InputError(
            f"The consensus of annotators was audited, and {path} has no column of it to change."
        )
    edit = TableEdit(
        target=target,
        labels={row: usual[int(plan.codes[row])] for row in changed},
        drop=set(np.flatnonzero(plan.drop).tolist()),
        column=(WEIGHT, plan.weight.tolist()) if with_weight else None,
    )
    return edit_table(data, path, audit.source["reading"], edit)


def changes_as_csv(changes: list[dict[str, Any]]) -> bytes:
    """Give a change log as CSV, harmless in spreadsheets."""
    return to_csv(pd.DataFrame(changes, columns=list(CHANGE_COLUMNS), dtype=object)).encode(
        errors="backslashreplace"
    )


def _refuse_own_file(folder: Path, output: Path) -> None:
    """Refuse to replace what the audit itself is kept in, whichever way it is named."""
    names = {*FILES, *(DECISIONS + end for end in ("", "-journal", "-wal", "-shm"))}
    is_inside = output.parent.is_dir() and output.parent.samefile(folder)
    is_same = output.exists() and any(
        (folder / name).exists() and output.samefile(folder / name) for name in names
    )
    if is_same or (is_inside and output.name in names):
        raise InputError(f"{output} is a file of the audit itself; name another one.")


def _refuse_other_format(audit: LabelAudit, output: Path) -> None:
    is_parquet = audit.source["reading"]["format"] == "parquet"
    names = output.name.lower().removesuffix(".gz")
    if is_parquet != names.endswith((".parquet", ".pq")):
        kind = "Parquet; name a file that ends in .parquet" if is_parquet else "text, not Parquet"
        raise InputError(f"{output}: the cleaned table is {kind}.")
