"""Findings as plain values, for files, tables and pages; and as arrays, for storage."""

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._shelf import blocks
from hardy.audit._plain import has_ids, plain
from hardy.audit._taking import take
from hardy.audit.findings.base import Finding
from hardy.tabular.writing import write_parts

if TYPE_CHECKING:
    from hardy.audit.result import LabelAudit

ROW_COLUMNS = ("finding", "kind", "row", "line", "id", "given_label", "note")


def describe_findings(audit: "LabelAudit") -> list[dict[str, Any]]:
    """Give what each finding says, and how many rows it is about.

    Parameters
    ----------
    audit : LabelAudit
        The audit.

    Returns
    -------
    list of dict
        With the keys `kind`, `sentence`, `n_rows` and `details`.
    """
    return [
        {
            "kind": finding.kind,
            "sentence": finding.sentence,
            "n_rows": len(finding.rows),
            "details": plain(dict(finding.details)),
        }
        for finding in audit.findings
    ]


def list_rows(
    audit: "LabelAudit", finding: Finding, which: slice = slice(None)
) -> list[dict[str, Any]]:
    """Give the rows of a finding in plain values.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    finding : Finding
        One of its findings.
    which : slice, default=slice(None)
        Which of its rows are wanted; by default all.

    Returns
    -------
    list of dict
        With the keys `row` (as the audit counts them), `line`, `id`, `given_label` and `note`;
        None where there is none.
    """
    has_id, rows = has_ids(audit.index), finding.rows[which]
    notes = finding.notes[which] or ("",) * len(rows)
    return [
        {
            "row": int(row) + audit.first_row,
            "line": None if audit.lines is None else int(audit.lines[row]),
            "id": plain(audit.index[row]) if has_id else None,
            "given_label": plain(audit.given_labels[row]),
            "note": note,
        }
        for row, note in zip(rows, notes, strict=True)
    ]


def write_rows(audit: "LabelAudit", path: Path) -> None:
    """Write the rows of all findings as a table, a line for each row of each finding.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    path : Path
        Where the table is written.
    """
    parts = (
        [
            {"finding": number, "kind": finding.kind, **row}
            for row in list_rows(audit, finding, some)
        ]
        for number, finding in enumerate(audit.findings, start=1)
        for some in blocks(len(finding.rows))
    )
    frames = (
        pd.DataFrame(rows, columns=list(ROW_COLUMNS), dtype=object)
        for rows in itertools.chain([[]], parts)
    )
    write_parts(frames, path)


def pack_findings(findings: Iterable[Finding]) -> dict[str, NDArray[Any]]:
    """Give the rows of findings as arrays; the rest of them stands in the JSON document."""
    return {f"finding.{at}": finding.rows for at, finding in enumerate(findings)}


def unpack_findings(
    packed: Mapping[str, NDArray[Any]], described: Iterable[Mapping[str, Any]], last_row: int
) -> tuple[Finding, ...]:
    """Make findings again of :func:`pack_findings` and of the JSON document.

    Parameters
    ----------
    packed : mapping of str to ndarray
        The arrays.
    described : iterable of mapping
        What :func:`describe_findings` gave, each with its `notes`.
    last_row : int
        The position of the last row.

    Returns
    -------
    tuple of Finding
        Equal to those that were saved.
    """
    return tuple(
        Finding(
            item["kind"],
            item["sentence"],
            take(packed, f"finding.{at}", "iu", (None,), 0, last_row).astype(np.intp),
            tuple(item["notes"]),
            item["details"],
        )
        for at, item in enumerate(described)
    )
