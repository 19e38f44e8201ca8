"""Files of an audit that are written a part at a time, because they may be larger than memory."""

import json
import textwrap
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardy._shelf import blocks, release
from hardy.annotators import Consensus
from hardy.audit._columns import Arrays
from hardy.audit._plain import has_ids, plain
from hardy.audit.result import LabelAudit
from hardy.audit.summary import FINDING_COLUMNS, list_findings, listed_rows
from hardy.tabular.writing import write_parts

_NO_FINDINGS = '"findings": []'
_LISTED_AT_ONCE = 1000


def _list_in_parts(audit: LabelAudit) -> Iterator[list[dict[str, Any]]]:
    """Describe suspects and rows without a label, a few at a time; one part at least."""
    rows = listed_rows(audit)
    for start in range(0, max(1, len(rows)), _LISTED_AT_ONCE):
        yield list_findings(audit, rows[start : start + _LISTED_AT_ONCE])
        release(audit.pred_proba, audit.nearest_rows, *audit.opinions.values())


def write_suspects(audit: LabelAudit, path: Path) -> None:
    """Write the suspects as a table."""
    frames = (
        pd.DataFrame(
            [{**finding, "reasons": "; ".join(finding["reasons"])} for finding in findings],
            columns=list(FINDING_COLUMNS),
            dtype=object,
        )
        for findings in _list_in_parts(audit)
    )
    write_parts(frames, path)


def write_consensus(audit: LabelAudit, consensus: Consensus, path: Path) -> None:
    """Write what the annotators say together of each row as a table."""
    told = consensus.to_frame().round({"probability": 6}).astype({"ask_again": "Int64"})
    told.insert(0, "row", np.arange(len(told)) + audit.first_row)
    told.insert(1, "line", None if audit.lines is None else audit.lines)
    told.insert(2, "id", list(map(plain, audit.index)) if has_ids(audit.index) else None)
    write_parts((told.iloc[rows] for rows in blocks(len(told))), path)


def write_document(document: Mapping[str, Any], audit: LabelAudit, path: Path) -> None:
    """Write the document as JSON, the findings into it a few at a time."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    # No other place can look so: quotes within strings are escaped, and no other line begins so.
    before, after = text.split(f"\n {_NO_FINDINGS}", 1)
    # Half a character, as names of files may have, is written as JSON's escape.
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{before}\n {_NO_FINDINGS[:-1]}")
        for number, findings in enumerate(_list_in_parts(audit)):
            if not findings:
                continue
            listed = json.dumps(findings, indent=1, ensure_ascii=False, allow_nan=False)
            inner = textwrap.indent(listed.removeprefix("[").removesuffix("\n]"), " ")
            file.write(f"{',' * (number > 0)}{inner}")
        file.write(f"{chr(10) + ' ' if len(listed_rows(audit)) else ''}]{after}\n")


def write_arrays(arrays: Arrays, path: Path) -> None:
    """Write arrays as :func:`numpy.savez` does, and give the memory of each one back at once."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)
            release(array)
