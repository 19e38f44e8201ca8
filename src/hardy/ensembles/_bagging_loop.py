"""The bagging loop. It knows nothing of any rule: it trains on what the rule draws."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from hardy._callbacks import Watched
from hardy._warnings import warn_user
from hardy.ensembles._members import MAX_DRAWS, copy_member, member_output
from hardy.ensembles._perceptrons import as_pool, can_be_pooled, fit_perceptrons, pool_outputs
from hardy.exceptions import InputError
from hardy.learners._perceptron_pool import RowOrder
from hardy.learners._rows import stack_rows
from hardy.weighting import Bag, BagRule, MemberKind, TrainingSet, repetitions

# No rule ends bagging early, so that more would only fill the memory before the first is trained.
MOST_MEMBERS = 1_000_000


class BagMember(NamedTuple):
    """A member, the user's rows that it saw, the columns (None: all), and its error on them."""

    member: Any
    samples: NDArray[np.intp]
    features: NDArray[np.intp] | None
    error: float


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
        bag = self.draw(rule, number, random_state)
        if bag is None:
            return None
        X, targets = self._rows(bag), self._targets(bag)
        member = self._fitted(bag, X, targets, random_state)
        error = self._error(member, X, targets, bag.weights)
        return BagMember(member, self.training.given(bag.rows), bag.features, error)

    def _fitted(
        self, bag: Bag, X: Any, targets: NDArray[np.intp], random_state: np.random.RandomState
    ) -> Any:
        # Equal weights only scale the steps of a perceptron, and so change nothing.
        is_even = bag.weights is None or np.ptp(bag.weights) == 0
        if is_even and can_be_pooled(self.template):
            whole = [np.arange(len(targets))]
            return fit_perceptrons(
                self.template, X, targets, self.classes, whole, "independent", None, random_state
            )[0]
        member = copy_member(self.template, random_state)
        weights = {} if bag.weights is None else {"sample_weight": bag.weights}
        return member.fit(X, self.classes[targets], **weights)

    def _error(
        self, member: Any, X: Any, targets: NDArray[np.intp], weights: NDArray[np.float64] | None
    ) -> float:
        output = member_output(member, MemberKind.CLASSIFIER, X, self.classes)
        return float(np.average(output != targets, weights=weights))

    def fit_at_once(
        self, rule: BagRule, seeds: NDArray[Any], order: RowOrder, n_jobs: int | None
    ) -> list[BagMember | None]:
        """Train all members, perceptrons on bags of rows alone, over one copy of the rows."""
        bags = [
            self.draw(rule, number, np.random.RandomState(seed))
            for number, seed in enumerate(seeds)
        ]
        rows = [bag.rows for bag in bags if bag is not None]
        if not rows:
            return [None] * len(bags)
        training = self.training
        members = fit_perceptrons(
            self.template, training.X, training.y, self.classes, rows, order, n_jobs,
            training.random_state,
        )  # fmt: skip
        pool = as_pool(members, self.classes, [None] * len(members), training.X.shape[1])
        assert pool is not None
        is_wrong = pool_outputs(pool, training.X) != training.y
        trained = (
            BagMember(member, training.given(seen), None, float(wrong[seen].mean()))
            for member, seen, wrong in zip(members, rows, is_wrong, strict=True)
        )
        return [bag if bag is None else next(trained) for bag in bags]

    def draw(self, rule: BagRule, number: int, random_state: np.random.RandomState) -> Bag | None:
        """Draw a bag that has rows of two classes or more; None where many draws had not."""
        for _ in range(MAX_DRAWS):
            bag = rule.bag(number, random_state)
            targets = self._targets(bag)
            if (targets != targets[0]).any():
                return self._drawn(bag)
        return None

    def _drawn(self, bag: Bag) -> Bag:
        """Show weights as repeated rows, as nearly as can be, to members that take none."""
        if bag.weights is None or has_fit_parameter(self.template, "sample_weight"):
            return bag
        rows = np.repeat(bag.rows, repetitions(bag.weights))
        return bag._replace(rows=rows, weights=None)

    def _rows(self, bag: Bag) -> Any:
        X = self.training.X[bag.rows]
        if bag.made is not None:
            X = stack_rows([X, bag.made[0]])
        return X if bag.features is None else X[:, bag.features]

    def _targets(self, bag: Bag) -> NDArray[np.intp]:
        targets = self.training.y[bag.rows]
        return targets if bag.made is None else np.concatenate([targets, bag.made[1]])

    def whole(self) -> BagMember:
        """Train a member on all rows."""
        X, y = self.training.X, self.training.y
        member = copy_member(self.template, self.training.random_state)
        member.fit(X, self.classes[y])
        return BagMember(member, self.training.rows, None, self._error(member, X, y, None))


