"""What the activations of perceptrons say about the label of a row."""

from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hardy.exceptions import InputError


class RowCategory(IntEnum):
    """How a row's signed activations lie against the activation margin.

    Attributes
    ----------
    BORDERLINE : int
        0: none of the others; the activations don't settle the row.
    SAFE : int
        1: a majority of the perceptrons is on the label's side, beyond the margin.
    NOISY : int
        2: a majority, or by the rule ``"all"`` all of them, is on the other side, beyond the
        margin: the label is in doubt.
    REDUNDANT : int
        3: all perceptrons are on the label's side, beyond the margin: training can do without
        the row. The rule ``"all"`` gives it in place of ``SAFE``.

    Examples
    --------
    >>> from hardy.learners import RowCategory
    >>> RowCategory(2).name
    'NOISY'
    """

    BORDERLINE = 0
    SAFE = 1
    NOISY = 2
    REDUNDANT = 3


def categorize_activations(
    activations: NDArray[Any],
    margins: NDArray[np.float64],
    codes: NDArray[np.intp],
    rule: Literal["majority", "all"],
) -> NDArray[np.int8]:
    """Sort rows, with activations (rows, sub-problems, units) and class indices, by category."""
    if rule not in ("majority", "all"):
        raise InputError(f"rule must be 'majority' or 'all', not {rule!r}.")
    claims, refusals = claims_and_refusals(activations, margins, rule)
    rows = np.arange(len(codes))
    categories = np.full(len(codes), RowCategory.BORDERLINE, dtype=np.int8)
    categories[claims[rows, codes]] = RowCategory.REDUNDANT if rule == "all" else RowCategory.SAFE
    # No sub-problem both refuses and claims a row, so that any claim here is another class's.
    categories[refusals[rows, codes] & claims.any(axis=1)] = RowCategory.NOISY
    return categories


def claims_and_refusals(
    activations: NDArray[Any], margins: NDArray[np.float64], rule: Literal["majority", "all"]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which classes claim each row, and which refuse it; both (rows, classes)."""
    n_subproblems, size = activations.shape[1:]
    needed = size if rule == "all" else size // 2 + 1
    claims = (activations > margins[:, None]).sum(axis=2) >= needed
    refusals = (activations < -margins[:, None]).sum(axis=2) >= needed
    if n_subproblems == 1:
        # Each class has its own view of the one sub-problem: claimed by it is refused by the other.
        claims, refusals = np.hstack([refusals, claims]), np.hstack([claims, refusals])
    return claims, refusals
