"""BEV: every member sees a balanced part of the rows."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from hardy._validation import Numbers
from hardy.ensembles._bagging import BaseBagClassifier, Voting
from hardy.weighting import BagRule, BalancedVariation, TrainingSet


class BalancedVariationClassifier(BaseBagClassifier):
    """The balanced ensemble variation: members trained on equal parts of the classes.

    Every class is cut into parts as large as the smallest class, the last of them filled up with
    rows of the others. A member is trained on one part of each; the smallest class is seen whole by
    all [1]_. With as many members as the largest class has parts, every row is used, of which
    undersampling would throw most away.

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``.
    n_estimators : int, optional
        The number of members, by default as many as the largest class has parts, which are many
        where a class is very rare. Members beyond that begin with new cuts.
    voting : {"hard", "soft"}, default="hard"
        Whether the members' labels are counted or their probabilities averaged.
    n_jobs : int, optional
        The number of processes that train members, as in scikit-learn. The result doesn't depend
        on it.
    random_state : int, RandomState instance or None, default=None
        Seeds the draws and the members.

    Attributes
    ----------
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        How much each member's vote counts: 1.
    estimator_errors_ : ndarray of shape (n_members,)
        The share of the rows that each was trained on which it gets wrong.
    estimators_samples_ : list of ndarrays
        The rows that each was trained on, repeated ones repeatedly.
    estimators_features_ : list of None
        The columns that each sees: all.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017 (the
       description of the balanced ensemble variation).

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import balanced_accuracy_score
    >>> from hardy import BalancedVariationClassifier
    >>> X, y = make_classification(600, weights=[0.9], random_state=0)
    >>> model = BalancedVariationClassifier(random_state=0).fit(X[:400], y[:400])
    >>> balanced_accuracy_score(y[400:], model.predict(X[400:])) > 0.7
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBagClassifier._parameter_constraints,
        "n_estimators": [Numbers(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int | None = None,
        voting: Voting = "hard",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        return BalancedVariation()

    def _n_members(self, rule: BagRule) -> int:
        assert isinstance(rule, BalancedVariation)
        return rule.n_parts if self.n_estimators is None else self.n_estimators
