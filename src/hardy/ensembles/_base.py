"""What every boosted classifier shares: the loop, and staged predictions."""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import config_context
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy._probabilities import likeliest, scores_to_probabilities
from hardy.ensembles._ensemble import BaseEnsembleClassifier, Scores
from hardy.ensembles._loop import Round, boost
from hardy.ensembles._members import (
    FitMember,
    MemberTrainer,
    Sampling,
    draws_rows,
    fit_member,
    labels_of_round,
    member_output,
    rows_for,
)
from hardy.ensembles._stumps import what_sums
from hardy.learners import DecisionStumpClassifier
from hardy.weighting import TrainingSet, WeightingRule, check_member

# Members may cancel out to within rounding. Such a row is tied, for the probabilities as for F.
DECIMALS = 12

# Sums of steps that are larger could overflow.
LEARNING_RATE = [Interval(Real, 0, 1e100, closed="right")]


class BaseBoostClassifier(BaseEnsembleClassifier):
    """A classifier that boosts copies of a learner by a weighting rule.

    A subclass has the parameters ``estimator``, ``n_estimators``, ``sampling`` and
    ``random_state``, and says which rule it is.

    Where scikit-learn has callbacks (from 1.9 on), each round is a task of theirs:
    ``set_callbacks`` gives a progress bar, follows a score from round to round, or ends the rounds
    early.

    Examples
    --------
    >>> from hardy import AdaBoostClassifier
    >>> from hardy.ensembles import BaseBoostClassifier
    >>> issubclass(AdaBoostClassifier, BaseBoostClassifier)
    True
    >>> X, y = [[0, 1], [1, 0], [0, 2], [2, 0]], ["a", "b", "a", "b"]
    >>> model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    >>> [labels.tolist() for labels in model.staged_predict(X)]
    [['a', 'b', 'a', 'b']]
    """

    n_estimators: int
    sampling: Sampling

    # What may be set to something that keeps members on disk, for a fit that can be cut off.
    _fit_member: FitMember = staticmethod(fit_member)

    # Whether the rule, and what is done beside it, makes no copy of the rows.
    _rule_reads_in_place: ClassVar[bool] = False

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsembleClassifier._parameter_constraints,
        "sampling": [StrOptions({"reweight", "resample"})],
    }

    def _default_estimator(self) -> Any:
        return DecisionStumpClassifier()

    def _learns_where_rows_lie(self) -> bool:
        """Whether a fit makes no copy of its rows, so that they may lie on disk."""
        return (
            self._rule_reads_in_place
            and self.sampling == "reweight"
            and getattr(self._template(), "_reads_in_place", False)
        )

    @abstractmethod
    def _make_rule(self) -> WeightingRule:
        """Make the rule, with the settings that the parameters are."""

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. A CSR matrix stays one; other sparse formats are converted to it. Missing
            values are accepted where the members accept them.
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
            Where `y` has a missing label or one class only, or the members lack what the weighting
            rule needs.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are kept than were asked for; it names the rounds and the reasons.
        """
        self.estimator_ = self._template()
        rule = self._make_rule()
        check_member(rule, self.estimator_)
        training = self._training_set(X, y, sample_weight)._replace(
            is_drawn=draws_rows(self.estimator_, self.sampling)
        )
        trainer = MemberTrainer(
            self.estimator_, rule.member_kind, self.sampling, training, self.classes_,
            self._fit_member,
        )  # fmt: skip
        fitted = boost(
            trainer,
            rule,
            self.n_estimators,
            self._watch(training, self.n_estimators),
            lambda rounds: fitted_attributes(rounds, lambda: _class_shares(training)),
        )
        return self._take(fitted)

    def decision_function(self, X: ArrayLike) -> Scores:
        """Compute F, the sum of what the members say times their coefficients.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes one value for each row, positive for ``classes_[1]``; for several one
            for each class.
        """
        check_is_fitted(self)
        rows = self._check_rows(X, reset=False)
        correct = self._correction(rows)
        at_once = what_sums(self.estimators_) if isinstance(rows, np.ndarray) else None
        if at_once is None:
            return correct(deque(self._staged_scores(rows), maxlen=1).pop())
        scores = at_once(
            self.estimators_, self.estimator_weights_, self._make_rule(), self.classes_,
            self.baseline_, rows,
        )  # fmt: skip
        return correct(np.round(scores, DECIMALS))

    def predict_proba(self, X: ArrayLike) -> Scores:
        """Compute class probabilities: the logistic function of 2F, or the softmax of F.

        They order rows well. That they are frequencies as well is the promise of few rules,
        LogitBoost's among them; scikit-learn's ``CalibratedClassifierCV`` makes frequencies of the
        others.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities in the order of ``classes_``.
        """
        return scores_to_probabilities(_log_odds(self.decision_function(X)))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the likeliest class, the first of equally likely ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels of the user's own type.
        """
        best = likeliest(_log_odds(self.decision_function(X)))
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def staged_decision_function(self, X: ArrayLike) -> Iterator[Scores]:
        """Compute F after each kept round.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            As `decision_function` would give with that many members.
        """
        check_is_fitted(self)
        rows = self._check_rows(X, reset=False)
        yield from map(self._correction(rows), self._staged_scores(rows))

    def _correction(self, rows: Any) -> Callable[[Scores], Scores]:
        """Give what turns F of these rows into the F that is shown."""
        return lambda scores: scores

    def _staged_scores(self, rows: Any) -> Iterator[Scores]:
        scores: Scores = self.baseline_
        for term, coefficient in zip(self._terms(rows), self.estimator_weights_, strict=True):
            scores = scores + coefficient * term
            yield np.round(scores, DECIMALS)

    def _terms(self, rows: Any) -> Iterator[Scores]:
        """Give what each round adds to F, before its coefficient."""
        X = rows_for(self.estimator_, rows)
        rule = self._make_rule()
        for entry in self.estimators_:
            members = entry if isinstance(entry, list) else [entry]
            classes = labels_of_round(self.classes_, len(members))
            # The rows are finite, or missing where the members take that: checked above.
            with config_context(assume_finite=True):
                outputs = [member_output(m, rule.member_kind, X, classes) for m in members]
            yield rule.scores(outputs, len(self.classes_))

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[Scores]:
        """Compute class probabilities after each kept round.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
            As `predict_proba` would give with that many members.
        """
        for scores in self.staged_decision_function(X):
            yield scores_to_probabilities(_log_odds(scores))

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Predict after each kept round.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples,)
            As `predict` would give with that many members.
        """
        for scores in self.staged_decision_function(X):
            yield self.classes_[likeliest(_log_odds(scores))]


def fitted_attributes(
    rounds: list[Round], class_shares: Callable[[], NDArray[np.float64]]
) -> dict[str, Any]:
    """Make an ensemble's attributes of its rounds; without any kept, classes' shares count."""
    kept_any = bool(rounds) and rounds[0].step.keep
    return {
        "baseline_": np.float64(0.0) if kept_any else _prior_scores(class_shares()),
        "estimators_": [_one_or_list(round_.members) for round_ in rounds],
        "estimators_samples_": [_one_or_list(round_.samples) for round_ in rounds],
        "estimator_weights_": np.array([round_.step.coefficient for round_ in rounds]),
        "estimator_errors_": np.array([round_.step.error for round_ in rounds]),
    }


def _class_shares(training: TrainingSet) -> NDArray[np.float64]:
    return np.bincount(training.y, weights=training.distribution).astype(np.float64)


def _prior_scores(prior: NDArray[np.float64]) -> Scores:
    """F whose probabilities are the classes' shares."""
    return np.log(prior) if len(prior) > 2 else np.log(prior[1] / prior[0]) / 2


def _log_odds(scores: Scores) -> Scores:
    """Double the F of two classes, which is half the log odds."""
    return 2.0 * scores if scores.ndim == 1 else scores


def _one_or_list(items: list[Any]) -> Any:
    return items[0] if len(items) == 1 else items
