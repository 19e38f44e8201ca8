"""Bags of rows: drawn on the cluster, gathered from the blocks, each for one member."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._drawing import first_places
from hardy.ensembles._bagging_loop import BagTrainer
from hardy.ensembles._members import copy_member, member_output
from hardy.ensembles._perceptrons import fit_perceptrons
from hardy.learners._rows import stack_rows
from hardy.weighting import BagRule, MemberKind

_Rows = tuple[Any, NDArray[np.intp]]


@dataclass(frozen=True)
class Urn:
    """What the bags are drawn from: the rule, and a trainer that knows all labels but no row."""

    rule: BagRule
    trainer: BagTrainer

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.trainer.training.y)


@dataclass(frozen=True)
class Drawn:
    """A bag: its rows in the order of the draw, and what its member draws from then on.

    Of the `distinct` rows, in rising order, `order` takes those of the bag.
    """

    distinct: NDArray[np.intp]
    order: NDArray[np.intp]
    random_state: np.random.RandomState

    @classmethod
    def of(cls, rows: NDArray[np.intp], random_state: np.random.RandomState) -> "Drawn":
        """Keep rows as they were drawn."""
        return cls(*np.unique(rows, return_inverse=True), random_state)


def draw_bags(urn: Any, seeds: NDArray[Any]) -> tuple[Blocks, int]:
    """Draw a bag for each seed, and tell how many had rows of one class only, time and again."""
    members = Blocks(tuple(int(seed) for seed in seeds))
    drawn = members.map(_draw, Blocks(tuple(range(len(seeds)))), urn)
    is_drawn = drawn.gather(_is_something)
    return drawn.at(np.flatnonzero(is_drawn)), is_drawn.count(False)


def all_rows(urn: Any, random_state: np.random.RandomState) -> Blocks:
    """Make one bag of all rows."""
    return Blocks((random_state,)).map(_draw_all, urn)


def train_members(
    rows: Blocks,
    codes: Blocks,
    drawn: Blocks,
    template: Any,
    classes: NDArray[Any],
    order_seeds: NDArray[Any] | None = None,
) -> list[tuple[Any, float]]:
    """Train a member on each bag, in a task of its own; give them and their errors.

    The rows of a bag are gathered where its member is trained. `order_seeds` are those of the
    sub-problems of perceptrons that can be pooled, for each member.
    """
    dask = import_dask()
    find, take, train = (dask.delayed(f, pure=False) for f in (_find, _take, _train))
    lengths = codes.gather(len)
    firsts = first_places(lengths).parts
    blocks = list(zip(rows.parts, codes.parts, firsts, lengths, strict=True))
    tasks = []
    for number, bag in enumerate(drawn.parts):
        seeds = None if order_seeds is None else order_seeds[number]
        taken = [take(X, y, find(bag, first, length)) for X, y, first, length in blocks]
        tasks.append(train(taken, bag, template, classes, seeds))
    return list(dask.compute(*tasks))


def _draw(seed: int, number: int, urn: Urn) -> Drawn | None:
    random_state = np.random.RandomState(seed)
    bag = urn.trainer.draw(urn.rule, number, random_state)
    return None if bag is None else Drawn.of(bag.rows, random_state)


def _draw_all(random_state: np.random.RandomState, urn: Urn) -> Drawn:
    return Drawn.of(np.arange(urn.n_rows), random_state)


def _is_something(drawn: Drawn | None) -> bool:
    return drawn is not None


def _find(drawn: Drawn, first: int, n_rows: int) -> NDArray[np.intp]:
    """Give the places within a block of the bag's distinct rows."""
    start, stop = np.searchsorted(drawn.distinct, [first, first + n_rows])
    return drawn.distinct[start:stop] - first


def _take(X: Any, codes: NDArray[np.intp], places: NDArray[np.intp]) -> _Rows:
    return X[places], codes[places]


def _train(
    taken: list[_Rows],
    drawn: Drawn,
    template: Any,
    classes: NDArray[Any],
    order_seeds: NDArray[Any] | None,
) -> tuple[Any, float]:
    X = stack_rows([X for X, _ in taken])
    codes = np.concatenate([codes for _, codes in taken])
    if order_seeds is not None:
        (member,) = fit_perceptrons(
            template, X, codes, classes, [drawn.order], "independent", None, None, order_seeds
        )
    else:
        # A copy: where a worker is lost, the same numbers are drawn again.
        random_state = np.random.RandomState()
        random_state.set_state(drawn.random_state.get_state())
        member = copy_member(template, random_state)
        member.fit(X[drawn.order], classes[codes[drawn.order]])
    is_wrong = member_output(member, MemberKind.CLASSIFIER, X, classes) != codes
    return member, float(is_wrong[drawn.order].mean())
