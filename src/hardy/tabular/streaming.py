"""Tables of any size, brought from a file into blocks on disk that are read as they are needed."""

import json
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hardy._files import writing
from hardy._shelf import DiskShelf, release
from hardy._steps import Step
from hardy.exceptions import InputError
from hardy.tabular._decoding import is_packed, refuse_stream
from hardy.tabular._long_texts import Report, read_chunks, unpack_file
from hardy.tabular._parquet import PARQUET, refuse_damaged, refuse_other_ending
from hardy.tabular._parsing import TableSource
from hardy.tabular._records import check_separator
from hardy.tabular._streamed_parquet import StreamedParquet
from hardy.tabular._streamed_text import StreamedText
from hardy.tabular.reading import Table, refuse_infinite
from hardy.tabular.stored import StoredFrame, import_arrow, store

_BLOCKS, _FACTS, _UNPACKED = "table.arrow", "table.json", "unpacked"
_STEP, _LINES = "table", "lines"
_REMEDY = "Free some room there, or choose an output folder on another disk."


def stream_table(
    path: Path,
    shelf: DiskShelf,
    sha256: str,
    report: Report,
    *,
    target: str | None = None,
    text: Collection[str] = (),
    unchecked: Collection[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Read a table as :func:`read_table` does, but a part at a time, into blocks on disk.

    Parameters
    ----------
    path : Path
        The file.
    shelf : DiskShelf
        Where the blocks are kept; if they are there already, they aren't made again.
    sha256 : str
        The checksum of the file's bytes.
    report : callable
        Called with what is being done, how much is done, and how much there is.
    target, text, unchecked, separator, encoding
        As in :func:`read_table`.

    Returns
    -------
    Table
        Its frame is a `StoredFrame`.

    Raises
    ------
    InputError
        Where the file can't be read, as :func:`read_table` raises it, or the disk is full.
    MissingExtraError
        Where pyarrow isn't installed.
    """
    import_arrow()
    if separator is not None:
        check_separator(separator)
    asked = [*([] if target is None else [target]), *text, *unchecked]
    if not shelf.is_done(_STEP):
        before = _stamp(path)
        with writing(shelf.folder, _REMEDY):
            unpacked, compression = unpack_file(path, shelf.folder / _UNPACKED)
            streamed: StreamedParquet | StreamedText
            if next(read_chunks(unpacked)).startswith(PARQUET):
                source = TableSource(path, sha256, "parquet", compression)
                streamed = StreamedParquet(unpacked, source, target, asked)
            else:
                refuse_other_ending(path)
                source = TableSource(path, sha256, "text", compression, encoding, separator)
                streamed = StreamedText(unpacked, source, target, asked, text, report)
            _store(streamed, shelf, unchecked, report)
            if unpacked != path:
                unpacked.unlink()
        if _stamp(path) != before:
            raise InputError(f"{path} was changed while it was read. Start again.")
        shelf.finish(_STEP)
    facts = json.loads((shelf.folder / _FACTS).read_text("utf-8"))
    frame = StoredFrame(shelf.folder / _BLOCKS, facts["dtypes"], shelf)
    lines = shelf.zeros(_LINES, (len(frame),), np.int64)
    return Table(frame, lines, TableSource(path, sha256, **facts["source"]))


def estimate_shape(path: Path) -> tuple[int, int]:
    r"""Tell about how many rows and columns a file has, by its beginning.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    n_rows, n_columns : int
        Those of a Parquet file are exact. 0 where only reading the file tells: where it is packed,
        or has cells of several lines.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.csv")
    ...     _ = path.write_text("size,label\n" + "1.5,plum\n2.5,apple\n" * 5)
    ...     estimate_shape(path)
    (10, 2)
    """
    refuse_stream(path)
    first = next(read_chunks(path), b"")
    if first.startswith(PARQUET):
        parquet = import_arrow("pyarrow.parquet")
        try:
            facts = parquet.read_metadata(path)
        except (OSError, ValueError, NotImplementedError) as error:
            refuse_damaged(path, error)
        return facts.num_rows, facts.num_columns
    if not first or is_packed(first) or b'"' in first:
        return 0, 0
    header, _, rows = first.partition(b"\n")
    n_columns = max(header.count(separator) for separator in (b",", b";", b"\t", b"|")) + 1
    return rows.count(b"\n") * path.stat().st_size // len(first), n_columns


def _store(
    streamed: "StreamedParquet | StreamedText",
    shelf: DiskShelf,
    unchecked: Collection[str],
    report: Report,
) -> None:
    """Write the blocks, and what there is to know of them."""
    lines = shelf.zeros(_LINES, (streamed.n_rows,), np.int64)

    def batches() -> Iterator[Any]:
        done = 0
        for batch, frame, starts in streamed.batches():
            refuse_infinite(Table(frame, starts, streamed.source), unchecked)
            lines[done : done + len(frame)] = starts
            release(lines)
            done += len(frame)
            report(f"{Step.STORING} {streamed.source.path.name}", done, streamed.n_rows)
            yield batch

    store(shelf.folder / _BLOCKS, batches())
    source = asdict(streamed.source)
    facts = {
        "dtypes": streamed.dtypes(),
        "source": {k: v for k, v in source.items() if k not in ("path", "sha256")},
    }
    (shelf.folder / _FACTS).write_text(json.dumps(facts), "utf-8")


def _stamp(path: Path) -> tuple[int, int] | None:
    """Tell a file's size and when it was changed; None where it is gone."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_size, facts.st_mtime_ns
