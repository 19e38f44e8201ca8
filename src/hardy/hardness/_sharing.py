"""Steps that several measures of one table have in common are done once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_known: ContextVar[dict[Any, Any] | None] = ContextVar("known", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Remember the results of shared steps until the end of the block.

    X and y are told apart by identity: the block has to keep them alive and as they are.
    """
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def shared(step: Callable[..., _Result]) -> Callable[..., _Result]:
    """Do a step f(X, y, *settings) once for all measures inside of `sharing`."""

    @wraps(step)
    def once(X: Any, y: Any, *settings: Any) -> _Result:
        known = _known.get()
        if known is None:
            return step(X, y, *settings)
        key = (step, id(X), id(y), settings)
        if key not in known:
            known[key] = step(X, y, *settings)
        result: _Result = known[key]
        return result

    return once
