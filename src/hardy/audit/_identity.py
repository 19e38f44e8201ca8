"""What tells the rows of one audited table apart from those of any other."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import pandas as pd
from numpy.typing import NDArray

from hardy._quoting import as_utf8
from hardy.audit._plain import plain


class Rows(Protocol):
    """What tells the rows of an audit apart: a :class:`LabelAudit`, or what it will be made of."""

    @property
    def classes(self) -> NDArray[Any]: ...
    @property
    def given_labels(self) -> NDArray[Any]: ...
    @property
    def index(self) -> "pd.Index[Any]": ...
    @property
    def source(self) -> Mapping[str, Any]: ...
    @property
    def first_row(self) -> int: ...


@dataclass(frozen=True)
class FileRows:
    """The rows of a file before they are audited; the attributes are those of the audit."""

    classes: NDArray[Any]
    given_labels: NDArray[Any]
    index: "pd.Index[Any]"
    source: Mapping[str, Any]
    first_row: int = 1


def fingerprint(audit: Rows) -> str:
    """Give what tells the audited data from any other: the file's checksum, or the labels'."""
    checksum = audit.source.get("sha256")
    if isinstance(checksum, str):
        return as_utf8(checksum)
    return sha256(to_json(audit.given_labels.tolist()).encode()).hexdigest()


def to_json(label: Any) -> str:
    """Write a label so that equal ones are equal texts."""
    # Half a character becomes JSON's own escape of it.
    return as_utf8(json.dumps(plain(label), ensure_ascii=False, sort_keys=True))


def to_name(value: Any) -> str:
    """Write the name of a row."""
    return as_utf8(str(plain(value)))
