"""Members of a boosted ensemble, trained and asked where the rows lie."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hardy.distributed._training import TrainingBlocks
from hardy.distributed.decision_stump import in_bins, train_stump
from hardy.distributed.parallel_perceptron import train_perceptrons
from hardy.ensembles._members import Fitted, copy_member, member_opinion, scale_to_weights
from hardy.exceptions import InputError
from hardy.learners import DecisionStumpClassifier, ParallelPerceptronClassifier
from hardy.weighting import MemberKind, Request, TrainingSet

# The learners in memory whose sums over blocks are known; members are of these classes.
LEARNERS = (DecisionStumpClassifier, ParallelPerceptronClassifier)


def in_memory(learner: Any) -> Any:
    """Make the learner of the class in memory with these parameters."""
    for known in LEARNERS:
        if isinstance(learner, known):
            return known(**learner.get_params(deep=False))
    raise InputError(
        f"{type(learner).__name__} can't be trained on blocks of rows: use "
        f"{' or '.join(known.__name__ for known in LEARNERS)}."
    )


class BlockTrainer:
    """Trains members on blocks of rows, for the loop that all boosting shares.

    In what it gives the loop `Blocks` stand for arrays.
    """

    def __init__(
        self, template: Any, kind: MemberKind, data: TrainingBlocks, training: TrainingSet
    ) -> None:
        self._template, self._kind, self.training = template, kind, training
        self._train: Callable[[Any, TrainingBlocks], None] = train_perceptrons
        self._data = data
        if isinstance(template, DecisionStumpClassifier):
            self._data, bins = in_bins(data, template.max_bins)
            self._train = partial(train_stump, bins=bins)

    def fit_round(self, requests: Sequence[Request]) -> Fitted | None:
        """Fit the one member of a round; which rows it saw isn't told."""
        (request,) = requests
        distribution: Any = request.weights
        weight = distribution.map(
            scale_to_weights, self.training.weights, self.training.size, self._kind
        )
        data = replace(self._data, weight=weight)
        present = data.class_totals() > 0
        if np.count_nonzero(present) < 2:
            return None
        member = copy_member(self._template, self.training.random_state)
        self._train(member, data if present.all() else data.of_classes(present))
        return [member], []

    def fit_unweighted(self, requests: Sequence[Request]) -> Fitted | None:
        """Fit the round's member as if all weights were equal."""
        (request,) = requests
        distribution: Any = request.weights
        equal = distribution.map(np.full_like, 1 / self._data.shape[0])
        return self.fit_round([request._replace(weights=equal)])

    def opinions(self, members: Sequence[Any], requests: Sequence[Request]) -> list[Any]:
        """Ask the member, block by block."""
        return [
            self._data.rows.map(_ask, request.targets, member, self._kind, self._data.classes)
            for member, request in zip(members, requests, strict=True)
        ]


def _ask(rows: Any, targets: Any, member: Any, kind: MemberKind, classes: Any) -> Any:
    return member_opinion(member, kind, rows, targets, classes)
