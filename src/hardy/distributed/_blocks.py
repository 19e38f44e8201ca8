"""What lies on the cluster, one thing for each block of rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from types import ModuleType
from typing import Any

import numpy as np

from hardy._extras import import_extra

# So many terms of a sum are added up where they are before they travel on.
FAN_IN = 16


def import_dask(module: str = "dask") -> ModuleType:
    return import_extra(module, extra="distributed", purpose="hardy.distributed")


@dataclass(frozen=True)
class Blocks:
    """Things that stay on the cluster; only what a function makes of them travels.

    A function is called for each block with the block's thing, with those of other `Blocks` for
    the same block, and with whatever else is given: what was made by `meet` goes to each worker
    once. It must change none of them: where a worker is lost, Dask calls it again.
    """

    parts: tuple[Any, ...]

    def at(self, numbers: Iterable[int]) -> "Blocks":
        """Select blocks."""
        return Blocks(tuple(self.parts[number] for number in numbers))

    def map(self, function: Callable[..., Any], *others: Any) -> "Blocks":
        """Make a new thing of each block, which stays on the cluster too."""
        return Blocks(import_dask().persist(*self._tasks(function, others)))

    def gather(self, function: Callable[..., Any], *others: Any) -> list[Any]:
        """Fetch what a function says of each block, in the order of the blocks."""
        return list(import_dask().compute(*self._tasks(function, others)))

    def total(self, function: Callable[..., Any], *others: Any) -> Any:
        """Add up what a function says of each block: a number, an array, or a tuple of such.

        In the order of the blocks, so that rounding doesn't depend on which is ready first. Of
        many blocks some are added up on the cluster, so that few terms travel to this process.
        """
        terms = self._tasks(function, others)
        add_up = import_dask().delayed(_add_up, pure=False)
        while len(terms) > FAN_IN:
            terms = [add_up(terms[i : i + FAN_IN]) for i in range(0, len(terms), FAN_IN)]
        return _add_up(import_dask().compute(*terms))

    def sum(self) -> float:
        """Add up all elements of arrays."""
        return float(self.total(np.sum))

    def meet(self, function: Callable[..., Any], *others: Any) -> Any:
        """Make one thing of the list of all blocks' things; it stays on the cluster."""
        call = import_dask().delayed(function, pure=False)
        (made,) = import_dask().persist(call(list(self.parts), *others))
        return made

    def _tasks(self, function: Callable[..., Any], others: tuple[Any, ...]) -> list[Any]:
        call = import_dask().delayed(function, pure=False)
        return [
            call(part, *(o.parts[i] if isinstance(o, Blocks) else o for o in others))
            for i, part in enumerate(self.parts)
        ]


def _add_up(terms: Any) -> Any:
    if isinstance(terms[0], tuple):
        return tuple(reduce(add, some) for some in zip(*terms, strict=True))
    return reduce(add, terms)
