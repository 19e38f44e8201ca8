"""The evidence of an audit, gathered while people look at the first rows."""

import threading
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from typing import Any

import pandas as pd

from hardy._files import reading
from hardy.audit.cleaned import (
    NoSourceError,
    annotators_of,
    find_source,
    refuse_other_source,
    target_column,
)
from hardy.audit.result import LabelAudit
from hardy.exceptions import InputError, MissingExtraError
from hardy.review.evidence import Evidence
from hardy.tabular import read_labelled_table

# Tables of so many cells are read within a second; larger ones while people look at what is there.
READ_AT_ONCE = 500_000
_GONE = "the file isn’t where it was"
_READING = "the file is still being read"
_CHANGED = "the file can’t be read any more"


class Gathering:
    """The values of all rows where the file is there, else of those that the audit has kept.

    A large file is known by its checksum at once, and read in the background.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    file : path-like, optional
        The audited file, where it was moved.

    Raises
    ------
    InputError
        Where the file is there but was changed, or isn't where it is said to be.
    """

    def __init__(self, audit: LabelAudit, file: Any = None) -> None:
        self._audit = audit
        self._path = _find_unchanged(audit, file)
        self._lock, self._is_idle = threading.Lock(), threading.Lock()
        self._whole: Evidence | None = None
        n_cells = audit.values.shape[1] * len(audit.doubt)
        if self._path is None or n_cells <= READ_AT_ONCE:
            self.whole()

    def now(self) -> Evidence:
        """Give what is there by now; after the first call the rest is read."""
        if self._whole is not None:
            return self._whole
        kept = self._kept
        # Once, whoever comes first.
        if self._is_idle.acquire(blocking=False):
            threading.Thread(target=self.whole, daemon=True).start()
        return kept

    def whole(self) -> Evidence:
        """Give all that there is, however long it takes to read."""
        with self._lock:
            if self._whole is None:
                self._whole = self._read()
            return self._whole

    @cached_property
    def _kept(self) -> Evidence:
        return Evidence(self._audit, self._audit.values, _READING)

    def _read(self) -> Evidence:
        if self._path is None:
            return Evidence(self._audit, self._audit.values, _GONE)
        try:
            return Evidence(self._audit, _read_again(self._audit, self._path))
        # What is decided doesn't depend on it, and whoever takes the table home is told.
        except (InputError, MissingExtraError, OSError, MemoryError):
            return Evidence(self._audit, self._audit.values, _CHANGED)


def _find_unchanged(audit: LabelAudit, file: Any) -> Path | None:
    """Find the audited file; None where it isn't where it was."""
    try:
        path = find_source(audit, file)
    except NoSourceError:
        if file is not None:
            raise
        return None
    with reading(path), path.open("rb") as content:
        checksum = file_digest(content, "sha256").hexdigest()
    refuse_other_source(audit, path, checksum)
    return path


def _read_again(audit: LabelAudit, path: Path) -> pd.DataFrame:
    source = audit.source
    known = read_labelled_table(
        path,
        target_column(source),
        id=source["id"] if source["id"] not in source["set_aside"] else None,
        **annotators_of(source, path),
        text=source.get("text", ()),
        encoding=source["reading"]["encoding"],
    )
    refuse_other_source(audit, path, known.table.source.sha256)
    named = [source.get(use) for use in ("group", "split", "order")]
    named += source.get("dropped", ())
    if source["id"] not in source["set_aside"]:
        named.append(source["id"])
    return known.features.drop(columns=[n for n in named if n in known.features])
