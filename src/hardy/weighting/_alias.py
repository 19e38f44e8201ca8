"""Draws of rows in proportion to given chances, in constant time for each draw."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled
from hardy.weighting.training_set import Floats

Array = NDArray[Any]


class AliasTable:
    """Walker's table as Vose fills it [1]_: equal cells, each shared by at most two rows.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows,)
        How likely each row is to be drawn; they sum to 1.

    References
    ----------
    .. [1] M. D. Vose, "A linear algorithm for generating random numbers with a given
       distribution", IEEE Transactions on Software Engineering 17(9), 1991.
    """

    def __init__(self, probabilities: Floats) -> None:
        shares, self._aliases = np.empty(len(probabilities)), np.empty(len(probabilities), np.int32)
        _fill(probabilities, shares, self._aliases)
        # Short enough for the cache; what is rounded off is far less than a bag could show.
        self._shares = shares.astype(np.float32)

    def draw(self, size: int, random_state: np.random.RandomState) -> NDArray[np.intp]:
        """Draw rows with replacement."""
        rows = np.empty(size, np.intp)
        _look_up(random_state.random_sample(size), self._shares, self._aliases, rows)
        return rows


@compiled
def _fill(probabilities: Array, shares: Array, aliases: Array) -> None:
    """Cut the unit interval into n equal cells, each of them shared by at most two rows.

    Cell i belongs to row i up to ``shares[i]`` of its width, and beyond to row ``aliases[i]``.
    """
    n_rows = probabilities.shape[0]
    short = np.empty(n_rows, np.int64)
    long = np.empty(n_rows, np.int64)
    n_short = n_long = 0
    for i in range(n_rows):
        shares[i] = probabilities[i] * n_rows
        aliases[i] = i
        if shares[i] < 1:
            short[n_short] = i
            n_short += 1
        else:
            long[n_long] = i
            n_long += 1
    while n_short > 0 and n_long > 0:
        n_short -= 1
        small, large = short[n_short], long[n_long - 1]
        aliases[small] = large
        shares[large] -= 1 - shares[small]
        if shares[large] < 1:
            n_long -= 1
            short[n_short] = large
            n_short += 1
    # What is left is full but for rounding.
    for i in range(n_short):
        shares[short[i]] = 1


@compiled
def _look_up(points: Array, shares: Array, aliases: Array, rows: Array) -> None:
    """Find the rows that points of [0, 1) fall upon."""
    n_rows = shares.shape[0]
    for i in range(points.shape[0]):
        scaled = points[i] * n_rows
        cell = int(scaled)
        # Read in any case: without branches the loop is vectorised.
        alias = aliases[cell]
        rows[i] = cell if scaled - cell < shares[cell] else alias
