"""Hardness by disagreeing neighbours, of rows in blocks."""

from numbers import Integral
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy._labels import as_label_array
from hardy._validation import make_random_state
from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._collections import check_table, column_parts, lay_end_to_end, table_parts
from hardy.distributed._index import measure_disagreement
from hardy.distributed._training import encode_blocks, refuse_uneven
from hardy.exceptions import InputError
from hardy.hardness._rows import check_labels, check_rows
from hardy.hardness.neighbors import check_count


def k_disagreeing_neighbors(
    X: Any,
    y: Any,
    n_neighbors: int = 5,
    *,
    max_index_rows: int = 100_000,
    random_state: int | np.random.RandomState | None = None,
) -> Any:
    """Give the share of each row's nearest neighbours that have another label (kDN).

    All blocks look for neighbours in one index, which each worker is sent once. Where the rows are
    at most `max_index_rows`, it holds all of them, and the result is exactly that of
    :func:`hardy.hardness.k_disagreeing_neighbors`, however the rows are split. Otherwise it holds
    a random sample: see the notes.

    Parameters
    ----------
    X : {Dask array, Dask data frame} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : {Dask array, Dask series} of shape (n_samples,)
        Labels of any kind, none missing, in the same blocks as `X`.
    n_neighbors : int, default=5
        The number of neighbours k.
    max_index_rows : int, default=100_000
        How many rows are in the index, at most or, where it is a sample, on average. Each worker
        keeps them in memory, with a search tree.
    random_state : int, RandomState instance or None, default=None
        Draws the sample. A row is in it or not whatever the blocks are.

    Returns
    -------
    Dask array of shape (n_samples,)
        In [0, 1], higher is harder; computed already, and kept on the cluster.

    Raises
    ------
    InputError
        Where the input isn't Dask's or its blocks don't fit together, a label is missing, a value
        isn't finite, or there are fewer than two rows.
    MissingExtraError
        Where Dask isn't installed.

    Notes
    -----
    With a sample of m among n rows, the neighbours are as far away as the (k n / m)-th of all
    would be: few of them are the true ones (about m / n), but their labels are those of the same
    region as long as the classes change little over that distance. The guide has the error.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from hardy.distributed import k_disagreeing_neighbors
    >>> X = da.from_array(np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]), chunks=(4, 1))
    >>> y = da.from_array(np.array(["a", "a", "b", "b", "b", "b"]), chunks=4)
    >>> k_disagreeing_neighbors(X, y, n_neighbors=2).compute()
    array([0.5, 0.5, 1. , 0. , 0. , 0. ])
    """
    import_dask()
    check_count(n_neighbors)
    if not isinstance(max_index_rows, Integral) or max_index_rows <= n_neighbors:
        raise InputError(
            f"max_index_rows={max_index_rows!r} must be a whole number above n_neighbors="
            f"{n_neighbors}."
        )
    X = check_table(X)
    given = table_parts(X)
    numbers, labels = Blocks(tuple(range(len(given)))), Blocks(tuple(column_parts("y", y, X)))
    checked = Blocks(tuple(given)).map(_check_part, labels, numbers)
    lengths = checked.gather(_n_rows)
    filled = np.flatnonzero(lengths)
    if not filled.size:
        raise InputError("X has no rows.")
    rows = checked.at(filled).map(itemgetter(0))
    _, codes = encode_blocks(checked.at(filled).map(itemgetter(1)))
    measured = measure_disagreement(
        rows,
        codes,
        codes.map(np.ones_like, np.float64),
        n_neighbors,
        int(max_index_rows),
        make_random_state(random_state),
    )
    kept = [n for n in lengths if n]
    return lay_end_to_end(measured, kept, np.empty(0))


def _check_part(X: Any, y: Any, number: int) -> tuple[Any, NDArray[Any]] | None:
    refuse_uneven(number, X, y)
    if not X.shape[0]:
        return None
    try:
        rows = check_rows(X)
        check_labels(y, rows.shape[0])
    except ValueError as error:
        raise InputError(f"In block {number} of the rows, counted from 0: {error}") from None
    return rows, as_label_array(y)


def _n_rows(part: Any) -> int:
    return 0 if part is None else part[0].shape[0]
