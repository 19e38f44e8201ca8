"""LogitBoost: Newton steps of regressors on the log-likelihood."""

from typing import Any, ClassVar

import numpy as np

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.learners import DecisionStumpRegressor
from hardy.weighting import LogitBoost, WeightingRule


class LogitBoostClassifier(BaseBoostClassifier):
    """LogitBoost, for two classes and for several.

    Each member is a *regressor* of the working response z = (y* − p)/(p (1 − p)), cut off at ±4,
    under weights (y* − p)/z, where y* is 1 for rows of the class and 0 for others and p what the
    model has made of them so far. That is p (1 − p), as published [1]_, where z isn't cut off;
    where it is, the slope of the log-likelihood y* − p stays right, without which the probabilities
    of classes of less than a fifth of the rows would go to 0. Two classes have one member in a
    round, K have K. Well classified rows weigh little, and hopeless ones pull with a bounded force,
    unlike in AdaBoost. F is the sum of the steps; the probabilities are the logistic function of
    2F, or the softmax of F, which is what the rounds fit.

    Parameters
    ----------
    estimator : regressor, optional
        The learner to boost, by default :class:`~hardy.DecisionStumpRegressor`.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    learning_rate : float, default=1.0
        Factor of each coefficient, positive.
    sampling : {"reweight", "resample"}, default="reweight"
        How a member sees the distribution: as sample weights, or by rows drawn with replacement,
        as many as the weights sum to, but no fewer than there are rows and no more than a hundred
        times as many. A member that takes no ``sample_weight`` is always given drawn rows.
    random_state : int, RandomState instance or None, default=None
        Seeds the members and the draws.

    Attributes
    ----------
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of regressors
        The members; with several classes lists of one for each class.
    estimator_weights_ : ndarray of shape (n_members,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_members,)
        Their weighted mean squared errors of z; the mean over the classes.
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

    References
    ----------
    .. [1] J. Friedman, T. Hastie, R. Tibshirani, "Additive logistic regression: a statistical view
       of boosting", Annals of Statistics 28 (2000), 337–407.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import LogitBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogitBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    _rule_reads_in_place: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _default_estimator(self) -> Any:
        return DecisionStumpRegressor()

    def _make_rule(self) -> WeightingRule:
        return LogitBoost(self.learning_rate)
