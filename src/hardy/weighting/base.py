"""The protocol of a weighting rule: its state, its requests, and its verdict on each round.

A rule and the boosting loop talk in four sentences, and know nothing else of each other:

1. ``rule.start(training_set)``: these are the rows, their classes and their weights.
2. ``rule.requests()``: train one member for each of these (targets, weights).
3. ``rule.update(opinions)``: this is what the new members say of the training rows; how much does
   their vote count, are they kept, and is this the last round?
4. ``rule.scores(outputs)``: what the members say of any rows, as the term of the sum F that the
   coefficient multiplies.

The ensemble's probabilities are the logistic function of 2F for two classes, where F has one value
for a row, and the softmax of F for several, where F has one value for each row and class.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from hardy.exceptions import InputError
from hardy.weighting.training_set import Floats, TrainingSet


class MemberKind(StrEnum):
    """What a rule must be able to ask of a member.

    Attributes
    ----------
    CLASSIFIER
        ``predict`` gives a label.
    PROBABILITIES
        A classifier whose ``predict_proba`` gives a probability for each class.
    DECISIONS
        A classifier whose ``decision_function`` gives signed numbers.
    REGRESSOR
        ``predict`` gives a number.
    MARGINS
        A classifier whose ``categorize(X, y)`` tells safe, label-noisy and borderline rows apart.

    Examples
    --------
    >>> from hardy.weighting import AdaBoost, LogitBoost
    >>> AdaBoost().member_kind.value, LogitBoost().member_kind.value
    ('classifier', 'regressor')
    """

    CLASSIFIER = "classifier"
    PROBABILITIES = "probabilities"
    DECISIONS = "decisions"
    REGRESSOR = "regressor"
    MARGINS = "margins"


class Request(NamedTuple):
    """One member to be trained.

    Attributes
    ----------
    targets : ndarray of shape (n_rows,)
        For a regressor numbers. For a classifier class indices; where a round asks for several
        classifiers, there is one for each class, which is trained against the rest and has the
        targets 0 (rest) and 1 (the class).
    weights : ndarray of shape (n_rows,)
        Non-negative, of any positive sum. A row of weight 0 is not shown to the member.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import AdaBoost, TrainingSet
    >>> y = np.array([0, 1, 1])
    >>> training = TrainingSet(None, y, 2, np.array([2.0, 1.0, 1.0]), np.arange(3), None)
    >>> rule = AdaBoost()
    >>> rule.start(training)
    >>> request = rule.requests()[0]
    >>> request.targets, request.weights
    (array([0, 1, 1]), array([0.5 , 0.25, 0.25]))
    """

    targets: NDArray[Any]
    weights: Floats


class Opinion(NamedTuple):
    """What one member says of the training rows.

    Attributes
    ----------
    output : ndarray
        A classifier's indices, of shape (n_rows,), as in its request's targets; a regressor's
        values, of shape (n_rows,); probabilities, of shape (n_rows, n_classes); or decisions, of
        shape (n_rows,) for two classes, positive for the second, and of (n_rows, n_classes) for
        several.
    categories : ndarray of shape (n_rows,), dtype int8, or None
        The :class:`~hardy.learners.RowCategory` of each row under its target, from members with
        margins.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Opinion
    >>> opinion = Opinion(np.array([0, 1, 1]))
    >>> opinion.output, opinion.categories is None
    (array([0, 1, 1]), True)
    """

    output: NDArray[Any]
    categories: NDArray[np.int8] | None = None


class Step(NamedTuple):
    """A rule's verdict on a round.

    Attributes
    ----------
    coefficient : float or ndarray of shape (n_classes,)
        The factor of the round's scores in F; one for each class where the members differ.
    error : float or ndarray of shape (n_classes,)
        The error of the round's members under the round's weights.
    keep : bool
        Whether the members join the ensemble.
    stop : bool
        Whether this is the last round.
    reason : str
        Why the members are dropped or the rounds end, in words that follow "round 3: ".

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import AdaBoost, Opinion, TrainingSet
    >>> y = np.array([0, 1, 1])
    >>> training = TrainingSet(None, y, 2, np.array([2.0, 1.0, 1.0]), np.arange(3), None)
    >>> rule = AdaBoost()
    >>> rule.start(training)
    >>> requests = rule.requests()
    >>> step = rule.update([Opinion(np.array([0, 1, 0]))])
    >>> float(step.error), step.keep, step.stop
    (0.25, True, False)
    """

    coefficient: float | Floats
    error: float | Floats
    keep: bool = True
    stop: bool = False
    reason: str = ""


class WeightingRule(ABC):
    """Base class of all weighting rules.

    A rule is made anew for each fit, and for each prediction. Its constructor takes the settings;
    `start` makes the state, which `scores` doesn't use.

    Attributes
    ----------
    member_kind : MemberKind
        What the rule needs its members to be.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Opinion, Request, Step, TrainingSet, WeightingRule
    >>> class Bagging(WeightingRule):
    ...     def start(self, training):
    ...         self.y, self.weights = training.y, training.distribution
    ...
    ...     def requests(self):
    ...         return [Request(self.y, self.weights)]
    ...
    ...     def update(self, opinions):
    ...         return Step(1.0, float(self.weights @ (opinions[0].output != self.y)))
    >>> y = np.array([0, 1, 1])
    >>> training = TrainingSet(None, y, 2, np.array([2.0, 1.0, 1.0]), np.arange(3), None)
    >>> rule = Bagging()
    >>> rule.start(training)
    >>> rule.update([Opinion(np.array([1, 1, 1]))]).error
    0.5
    """

    member_kind: MemberKind = MemberKind.CLASSIFIER

    @property
    def name(self) -> str:
        """What the rule is called in messages."""
        return type(self).__name__

    @abstractmethod
    def start(self, training: TrainingSet) -> None:
        """Make the state of the first round.

        Parameters
        ----------
        training : TrainingSet
            The rows, their classes and their weights.
        """

    @abstractmethod
    def requests(self) -> Sequence[Request]:
        """Say what this round's members are trained on.

        Returns
        -------
        sequence of Request
            One for each member: one, or one for each class.
        """

    @abstractmethod
    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Judge this round's members, and make the state of the next round.

        Parameters
        ----------
        opinions : sequence of Opinion
            What the members say of all training rows, in the order of the requests.

        Returns
        -------
        Step
            The members' coefficient, and whether to keep them and to go on.
        """

    def scores(self, outputs: Sequence[NDArray[Any]], n_classes: int) -> Floats:
        """Turn what the members say into a round's term of F, before its coefficient.

        This default is for votes. A rule whose members give probabilities or numbers has its own.

        Parameters
        ----------
        outputs : sequence of ndarray
            The members' outputs for any rows, in the order of the requests; see
            :class:`Opinion`.
        n_classes : int
            The number of classes.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes −1 or +1. For several, 1 for the class that one member chose and 0 for
            the others; or −1 or +1 for each class from members that are one-against-rest.

        Examples
        --------
        >>> import numpy as np
        >>> from hardy.weighting import AdaBoost
        >>> AdaBoost().scores([np.array([0, 1])], n_classes=2)
        array([-1.,  1.])
        >>> AdaBoost().scores([np.array([2, 0])], n_classes=3)
        array([[0., 0., 1.],
               [1., 0., 0.]])
        """
        if n_classes == 2:
            return np.asarray(2.0 * outputs[0] - 1.0)
        if len(outputs) == 1:
            return np.asarray(np.eye(n_classes)[outputs[0]])
        return 2.0 * np.column_stack(outputs) - 1.0


