"""All measures by name, and a table of them."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from hardy.hardness.neighbors import k_disagreeing_neighbors

MEASURES: dict[str, Callable[..., Any]] = {
    "kdn": lambda X, y, random_state=None: k_disagreeing_neighbors(X, y)
}


def instance_hardness(
    X: ArrayLike,
    y: ArrayLike,
    measures: Sequence[str] | None = None,
    random_state: Any = None,
) -> pd.DataFrame:
    """Measure each row's hardness in several ways."""
    names = list(MEASURES) if measures is None else measures
    return pd.DataFrame({name: MEASURES[name](X, y, random_state=random_state) for name in names})
