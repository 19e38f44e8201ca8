"""An audit that needs less memory than its table: where it keeps what, and how far it is."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hardy._cut_off import Clock, working_place
from hardy._memory import held_memory, parse_memory_limit, written_limit, written_size
from hardy._shelf import DiskShelf
from hardy._steps import OF_STORING, Progress, Step
from hardy._versions import used_versions
from hardy.exceptions import InputError
from hardy.panel.views import MOST_ROWS
from hardy.tabular import Table
from hardy.tabular._long_texts import digest
from hardy.tabular.reading import shortest_labels
from hardy.tabular.stored import shelf_of
from hardy.tabular.streaming import stream_table

Reader = Callable[..., Table]

# What a step takes of the whole, as measured with a million rows of 20 columns.
_SHARES = {
    **OF_STORING,
    Step.ASKING: (0.2, 0.85),
    Step.MIXING: (0.85, 0.9),
    Step.WRITING: (0.95, 1.0),
}
# Beside the libraries: bytes for each row of the table, forms that the sample that the panel learns
# from is held in at once, and bytes for any table. Four audits of 150,000 to 1,000,000 rows of 5 or
# 20 columns had 2 to 9 % less in all than these make.
_PER_ROW, _FORMS, _LEAST = 180, 6, 50_000_000


@contextmanager
def streaming(
    path: Path,
    folder: Path,
    memory_limit: object,
    options: object,
    progress: Progress | None,
) -> Iterator[tuple[Reader, Progress]]:
    """Give what reads a table into a place on disk, and what tells of progress.

    Parameters
    ----------
    path : Path
        The table's file.
    folder : Path
        The folder of the audit.
    memory_limit : str or int
        As :func:`hardy.audit.audit_file` takes it.
    options : object
        Whatever else the result depends on, as its `repr` tells.
    progress : callable or None
        Called with a text, how much is done, and how much there is.

    Yields
    ------
    reader, progress : callables
        As :func:`hardy.tabular.read_table`, and as `progress`.
    """
    limit, base = parse_memory_limit(memory_limit), held_memory()
    check_limit(limit, base)
    clock = Clock(progress, _SHARES)
    sha256 = digest(path, clock.tell)
    facts = {
        "sha256": sha256,
        "options": repr(options),
        "versions": used_versions(),
    }

    def read(path: Path, **named: Any) -> Table:
        table = stream_table(path, shelf, sha256, clock.tell, **named)
        frame = table.frame
        check_limit(limit, base, frame.shape[1], len(frame))
        if len(frame) > MOST_ROWS:
            return replace(table, frame=frame.on(shelf.within("panel", clock.tell_judged)))
        frame = frame.take(np.arange(len(frame)))
        target = named["target"]
        if table.source.format == "text" and target is not None:
            frame[target] = shortest_labels(frame[target])
        return replace(table, frame=frame)

    with working_place(folder, facts) as shelf:
        yield read, clock.tell


def with_settled(features: Any, settled: Mapping[int, Any]) -> Any:
    """Keep what is learnt from settled labels apart from what was learnt from others."""
    shelf = shelf_of(features)
    if not settled or not isinstance(shelf, DiskShelf):
        return features
    made_of = hashlib.sha256(repr(sorted(settled.items())).encode()).hexdigest()
    return features.on(shelf.within(made_of[:16]))


def check_limit(limit: int, base: int, n_columns: int = 0, n_rows: int = 0) -> None:
    """Refuse a limit of memory that is too small.

    Parameters
    ----------
    limit : int
        The limit in bytes.
    base : int
        What the process holds already: interpreter, libraries, and what else it keeps.
    n_columns, n_rows : int
        The shape of the table as numbers; 0 where it isn't known yet.

    Raises
    ------
    InputError
        The message says what would do.
    """
    sampled = 8 * _FORMS * n_columns * min(n_rows, MOST_ROWS)
    needed = base + _LEAST + sampled + _PER_ROW * n_rows
    if limit < needed:
        raise InputError(
            f"A memory limit of {written_limit(limit)} is too small: the libraries alone take "
            f"{written_size(base)}, and this needs about {written_size(needed)} in all."
        )
