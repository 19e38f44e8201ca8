"""What every measure does with rows and labels before its own part begins."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import check_array

from hardy._labels import encode_labels
from hardy._quoting import counted
from hardy._validation import bad_cells_named, without_repeated_cells
from hardy.exceptions import InputError


def check_rows(X: ArrayLike) -> Any:
    """Check rows: a matrix or a CSR matrix, float32 or float64, without duplicate entries."""
    with bad_cells_named(X, "A hardness measure"):
        rows = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], input_name="X")
    return without_repeated_cells(rows)


def check_dense_rows(X: ArrayLike, measure: str) -> Any:
    """Check rows for a measure that has to look at every cell."""
    if sparse.issparse(X):
        raise InputError(
            f"{measure} takes no sparse X. Give X.toarray() if that fits in memory, reduce the "
            "columns before, for example with TruncatedSVD, or leave the measure out."
        )
    return check_rows(X)


def check_labels(y: ArrayLike, n_rows: int) -> NDArray[np.intp]:
    """Encode labels, one for each row, without a missing one."""
    if n_rows == 0:
        raise InputError("X has no rows.")
    codes = encode_labels(y).codes
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise InputError(f"Row {row} has no label; leave rows without a label out.")
    if len(codes) != n_rows:
        raise InputError(
            f"X has {counted(n_rows, 'row')}, but y has {counted(len(codes), 'label')}."
        )
    return codes


def check_two_rows(rows: Any, what: str) -> None:
    """Refuse a single row, which has no other to be compared with."""
    if rows.shape[0] < 2:
        raise InputError(f"{what} need at least 2 rows, but X has {rows.shape[0]}.")


def leave_out_itself(is_self: NDArray[np.bool_], *found: NDArray[Any]) -> list[NDArray[Any]]:
    """Take each row off what was found of those nearest to it.

    One that wasn't found beside itself, as behind many duplicates, loses the farthest.
    """
    n_rows, n_found = is_self.shape
    is_self[~is_self.any(axis=1), -1] = True
    return [values[~is_self].reshape(n_rows, n_found - 1) for values in found]


def scale_columns(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Scale each column to [0, 1]; a constant one becomes 0.

    All is halved first, so that the range of even the largest numbers is finite.
    """
    half = rows.astype(np.float64) / 2
    lowest = half.min(axis=0)
    width = half.max(axis=0) - lowest
    scaled: NDArray[np.float64] = (half - lowest) / np.where(width > 0, width, 1)
    return scaled


def scale_together(rows: Any) -> tuple[Any, int]:
    """Scale all columns by one power of two, so that no squared distance overflows or vanishes.

    That is exact: ties stay ties. Constant columns, whatever their size, become 0. Also returns
    the exponent that leads back: distances times 2 to this power are those of the given rows.
    """
    highest, lowest = rows.max(axis=0), rows.min(axis=0)
    if sparse.issparse(rows):
        highest, lowest = highest.toarray().ravel(), lowest.toarray().ravel()
    half_width = highest / 2 - lowest / 2
    exponent = int(np.frexp(half_width.max())[1])
    if sparse.issparse(rows):
        scaled = rows.copy()
        scaled.data = np.ldexp(np.where(half_width[rows.indices] > 0, rows.data, 0), -exponent)
        return scaled, exponent
    scaled = np.ldexp(np.where(half_width > 0, rows, 0), -exponent)
    return np.ascontiguousarray(scaled), exponent
