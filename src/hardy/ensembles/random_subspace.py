"""The random subspace method: each member sees some of the columns."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from hardy._validation import Numbers
from hardy.ensembles._bagging import BaseBagClassifier, Voting
from hardy.weighting import BagRule, RandomSubspace, TrainingSet


class RandomSubspaceClassifier(BaseBagClassifier):
    """Members that see all rows, and a random choice of the columns each.

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``.
    n_estimators : int, default=50
        The number of members.
    max_features : float, default=0.5
        The share of the columns that a member sees, in (0, 1]; rounded, at least one column.
    voting : {"hard", "soft"}, default="hard"
        Whether the members' labels are counted or their probabilities averaged.
    n_jobs : int, optional
        The number of processes that train members, as in scikit-learn. The result doesn't depend
        on it.
    random_state : int, RandomState instance or None, default=None
        Seeds the choices and the members.

    Attributes
    ----------
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        How much each member's vote counts: 1.
    estimator_errors_ : ndarray of shape (n_members,)
        The share of the rows that each was trained on which it gets wrong,
        by weight.
    estimators_samples_ : list of ndarrays
        The rows that each was trained on.
    estimators_features_ : list of ndarrays
        The columns that each sees.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    References
    ----------
    .. [1] T. K. Ho, "The Random Subspace Method for Constructing Decision Forests", IEEE
       Transactions on Pattern Analysis and Machine Intelligence 20 (1998), 832–844.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from hardy import RandomSubspaceClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = MinMaxScaler().fit_transform(X)
    >>> model = RandomSubspaceClassifier(random_state=0).fit(X, y)
    >>> len(model.estimators_features_[0]), model.score(X, y) > 0.9
    (15, True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBagClassifier._parameter_constraints,
        "max_features": [Numbers(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_features: float = 0.5,
        voting: Voting = "hard",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        return RandomSubspace(self.max_features)
