"""Parquet files that are read a part at a time, to the same values as all at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._extras import import_extra
from hardy.tabular._parquet import choose_columns, refuse_damaged, to_frame
from hardy.tabular._parsing import TableSource
from hardy.tabular.stored import import_arrow, rows_of_block


class StreamedParquet:
    """A Parquet file, as :func:`read_table` reads it.

    Parameters
    ----------
    path : Path
        The file, unpacked.
    source : TableSource
        What is known of it already.
    target : str or None
        The column of labels.
    asked : list of str
        The columns that are named, which come in the Unicode form of these names.
    """

    def __init__(
        self, path: Path, source: TableSource, target: str | None, asked: list[str]
    ) -> None:
        self.source = source
        parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
        try:
            self._file = parquet.ParquetFile(path)
        except (OSError, ValueError, NotImplementedError) as error:
            refuse_damaged(source.path, error)
        self.n_rows: int = self._file.metadata.num_rows
        self._schema = self._file.schema_arrow
        self._columns = choose_columns(self._schema, self.n_rows, source.path, target, asked)
        self._has_missing = dict.fromkeys(self._columns, False)
        self._categories: dict[str, dict[Any, None]] = {}

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self._columns)

    def dtypes(self) -> dict[str, Any]:
        """Give the type of each column in the whole table, once all parts were given."""
        arrow = import_arrow()
        chosen: dict[str, Any] = {}
        for name, stored in self._columns.items():
            kind = self._schema.field(stored).type
            holes = self._has_missing[name]
            if name in self._categories:
                chosen[name] = {"categories": list(self._categories[name])}
            elif holes and (arrow.types.is_integer(kind) or arrow.types.is_boolean(kind)):
                chosen[name] = "object"
            else:
                empty = arrow.table({name: arrow.array([], type=kind)})
                chosen[name] = str(empty.to_pandas()[name].dtype)
        return chosen

    def batches(self) -> Iterator[tuple[Any, pd.DataFrame, NDArray[np.int64]]]:
        """Give the parts as record batches, as frames, and the numbers of their rows."""
        done = 0
        for batch in self._even_batches(rows_of_block(self.width)):
            frame = to_frame(batch, self.source.path)
            yield batch, frame, np.arange(done + 1, done + 1 + len(frame))
            done += len(frame)

    def _even_batches(self, size: int) -> Iterator[Any]:
        """Give batches of one length, but for the last; those of a file follow its row groups."""
        arrow = import_arrow()
        left = None
        for batch in self._read(size):
            table = arrow.Table.from_batches([batch])
            left = table if left is None else arrow.concat_tables([left, table])
            while len(left) >= size:
                yield left.slice(0, size).combine_chunks().to_batches()[0]
                left = left.slice(size)
        if left is not None and len(left):
            yield left.combine_chunks().to_batches()[0]

    def _read(self, size: int) -> Iterator[Any]:
        arrow = import_arrow()
        try:
            for batch in self._file.iter_batches(size, columns=list(self._columns.values())):
                # Broken letters would be found much later otherwise.
                batch.validate(full=True)
                arrays = [
                    self._note(name, batch.column(stored)) for name, stored in self._columns.items()
                ]
                yield arrow.RecordBatch.from_arrays(arrays, names=list(self._columns))
        except (OSError, ValueError, NotImplementedError) as error:
            refuse_damaged(self.source.path, error)

    def _note(self, name: str, column: Any) -> Any:
        """See whether values are missing, and take categories for the words that they stand for."""
        self._has_missing[name] |= column.null_count > 0
        if not import_arrow().types.is_dictionary(column.type):
            return column
        known = self._categories.setdefault(name, {})
        known |= dict.fromkeys(column.dictionary.to_pylist())
        return column.dictionary_decode()
