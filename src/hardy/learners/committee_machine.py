"""The committee machine: perceptrons that vote, of which a mistake moves as few as needed."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions

from hardy.learners._kernels.voting_rows import committee_pass
from hardy.learners._rows import kernel_rows
from hardy.learners._voting_classifier import VotingClassifier


class CommitteeMachineClassifier(VotingClassifier):
    """Classify by the majority vote of a few perceptrons, trained with the least disturbance.

    A row x is positive where most of the perceptrons have an activation wᵢ · x above zero. A row
    that the majority gets wrong moves some of the wrong perceptrons towards it: as many as have to
    change their vote, and those whose activations are nearest to zero. Rows that the majority gets
    right move nothing.

    Several classes are learned one against the rest, all sub-problems in one array of weights.

    Parameters
    ----------
    n_perceptrons : int, default=5
        The number of perceptrons of each sub-problem, an odd number.
    learning_rate : float, default=0.1
        The step η. The perceptrons start with length 1 and grow, so that the rate only matters
        beside that start: a lower one lets the start be forgotten more slowly.
    max_iter : int, default=100
        The most passes over the rows that `fit` makes; it stops after one without a mistake.
    mode : {"online", "batch"}, default="online"
        ``"online"`` moves the perceptrons after each row, in a new random order for each pass;
        ``"batch"`` once after each pass, by the sum of all steps.
    class_weight : dict, "balanced" or None, default=None
        What the weight of a row is multiplied by, for each label; labels that the dict lacks count
        as 1. ``"balanced"`` gives all classes the same total weight, with the same sum as before.
    warm_start : bool, default=False
        Whether `fit` starts from the weights of the last call rather than anew.
    random_state : int, RandomState or None, default=None
        Draws the weights at the start, and the order of the rows in on-line mode.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    coef_ : ndarray of shape (n_subproblems, n_perceptrons, n_features)
        The weights, in the floating-point type of `X`. There is one sub-problem for two classes
        (positive is ``classes_[1]``), otherwise one for each class.
    intercept_ : ndarray of shape (n_subproblems, n_perceptrons)
        The biases.
    activation_scale_ : float
        The root mean square of all activations during the last pass of `fit`, or during all
        calls of `partial_fit` together; `predict_proba` measures by it.
    n_iter_ : int
        The number of passes made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    See Also
    --------
    ParallelPerceptronClassifier : Moves all wrong perceptrons, and keeps activations off zero.

    Notes
    -----
    With y = ±1 for the label, let N(x) = Σᵢ sgn(y wᵢ · x) be the votes for it less those against
    it, an odd number; an activation of exactly 0 counts as wrong in training, whichever the label.
    A row is wrong if N(x) < 0. A perceptron that changes its vote moves N(x) by 2, so that
    (1 + abs(N(x))) / 2 of them have to change theirs to bring it to +1. So many of the wrong ones,
    those with the activations nearest to zero, become wᵢ + η y x.

    `sample_weight` scales a row's steps. A weight of 0 is the row's absence, and in batch mode a
    weight of 2 is the row twice. Weights count only where rows go wrong: once the heavy ones are
    right, a larger weight changes nothing.

    The perceptrons keep moving for as long as rows go wrong, so that on overlapping classes the
    last rows have much influence, and more passes don't make the classifier better.

    References
    ----------
    .. [1] N. J. Nilsson, "Learning machines: foundations of trainable pattern-classifying
       systems", McGraw-Hill 1965, chapter 6 (the committee machine and its training).

    Examples
    --------
    >>> from hardy import CommitteeMachineClassifier
    >>> X = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    >>> y = ["same", "other", "other", "same"]
    >>> model = CommitteeMachineClassifier(random_state=0).fit(X, y)
    >>> model.predict(X)
    array(['same', 'other', 'other', 'same'], dtype=object)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_perceptrons": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "mode": [StrOptions({"online", "batch"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_perceptrons: int = 5,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        mode: Literal["online", "batch"] = "online",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_perceptrons = n_perceptrons
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.mode = mode
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state

    def _train(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        online = self.mode == "online"
        n_subproblems = len(self.coef_)
        weights, bias = self._copy_units(X, np.float64)
        rows = (*kernel_rows(X), own, weight)
        for _ in range(n_passes):
            order = np.arange(len(own))
            if online and rng is not None:
                rng.shuffle(order)
            sums = (weights, bias) if online else (np.zeros_like(weights), np.zeros_like(bias))
            mistakes, squares = committee_pass(
                *rows, order, float(self.learning_rate), n_subproblems, weights, bias, *sums
            )
            if not online:
                # What overflows is refused below.
                with np.errstate(over="ignore", invalid="ignore"):
                    weights += sums[0]
                    bias += sums[1]
            self.n_iter_ += 1
            if mistakes == 0:
                break
        self._measure_scale(squares, float(weight.sum()), rng)
        self._store_units(weights, bias)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Rows that the majority gets right move nothing: once the rows of a class of far higher
        # weight are right, that weight has no further effect on how other rows are classified.
        tags.classifier_tags.poor_score = True
        return tags
