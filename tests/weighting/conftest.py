from collections.abc import Callable

import numpy as np
import pytest

from hardy.weighting import TrainingSet


@pytest.fixture
def training() -> Callable[..., TrainingSet]:
    """A training set as a rule sees it; no rule here looks at X."""

    def make(y, weights=None):
        y = np.asarray(y)
        weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        rng = np.random.RandomState(0)
        return TrainingSet(None, y, int(y.max()) + 1, weights, np.arange(len(y)), rng)

    return make
