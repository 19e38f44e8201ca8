"""What is fuzzed: each target takes bytes, and either works or raises an error of Hardy's.

Inputs begin as whole files and are changed a little at a time, since noise alone gets past no
header.
"""

import hashlib
import io
import json
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from data.truth import FOLDER
from hardy import AdaBoostClassifier, audit_labels
from hardy.audit import load_audit
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model
from hardy.tabular import describe_columns, make_table_classifier, read_table

FOUND = Path(__file__).parents[1] / "data" / "found"


def read_any(data: bytes, name: str) -> None:
    """Read a table and look at what its columns hold."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        table = read_table(path)
        assert len(table.frame) == len(table.lines) > 0
        describe_columns(table.frame)


def read_csv(data: bytes) -> None:
    """Read a table of text."""
    read_any(data, "table.csv")


def read_parquet(data: bytes) -> None:
    """Read a Parquet file."""
    read_any(data, "table.parquet")


def read_model(data: bytes) -> None:
    """Load a model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.hardy")
        path.write_bytes(data)
        load_model(path)


def read_audit(data: bytes) -> None:
    """Load an audit whose document and arrays are parted by the first NUL byte."""
    with tempfile.TemporaryDirectory() as folder:
        document, _, arrays = data.partition(b"\0")
        Path(folder, "arrays.npz").write_bytes(arrays)
        # The checksum would stop every change; here it always fits, as a forger's would.
        digest = hashlib.sha256(arrays).hexdigest().encode()
        Path(folder, "audit.json").write_bytes(document.replace(b"DIGEST", digest))
        load_audit(folder)


@cache
def tables() -> list[bytes]:
    """Give the awkward files of text."""
    return [path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix != ".parquet"]


@cache
def parquets() -> list[bytes]:
    """Give the awkward Parquet files."""
    return [path.read_bytes() for path in sorted(FOLDER.glob("*.parquet"))]


@cache
def models() -> list[bytes]:
    """Give saved models: of members, and of a table with columns of all kinds."""
    X = np.arange(20.0)[:, None]
    y = ["a", "b"] * 10
    frame = pd.DataFrame({"x": X[:, 0], "c": ["red", "blue"] * 10})
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        fitted = [
            AdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y),
            make_table_classifier(AdaBoostClassifier(n_estimators=2, random_state=0)).fit(frame, y),
        ]
        files = []
        for model in fitted:
            save_model(model, Path(folder, "m"))
            files.append(Path(folder, "m").read_bytes())
    return [*files, *map(_stored, files)]


def _stored(data: bytes) -> bytes:
    """Give an archive without compression, so that changes reach what is in it."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as packed,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as plain,
    ):
        for name in packed.namelist():
            plain.writestr(name, packed.read(name))
    return buffer.getvalue()


@cache
def audits() -> list[bytes]:
    """Give a saved audit as `read_audit` takes it."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=30), "w": ["a", "b", "c"] * 10})
    y = np.where(frame["x"] > 0, "up", "down")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        audit_labels(frame, y, random_state=0).save(folder)
        document = json.loads(Path(folder, "audit.json").read_text(encoding="utf-8"))
        document["arrays"]["sha256"] = "DIGEST"
        return [json.dumps(document).encode() + b"\0" + Path(folder, "arrays.npz").read_bytes()]


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], list[bytes]]]] = {
    "csv": (read_csv, tables),
    "parquet": (read_parquet, parquets),
    "model": (read_model, models),
    "audit": (read_audit, audits),
}


def attempt(target: str, data: bytes) -> bool:
    """Say whether an input is taken; what a user can't be told in one line is raised."""
    try:
        TARGETS[target][0](data)
    except InputError as error:
        if not str(error) or "\n" in str(error):
            raise AssertionError(f"{str(error)!r} isn't one line") from error
        return False
    return True
