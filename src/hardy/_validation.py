"""scikit-learn's checks of rows and labels, whose errors tell which cell is no use."""

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils._param_validation import Interval, make_constraint
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from hardy._labels import as_label_array, encode_labels
from hardy._quoting import counted, quote
from hardy.exceptions import InputError

# Weights other than 0 beyond these have sums or ratios that no float can hold.
EXTREME_WEIGHTS = (1e-100, 1e100)


class Numbers(Interval):
    """An interval of numbers, to which True and False, Python's 1 and 0, don't belong."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether a parameter's value is such a number."""
        return not isinstance(val, bool) and bool(super().is_satisfied_by(val))


JOBS = (
    Numbers(Integral, None, -1, closed="right"),
    Numbers(Integral, 1, None, closed="left"),
    None,
)
"""What scikit-learn's checks of parameters let `n_jobs` be; 0 jobs would do nothing."""


def refuse_no_jobs(n_jobs: Any) -> None:
    """Refuse what is no number of jobs, as functions do, which have no checks of parameters."""
    if not any(make_constraint(constraint).is_satisfied_by(n_jobs) for constraint in JOBS):
        raise InputError(f"n_jobs={n_jobs!r} has no meaning: give a number of jobs, or -1 for all.")


def validate_rows(estimator: BaseEstimator, X: ArrayLike, *labels: Any, **options: Any) -> Any:
    """Call scikit-learn's ``validate_data``; name the first cell that is missing or infinite.

    A sparse matrix that names a cell twice has their sum there.
    """
    with bad_cells_named(X, type(estimator).__name__):
        rows = validate_data(estimator, X, *labels, **options)
    return without_repeated_cells(rows)


@contextmanager
def bad_cells_named(X: ArrayLike, user: str) -> Iterator[None]:
    """Let scikit-learn's error of missing or infinite values name the first cell, and the user.

    A table without rows, and names of columns that don't tell them apart, are told too.
    """
    refuse_unclear_names(X)
    try:
        # scikit-learn adds up all cells to see whether any is infinite, which large ones make it.
        with np.errstate(over="ignore", invalid="ignore"):
            yield
    except ValueError as error:
        if "Found array with 0 sample(s)" in str(error):
            raise InputError(f"The table has no rows; {user} needs at least one.") from None
        for what, is_bad, remedy in _FAULTS:
            if f"Input X contains {what}" in str(error):
                message = f"Input X contains {what}: {_first_cell(X, is_bad)}"
                raise InputError(f"{message}. {remedy.format(user)}") from None
        cell = _first_text(X) if "could not convert string to float" in str(error) else None
        if cell is not None:
            raise InputError(
                f"{error}: {cell}. {user} takes numbers only: encode such columns before, for "
                "example with OneHotEncoder, or leave them out."
            ) from None
        raise


def refuse_unclear_names(X: Any) -> None:
    """Refuse a table whose columns share a name, or of which only some are named by words."""
    names = list(getattr(X, "columns", ()))
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"Two columns are named {name!r}; each needs a name of its own.")
        seen.add(name)
    others = [name for name in names if not isinstance(name, str)]
    if 0 < len(others) < len(names):
        raise InputError(
            f"The column {others[0]!r} is named by the type {type(others[0]).__name__}, others by "
            "text: name all of them by text, for example with X.columns = X.columns.astype(str)."
        )


def without_repeated_cells(rows: Any) -> Any:
    """Give a sparse matrix that names each cell once; anything else as it is."""
    if sparse.issparse(rows) and not getattr(rows, "has_canonical_format", True):
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def make_random_state(random_state: int | np.random.RandomState | None) -> np.random.RandomState:
    """Turn the parameter ``random_state`` into a generator; an error names the parameter."""
    try:
        rng: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        raise InputError(f"random_state={random_state!r} can't be used: {error}.") from None
    return rng


def as_numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Turn what a user gives into an array of numbers; an error names it."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} must be numbers ({error}).") from None


