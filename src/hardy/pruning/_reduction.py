"""The reduction of a training set by the activations of parallel perceptrons."""

from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier, RowCategory
from hardy.learners._rows import weight_classes

Rows = NDArray[np.bool_]


class Round(NamedTuple):
    """One accepted training: how many rows it had, and how it does on all rows.

    Attributes
    ----------
    n_positive : int
        How many rows of the positive class were left.
    n_negative : int
        How many of the others.
    positive_accuracy : float
        a⁺, the share of all positive rows that are found.
    negative_accuracy : float
        a⁻, the share of all others that are found.
    """

    n_positive: int
    n_negative: int
    positive_accuracy: float
    negative_accuracy: float

    @property
    def geometric_mean(self) -> float:
        """g, the geometric mean of both accuracies."""
        return float(np.sqrt(self.positive_accuracy * self.negative_accuracy))


class Reduction(NamedTuple):
    """The best learner, the rows that it was trained on, and what led to it.

    Attributes
    ----------
    learner : estimator
        The fitted learner, of the labels 0 (negative) and 1 (positive).
    kept : ndarray of shape (n_rows,), dtype bool
        The rows it was trained on.
    rounds : list of Round
        The first training and every accepted reduction.
    """

    learner: Any
    kept: Rows
    rounds: list[Round]


def reduce_training_set(
    estimator: Any,
    X: Any,
    is_positive: Rows,
    weights: NDArray[np.float64],
    drop_noisy_borderline: bool,
    codes: NDArray[np.intp] | None = None,
) -> Reduction:
    """Remove redundant and label-noisy rows for as long as training doesn't get worse.

    A reduction that would leave the positive or the negative rows empty ends it, and so does one
    that would leave out all rows of a class, where `codes` tells the classes apart. Both accuracies
    are measured on all rows given, not on those that are left. The learner goes on from its weights
    and margin, with a new learning rate.
    """
    codes = is_positive.astype(np.intp) if codes is None else codes
    n_classes = len(np.unique(codes))
    learner = clone(estimator).set_params(warm_start=True)
    kept = np.ones(len(is_positive), dtype=bool)
    learner = _train(learner, X, is_positive, weights, kept)
    rounds = [_judge(learner, X, is_positive, weights, kept)]
    while True:
        left = kept & ~_removable(learner, X, is_positive, drop_noisy_borderline)
        loses_a_class = len(np.unique(codes[left])) < n_classes
        if loses_a_class or (left == kept).all():
            return Reduction(learner, kept, rounds)
        candidate = _train(deepcopy(learner), X, is_positive, weights, left)
        round_ = _judge(candidate, X, is_positive, weights, left)
        best = rounds[-1]
        if (
            round_.geometric_mean < best.geometric_mean
            or round_.positive_accuracy < best.positive_accuracy
        ):
            return Reduction(learner, kept, rounds)
        learner, kept = candidate, left
        rounds.append(round_)


def _train(
    learner: Any, X: Any, is_positive: Rows, weights: NDArray[np.float64], kept: Rows
) -> Any:
    return learner.fit(X[kept], is_positive[kept].astype(np.intp), sample_weight=weights[kept])


def _judge(
    learner: Any, X: Any, is_positive: Rows, weights: NDArray[np.float64], kept: Rows
) -> Round:
    right = learner.predict(X) == is_positive
    positive, negative = weights * is_positive, weights * ~is_positive
    return Round(
        n_positive=int((kept & is_positive).sum()),
        n_negative=int((kept & ~is_positive).sum()),
        positive_accuracy=float((positive * right).sum() / positive.sum()),
        negative_accuracy=float((negative * right).sum() / negative.sum()),
    )


def _removable(learner: Any, X: Any, is_positive: Rows, drop_noisy_borderline: bool) -> Rows:
    """Find redundant and noisy rows, and negative borderline ones that are wrong for all units."""
    categories = learner.categorize(X, is_positive.astype(np.intp), rule="all")
    removable: Rows = (categories == RowCategory.REDUNDANT) | (categories == RowCategory.NOISY)
    if drop_noisy_borderline:
        # To be exactly 0 is to be wrong, whichever the label.
        removable |= ~is_positive & (learner.activations(X)[:, 0] >= 0).all(axis=1)
    return removable


def prepare_learner(
    owner: Any,
    codes: NDArray[np.intp],
    classes: NDArray[Any],
    weights: NDArray[np.float64],
) -> tuple[Any, NDArray[np.float64]]:
    """Give a seeded copy of the learner to prune by, and the weights of the rows.

    The learner sees the labels 0 and 1. What its ``class_weight`` says of the user's labels goes
    into the weights.
    """
    estimator = learner_of(owner)
    _check_learner(estimator, type(owner).__name__)
    learner = clone(estimator)
    settings = learner.get_params()
    if "random_state" in settings and settings["random_state"] is None:
        rng = check_random_state(owner.random_state)
        learner.set_params(random_state=rng.randint(np.iinfo(np.int32).max))
    class_weight = settings.get("class_weight")
    if not isinstance(class_weight, dict):
        return learner, weights
    weights = weight_classes(codes, classes, weights, class_weight)
    return learner.set_params(class_weight=None), weights


def learner_of(owner: Any) -> Any:
    """Give the learner that was asked for, by default that of the pruning experiments."""
    given = owner.estimator
    return ParallelPerceptronClassifier(learning_rate=0.01) if given is None else given


def _check_learner(estimator: Any, name: str) -> None:
    """See that a learner can be pruned by."""
    lacking = [what for what in ("categorize", "activations") if not hasattr(estimator, what)]
    if lacking or "warm_start" not in estimator.get_params():
        raise InputError(
            f"{name} needs a learner with categorize, activations and warm_start, such as "
            f"ParallelPerceptronClassifier; {type(estimator).__name__} lacks "
            f"{', '.join(lacking) or 'warm_start'}."
        )
