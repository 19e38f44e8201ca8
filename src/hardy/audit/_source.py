"""What an audit says of its file, looked at before the file is read by it."""

import codecs
from collections.abc import Mapping
from typing import Any

from hardy.exceptions import InputError
from hardy.tabular._records import check_separator

_FORMATS, _DECIMALS = ("text", "parquet"), (".", ",")
_NEEDED = ("target", "id", "set_aside", "reading")
_ANNOTATION_COLUMNS = 3


def check_source(source: Mapping[str, Any]) -> None:
    """Refuse what no audit of a file says of it; its values have the types that they must have.

    Parameters
    ----------
    source : mapping
        As in ``LabelAudit.source``.

    Raises
    ------
    InputError
        Where a fact is missing, or is one by which no file was read.
    """
    unsound = [name for name in _NEEDED if name not in source]
    if not unsound and not _can_read(source["reading"]):
        unsound = ["reading"]
    if not _names_annotations(source.get("annotations")):
        unsound.append("annotations")
    if unsound:
        raise InputError(
            f"The audit is damaged: what it says of its file lacks its {unsound[0]}, or has one "
            "that no audit has. Audit the data again."
        )


def _can_read(reading: Mapping[str, Any]) -> bool:
    if reading.get("format") != "text":
        return reading.get("format") in _FORMATS
    try:
        codecs.lookup(reading["encoding"])
        check_separator(reading["separator"])
    except (LookupError, TypeError, ValueError):
        return False
    return reading.get("decimal") in _DECIMALS


def _names_annotations(annotations: Any) -> bool:
    return annotations is None or (
        "file" in annotations and len(annotations.get("columns", ())) == _ANNOTATION_COLUMNS
    )
