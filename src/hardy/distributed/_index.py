"""Rows among which all blocks look for neighbours: all rows, or a sample of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from hardy.distributed._blocks import Blocks
from hardy.distributed._drawing import draw_uniform, first_places
from hardy.exceptions import InputError
from hardy.hardness._rows import leave_out_itself
from hardy.hardness.neighbors import NeighborIndex
from hardy.learners._rows import stack_rows
from hardy.weighting.hardness import Neighborhood
from hardy.weighting.training_set import Floats

_Part = tuple[Any, NDArray[np.intp], Floats, NDArray[np.intp]]


@dataclass(frozen=True)
class SharedIndex:
    """Rows with the class index, the weight and the place of each among all rows."""

    rows: Any
    codes: NDArray[np.intp]
    weights: Floats
    places: NDArray[np.intp]
    is_whole: bool

    @cached_property
    def _exact(self) -> NeighborIndex:
        return NeighborIndex(self.rows)

    @cached_property
    def _search(self) -> NearestNeighbors:
        return NearestNeighbors().fit(self.rows)

    def disagreement(
        self,
        rows: Any,
        codes: NDArray[np.intp],
        weights: Floats,
        first: int,
        n_neighbors: int,
    ) -> Floats:
        """Give the share of the neighbours of a block's rows that have another label."""
        if self.is_whole:
            own = np.arange(first, first + len(codes))
            near, far = self._exact.nearest(n_neighbors, own)
            around = Neighborhood.around(own, near, far, self.weights, n_neighbors)
            return around.disagreement(codes, self.codes)
        near, far = self._find(rows, first, n_neighbors)
        # Most rows aren't in the index: all stand behind it, to have a position.
        own = len(self.codes) + np.arange(len(codes))
        all_weights = np.concatenate([self.weights, weights])
        around = Neighborhood.around(own, near, far, all_weights, n_neighbors)
        return around.disagreement(codes, np.concatenate([self.codes, codes]))

    def _find(
        self, rows: Any, first: int, n_neighbors: int
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Find the nearest rows of the index that aren't the asking row itself."""
        n_found = min(n_neighbors, len(self.codes) - 1)
        distances, near = self._search.kneighbors(rows, n_found + 1)
        is_self = self.places[near] == np.arange(first, first + rows.shape[0])[:, None]
        near, distances = leave_out_itself(is_self, near, distances)
        return near, distances


def measure_disagreement(
    rows: Blocks,
    codes: Blocks,
    weights: Blocks,
    n_neighbors: int,
    max_index_rows: int,
    random_state: np.random.RandomState,
) -> Blocks:
    """Measure kDN of the rows of blocks, none of which is empty."""
    lengths = codes.gather(len)
    firsts, n_rows = first_places(lengths), sum(lengths)
    if n_rows < 2:
        raise InputError(f"Neighbours need at least 2 rows, but X has {n_rows}.")
    share = max_index_rows / n_rows
    seed = None if share >= 1 else int(random_state.randint(np.iinfo(np.int32).max))
    chosen = rows.map(_choose, codes, weights, firsts, seed, share)
    index = chosen.meet(_join, seed is None)
    return rows.map(_disagreement, codes, weights, firsts, index, n_neighbors)


def _choose(
    rows: Any,
    codes: NDArray[np.intp],
    weights: Floats,
    first: int,
    seed: int | None,
    share: float,
) -> _Part:
    places = np.arange(first, first + len(codes))
    if seed is None:
        return rows, codes, weights, places
    chosen = draw_uniform(seed, first, len(codes)) < share
    return rows[chosen], codes[chosen], weights[chosen], places[chosen]


def _join(parts: list[_Part], is_whole: bool) -> SharedIndex:
    rows = [part[0] for part in parts]
    codes, weights, places = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
    return SharedIndex(stack_rows(rows), codes, weights, places, is_whole)


def _disagreement(
    rows: Any,
    codes: NDArray[np.intp],
    weights: Floats,
    first: int,
    index: SharedIndex,
    n_neighbors: int,
) -> Floats:
    return index.disagreement(rows, codes, weights, first, n_neighbors)
