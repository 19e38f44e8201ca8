"""Soft-margin AdaBoost: rows that have weighed much are mistrusted."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.weighting import OneVsRest, SoftMargin, WeightingRule


class SoftMarginBoostClassifier(BaseBoostClassifier):
    """AdaBoost_Reg: soft margins for rows that stay wrong.

    A row's mistrust is the weight that it has had over the rounds, in units of its initial weight.
    C times it is added to the row's margin, so that a row that stays wrong in spite of all its
    weight is given up in part [1]_. C = 0 is AdaBoost. Several classes are learned one against the
    rest.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default :class:`~hardy.DecisionStumpClassifier`.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    C : float, default=0.1
        How much mistrust counts, not negative. It is smaller by the number of rows than in [1]_,
        where weights have the sum 1.
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
    .. [1] G. Rätsch, T. Onoda, K.-R. Müller, "Soft Margins for AdaBoost", Machine Learning 42
       (2001), 287–320.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import AdaBoostClassifier, SoftMarginBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, _ = flip_labels(y, 0.2, random_state=0)
    >>> model = SoftMarginBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> model.score(X, y) > AdaBoostClassifier(random_state=0).fit(X, y_noisy).score(X, y)
    True
    """

    _rule_reads_in_place: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="left")],
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        C: float = 0.1,
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.C = C
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _make_rule(self) -> WeightingRule:
        return OneVsRest(lambda: SoftMargin(self.C, self.learning_rate))
