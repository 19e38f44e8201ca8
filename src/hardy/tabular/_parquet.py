"""Tables from Parquet files."""

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from hardy._extras import import_extra
from hardy._files import naming
from hardy.exceptions import InputError
from hardy.tabular._records import refuse_repeated_names
from hardy.tabular.columns import adopt_names, resolve_column

# The names that pyarrow gives to the levels of an index that have none of their own.
_INDEX_LEVEL = re.compile(r"__index_level_(\d+)__")


def read_parquet(data: bytes, path: Path, target: str | None, asked: list[str]) -> pd.DataFrame:
    """Read a file's bytes; columns are named in the form in which they are `asked` for."""
    content, _ = load_parquet(data, path)
    refuse_repeated_names(content.column_names, path)
    if not content.num_rows:
        raise InputError(f"{path} has no rows.")
    if not content.num_columns:
        raise InputError(f"{path} has no columns.")
    columns = order_columns(content)
    content = content.select(list(columns.values()))
    names = adopt_names(columns, asked)
    content = content.rename_columns(names)
    if target is not None:
        with naming(path):
            target = resolve_column(target, names)
        kind = content.schema.field(target).type
        if kind.num_fields:
            raise InputError(
                f"{path}: the column {target!r} holds values of the type {kind}; each label must "
                "be a single value, such as a word or a number."
            )
    # pandas' own notes in the file may be broken, and could make a column's name a number.
    # Floats, which pandas takes for integers with holes, would round those with many digits.
    frame: pd.DataFrame = content.to_pandas(ignore_metadata=True, integer_object_nulls=True)
    return frame


def load_parquet(data: bytes, path: Path) -> tuple[Any, str]:
    """Give the Arrow table of a file's bytes, and how its columns are compressed."""
    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        content = file.read()
        # Broken letters would be found much later otherwise, and nobody would know where.
        content.validate(full=True)
    except (OSError, ValueError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path} is a damaged Parquet file: {reason}") from None
    notes = file.metadata
    is_plain = not (notes.num_row_groups and notes.num_columns)
    packing = "SNAPPY" if is_plain else notes.row_group(0).column(0).compression
    return content, {"UNCOMPRESSED": "none"}.get(packing, packing)


def order_columns(content: Any) -> dict[str, str]:
    """Give the file's columns by the names that Hardy calls them, an index of pandas' first."""
    index = _find_index(content.schema.metadata, content.column_names)
    ordered = [*index, *(n for n in content.column_names if n not in index)]
    return dict(zip(_name_index(ordered, len(index)), ordered, strict=True))


def _find_index(notes: Mapping[bytes, bytes] | None, names: list[str]) -> list[str]:
    """Give the columns that hold a pandas index, by pandas' notes in the file."""
    try:
        found = json.loads((notes or {})[b"pandas"])["index_columns"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return []
    return [name for name in names if isinstance(found, list) and name in found]


def _name_index(names: list[str], n_levels: int) -> list[str]:
    """Name the levels of an index without names as pandas does, where these names are free."""
    named: list[str] = []
    for name in names:
        level = _INDEX_LEVEL.fullmatch(name)
        wanted = [] if level is None else ["index"] * (n_levels < 2) + [f"level_{level[1]}"]
        named.append(next((new for new in wanted if new not in {*names, *named}), name))
    return named
