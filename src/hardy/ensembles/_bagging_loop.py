"""The bagging loop. It knows nothing of any rule: it trains on what the rule draws."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from hardy._callbacks import Watched
from hardy.ensembles._members import MAX_DRAWS, copy_member, member_output
from hardy.weighting import Bag, BagRule, MemberKind, TrainingSet


class BagMember(NamedTuple):
    """A member, the user's rows that it saw, and the columns (None: all)."""

    member: Any
    samples: NDArray[np.intp]
    features: NDArray[np.intp] | None


@dataclass(frozen=True)
class BagTrainer:
    """Trains members on the bags of one training set.

    `template` is what the members are copies of, `classes` the user's labels in the order of the
    class indices.
    """

    template: Any
    training: TrainingSet
    classes: NDArray[Any]

    def fit(self, rule: BagRule, number: int, seed: int) -> BagMember | None:
        """Train a member; None where every bag of many had rows of one class only."""
        random_state = np.random.RandomState(seed)
        for _ in range(MAX_DRAWS):
            bag = self._drawn(rule.bag(number, random_state))
            X, targets = self._rows(bag)
            if (targets != targets[0]).any():
                break
        else:
            return None
        member = copy_member(self.template, random_state)
        weights = {} if bag.weights is None else {"sample_weight": bag.weights}
        member.fit(X, self.classes[targets], **weights)
        return BagMember(member, self.training.rows[bag.rows], bag.features)

    def _drawn(self, bag: Bag) -> Bag:
        """Show weights as repeated rows, as nearly as can be, to members that take none."""
        if bag.weights is None or has_fit_parameter(self.template, "sample_weight"):
            return bag
        times = np.maximum(1, np.rint(bag.weights)).astype(np.intp)
        return bag._replace(rows=np.repeat(bag.rows, times), weights=None)

    def _rows(self, bag: Bag) -> tuple[Any, NDArray[np.intp]]:
        X, targets = self.training.X[bag.rows], self.training.y[bag.rows]
        if bag.made is not None:
            stack = sparse.vstack if sparse.issparse(X) else np.vstack
            X, targets = stack([X, bag.made[0]]), np.concatenate([targets, bag.made[1]])
        return (X if bag.features is None else X[:, bag.features]), targets

    def whole(self) -> BagMember:
        """Train a member on all rows."""
        member = copy_member(self.template, self.training.random_state)
        member.fit(self.training.X, self.classes[self.training.y])
        return BagMember(member, self.training.rows, None)


def bag(
    trainer: BagTrainer,
    rule: BagRule,
    n_members: int,
    watched: Watched,
    fitted_attributes: Any,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Train the members whose bags a rule draws; warn where fewer than `n_members` are.

    What is given back is what `fitted_attributes` makes of the members.
    """
    training = trainer.training
    total = n_members * rule.n_candidates
    seeds = training.random_state.randint(np.iinfo(np.int32).max, size=total)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator")
    trained = (
        parallel(delayed(trainer.fit)(rule, number, seed) for number, seed in enumerate(seeds))
        if rule.n_candidates == 1
        else _chosen(trainer, rule, seeds, n_jobs)
    )
    kept: list[BagMember] = []
    n_lost = 0
    for member in trained:
        watched.begin_round()
        if member is None:
            n_lost += 1
        else:
            kept.append(member)
        if watched.end_round(lambda: fitted_attributes(kept)):
            break
    if n_lost:
        warnings.warn(
            f"{n_lost} of {n_members} members were left out, because {MAX_DRAWS} draws of each "
            "had rows of one class only.",
            ConvergenceWarning,
            stacklevel=5,
        )
    attributes: dict[str, Any] = fitted_attributes(kept or [trainer.whole()])
    watched.end(lambda: attributes)
    return attributes


def _chosen(
    trainer: BagTrainer, rule: BagRule, seeds: NDArray[Any], n_jobs: int | None
) -> Iterator[BagMember | None]:
    """Train candidates for each place, one place after the other, and give the chosen ones."""
    for place, some in enumerate(seeds.reshape(-1, rule.n_candidates)):
        first = place * rule.n_candidates
        candidates = Parallel(n_jobs=n_jobs)(
            delayed(trainer.fit)(rule, first + number, seed) for number, seed in enumerate(some)
        )
        able = [candidate for candidate in candidates if candidate is not None]
        outputs = [bag_output(c, trainer.training.X, trainer.classes) for c in able]
        yield able[rule.choose(outputs)] if able else None


def bag_output(
    entry: BagMember, X: Any, classes: NDArray[Any], kind: MemberKind = MemberKind.CLASSIFIER
) -> NDArray[Any]:
    """Ask a member, on the columns that it knows."""
    rows = X if entry.features is None else X[:, entry.features]
    return member_output(entry.member, kind, rows, classes)
