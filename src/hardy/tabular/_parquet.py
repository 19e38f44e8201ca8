"""Tables from Parquet files."""

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from hardy._extras import import_extra
from hardy._files import naming
from hardy.exceptions import InputError
from hardy.tabular._records import refuse_repeated_names
from hardy.tabular.columns import adopt_names, resolve_column

# The names that pyarrow gives to the levels of an index that have none of their own.
_INDEX_LEVEL = re.compile(r"__index_level_(\d+)__")


PARQUET = b"PAR1"


def refuse_other_ending(path: Path) -> None:
    """Refuse a file that isn't Parquet, though its name says so."""
    if path.suffix.lower() in {".parquet", ".pq"}:
        raise InputError(f"{path} is not a Parquet file.")


def read_parquet(data: bytes, path: Path, target: str | None, asked: list[str]) -> pd.DataFrame:
    """Read a file's bytes; columns are named in the form in which they are `asked` for."""
    content, _ = load_parquet(data, path)
    columns = choose_columns(content.schema, content.num_rows, path, target, asked)
    content = content.select(list(columns.values())).rename_columns(list(columns))
    return to_frame(content, path)


def to_frame(content: Any, path: Path) -> pd.DataFrame:
    """Give a table or batch of Arrow's as a frame; refuse what no frame can hold."""
    # pandas' own notes in the file may be broken, and could make a column's name a number.
    # Floats, which pandas takes for integers with holes, would round those with many digits.
    options = {"ignore_metadata": True, "integer_object_nulls": True}
    try:
        frame: pd.DataFrame = content.to_pandas(**options)
    except (ValueError, OverflowError):
        for name in content.schema.names:
            try:
                content.select([name]).to_pandas(**options)
            except (ValueError, OverflowError) as error:
                raise InputError(
                    f"{path}: a value of the column {name!r} is beyond what can be held: {error}."
                ) from None
        raise
    return frame


def choose_columns(
    schema: Any, n_rows: int, path: Path, target: str | None, asked: list[str]
) -> dict[str, str]:
    """Give the file's columns by the names to be used, checked."""
    refuse_repeated_names(schema.names, path)
    if not n_rows:
        raise InputError(f"{path} has no rows.")
    if not schema.names:
        raise InputError(f"{path} has no columns.")
    ordered = order_columns(schema)
    columns = dict(zip(adopt_names(ordered, asked), ordered.values(), strict=True))
    if target is not None:
        with naming(path):
            target = resolve_column(target, columns)
        kind = schema.field(columns[target]).type
        if kind.num_fields:
            raise InputError(
                f"{path}: the column {target!r} holds values of the type {kind}; each label must "
                "be a single value, such as a word or a number."
            )
    return columns


def load_parquet(data: bytes, path: Path) -> tuple[Any, str]:
    """Give the Arrow table of a file's bytes, and how its columns are compressed."""
    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        content = file.read()
        # Broken letters would be found much later otherwise, and nobody would know where.
        content.validate(full=True)
    except (OSError, ValueError, NotImplementedError) as error:
        refuse_damaged(path, error)
    notes = file.metadata
    is_plain = not (notes.num_row_groups and notes.num_columns)
    packing = "SNAPPY" if is_plain else notes.row_group(0).column(0).compression
    return content, {"UNCOMPRESSED": "none"}.get(packing, packing)


def refuse_damaged(path: Path, error: Exception) -> NoReturn:
    """Refuse a Parquet file that can't be read to its end."""
    reason = str(error).partition("\n")[0]
    raise InputError(f"{path} is a damaged Parquet file: {reason}") from None


def order_columns(schema: Any) -> dict[str, str]:
    """Give the file's columns by the names that Hardy calls them, an index of pandas' first."""
    index = _find_index(schema.metadata, schema.names)
    ordered = [*index, *(n for n in schema.names if n not in index)]
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
