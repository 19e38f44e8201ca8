"""MadaBoost: AdaBoost in which no row weighs more than it did at the start."""

from typing import Any, ClassVar

import numpy as np

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.weighting import MadaBoost, OneVsRest, WeightingRule


class MadaBoostClassifier(BaseBoostClassifier):
    """AdaBoost with weights that are cut off at the initial ones.

    A row that is wrong again and again, as one with a wrong label is, weighs no more than it did at
    the start: d(x) ∝ min(1, exp(−y F(x))) [1]_. All else is AdaBoost's. Several classes are learned
    one against the rest.

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
        The members, fitted on the user's own labels; with several classes lists of one for each
        class, fitted on 1 for the class and 0 for the rest.
    estimator_weights_ : ndarray of shape (n_members,) or (n_members, n_classes)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_members,) or (n_members, n_classes)
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
    .. [1] C. Domingo, O. Watanabe, "MadaBoost: A Modification of AdaBoost", COLT 2000, 180–189.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import AdaBoostClassifier, MadaBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, _ = flip_labels(y, 0.2, random_state=0)
    >>> model = MadaBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> model.score(X, y) > AdaBoostClassifier(random_state=0).fit(X, y_noisy).score(X, y)
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
        return OneVsRest(lambda: MadaBoost(self.learning_rate))
