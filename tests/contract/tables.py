"""Small tables of what each class is for, drawn by hypothesis."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from sklearn.base import is_regressor

from contract.registry import Case, mixed_table
from matrices import EXTREME, ORDINARY, column_of, matrices


class Table(NamedTuple):
    """Rows, a label or a number for each, and a weight."""

    X: Any
    y: Any
    weights: Any


@st.composite
def documents(draw: Any) -> Any:
    """Texts of few words, also of none."""
    words = st.sampled_from(["barrels", "wheat", "banks", "banking", "Ärger", "7", "the", "🐟"])
    lines = st.lists(words, max_size=5).map(" ".join)
    return np.array(draw(st.lists(lines, min_size=2, max_size=24)))


def frames() -> Any:
    """Rows of a table with columns of every kind and missing values, some of them twice."""
    frame, _ = mixed_table()
    places = st.lists(st.integers(0, len(frame) - 1), min_size=2, max_size=24)
    return places.map(lambda rows: frame.iloc[rows].reset_index(drop=True))


def _any_rows(case: Case, are_extreme: bool) -> Any:
    if not case.takes_numbers:
        return documents()
    kinds = [*ORDINARY, *EXTREME] if are_extreme else ORDINARY
    numbers = [
        matrices(kinds, [np.float64, np.float32]),
        matrices(kinds, [np.int64, np.int8]),
        matrices(["grid"], [np.bool_]),
        matrices(ORDINARY, [np.float64]).map(lambda X: X.astype(object)),
    ]
    return st.one_of(*numbers, *([frames()] if case.data is mixed_table else []))


def are_own(settings: dict[str, Any]) -> bool:
    """Whether members are what they are by default, or Hardy's."""
    member = settings.get("estimator")
    return member is None or type(member).__module__.startswith("hardy")


@st.composite
def any_table(draw: Any, case: Case, settings: dict[str, Any]) -> Table:
    """Rows of any type, size and shape, half of which may be copies; one to four classes.

    No extreme numbers where members are others', which may not take them.
    """
    X = draw(_any_rows(case, are_extreme=are_own(settings) and "huge" not in case.cannot))
    n = len(X)
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    if isinstance(X, np.ndarray) and draw(st.booleans()):
        X[n - n // 2 :] = X[: n // 2]
    if is_regressor(case()):
        kind = draw(st.sampled_from([*ORDINARY, *EXTREME]))
        return Table(X, column_of(kind, n, np.float64, rng), np.ones(n))
    n_classes = draw(st.sampled_from([2, 3, 4, 1]))
    y = np.arange(n) % n_classes if draw(st.booleans()) else rng.integers(0, n_classes, n)
    return Table(X, y, np.ones(n))


@st.composite
def table_without_ties(draw: Any, case: Case) -> Table:
    """Numbers and weights of which no two sums are the same, so that one split is the best.

    No two classes are equally large. Columns may be constant or copies; so may a row, which then
    has the label of the other.
    """
    X = draw(matrices(["normal", "normal", "constant"], [np.float64, np.float32], least_rows=4))
    n = len(X)
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    X[:, 0] = rng.normal(size=n)
    weights = rng.uniform(0.5, 1.5, n)
    if is_regressor(case()):
        return Table(X, rng.normal(size=n), weights)
    cycle = [2, 1, 2, 0, 2, 1] if n > 5 and draw(st.booleans()) else [1, 0, 1]
    y = rng.permutation(np.resize(cycle, n))
    twin = np.flatnonzero(y == y[-1])[0]
    if draw(st.booleans()):
        X[-1], weights[-1] = X[twin], weights[twin]
    return Table(X, y, weights)
