"""Small matrices of all kinds of numbers, drawn by hypothesis.

Columns are drawn by their kind and filled by a seed, so that of a table that fails a smaller and
plainer one is found. A few tables are always the same ones; HARDY_EXAMPLES asks for so many of each
property, other ones each time.
"""

import os
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

_MANY = os.environ.get("HARDY_EXAMPLES")
ORDINARY = ["normal", "grid", "constant", "rare", "far"]
EXTREME = ["huge", "tiny", "ends"]


def examples(few: int) -> settings:
    """Draw so many tables, or as many as HARDY_EXAMPLES says."""
    return settings(
        max_examples=int(_MANY or few),
        derandomize=not _MANY,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def column_of(kind: str, n: int, dtype: Any, rng: np.random.Generator) -> Any:
    normal, whole = rng.normal(size=n), rng.integers(-3, 4, n)
    is_float = np.dtype(dtype).kind == "f"
    if kind in EXTREME:
        limits = np.finfo(dtype) if is_float else np.iinfo(dtype)
        largest = limits.max * 0.9 if is_float else limits.max // 2
        smallest = limits.smallest_subnormal if is_float else 1
    match kind:
        case "normal":
            column = normal if is_float else np.rint(9 * normal)
        case "grid":
            column = whole
        case "constant":
            column = np.full(n, 7)
        case "rare":
            column = np.where(np.arange(n) == n // 2, 5, 0)
        case "far":
            column = 100 + (whole / 64 if is_float else whole)
        case "huge":
            column = normal.clip(-1, 1) * largest
        case "tiny":
            column = whole * smallest
        case "ends":
            column = np.array([-largest, 0, smallest, largest])[whole % 4]
    return column.astype(dtype)


@st.composite
def matrices(draw: Any, kinds: list[str], dtypes: list[Any], least_rows: int = 2) -> Any:
    """Up to 24 rows of up to 6 columns, or of more columns than rows; the last may be a copy."""
    n, d = draw(st.integers(least_rows, 24)), draw(st.integers(1, 6))
    if n < 9 and draw(st.booleans()):
        d += n
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    of_columns = draw(st.lists(st.sampled_from(kinds), min_size=d, max_size=d))
    X = np.column_stack([column_of(kind, n, dtype, rng) for kind in of_columns])
    if d > 1 and draw(st.booleans()):
        X[:, -1] = X[:, 0]
    return X
