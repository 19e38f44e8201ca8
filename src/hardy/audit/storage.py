"""Audits on disk: a folder that people, programs and :func:`load_audit` can read."""

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from hardy._archives import check_archive
from hardy._files import as_path, naming, reading, writing
from hardy._quoting import quote
from hardy.audit._folder import (
    ARRAYS,
    CONSENSUS,
    DOCUMENT,
    FINDINGS,
    FORMAT,
    REPORT,
    SUSPECTS,
    finish_renewal,
    is_unfinished,
    place_of,
    publish,
    read_document,
    reading_one,
    staging_folder,
)
from hardy.audit._parts import write_arrays, write_consensus, write_document, write_suspects
from hardy.audit._stored_arrays import DAMAGE, pack_arrays, unpack_arrays
from hardy.audit.findings.listing import describe_findings, write_rows
from hardy.audit.report import write_report
from hardy.audit.result import LabelAudit
from hardy.audit.summary import summarise
from hardy.exceptions import InputError
from hardy.tabular._decoding import refuse_stream
from hardy.tabular.targets import refuse_other_labels

FORMAT_VERSION = 1
_JSON_TYPES: dict[str, type] = {
    "string": str,
    "object": dict,
    "array": list,
    "integer": int,
    "null": type(None),
}
_OTHER_FOLDER = "Choose another output folder."


def save_audit(audit: LabelAudit, folder: str | os.PathLike[str]) -> None:
    """Write an audit into a folder, whole or not at all.

    Writes ``report.html``, ``suspects.csv``, ``findings.csv``, ``arrays.npz`` and
    ``audit.json``, and where there were annotators ``consensus.csv``. Other files in the folder
    stay as they are.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    folder : path-like
        A new or empty folder, or one that holds an audit already, which is replaced. A new one
        is made in a folder that exists.

    Raises
    ------
    InputError
        Where the folder holds something else or can't be written, or the labels are neither
        words, numbers, booleans nor moments without a time zone.

    Examples
    --------
    >>> import tempfile
    >>> import hardy
    >>> from hardy.audit import load_audit
    >>> audit = hardy.audit_labels([[0.0], [0.1], [5.0], [5.1]] * 8, list("aabb") * 8,
    ...                            random_state=0)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     audit.save(place)
    ...     load_audit(place).doubt.shape
    (32,)
    """
    folder = as_path(folder)
    refuse_other_labels(audit.classes, "The audit")
    claim_folder(folder)
    with writing(folder, _OTHER_FOLDER), staging_folder(folder) as staging:
        write_report(audit, staging / REPORT, whole_list=SUSPECTS)
        write_suspects(audit, staging / SUSPECTS)
        write_rows(audit, staging / FINDINGS)
        if audit.consensus is not None:
            write_consensus(audit, audit.consensus, staging / CONSENSUS)
        write_arrays(pack_arrays(audit), staging / ARRAYS)
        document = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "hardy_version": metadata.version("hardy"),
            **summarise(audit),
            "findings": [],
            "other_findings": [
                {
                    **described,
                    "rows": (finding.rows + audit.first_row).tolist(),
                    "notes": list(finding.notes),
                }
                for described, finding in zip(describe_findings(audit), audit.findings, strict=True)
            ],
            "arrays": {"file": ARRAYS, "sha256": _digest(staging / ARRAYS)},
        }
        write_document(document, audit, staging / DOCUMENT)
        publish(staging, folder)


def load_audit(folder: str | os.PathLike[str]) -> LabelAudit:
    """Open an audit that :meth:`LabelAudit.save`, :func:`audit_file` or ``hardy audit`` wrote.

    Parameters
    ----------
    folder : path-like
        The audit's folder.

    Returns
    -------
    LabelAudit
        Equal to the one that was saved, but for row names and shown values that are neither
        words, numbers, booleans nor moments: these come as their text. Nothing in the files is
        executed.

    Raises
    ------
    InputError
        Where the folder holds no audit, one of a newer format, or one that was damaged.

    Examples
    --------
    >>> from hardy.audit import load_audit
    >>> load_audit("no such folder")
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: There is no folder no such folder.
    """
    folder = as_path(folder)
    # Who may not write there reads what waits where it is.
    with suppress(OSError, InputError):
        finish_renewal(folder)
    with reading_one(folder):
        return _load(folder)


