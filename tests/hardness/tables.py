"""Labelled tables for the tests of the measures."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def labelled_tables(draw, min_columns=1, max_columns=3, max_classes=4, max_rows=25):
    """Small whole numbers: ties, duplicates, constant columns, one-row classes, one class."""
    n_rows = draw(st.integers(2, max_rows))
    n_columns = draw(st.integers(min_columns, max_columns))
    width = draw(st.sampled_from([0, 1, 2, 6]))
    cells = st.lists(st.integers(-width, width), min_size=n_rows, max_size=n_rows)
    X = np.array([draw(cells) for _ in range(n_columns)], dtype=float).T
    if n_columns > 1 and draw(st.booleans()):
        X[:, 0] = 7.0
    classes = st.integers(0, draw(st.integers(1, max_classes)) - 1)
    return X, np.array(draw(st.lists(classes, min_size=n_rows, max_size=n_rows)))


def table_without_ties(n_rows=60, n_classes=3, seed=0):
    """Real numbers, a class of one row, a constant column."""
    rng = np.random.RandomState(seed)
    y = np.append(rng.randint(0, n_classes, n_rows - 1), n_classes)
    X = rng.normal(size=(n_rows, 4)) + y[:, None]
    X[:, 2] = 5.0
    return X, y


def squared_distance(a, b):
    """Sum up squared differences, one after the other."""
    return sum((x - z) ** 2 for x, z in zip(a, b, strict=True))
