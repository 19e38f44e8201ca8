from collections.abc import Callable, Iterator

import numpy as np
import pytest

from hardy.weighting import BagRule, Opinion, TrainingSet


@pytest.fixture
def training() -> Callable[..., TrainingSet]:
    """A training set as a rule sees it; no rule here looks at X."""

    def make(y, weights=None):
        y = np.asarray(y)
        weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        rng = np.random.RandomState(0)
        return TrainingSet(None, y, int(y.max()) + 1, weights, np.arange(len(y)), rng)

    return make


@pytest.fixture
def random_rounds(training) -> Callable[..., Iterator]:
    """Start a rule, and give it members that are right on about 70 % of the weight."""

    def run(rule, n_rows=60, n_rounds=8, seed=0):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, n_rows)
        rule.start(training(y))
        for _ in range(n_rounds):
            rule.requests()
            output = np.where(rng.random(n_rows) < 0.3, 1 - y, y)
            yield y, output, rule.update([Opinion(output)])

    return run


@pytest.fixture
def started() -> Callable[..., BagRule]:
    """A bagging rule that has been told of its rows."""

    def start(rule, y, X=None, weights=None):
        y = np.array(y)
        X = np.arange(2.0 * len(y)).reshape(-1, 2) if X is None else X
        weights = np.ones(len(y)) if weights is None else np.array(weights, dtype=float)
        rng = np.random.RandomState(0)
        rule.start(TrainingSet(X, y, int(y.max()) + 1, weights, np.arange(len(y)), rng))
        return rule

    return start