def _load(folder: Path) -> LabelAudit:
    document = read_document(folder)
    if document is None:
        with reading(folder):
            if folder.is_file():
                beside = Path(f"{folder}.audit")
                known = f"here {beside}" if beside.is_dir() else "which `hardy audit` makes"
                raise InputError(f"{folder} is a file; name the folder of an audit, {known}.")
            if place_of(folder, DOCUMENT).exists():
                raise InputError(f"The {DOCUMENT} in {folder} is damaged or no audit's.")
            if not folder.exists():
                raise InputError(f"There is no folder {folder}.")
            raise InputError(f"{folder} holds no audit: there is no {DOCUMENT} in it.")
    version = document.get("format_version")
    if isinstance(version, bool) or version != FORMAT_VERSION:
        raise InputError(
            f"{folder} holds an audit in format {quote(version)}; this version "
            f"of Hardy reads format {FORMAT_VERSION}. Audit the data again."
        )
    with reading(folder):
        path = place_of(folder, ARRAYS)
        refuse_stream(path)
    try:
        if _digest(path) != document["arrays"]["sha256"]:
            raise InputError(f"{path} was changed after the audit was saved. Audit the data again.")
        damage = f"The audit in {folder} is damaged, so that {ARRAYS} was not loaded"
        with naming(damage), path.open("rb") as file:
            # Its arrays are stored as they are; packed, words in them would take much more memory.
            check_archive(file, may_swell=False)
        with np.load(path, allow_pickle=False) as packed:
            _check_values(document)
            return unpack_arrays(packed, document)
    except (*DAMAGE, OSError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"The audit in {folder} is damaged ({error}). Audit the data again."
        ) from error


def claim_folder(folder: Path, source: Mapping[str, Any] | None = None) -> None:
    """Refuse a folder that can't take the audit, before any work is done.

    Parameters
    ----------
    folder : Path
        Where the audit is to be written.
    source : mapping, optional
        The audited file, as in ``LabelAudit.source``: an audit that is in the folder already
        must be of the same file and target.

    Raises
    ------
    InputError
        Where the folder holds other things, another file's audit, or can't be written.
    """
    with writing(folder, _OTHER_FOLDER):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. {_OTHER_FOLDER}")
        if folder.is_dir():
            finish_renewal(folder)
        if folder.exists() and not all(map(is_unfinished, folder.iterdir())):
            _check_renewable(folder, source)
        with staging_folder(folder):
            pass


def _check_renewable(folder: Path, source: Mapping[str, Any] | None) -> None:
    document = read_document(folder)
    if document is None:
        raise InputError(f"{folder} is not empty and holds no audit. {_OTHER_FOLDER}")
    if source is None:
        return
    earlier = document.get("source")
    earlier = earlier if isinstance(earlier, dict) else {}
    if not any(earlier.get(key) == source[key] for key in ("path", "sha256")):
        _refuse(folder, "file", earlier.get("file"))
    if earlier.get("target") != source["target"]:
        _refuse(folder, "target", earlier.get("target"))


def _refuse(folder: Path, what: str, earlier: Any) -> NoReturn:
    raise InputError(
        f"{folder} holds the audit of another {what} ({quote(earlier)}). "
        "Choose another output folder, or remove this one."
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_values(document: Mapping[str, Any]) -> None:
    """Refuse values that no audit writes; those of the arrays are known by their hash."""
    rate = document["noise_rate"]
    sound = {
        "noise_rate": rate is None or (type(rate) in (int, float) and 0 <= rate <= 1),
        "first_row": type(document["first_row"]) is int and document["first_row"] in (0, 1),
        "source": _fits(document["source"], _schema()["properties"]["source"]),
        "note": isinstance(document["note"], str),
        "other_findings": _fits(
            document["other_findings"], _schema()["properties"]["other_findings"]
        ),
    }
    for name, is_sound in sound.items():
        if not is_sound:
            raise ValueError(f"{name} is {quote(document[name])}")


def _fits(value: Any, schema: Mapping[str, Any] | bool) -> bool:
    """Whether a value is of the types that a schema asks for, through and through."""
    if isinstance(schema, bool):
        return schema
    kinds = schema.get("type")
    if kinds is not None:
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not isinstance(value, tuple(_JSON_TYPES[kind] for kind in kinds)):
            return False
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
        return all(_fits(part, known.get(name, other)) for name, part in value.items())
    if isinstance(value, list):
        return all(_fits(part, schema.get("items", {})) for part in value)
    return True


def _schema() -> dict[str, Any]:
    text = resources.files("hardy.audit").joinpath("schema", "audit.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
