"""What can't be judged, and what says too little to be believed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy._quoting import cut
from hardy._warnings import warn_user
from hardy.audit.findings.base import have_values, used_columns
from hardy.exceptions import LittleInformationWarning, NotAssessableWarning
from hardy.panel.views import Views

SMALLEST_CLASS = 3
_MOST_NAMED = 20
_NEAR_CHANCE = 0.9
# Says where in a file a row stands; None for data in memory.
_PLACE: ContextVar[Callable[[int], str] | None] = ContextVar("_PLACE", default=None)


def find_judgeable(
    classes: NDArray[Any],
    counts: NDArray[np.intp],
    codes: NDArray[np.intp] | None = None,
    groups: NDArray[np.intp] | None = None,
) -> NDArray[np.bool_]:
    """Tell which classes' rows can be assessed, and name the others in a warning.

    Parameters
    ----------
    classes, counts : ndarrays of shape (n_classes,)
        The classes, and how many rows each has.
    codes, groups : ndarrays of shape (n_samples,), optional
        Class indices, −1 where the label is missing, and groups whose rows don't judge each other.

    Returns
    -------
    ndarray of shape (n_classes,)
        False for classes of few rows, and for those that no other group knows.
    """
    is_small = counts < SMALLEST_CLASS
    _warn_of(classes[is_small], f"Classes with fewer than {SMALLEST_CLASS} rows can't be assessed")
    if codes is None or groups is None:
        return ~is_small
    labelled = codes >= 0
    pairs = np.unique(np.column_stack((codes, groups))[labelled], axis=0)
    is_alone = ~is_small & (np.bincount(pairs[:, 0], minlength=len(classes)) < 2)
    _warn_of(
        classes[is_alone],
        "Classes whose rows are all in one group can't be assessed, because rows of a group don't "
        "judge each other",
    )
    return ~(is_small | is_alone)


@contextmanager
def naming_rows(place: Callable[[int], str]) -> Iterator[None]:
    """Let warnings say where in a file rows stand; by default they are counted from 0."""
    before = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(before)


def find_filled(features: Any, views: Views) -> NDArray[np.bool_] | None:
    """Tell which rows have something to be judged by.

    Parameters
    ----------
    features : DataFrame, array or sparse matrix of shape (n_samples, n_features), or None
        The rows.
    views : Views
        What knows which columns are learnt from.

    Returns
    -------
    ndarray of shape (n_samples,) or None
        False where every cell is missing or blank; None where there are no features, or they are
        a sparse matrix, whose zeros are values.
    """
    if sparse.issparse(features):
        return None  # Its zeros are values.
    columns = used_columns(features, views)
    return have_values(columns, features.shape[0]) if columns else None


def warn_of_empty(rows: NDArray[np.intp]) -> None:
    """Name rows without anything that have a label, which can't be assessed."""
    place = _PLACE.get()
    _warn_of(
        rows if place is None else np.array([place(int(row)) for row in rows], dtype=object),
        f"Rows without any value{' (counted from 0)' if place is None else ''} can't be assessed",
    )


def _warn_of(found: NDArray[Any], why: str) -> None:
    """Name the first of the classes or rows that were found, if there are any."""
    if len(found):
        named = ", ".join(map(cut, found[:_MOST_NAMED]))
        more = len(found) - _MOST_NAMED
        warn_user(
            f"{why}: {named}{f' and {more:,} more' if more > 0 else ''}.", NotAssessableWarning
        )


def warn_of_little_information(noise_rate: float, n_classes: int) -> None:
    """Warn where the labels might as well be random."""
    chance = (n_classes - 1) / n_classes
    if noise_rate > _NEAR_CHANCE * chance:
        warn_user(
            f"The estimated noise rate of {100 * noise_rate:.1f} % is about what random labels "
            "would have: the columns say little about the label, and the suspects mean little.",
            LittleInformationWarning,
        )


def reason_for_nothing(
    classes: NDArray[Any], counts: NDArray[np.intp], is_judgeable: NDArray[np.bool_]
) -> str:
    """Say why no label can be judged; the empty string where some can."""
    if not counts.sum():
        return "No row has a label."
    if (counts > 0).sum() == 1:
        only = cut(classes[counts.argmax()])
        return f"Every label is {only}: there is no other class to compare it."
    if (counts >= SMALLEST_CLASS).sum() < 2:
        return f"Fewer than two classes have {SMALLEST_CLASS} rows or more."
    if is_judgeable.sum() < 2:
        return "Fewer than two classes have rows in more than one group."
    return ""
