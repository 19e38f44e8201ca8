"""ICS-bagging: of some candidates, the one that suits the pool best."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from hardy._validation import Numbers
from hardy.ensembles._bagging import BaseBagClassifier, Voting
from hardy.weighting import BagRule, IterativeSelection, TrainingSet


class ICSBaggingClassifier(BaseBagClassifier):
    """Bagging that keeps, of some candidates, the one with which the pool is best.

    In each round candidates are trained on rows drawn with replacement; classes of which the pool
    gets more rows wrong are drawn more often. The candidate is kept with which a weighted sum of
    the pool's accuracy and diversity is largest [1]_; see
    :class:`hardy.weighting.IterativeSelection`.

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``.
    n_estimators : int, default=50
        The number of members.
    n_candidates : int, default=5
        How many members are trained for each that is kept.
    accuracy_weight : float, default=0.5
        The weight of accuracy (the mean over the classes) against diversity, in [0, 1].
    smote : bool, default=False
        Whether the classes are filled up to the largest by SMOTE first (SMOTE-ICS-bagging). Needs
        imbalanced-learn (the extra ``imbalance``).
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
    .. [1] D. V. R. Oliveira, T. N. Porpino, G. D. C. Cavalcanti, T. I. Ren, "A bootstrap-based
       iterative selection for ensemble generation", IJCNN 2015.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import balanced_accuracy_score
    >>> from hardy import ICSBaggingClassifier
    >>> X, y = make_classification(600, weights=[0.9], random_state=0)
    >>> model = ICSBaggingClassifier(random_state=0).fit(X[:400], y[:400])
    >>> balanced_accuracy_score(y[400:], model.predict(X[400:])) > 0.7
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBagClassifier._parameter_constraints,
        "n_candidates": [Numbers(Integral, 1, None, closed="left")],
        "accuracy_weight": [Numbers(Real, 0, 1, closed="both")],
        "smote": ["boolean"],
        "n_neighbors": [Numbers(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        n_candidates: int = 5,
        accuracy_weight: float = 0.5,
        smote: bool = False,
        n_neighbors: int = 5,
        voting: Voting = "hard",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_candidates = n_candidates
        self.accuracy_weight = accuracy_weight
        self.smote = smote
        self.n_neighbors = n_neighbors
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        return IterativeSelection(
            self.n_candidates, self.accuracy_weight, self.smote, self.n_neighbors
        )

    def _looks_at_rows(self) -> bool:
        # SMOTE makes rows between neighbours.
        return bool(self.smote)
