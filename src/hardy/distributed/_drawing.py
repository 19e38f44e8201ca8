"""Random numbers of rows that are in blocks: those of a row depend on its place among all."""

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks


def first_places(lengths: list[int]) -> Blocks:
    """Give the place of each block's first row among all rows."""
    return Blocks(tuple(int(n) for n in np.cumsum([0, *lengths[:-1]])))


def draw_uniform(seed: int, first: int, n_rows: int) -> NDArray[np.float64]:
    """Draw a number of [0, 1) for each row from place `first` on, however rows are split."""
    # Each number takes one step of this generator, so that it can go to a block's rows at once.
    bits = np.random.PCG64(seed).advance(first)
    return np.random.Generator(bits).random(n_rows)
