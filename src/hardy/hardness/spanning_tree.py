"""Hardness from the minimum spanning tree of all rows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardy.hardness._kernels import grow_tree
from hardy.hardness._rows import check_labels, check_rows, check_two_rows, scale_together
from hardy.learners._rows import kernel_rows

# A block of rows is compared without a look at the keyboard.
_BLOCK_ROWS = 256


def mst_disagreement(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give the share of each row's edges in the minimum spanning tree to other classes (N1).

    Takes O(n²) distances, but keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    k_disagreeing_neighbors : The same of as many neighbours for each row.

    Notes
    -----
    Duplicates are joined by edges of length 0. Of edges equally long, the one whose smaller
    position is smaller comes first, then the one whose larger is: where there are ties the tree
    depends on the order of the rows.

    References
    ----------
    .. [1] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: N1.
    .. [2] R. C. Prim, "Shortest connection networks and some generalizations", Bell System
       Technical Journal 36, 1957.

    Examples
    --------
    >>> from hardy.hardness import mst_disagreement
    >>> mst_disagreement([[0.0], [1.0], [2.0], [3.5]], ["a", "a", "b", "b"])
    array([0. , 0.5, 0.5, 0. ])
    """
    rows = check_rows(X)
    codes = check_labels(y, rows.shape[0])
    check_two_rows(rows, "Spanning trees")
    ends, others = _spanning_tree(scale_together(rows.astype(np.float64))[0])
    ends, others = np.concatenate([ends, others]), np.concatenate([others, ends])
    value: NDArray[np.float64] = np.bincount(ends, codes[ends] != codes[others]) / np.bincount(ends)
    return value


def _spanning_tree(rows: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    n_rows = rows.shape[0]
    newest, outside = 0, np.arange(1, n_rows)
    squares, links = np.full(n_rows, np.inf), np.zeros(n_rows, dtype=np.intp)
    while outside.size:
        n_steps = min(_BLOCK_ROWS, outside.size)
        newest = grow_tree(*kernel_rows(rows), newest, n_steps, outside, squares, links)
        outside = outside[:-n_steps]
    return np.arange(1, n_rows), links[1:]
