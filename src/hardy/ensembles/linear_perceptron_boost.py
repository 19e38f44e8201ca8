"""Boosted linear perceptrons, for text filters and other sparse rows."""

import re
import warnings
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import StrOptions

from hardy._labels import find_class
from hardy._warnings import warn_user
from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles._ensemble import Scores
from hardy.ensembles._linear_perceptrons import know_all, linear_terms
from hardy.ensembles._members import Sampling
from hardy.hardness.neighbors import Duplicates
from hardy.learners.linear_perceptron import LOWERED, LinearPerceptronClassifier
from hardy.weighting import AdaBoost, TrainingSet, WeightingRule
from hardy.weighting.relabelling import find_hidden_positives
from hardy.weighting.soft_vote import SoftVote


class LinearPerceptronBoostClassifier(BaseBoostClassifier):
    """AdaBoost of linear perceptrons that the delta rule trains, for filters of texts.

    Each member is a :class:`~hardy.LinearPerceptronClassifier` trained on rows that are drawn from
    the distribution, as many as there are [1]_. F is the sum of the members' votes times
    α = ½ ln((1 − ε)/ε), ε being the member's error under the distribution; the rounds end with a
    member that is no better than a guess, ε ≥ ½. Several classes go by SAMME, as in
    :class:`~hardy.AdaBoostClassifier`: ε ≥ 1 − 1/K ends the rounds.

    Probabilities are the logistic function of 2F: they order rows, and are far too sure to be read
    as frequencies.

    Rows should have length 1, as those of :func:`hardy.text.make_text_filter` have: the delta rule
    learns badly from longer ones at these learning rates.

    Two remedies for wrong labels are at hand. Equal rows with different labels can't all be
    learned, so that boosting would heap the whole distribution on them and end after a few rounds:
    `contradictions`. And where positives were missed when labels were given, `relabel_positives`
    finds most of them.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of rounds, and the greatest number of members.
    learning_rate : float, default=0.2
        The learning rate of the members.
    momentum : float, default=0.5
        The momentum of the members, from 0 to below 1.
    voting : {"hard", "soft"}, default="hard"
        Whether F sums the members' votes, or their outputs w · x + b, which are trained to be −1
        and +1. The members and their coefficients are the same.
    relabel_positives : bool, default=False
        Whether rows that look positive count as positive in training: those whose probability
        reaches the mean of the labelled positives, by a balanced logistic regression that has not
        learned from the row.
    max_iter : int, default=25
        The most passes that a member makes over its rows.
    tol : float, default=0.01
        The mean squared error below which a member is trained no further.
    bias_scale : float, default=1.0
        What the steps of a member's bias are multiplied by; 0.01 helps rare classes.
    contradictions : {"drop", "keep"}, default="drop"
        Whether to leave equal rows with different labels out of the training, all of them, with a
        warning. A class of which no row would be left keeps its rows.
    sampling : {"resample", "reweight"}, default="resample"
        How a member sees the distribution: by rows drawn with replacement, as many as the weights
        sum to, but no fewer than there are rows and no more than a hundred times as many; or as
        sample weights.
    pos_label : label, optional
        Which class `relabel_positives` takes for positive, by default the rarest one; of equally
        rare ones the last.
    random_state : int, RandomState instance or None, default=None
        Seeds the members, the draws, and the folds of the relabelling.

    Attributes
    ----------
    contradictory_rows_ : ndarray of ints
        The training rows, rising, that equal a row with another label.
    relabelled_rows_ : ndarray of ints
        The training rows, rising, that counted as positive though they were not labelled so.
    estimator_ : LinearPerceptronClassifier
        The learner that the members are copies of.
    estimators_ : list of LinearPerceptronClassifier
        The members, fitted on the user's own labels.
    n_iter_ : int
        The most passes that a member has made.
    estimator_weights_ : ndarray of shape (n_members,)
        Their coefficients α.
    estimator_errors_ : ndarray of shape (n_members,)
        Their errors under the distribution they were trained on.
    estimators_samples_ : list of ndarrays
        The rows that each was trained on, repeated ones repeatedly where they were drawn.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    baseline_ : float or ndarray of shape (n_classes,)
        F before the first member: 0, or that of the classes' shares where no member was kept; the
        first member then stands alone, with the coefficient 0.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    Warns
    -----
    UserWarning
        Where contradictory rows were left out; it counts them.

    References
    ----------
    .. [1] J.-M. O, B.-T. Zhang, "Text Filtering by Boosting Linear Perceptrons", Journal of Fuzzy
       Logic and Intelligent Systems 10 (2000), 374–378.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from hardy import LinearPerceptronBoostClassifier
    >>> X, digit = load_digits(return_X_y=True)
    >>> X, is_eight = normalize(X), digit == 8
    >>> model = LinearPerceptronBoostClassifier(n_estimators=20, random_state=0)
    >>> round(model.fit(X[::2], is_eight[::2]).score(X[1::2], is_eight[1::2]), 2)
    0.96
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        **{
            name: LinearPerceptronClassifier._parameter_constraints[name]
            for name in ("learning_rate", "momentum", "max_iter", "tol", "bias_scale")
        },
        "voting": [StrOptions({"hard", "soft"})],
        "relabel_positives": ["boolean"],
        "contradictions": [StrOptions({"drop", "keep"})],
    }

    # The members are always linear perceptrons.
    estimator: Any = None

    def __init__(
        self,
        n_estimators: int = 100,
        learning_rate: float = 0.2,
        momentum: float = 0.5,
        voting: Literal["hard", "soft"] = "hard",
        relabel_positives: bool = False,
        *,
        max_iter: int = 25,
        tol: float = 0.01,
        bias_scale: float = 1.0,
        contradictions: Literal["drop", "keep"] = "drop",
        sampling: Sampling = "resample",
        pos_label: Any = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.voting = voting
        self.relabel_positives = relabel_positives
        self.max_iter = max_iter
        self.tol = tol
        self.bias_scale = bias_scale
        self.contradictions = contradictions
        self.sampling = sampling
        self.pos_label = pos_label
        self.random_state = random_state

    @property
    def n_iter_(self) -> int:
        """The most passes that a member has made."""
        return int(max(member.n_iter_ for member in self.estimators_))

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. A CSR matrix stays one; other sparse formats are converted to it.
        y : array-like of shape (n_samples,)
            The labels, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, by default 1: the initial distribution. A row of weight w counts
            as w equal rows, one of weight 0 as absent.

        Returns
        -------
        self : object
            The fitted ensemble.

        Raises
        ------
        InputError
            Where `y` has a missing label or one class only, or `pos_label` is no label.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are kept than were asked for; it names the rounds and the reasons.
            Where rows are so long that members lowered their learning rate.
        """
        with warnings.catch_warnings():
            # Each member would say it; the ensemble says it once.
            said = rf"learning_rate=.* {re.escape(LOWERED)}"
            warnings.filterwarnings("ignore", said, ConvergenceWarning)
            super().fit(X, y, sample_weight)
        lowest = min(member.learning_rate_ for member in self.estimators_)
        if lowest < self.learning_rate:
            warn_user(
                f"Members lowered their learning rate of {self.learning_rate} to as little as "
                f"{lowest:.2g}, because with momentum={self.momentum} it is too high for the "
                "longest rows of X: set a lower one, or scale the rows to length 1 "
                "(sklearn.preprocessing.Normalizer).",
                ConvergenceWarning,
            )
        return self

    def _default_estimator(self) -> LinearPerceptronClassifier:
        return LinearPerceptronClassifier(
            self.learning_rate,
            self.momentum,
            self.max_iter,
            self.tol,
            bias_scale=self.bias_scale,
        )

    def _make_rule(self) -> WeightingRule:
        return SoftVote() if self.voting == "soft" else AdaBoost()

    def _terms(self, rows: Any) -> Iterator[Scores]:
        if know_all(self.estimators_, self.classes_):
            return linear_terms(self.estimators_, self._make_rule(), self.classes_, rows)
        return super()._terms(rows)

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        training = super()._training_set(X, y, sample_weight)
        labels = self._relabel(training) if self.relabel_positives else training.y
        self.relabelled_rows_ = training.rows[labels != training.y]
        training = training._replace(y=labels)
        contradictory = _contradict(training.X, training.y)
        self.contradictory_rows_ = training.rows[contradictory]
        if self.contradictions == "keep":
            return training
        return _without(training, contradictory)

    def _relabel(self, training: TrainingSet) -> NDArray[np.intp]:
        positive = self._positive_class(training)
        hidden = find_hidden_positives(
            training.X,
            training.y == positive,
            training.weights,
            random_state=training.random_state,
        )
        return np.where(hidden & ~_emptied(hidden, training), positive, training.y)

    def _positive_class(self, training: TrainingSet) -> int:
        if self.pos_label is None:
            totals = np.bincount(training.y, weights=training.weights)
            return int(np.flatnonzero(totals == totals.min())[-1])
        return find_class(self.pos_label, self.classes_)


