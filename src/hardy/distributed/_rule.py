"""A weighting rule whose weights stay where the rows are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._blocks import Blocks
from hardy.weighting import AdaBoost, Opinion, Request, Step, TrainingSet, WeightingRule
from hardy.weighting.training_set import Floats


class BlockRule(WeightingRule):
    """Does what AdaBoost, or a rule that differs in its factors only, does with one array.

    The training set's arrays, the requests and the opinions are `Blocks`. The rule in memory never
    sees a row here: it judges the errors, and goes to the blocks to tell by how much their weights
    fall.
    """

    def __init__(self, rule: AdaBoost) -> None:
        self._rule = rule
        self.member_kind = rule.member_kind

    @property
    def name(self) -> str:
        """The name of the rule in memory."""
        return self._rule.name

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        self._rule._start_judging(training)
        self._y: Any = training.y
        weights: Any = training.weights
        self._initial: Blocks = weights.map(_log_shares, training.size)
        self._set_weights(self._initial)

    def requests(self) -> Sequence[Request]:
        """Ask for one classifier under the present distribution."""
        return [Request(self._y, self._distribution)]

    def update(self, opinions: Sequence[Any]) -> Step:
        """Weigh the member's vote by its error, and the rows by its mistakes."""
        (opinion,) = opinions
        step = self._rule._judge(float(self._distribution.total(_weigh_mistakes, self._y, opinion)))
        if step.keep:
            moved = self._log_weights.map(_move, self._y, opinion, self._rule, step.coefficient)
            self._set_weights(moved)
        elif not step.stop:
            self._set_weights(self._initial)
        return step

    def _set_weights(self, log_weights: Blocks) -> None:
        """Take the softmax over all blocks."""
        self._log_weights = log_weights
        of_blocks = np.array(log_weights.gather(_sum_exponentials))
        largest = of_blocks[:, 0].max()
        total = float((of_blocks[:, 1] * np.exp(of_blocks[:, 0] - largest)).sum())
        self._distribution: Any = log_weights.map(_shares, largest, total)


def _log_shares(weights: Floats, total: float) -> Floats:
    return np.asarray(np.log(weights / total))


def _weigh_mistakes(distribution: Floats, y: NDArray[np.intp], opinion: Opinion) -> np.float64:
    return np.float64(distribution[opinion.output != y].sum())


def _move(
    log_weights: Floats,
    y: NDArray[np.intp],
    opinion: Opinion,
    rule: AdaBoost,
    coefficient: float,
) -> Floats:
    wrong = np.asarray(opinion.output != y)
    return log_weights - rule._exponents(opinion, wrong, coefficient)


def _sum_exponentials(log_weights: Floats) -> tuple[float, float]:
    """Give the largest, and the sum of the exponentials of what each is below it."""
    largest = log_weights.max()
    return float(largest), float(np.exp(log_weights - largest).sum())


def _shares(log_weights: Floats, largest: float, total: float) -> Floats:
    return np.asarray(np.exp(log_weights - largest) / total)
