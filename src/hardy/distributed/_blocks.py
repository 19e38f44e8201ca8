"""What lies on the cluster, one thing for each block of rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from types import ModuleType
from typing import Any

import numpy as np

from hardy._extras import import_extra


def import_dask(module: str = "dask") -> ModuleType:
    return import_extra(module, extra="distributed", purpose="hardy.distributed")


@dataclass(frozen=True)
class Blocks:
    """Things that stay on the cluster; only what a function makes of them travels.

    A function is called for each block with the block's thing, with those of other `Blocks` for
    the same block, and with whatever else is given. It must change none of them: where a worker is
    lost, Dask calls it again.
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

        In the order of the blocks, so that rounding doesn't depend on which is ready first.
        """
        said = self.gather(function, *others)
        if isinstance(said[0], tuple):
            return tuple(reduce(add, terms) for terms in zip(*said, strict=True))
        return reduce(add, said)

    def sum(self) -> float:
        """Add up all elements of arrays."""
        return float(self.total(np.sum))

    def _tasks(self, function: Callable[..., Any], others: tuple[Any, ...]) -> list[Any]:
        call = import_dask().delayed(function, pure=False)
        return [
            call(part, *(o.parts[i] if isinstance(o, Blocks) else o for o in others))
            for i, part in enumerate(self.parts)
        ]
