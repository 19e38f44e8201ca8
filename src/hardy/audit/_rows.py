"""What users say of rows beside their features and labels: groups, splits, order."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardy._labels import EncodedLabels, encode_labels
from hardy._quoting import counted, quote
from hardy.annotators import Consensus
from hardy.exceptions import InputError


def check_sets(
    values: ArrayLike | None, name: str, codes: NDArray[np.intp]
) -> EncodedLabels | None:
    """Check a column that says which set each row belongs to.

    Parameters
    ----------
    values : array-like of shape (n_samples,), or None
        The sets, of any kind; every row needs one.
    name : str
        The parameter, for the messages.
    codes : ndarray of shape (n_samples,)
        Class indices, −1 where the label is missing.

    Returns
    -------
    EncodedLabels or None
        The distinct sets and each row's; None where none are given.

    Raises
    ------
    InputError
        Where rows are missing or have no set, or all rows with a label are in one.
    """
    if values is None:
        return None
    name = _with_column(name, values)
    try:
        known, sets = encode_labels(values)
    except InputError as error:
        raise InputError(f"{name} can't be used. {error}") from None
    if len(sets) != len(codes):
        raise InputError(
            f"{name} has {counted(len(sets), 'row')}, but y has {counted(len(codes), 'label')}."
        )
    if (sets < 0).any():
        row = int(np.flatnonzero(sets < 0)[0])
        raise InputError(f"{name} has no value in row {row}; every row needs one.")
    labelled = sets[codes >= 0]
    if len(np.unique(labelled)) < 2:
        only = known.tolist()[labelled[0]]
        raise InputError(
            f"{name} has one value only, {quote(only)}, among the rows with a label; at least "
            "two are needed."
        )
    return EncodedLabels(known, sets)


def check_order(values: ArrayLike | None, n_samples: int) -> NDArray[np.intp] | None:
    """Rank rows by a column of numbers, moments or words.

    Parameters
    ----------
    values : array-like of shape (n_samples,), or None
        What comes later is larger; every row needs a value.
    n_samples : int
        The number of labels.

    Returns
    -------
    ndarray of shape (n_samples,) or None
        Ranks counted from 0, ties alike; None where no order is given.

    Raises
    ------
    InputError
        Where rows are missing or have no value, values can't be compared, or all are the same.
    """
    if values is None:
        return None
    name = _with_column("order", values)
    try:
        known, ranks = encode_labels(values)
    except InputError as error:
        raise InputError(f"{name} can't be used. {error}") from None
    if len(ranks) != n_samples:
        raise InputError(
            f"{name} has {counted(len(ranks), 'row')}, but y has {counted(n_samples, 'label')}."
        )
    if (ranks < 0).any():
        row = int(np.flatnonzero(ranks < 0)[0])
        raise InputError(f"{name} has no value in row {row}; every row needs one.")
    if len(known) < 2:
        raise InputError(f"{name} has one value only, {quote(known[0])}; there is no order.")
    return ranks


def _with_column(name: str, values: ArrayLike) -> str:
    """Say beside a parameter which column of a table was given, where the column has a name."""
    column = getattr(values, "name", None)
    return f"{name}, the column {quote(column)}," if isinstance(column, str) else name


def check_annotators(consensus: Consensus | None, n_samples: int) -> None:
    """Check that annotators had the rows that are audited.

    Parameters
    ----------
    consensus : Consensus or None
        What they say together.
    n_samples : int
        The number of labels.

    Raises
    ------
    InputError
        Where they had others.
    """
    if consensus is not None and len(consensus.codes) != n_samples:
        raise InputError(
            f"annotators has {counted(len(consensus.codes), 'row')}, but y has "
            f"{counted(n_samples, 'label')}."
        )