def check_member(rule: WeightingRule, estimator: Any) -> None:
    """See that a learner can do what a rule needs.

    Parameters
    ----------
    rule : WeightingRule
        The rule.
    estimator : estimator
        The learner that the members will be copies of, fitted or not.

    Raises
    ------
    InputError
        Where the learner lacks what the rule needs; the message names both.

    Examples
    --------
    >>> from sklearn.linear_model import Perceptron
    >>> from hardy.weighting import NoiseReduction
    >>> check_member(NoiseReduction(), Perceptron())
    Traceback (most recent call last):
    hardy.exceptions.InputError: The rule NoiseReduction needs members that are classifiers with
    margins (with a method categorize), which Perceptron is not; use for example
    ParallelPerceptronClassifier, with any preprocessing in front of the whole ensemble.
    """
    refuse_member(f"The rule {rule.name}", rule.member_kind, estimator)


def refuse_member(owner: str, kind: MemberKind, estimator: Any) -> None:
    """Refuse a learner that lacks what its owner needs; the message names both."""
    kind_test, method, what, example = _NEEDS[kind]
    if not (kind_test(estimator) and hasattr(estimator, method)):
        raise InputError(
            f"{owner} needs members that are {what} (with a method "
            f"{method}), which {type(estimator).__name__} is not; use for example {example}, with "
            "any preprocessing in front of the whole ensemble."
        )


_NEEDS: dict[MemberKind, tuple[Callable[[Any], bool], str, str, str]] = {
    MemberKind.CLASSIFIER: (is_classifier, "predict", "classifiers", "DecisionTreeClassifier"),
    MemberKind.PROBABILITIES: (
        is_classifier,
        "predict_proba",
        "classifiers with probabilities",
        "DecisionTreeClassifier",
    ),
    MemberKind.DECISIONS: (
        is_classifier,
        "decision_function",
        "classifiers with decisions",
        "LinearPerceptronClassifier",
    ),
    MemberKind.REGRESSOR: (is_regressor, "predict", "regressors", "DecisionTreeRegressor"),
    MemberKind.MARGINS: (
        is_classifier,
        "categorize",
        "classifiers with margins",
        "ParallelPerceptronClassifier",
    ),
}
