"""Real AdaBoost: members vote with the logarithms of their probabilities."""

from typing import Any, ClassVar

import numpy as np

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.weighting import RealAdaBoost, WeightingRule


class RealAdaBoostClassifier(BaseBoostClassifier):
    """Real AdaBoost for two classes, SAMME.R for several.

    Each member gives probabilities, and its vote is ½ ln(p₁/p₀) [1]_, or ln p_k − mean ln p for K
    classes ([2]_, over K − 1). Rows whose own class the members find unlikely weigh more in the
    next round. F is the sum of the votes; the probabilities are the logistic function of 2F, or the
    softmax of F. A member's probabilities count as at least 10⁻⁵. Every member is kept; one that
    gets no row wrong ends the rounds.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, optional
        The learner to boost, by default :class:`~hardy.DecisionStumpClassifier`.
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
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        Their coefficients.
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

    Notes
    -----
    With several classes, leaves of one class only have probabilities at the floor, whose logarithms
    outweigh all other members: with default stumps the votes may then hardly change after a few
    rounds. A `learning_rate` of 0.5 or less helps, as does `AdaBoostClassifier`.

    References
    ----------
    .. [1] J. Friedman, T. Hastie, R. Tibshirani, "Additive logistic regression: a statistical view
       of boosting", Annals of Statistics 28 (2000), 337–407.
    .. [2] J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost", Statistics and Its
       Interface 2 (2009), 349–360.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import RealAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RealAdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
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

    def _make_rule(self) -> WeightingRule:
        return RealAdaBoost(self.learning_rate)
