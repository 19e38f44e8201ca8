"""Tables from Parquet files."""

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

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
    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
    try:
        content = parquet.ParquetFile(io.BytesIO(data)).read()
        # Broken letters would be found much later otherwise, and nobody would know where.
        content.validate(full=True)
    except (OSError, ValueError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path} is a damaged Parquet file: {reason}") from None
    refuse_repeated_names(content.column_names, path)
    if not content.num_rows:
        raise InputError(f"{path} has no rows.")
    if not content.num_columns:
        raise InputError(f"{path} has no columns.")
    index = _find_index(content.schema.metadata, content.column_names)
    content = content.select([*index, *(n for n in content.column_names if n not in index)])
    names = adopt_names(_name_index(content.column_names, len(index)), asked)
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