@dataclass(frozen=True, eq=False)
class _Common:
    """What all members' tasks have in common.

    Joblib's backend for Dask sends an argument of several tasks once where it is large, which it
    learns from its size.
    """

    trainer: BagTrainer
    rule: BagRule

    def __sizeof__(self) -> int:
        X = self.trainer.training.X
        return int((X.data if sparse.issparse(X) else X).nbytes)


def _fit(common: _Common, number: int, seed: int) -> BagMember | None:
    return common.trainer.fit(common.rule, number, seed)


def bag(
    trainer: BagTrainer,
    rule: BagRule,
    n_members: int,
    watched: Watched,
    fitted_attributes: Any,
    n_jobs: int | None = None,
    row_order: RowOrder | None = None,
) -> dict[str, Any]:
    """Train the members whose bags a rule draws; warn where fewer than `n_members` are.

    Where there are none, one is trained on all rows, each of which counts once.

    What is given back is what `fitted_attributes` makes of the members. A rule with a `row_order`
    draws rows alone, so that perceptrons can be trained on them all at once.
    """
    training = trainer.training
    total = n_members * rule.n_candidates
    refuse_too_many(total)
    seeds = training.random_state.randint(np.iinfo(np.int32).max, size=total)
    trained: Iterable[BagMember | None]
    if row_order is not None and can_be_pooled(trainer.template):
        trained = trainer.fit_at_once(rule, seeds, row_order, n_jobs)
    elif rule.n_candidates == 1:
        common = _Common(trainer, rule)
        parallel = Parallel(n_jobs=n_jobs, return_as="generator")
        trained = parallel(delayed(_fit)(common, *pair) for pair in enumerate(seeds))
    else:
        trained = _chosen(trainer, rule, seeds, n_jobs)
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
        warn_of_lost_members(n_lost, n_members, bool(kept))
    attributes: dict[str, Any] = fitted_attributes(kept or [trainer.whole()])
    watched.end(lambda: attributes)
    return attributes


def _chosen(
    trainer: BagTrainer, rule: BagRule, seeds: NDArray[Any], n_jobs: int | None
) -> Iterator[BagMember | None]:
    """Train candidates for each place, one place after the other, and give the chosen ones."""
    for place, some in enumerate(seeds.reshape(-1, rule.n_candidates)):
        first = place * rule.n_candidates
        # Made anew each time, because the rule has changed.
        common = _Common(trainer, rule)
        candidates = Parallel(n_jobs=n_jobs)(
            delayed(_fit)(common, first + number, seed) for number, seed in enumerate(some)
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


def refuse_too_many(n_members: int) -> None:
    """Refuse more members than can be trained."""
    if n_members > MOST_MEMBERS:
        raise InputError(
            f"n_estimators asks for {n_members:,} members to be trained; choose it so that there "
            f"are {MOST_MEMBERS:,} at most."
        )


def warn_of_lost_members(n_lost: int, n_members: int, any_kept: bool) -> None:
    """Warn of members whose draws had rows of one class only."""
    instead = "" if any_kept else "; one was trained instead, on all rows, unweighted"
    warn_user(
        f"{n_lost} of {n_members} members were left out, because {MAX_DRAWS} draws of each had "
        f"rows of one class only{instead}.",
        ConvergenceWarning,
    )