def _contradict(X: Any, y: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Find the rows that equal a row with another label."""
    groups = Duplicates.of(X)
    labels = y[groups.members]
    lowest, highest = (
        extreme.reduceat(labels, groups.starts) for extreme in (np.minimum, np.maximum)
    )
    found = np.zeros(len(y), dtype=bool)
    found[groups.members] = np.repeat(lowest != highest, groups.sizes)
    return found


def _emptied(leaving: NDArray[np.bool_], training: TrainingSet) -> NDArray[np.bool_]:
    """Find the rows of the classes that would have none if these rows left them."""
    left = np.bincount(training.y[~leaving], minlength=training.n_classes)
    return np.asarray(left[training.y] == 0)


def _without(training: TrainingSet, contradictory: NDArray[np.bool_]) -> TrainingSet:
    dropped = contradictory & ~_emptied(contradictory, training)
    if not dropped.any():
        return training
    warn_user(
        f"{dropped.sum()} of {len(dropped)} rows were left out of the training, because equal rows "
        "have other labels, which boosting would spend itself on (see contradictory_rows_); "
        "contradictions='keep' leaves them in.",
    )
    kept = ~dropped
    return training._replace(
        X=training.X[kept],
        y=training.y[kept],
        weights=training.weights[kept],
        rows=training.rows[kept],
    )
