"""Steps that several measures of one table have in common are done once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple, TypeVar

_Result = TypeVar("_Result")


class _Known(NamedTuple):
    """What is known of one table."""

    X: Any
    y: Any
    results: dict[Any, Any]


_known: ContextVar[_Known | None] = ContextVar("known", default=None)


@contextmanager
def sharing(X: Any, y: Any) -> Iterator[None]:
    """Remember the results of shared steps on these very objects until the end of the block.

    They have to stay as they are: no function of a user's, which may write to them, belongs inside.
    """
    token = _known.set(_Known(X, y, {}))
    try:
        yield
    finally:
        _known.reset(token)


def shared(step: Callable[..., _Result]) -> Callable[..., _Result]:
    """Do a step f(X, y, *settings) once for all measures inside of `sharing`."""

    @wraps(step)
    def once(X: Any, y: Any, *settings: Any) -> _Result:
        known = _known.get()
        if known is None or X is not known.X or y is not known.y:
            return step(X, y, *settings)
        key = (step, settings)
        if key not in known.results:
            known.results[key] = step(X, y, *settings)
        result: _Result = known.results[key]
        return result

    return once
