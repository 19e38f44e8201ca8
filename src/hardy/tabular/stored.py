"""Tables that lie in a file of blocks, of which some rows or one column are in memory at a time."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from hardy._extras import import_extra
from hardy._shelf import BLOCK_ROWS, MEMORY, Shelf

Dtypes = dict[str, Any]


# A block has at most so many rows, and so many cells.
_CELLS = 2_000_000


def rows_of_block(n_columns: int) -> int:
    """Give the number of rows of the blocks of a table."""
    return min(BLOCK_ROWS, max(1, _CELLS // max(1, n_columns)))


def import_arrow(module: str = "pyarrow") -> Any:
    """Give pyarrow, whose files of record batches hold the blocks."""
    return import_extra(module, extra="parquet", purpose="Working with a memory limit")


class StoredFrame:
    """A table in blocks of one length on disk, which gives the rows and columns asked for.

    Parameters
    ----------
    path : Path
        An Arrow file that :func:`storing` has written.
    dtypes : dict of str to str or dict
        The columns to use, and what pandas calls their type in the whole table: its name, or the
        categories.
    shelf : Shelf
        Where arrays with a line for each row are kept.
    rows : ndarray of shape (n_rows,), optional
        The positions of the rows to use, rising; by default all.
    """

    def __init__(
        self, path: Path, dtypes: Dtypes, shelf: Shelf, rows: NDArray[np.intp] | None = None
    ) -> None:
        self.shelf = shelf
        self.path = path
        self.dtypes = dtypes
        self.rows = rows
        with self._open() as file:
            n_blocks = file.num_record_batches
            self._size = file.get_batch(0).num_rows
            last = file.get_batch(n_blocks - 1).num_rows
        self._n_stored = self._size * (n_blocks - 1) + last

    @property
    def columns(self) -> "pd.Index[Any]":
        """The names of the columns."""
        return pd.Index(list(self.dtypes), dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self), len(self.dtypes)

    def __len__(self) -> int:
        return self._n_stored if self.rows is None else len(self.rows)

    def __getitem__(self, name: str) -> "pd.Series[Any]":
        """Read one column."""
        blocks = self.only(name).blocks()
        return pd.concat([block[name] for block in blocks], ignore_index=True)

    def only(self, name: str) -> "StoredFrame":
        """Select one column; it isn't read yet."""
        return self.drop([other for other in self.dtypes if other != name])

    def drop(self, columns: Collection[str]) -> "StoredFrame":
        """Leave columns out."""
        kept = {name: dtype for name, dtype in self.dtypes.items() if name not in columns}
        return StoredFrame(self.path, kept, self.shelf, self.rows)

    def select(self, rows: NDArray[np.intp]) -> "StoredFrame":
        """Select rows by rising positions; none is read yet."""
        stored = rows if self.rows is None else self.rows[rows]
        return StoredFrame(self.path, self.dtypes, self.shelf, stored)

    def on(self, shelf: Shelf) -> "StoredFrame":
        """Keep arrays with a line for each row elsewhere."""
        return StoredFrame(self.path, self.dtypes, shelf, self.rows)

    def blocks(self) -> Iterator[pd.DataFrame]:
        """Read the table block by block."""
        for start in range(0, len(self), self._size):
            yield self.take(np.arange(start, min(start + self._size, len(self))))

    def take(self, positions: NDArray[np.intp]) -> pd.DataFrame:
        """Read some rows, in any order.

        Parameters
        ----------
        positions : ndarray of shape (n_taken,), dtype intp
            Their positions among the rows of this table.

        Returns
        -------
        DataFrame of shape (n_taken, n_columns)
            On an index of its own, counted from 0.
        """
        arrow = import_arrow()
        stored = positions if self.rows is None else self.rows[positions]
        order = None
        if len(stored) and (np.diff(stored) < 0).any():
            order = np.argsort(stored, kind="stable")
            stored = stored[order]
        with self._open() as file:
            parts = [file.get_batch(0).slice(0, 0)]
            ends = np.flatnonzero(np.diff(stored // self._size)) + 1
            for some in np.split(stored, ends) if len(stored) else ():
                number, first = divmod(int(some[0]), self._size)
                batch = file.get_batch(number)
                if some[-1] - some[0] + 1 == len(some):
                    parts.append(batch.slice(first, len(some)))
                else:
                    parts.append(batch.take(arrow.array(some - number * self._size)))
            frame: pd.DataFrame = arrow.Table.from_batches(parts).to_pandas(
                ignore_metadata=True, integer_object_nulls=True, split_blocks=True
            )
        frame = frame[list(self.dtypes)]
        for name, dtype in self.dtypes.items():
            kind = pd.CategoricalDtype(**dtype) if isinstance(dtype, dict) else dtype
            if frame[name].dtype != kind:
                frame[name] = frame[name].astype(kind)
        if order is not None:
            frame = frame.iloc[np.argsort(order)].reset_index(drop=True)
        return frame

    @contextmanager
    def _open(self) -> Iterator[Any]:
        """Open the file for its columns; what is read of it is read into memory, not mapped."""
        arrow, ipc = import_arrow(), import_arrow("pyarrow.ipc")
        with arrow.OSFile(str(self.path), "rb") as source:
            fields = {name: at for at, name in enumerate(ipc.open_file(source).schema.names)}
            wanted = [fields[name] for name in self.dtypes]
            options = ipc.IpcReadOptions(included_fields=wanted, use_threads=False)
            yield ipc.open_file(source, options=options)


def store(path: Path, batches: Iterable[Any]) -> None:
    """Write record batches of one schema and, but for the last, one length into a file."""
    ipc = import_arrow("pyarrow.ipc")
    unfinished = path.with_suffix(".part")
    batches = iter(batches)
    first = next(batches)
    with ipc.new_file(str(unfinished), first.schema) as file:
        file.write_batch(first)
        for batch in batches:
            file.write_batch(batch)
    unfinished.replace(path)


def shelf_of(table: Any) -> Shelf:
    """Give where arrays with a line for each row of a table are kept."""
    return table.shelf if isinstance(table, StoredFrame) else MEMORY


def select_rows(table: Any, positions: NDArray[np.intp], most: int) -> Any:
    """Give some rows of a table of any kind; of a stored one, without reading more than `most`."""
    if isinstance(table, StoredFrame) and len(positions) > most:
        return table.select(positions)
    return take_rows(table, positions)


def take_rows(table: Any, positions: NDArray[np.intp]) -> Any:
    """Give some rows of a table of any kind.

    Parameters
    ----------
    table : DataFrame, array, sparse matrix, list or StoredFrame
        The table.
    positions : ndarray of shape (n_taken,), dtype intp
        The positions of the rows.

    Returns
    -------
    Rows of the same kind; those of a StoredFrame come as a DataFrame.

    Examples
    --------
    >>> take_rows(pd.DataFrame({"size": [1.5, 2.5, 3.5]}), np.array([2, 0]))["size"].tolist()
    [3.5, 1.5]
    """
    if isinstance(table, StoredFrame):
        return table.take(positions)
    return _safe_indexing(table, positions)
