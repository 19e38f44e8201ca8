"""AdaBoost over the loop that all of Hardy's boosting shares."""

from typing import Any, ClassVar

import numpy as np

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.learners import DecisionStumpClassifier
from hardy.weighting import AdaBoost, WeightingRule


class AdaBoostClassifier(BaseBoostClassifier):
    """AdaBoost for two classes, SAMME for several.

    Each member is trained on the rows under a distribution in which the mistakes of the former
    members weigh more. F is the sum of the members' votes times their coefficients
    ``estimator_weights_``: α = ½ ln((1 − ε)/ε) for two classes [1]_ and
    α = ln((1 − ε)/ε) + ln(K − 1) for K [2]_ (eq. 10), ε being the member's error under the
    distribution.

    With the same members, predictions are those of scikit-learn's class of this name where no
    member is perfect. The default members differ from its stumps on columns of more than 255
    distinct values, of which they try 254 thresholds. A member without errors ends the rounds; its
    vote here is that of one that is wrong on half a row. One no better than a guess, ε ≥ 1 − 1/K,
    is dropped and ends the rounds; where it is the first, the model gives every row the classes'
    shares, where scikit-learn raises an error. The probabilities are the logistic function of 2F,
    or the softmax of F, which are the estimates that minimise the exponential loss; scikit-learn's
    are nearer to even, because it divides F by the sum of the coefficients.

    Parameters
    ----------
    estimator : classifier, optional
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

    References
    ----------
    .. [1] Y. Freund, R. E. Schapire, "A Decision-Theoretic Generalization of On-Line Learning and
       an Application to Boosting", Journal of Computer and System Sciences 55 (1997), 119–139.
    .. [2] J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost", Statistics and Its
       Interface 2 (2009), 349–360.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> len(model.estimators_)
    10
    >>> round(model.score(X, y), 2)
    0.98
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
        return DecisionStumpClassifier()

    def _make_rule(self) -> WeightingRule:
        return AdaBoost(self.learning_rate)
