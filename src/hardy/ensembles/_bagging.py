"""What every bagged classifier shares: the loop, the vote, and the rows left out of the bags."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import config_context
from sklearn.base import _fit_context
from sklearn.linear_model import Perceptron
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import _num_samples, check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy._validation import JOBS
from hardy.ensembles._bagging_loop import BagMember, BagTrainer, bag, bag_output
from hardy.ensembles._ensemble import BaseEnsembleClassifier, Scores
from hardy.ensembles._perceptrons import as_pool, pool_outputs
from hardy.exceptions import InputError
from hardy.learners._perceptron_pool import Pool, RowOrder, count_votes
from hardy.weighting import BagRule, MemberKind, TrainingSet
from hardy.weighting.base import refuse_member

Voting = Literal["hard", "soft"]


class BaseBagClassifier(BaseEnsembleClassifier):
    """A classifier whose members are trained on bags of rows, or of columns.

    A subclass has the parameters ``estimator``, ``n_estimators``, ``voting``, ``n_jobs`` and
    ``random_state``, ``oob_score`` where its members leave rows out, and says which rule draws the
    bags.

    Where scikit-learn has callbacks (from 1.9 on), each member is a task of theirs.

    Examples
    --------
    >>> from hardy import HardnessBaggingClassifier, RandomSubspaceClassifier
    >>> from hardy.ensembles import BaseBagClassifier
    >>> issubclass(HardnessBaggingClassifier, BaseBagClassifier)
    True
    >>> X, y = [[0, 1], [1, 0], [0, 2], [2, 0]], ["a", "b", "a", "b"]
    >>> model = RandomSubspaceClassifier(n_estimators=3, random_state=0).fit(X, y)
    >>> len(list(model.staged_predict(X)))
    3
    """

    n_estimators: Any
    voting: Voting
    oob_score: bool = False
    row_order: RowOrder | None = None
    n_jobs: int | None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsembleClassifier._parameter_constraints,
        "voting": [StrOptions({"hard", "soft"})],
        "n_jobs": [*JOBS],
    }

    def _default_estimator(self) -> Any:
        return Perceptron(max_iter=5, tol=None)

    @abstractmethod
    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        """Make the rule, for a training set that has `n_rows` rows with those of weight 0."""

    def _note(self, rule: BagRule, training: TrainingSet, n_rows: int) -> None:
        """Keep what is worth knowing of a rule that has started."""

    def _n_members(self, rule: BagRule) -> int:
        return int(self.n_estimators)

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. A CSR matrix stays one; other sparse formats are converted to it. Missing
            values are accepted where the members and the rule accept them.
        y : array-like of shape (n_samples,)
            The labels, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, by default 1. A row of weight w counts as w equal rows, one of
            weight 0 as absent. Where rows are drawn, a weight multiplies the row's chance; where
            classes are cut or filled up, weights are rounded to whole numbers, at least 1.

        Returns
        -------
        self : object
            The fitted ensemble.

        Raises
        ------
        InputError
            Where `y` has a missing label or one class only, or a parameter doesn't fit the rows.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are trained than were asked for, because bags had rows of one
            class only. Where all had, one member is trained instead, on all rows, unweighted.
        """
        self.estimator_ = self._template()
        soft = self.voting == "soft"
        owner = type(self).__name__ + (" with voting='soft'" if soft else "")
        kind = MemberKind.PROBABILITIES if soft else MemberKind.CLASSIFIER
        refuse_member(owner, kind, self.estimator_)
        training = self._training_set(X, y, sample_weight)
        n_rows = _num_samples(X)
        rule = self._make_rule(training, n_rows)
        rule.start(training)
        self._note(rule, training, n_rows)
        n_members = self._n_members(rule)
        fitted = bag(
            BagTrainer(self.estimator_, training, self.classes_),
            rule,
            n_members,
            self._watch(training, n_members),
            _fitted_attributes,
            self.n_jobs,
            self.row_order,
        )
        self._take(fitted)
        if self.oob_score:
            self._score_out_of_bag(training, n_rows)
        return self

    def predict_proba(self, X: ArrayLike) -> Scores:
        """Compute class probabilities: the share of the votes, or the members' mean probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities in the order of ``classes_``.
        """
        check_is_fitted(self)
        rows = self._check_rows(X, reset=False)
        pool = self._pool()
        total = (
            sum(self._votes(entry, rows) for entry in self._entries())
            if pool is None
            else count_votes(*pool, rows)
        )
        return np.asarray(total / len(self.estimators_))

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[Scores]:
        """Compute class probabilities of the first member, the first two, and so on.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
            As `predict_proba` would give with that many members.
        """
        check_is_fitted(self)
        rows = self._check_rows(X, reset=False)
        pool = self._pool()
        votes = (
            (self._votes(entry, rows) for entry in self._entries())
            if pool is None
            else map(self._as_votes, pool_outputs(pool, rows))
        )
        for number, total in enumerate(accumulate(votes), start=1):
            yield total / number

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Predict by the first member, the first two, and so on.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples,)
            As `predict` would give with that many members.
        """
        for probabilities in self.staged_predict_proba(X):
            yield self.classes_[probabilities.argmax(axis=1)]

    def _pool(self) -> Pool | None:
        """Give the members as one array of weights, where they are perceptrons."""
        return as_pool(
            self.estimators_, self.classes_, self.estimators_features_, self.n_features_in_
        )

    def _entries(self) -> Sequence[BagMember]:
        return [
            BagMember(*parts)
            for parts in zip(
                self.estimators_,
                self.estimators_samples_,
                self.estimators_features_,
                self.estimator_errors_,
                strict=True,
            )
        ]

    def _votes(self, entry: BagMember, rows: Any) -> Scores:
        # The rows are finite, or missing where the members take that: checked before.
        with config_context(assume_finite=True):
            if self.voting == "soft":
                return bag_output(entry, rows, self.classes_, MemberKind.PROBABILITIES)
            return self._as_votes(bag_output(entry, rows, self.classes_))

    def _as_votes(self, output: NDArray[Any]) -> Scores:
        return np.asarray(np.eye(len(self.classes_))[output])

    def _score_out_of_bag(self, training: TrainingSet, n_rows: int) -> None:
        total = np.zeros((n_rows, len(self.classes_)))
        for entry in self._entries():
            outside = ~np.isin(training.rows, entry.samples)
            if outside.any():
                total[training.rows[outside]] += self._votes(entry, training.X[outside])
        counts = total.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_: Scores = total / counts
        judged = counts[training.rows, 0] > 0
        if not judged.any():
            raise InputError(
                "oob_score=True, but every member saw every row; use smaller bags or more rows."
            )
        right = total[training.rows].argmax(axis=1) == training.y
        self.oob_score_ = float(np.average(right[judged], weights=training.weights[judged]))


def _fitted_attributes(members: list[BagMember]) -> dict[str, Any]:
    return {
        "estimators_": [entry.member for entry in members],
        "estimators_samples_": [entry.samples for entry in members],
        "estimators_features_": [entry.features for entry in members],
        "estimator_weights_": np.ones(len(members)),
        "estimator_errors_": np.array([entry.error for entry in members]),
    }
