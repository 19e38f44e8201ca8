"""A fit, or a step of one, that fails leaves an estimator as it was: unfitted, or as before."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def all_or_nothing(fit: Callable[P, R]) -> Callable[P, R]:
    """Let a method put back the attributes that its object had, where it fails or is cut off.

    The half of a fit that was done before would pass for a fitted model, or change one that was.
    """

    @wraps(fit)
    def fit_or_restore(*args: P.args, **kwargs: P.kwargs) -> R:
        attributes = vars(args[0])
        before = attributes.copy()
        try:
            return fit(*args, **kwargs)
        except BaseException:
            attributes.clear()
            attributes.update(before)
            raise

    return fit_or_restore