def label_column(y: ArrayLike) -> NDArray[Any]:
    """Take labels from any container, with scikit-learn's warning of a column vector."""
    # scikit-learn would forget a mask.
    columns = isinstance(y, list | tuple | np.ma.MaskedArray) or hasattr(y, "to_numpy")
    labels: NDArray[Any] = as_label_array(y) if columns else column_or_1d(y, warn=True)
    return labels


def validate_labels(estimator: BaseEstimator, y: ArrayLike) -> NDArray[Any]:
    """Check that these are labels, one for each row, without a missing one."""
    if y is None:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    labels = label_column(y)
    missing = np.flatnonzero(encode_labels(labels).codes < 0)
    if missing.size:
        raise InputError(
            f"Row {missing[0]} has no label ({counted(missing.size, 'row')} in all); leave such "
            "rows out."
        )
    if not len(labels):
        raise InputError(f"There are no rows; {type(estimator).__name__} needs some to learn from.")
    if labels.dtype == object:
        # A column of objects that are all of one plain type, such as whole numbers.
        labels = pd.Series(labels).infer_objects().to_numpy()
    if labels.dtype == object and len(labels) and not isinstance(labels[0], str):
        raise InputError(
            f"The labels are objects of the type {type(labels[0]).__name__}, such as "
            f"{quote(labels[0])}: give them as strings, for example with y.astype(str)."
        )
    if labels.dtype.kind == "f":
        refuse_not_finite(labels)
    check_classification_targets(labels)
    return labels


def refuse_not_finite(y: NDArray[np.floating[Any]]) -> None:
    """Refuse numbers among which one is missing or infinite."""
    bad = np.flatnonzero(~np.isfinite(y))
    if bad.size:
        what = "NaN" if np.isnan(y[bad[0]]) else "infinity"
        raise InputError(
            f"Input y contains {what}, first in row {bad[0]} ({counted(bad.size, 'row')} in all); "
            "leave such rows out."
        )


def check_weights(sample_weight: ArrayLike | None, rows: Any) -> NDArray[np.float64]:
    """Check that these are weights, one for each row; None is 1 for all."""
    try:
        weights: NDArray[np.float64] = _check_sample_weight(
            sample_weight, rows, dtype=np.float64, ensure_non_negative=True
        )
    except (TypeError, ValueError) as error:
        words = str(error)
        if "float" in words:
            words = f"sample_weight must be a number for each row ({words})."
        raise InputError(words) from None
    refuse_extreme_weights(weights)
    return weights


def refuse_extreme_weights(weights: NDArray[np.float64]) -> None:
    """Refuse weights whose sums or ratios no float can hold."""
    smallest, largest = EXTREME_WEIGHTS
    bad = np.flatnonzero((weights > largest) | ((weights > 0) & (weights < smallest)))
    if bad.size:
        raise InputError(
            f"sample_weight is {weights[bad[0]]} for row {bad[0]}; weights other than 0 must lie "
            f"between {smallest:g} and {largest:g}."
        )


_FAULTS = (
    (
        "NaN",
        np.isnan,
        "{} takes no missing values: fill them in before, for example with SimpleImputer, or drop "
        "the rows.",
    ),
    (
        "infinity",
        lambda values: ~np.isfinite(values),
        "{} takes finite values only: mend or drop such cells before.",
    ),
)


def _first_cell(X: Any, is_bad: Any) -> str:
    names = getattr(X, "columns", None)
    table = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
    if sparse.issparse(table):
        cells = table.tocoo()
        bad = is_bad(cells.data)
        rows, columns = cells.coords[0][bad], cells.coords[1][bad]
    else:
        rows, columns = np.nonzero(is_bad(table))
    return f"{_name_cell(names, columns[0], rows[0])} ({counted(len(rows), 'cell')} in all)"


def _first_text(X: Any) -> str | None:
    if sparse.issparse(X):
        return None
    table = pd.DataFrame(np.asarray(X, dtype=object))
    for at, values in table.items():
        is_text = pd.to_numeric(values, errors="coerce").isna() & values.notna()
        if is_text.any():
            return _name_cell(getattr(X, "columns", None), at, int(is_text.argmax()))
    return None


def _name_cell(names: Any, column: Any, row: int) -> str:
    name = column if names is None else repr(list(names)[column])
    return f"column {name}, row {row}"
