"""What every study does with its cells: seed them, run them in any order, keep each at once."""

import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sklearn.utils.parallel import Parallel

from hardy._steps import Progress
from hardy.studies.store import CellStore


def make_seed(*parts: Any) -> int:
    """Make a seed of what tells draws apart, the same on every machine.

    Parameters
    ----------
    *parts : object
        Numbers and words.

    Returns
    -------
    int
        From 0 to 2³¹ − 1.

    Examples
    --------
    >>> make_seed("twonorm", 0), make_seed("twonorm", 1)
    (1601818312, 1180893065)
    """
    return zlib.crc32(repr(parts).encode()) & 0x7FFFFFFF


def run_cells(
    tasks: Sequence[Any],
    describe: Callable[[dict[str, Any]], str],
    *,
    stored: CellStore | None,
    n_done: int,
    n_jobs: int | None,
    progress: Progress | None,
) -> Iterator[dict[str, Any]]:
    """Run what isn't finished yet, and give each row when it is stored.

    Parameters
    ----------
    tasks : sequence of tasks
        What ``sklearn.utils.parallel.delayed`` makes of a function that gives a cell's row.
    describe : callable
        Puts a row into words, for `progress`.
    stored : CellStore or None
        Where each row is kept before the next one is waited for.
    n_done : int
        How many cells were finished before.
    n_jobs : int or None
        The number of jobs, as in joblib.
    progress : callable or None
        Called with what was done, the number of cells done, and their total.

    Yields
    ------
    dict
        A row, in the order in which they are finished.
    """
    total = n_done + len(tasks)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    # Here, because threads that set the filters of warnings would undo each other's.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for done, row in enumerate(parallel(tasks), start=n_done + 1):
            if stored is not None:
                stored.append(row)
            if progress is not None:
                progress(describe(row), done, total)
            yield row


def error_in_words(error: Exception) -> str:
    """Write an error as one line that any file can hold."""
    message = " ".join(f"{type(error).__name__}: {error}".split())
    # Half a character is written as an escape.
    return message.encode(errors="backslashreplace").decode()
