"""SMOTE-bagging: every bag is balanced by drawn and by made rows."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from hardy._validation import Numbers
from hardy.ensembles._bagging import BaseBagClassifier, Voting
from hardy.weighting import BagRule, SMOTEBags, TrainingSet


class SMOTEBaggingClassifier(BaseBagClassifier):
    """Bagging in which every bag is balanced by drawing and by SMOTE.

    A bag has as many rows of each class as the largest has: those of the largest are drawn; of the
    others the share a is drawn and the rest made between neighbours. a goes from 10 to 100 % from
    one member to the next, for diversity [1]_. Needs imbalanced-learn (the extra ``imbalance``).

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``.
    n_estimators : int, default=50
        The number of members.
    n_neighbors : int, default=5
        Between how many nearest rows of its class SMOTE makes a row.
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
        The share of the rows that each was trained on which it gets wrong, with
        the made ones.
    estimators_samples_ : list of ndarrays
        The rows that each was trained on, repeated ones repeatedly, without the made ones.
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
    .. [1] S. Wang, X. Yao, "Diversity analysis on imbalanced data sets by using ensemble models",
       IEEE Symposium on Computational Intelligence and Data Mining 2009, 324–331.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import balanced_accuracy_score
    >>> from hardy import SMOTEBaggingClassifier
    >>> X, y = make_classification(600, weights=[0.9], random_state=0)
    >>> model = SMOTEBaggingClassifier(random_state=0).fit(X[:400], y[:400])
    >>> balanced_accuracy_score(y[400:], model.predict(X[400:])) > 0.7
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBagClassifier._parameter_constraints,
        "n_neighbors": [Numbers(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        n_neighbors: int = 5,
        voting: Voting = "hard",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_neighbors = n_neighbors
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        return SMOTEBags(self.n_neighbors)

    def _looks_at_rows(self) -> bool:
        # SMOTE makes rows between neighbours.
        return True
