"""All measures by name, and a table of them."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples

from hardy._quoting import counted
from hardy._validation import as_numbers
from hardy.exceptions import InputError
from hardy.hardness._sharing import sharing
from hardy.hardness.classes import class_balance, minority_value
from hardy.hardness.likelihood import class_likelihood, class_likelihood_difference
from hardy.hardness.local_sets import (
    harmfulness,
    local_set_cardinality,
    local_set_radius,
    nearest_enemy_ratio,
    usefulness,
)
from hardy.hardness.neighbors import k_disagreeing_neighbors
from hardy.hardness.overlap import feature_overlap
from hardy.hardness.spanning_tree import mst_disagreement
from hardy.hardness.trees import disjunct_class_percentage, disjunct_size, tree_depth

Measure = Callable[..., NDArray[np.float64]]


def _draws_nothing(measure: Measure, **settings: Any) -> Measure:
    def measure_rows(X: ArrayLike, y: ArrayLike, random_state: Any = None) -> NDArray[np.float64]:
        return measure(X, y, **settings)

    return measure_rows


#: Every measure by its short name, each to be called as f(X, y, random_state=None). Those that
#: draw nothing take `random_state` without use.
MEASURES: dict[str, Measure] = {
    "kdn": _draws_nothing(k_disagreeing_neighbors),
    "ds": disjunct_size,
    "dcp": disjunct_class_percentage,
    "td_u": partial(tree_depth, pruned=False),
    "td_p": partial(tree_depth, pruned=True),
    "cl": _draws_nothing(class_likelihood),
    "cld": _draws_nothing(class_likelihood_difference),
    "mv": _draws_nothing(minority_value),
    "cb": _draws_nothing(class_balance),
    "n1": _draws_nothing(mst_disagreement),
    "n2": _draws_nothing(nearest_enemy_ratio),
    "lsc": _draws_nothing(local_set_cardinality),
    "lsr": _draws_nothing(local_set_radius),
    "usefulness": _draws_nothing(usefulness),
    "harmfulness": _draws_nothing(harmfulness),
    "f1": _draws_nothing(feature_overlap, statistic="share"),
    "f2": _draws_nothing(feature_overlap, statistic="minimum"),
    "f3": _draws_nothing(feature_overlap, statistic="mean"),
    "f4": _draws_nothing(feature_overlap, statistic="maximum"),
}


#: Those that look at the labels alone, whatever the rows hold.
LABELS_ONLY = frozenset({"mv", "cb"})

_Chosen = str | Callable[[Any, Any], ArrayLike]


def instance_hardness(
    X: ArrayLike,
    y: ArrayLike,
    measures: _Chosen | Iterable[_Chosen] | Mapping[str, _Chosen] | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> pd.DataFrame:
    """Measure the hardness of each row in several ways.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values, scaled to like ranges. Naive Bayes and the
        overlap of features take no sparse ones.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    measures : str, callable, iterable of such, or mapping of names to such, optional
        Names from ``hardy.hardness.MEASURES``, or its functions; by default all of them. Any other
        function is called as f(X, y), after those, and gives an array of shape (n_samples,) in
        [0, 1]. Its column has the function's name, or the one that a mapping gives it.
    random_state : int, RandomState instance or None, default=None
        Seeds the measures that draw, all with the same number: those of trees look at the same
        tree.

    Returns
    -------
    DataFrame of shape (n_samples, n_measures)
        Values in [0, 1], higher is harder, on the index of `X` where it is a frame.

    Raises
    ------
    InputError
        Where a measure is unknown (the message tells the nearest name), is named twice or gives
        something else than hardness; where a cell or a label is missing, or `X` and `y` differ in
        length.

    Notes
    -----
    What several measures have in common (distances, trees, probabilities) is computed once.

    Examples
    --------
    >>> from hardy.hardness import instance_hardness
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> instance_hardness(X, ["a", "a", "b", "b", "b", "b"], ["kdn", "lsc"])
       kdn   lsc
    0  0.8  0.00
    1  0.8  0.50
    2  0.4  0.75
    3  0.4  0.00
    4  0.4  0.00
    5  0.4  0.00
    """
    named = _by_name(MEASURES if measures is None else measures)
    seed = random_state
    if not isinstance(seed, Integral):
        seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
    own = [name for name, measure in named.items() if measure in MEASURES.values()]
    with sharing(X, y):
        values = {name: named[name](X, y, random_state=seed) for name in own}
    n_rows = _num_samples(X)
    for name in [name for name in named if name not in values]:
        values[name] = _check_hardness(name, named[name](X, y), n_rows)
    index = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(n_rows)
    return pd.DataFrame(values, index=index, columns=list(named))


def _by_name(measures: Any) -> dict[str, Measure]:
    """Give the functions to call by the names of their columns."""
    if isinstance(measures, Mapping):
        return {name: _function(measure) for name, measure in measures.items()}
    if isinstance(measures, str) or callable(measures):
        measures = [measures]
    if not isinstance(measures, Iterable):
        raise InputError(f"measures={measures!r} must be a name, a function, or a list of such.")
    named: dict[str, Measure] = {}
    for measure in measures:
        function = _function(measure)
        name = str(measure) if isinstance(measure, str) else _name(function)
        if name in named:
            raise InputError(
                f"{name!r} is among the measures twice; its column can be there once. A mapping "
                "gives functions other names."
            )
        named[name] = function
    return named


def _function(measure: Any) -> Measure:
    """Give the function that a measure stands for; refuse what is no measure."""
    if isinstance(measure, str) and measure in MEASURES:
        return MEASURES[measure]
    if not isinstance(measure, str) and callable(measure):
        function: Measure = measure
        return function
    near = difflib.get_close_matches(str(measure).lower(), MEASURES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(MEASURES)}."
    raise InputError(f"There is no measure {measure!r}; {hint}")


def _name(function: Measure) -> str:
    return str(getattr(getattr(function, "func", function), "__name__", function))


def _check_hardness(name: str, values: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    hardness = as_numbers(values, f"The hardness that {name} gives")
    if hardness.shape != (n_rows,):
        raise InputError(
            f"{name} gives the shape {hardness.shape}, but X has {counted(n_rows, 'row')}."
        )
    bad = np.flatnonzero(~((hardness >= 0) & (hardness <= 1)))
    if bad.size:
        raise InputError(
            f"{name} gives {hardness[bad[0]]} for row {bad[0]}; hardness lies in [0, 1]."
        )
    return hardness
