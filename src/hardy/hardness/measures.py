"""All measures by name, and a table of them."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy.exceptions import InputError
from hardy.hardness.neighbors import k_disagreeing_neighbors


def _kdn(X: ArrayLike, y: ArrayLike, random_state: Any = None) -> NDArray[Any]:
    return k_disagreeing_neighbors(X, y)


MEASURES: dict[str, Callable[..., NDArray[Any]]] = {"kdn": _kdn}


def instance_hardness(
    X: ArrayLike,
    y: ArrayLike,
    measures: Sequence[str] | None = None,
    random_state: Any = None,
) -> pd.DataFrame:
    """Measure the hardness of each row in several ways.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
        Numeric features without missing values, scaled to like ranges.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    measures : sequence of str, optional
        Names from ``hardy.hardness.MEASURES``; by default all of them.
    random_state : int, RandomState instance or None, default=None
        Seeds the measures that draw.

    Returns
    -------
    DataFrame of shape (n_samples, n_measures)
        Values in [0, 1], higher is harder, on the index of `X` where it is a frame.

    Raises
    ------
    InputError
        Where a measure is unknown; the message tells the nearest name.

    Examples
    --------
    >>> from hardy.hardness import instance_hardness
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> instance_hardness(X, ["a", "a", "b", "b", "b", "b"])["kdn"].tolist()
    [0.8, 0.8, 0.4, 0.4, 0.4, 0.4]
    """
    names = list(MEASURES) if measures is None else list(measures)
    for name in names:
        if name not in MEASURES:
            near = difflib.get_close_matches(str(name), MEASURES, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f": there are {', '.join(MEASURES)}."
            raise InputError(f"There is no measure {name!r}{hint}")
    index = X.index if isinstance(X, pd.DataFrame) else None
    values = {name: MEASURES[name](X, y, random_state=random_state) for name in names}
    return pd.DataFrame(values, index=index)
