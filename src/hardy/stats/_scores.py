"""Scores of methods on data sets: checked once, and turned into ranks."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hardy.exceptions import InputError


def check_scores(scores: pd.DataFrame | ArrayLike, least_methods: int = 2) -> pd.DataFrame:
    """Give scores as a frame of floats, data sets × methods."""
    frame = scores if isinstance(scores, pd.DataFrame) else _as_frame(scores)
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InputError(f"Two methods are named {twice[0]!r}; each needs a name of its own.")
    try:
        table = frame.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"The scores must be numbers: {error}.") from None
    rows, columns = np.nonzero(~np.isfinite(table.to_numpy()))
    if rows.size:
        score = float(table.to_numpy()[rows[0], columns[0]])
        raise InputError(
            f"The score of {table.columns[columns[0]]!r} on {table.index[rows[0]]!r} is {score}; "
            "each method needs a finite score on each data set. Leave the data set or the method "
            "out, or give a failure the lowest score."
        )
    # Means of the same scores may differ in their last digits.
    table = table.round(12)
    n_datasets, n_methods = table.shape
    if n_methods < least_methods or n_datasets < 2:
        raise InputError(
            f"There are {n_methods} methods and {n_datasets} data sets; at least {least_methods} "
            "and 2 are needed."
        )
    return table


def _as_frame(scores: Any) -> pd.DataFrame:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "The scores must be a table of numbers, a row for each data set and a column for each "
            "method."
        ) from None
    if values.ndim != 2:
        raise InputError(
            f"The scores have the shape {values.shape}; a row for each data set and a column for "
            "each method are needed."
        )
    return pd.DataFrame(values)


def rank_methods(table: pd.DataFrame, *, higher_is_better: bool) -> pd.DataFrame:
    """Rank the methods on each data set, 1 for the best; equal ones share the mean of theirs."""
    return table.rank(axis=1, ascending=not higher_is_better)
