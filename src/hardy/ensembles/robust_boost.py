"""RobustBoost: it gives up on rows that stay wrong."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles._members import Sampling
from hardy.weighting import OneVsRest, RobustBoost, WeightingRule

# For less, no margin goal is within a float's reach.
_LEAST_GOAL = 1e-12


class RobustBoostClassifier(BaseBoostClassifier):
    """Freund's RobustBoost, which gives up on rows that stay wrong.

    Weights come from a potential that changes with the time that remains. Early on it is like
    AdaBoost's; later, rows with very negative margins weigh nothing. How much time a member takes
    depends on how good it is, and the rounds end when time is used up, when about the share
    `error_goal` of the training rows is given up [1]_. Several classes are learned one against the
    rest, each with the goal 2 · `error_goal` · (its share of the rows), at most `error_goal`: as
    many wrong labels of the class, and wrong labels with its name, were they spread evenly. See
    :class:`hardy.weighting.RobustBoost` for the equations.

    BrownBoost, from which it comes, has one parameter, as this has with ``margin_goal=0`` and a
    small ``margin_sigma``: the error goal. Set it to about the share of wrong labels that you
    expect, but below the share of the rarest class, which may otherwise be given up as a whole.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default :class:`~hardy.DecisionStumpClassifier`.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    error_goal : float, default=0.1
        The share of the training rows that may be given up, in (0, ½).
    margin_goal : float, default=0.0
        The margin that the other rows are to reach.
    margin_sigma : float, default=0.1
        How sharply that margin is drawn, positive; smaller is sharper.
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
    .. [1] Y. Freund, "A more robust boosting algorithm", arXiv:0905.2138 (2009).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import AdaBoostClassifier, RobustBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, _ = flip_labels(y, 0.2, random_state=0)
    >>> model = RobustBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> model.score(X, y) > AdaBoostClassifier(random_state=0).fit(X, y_noisy).score(X, y)
    True
    """

    _rule_reads_in_place: ClassVar[bool] = True
    # Held in memory for each row: each class is learned against the rest, with margins and weights.
    _bytes_per_class: ClassVar[int] = 190

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "error_goal": [Interval(Real, _LEAST_GOAL, 0.5, closed="left")],
        "margin_goal": [Interval(Real, 0, 1e6, closed="both")],
        "margin_sigma": [Interval(Real, 1e-6, 1e6, closed="both")],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        error_goal: float = 0.1,
        margin_goal: float = 0.0,
        margin_sigma: float = 0.1,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.error_goal = error_goal
        self.margin_goal = margin_goal
        self.margin_sigma = margin_sigma
        self.sampling = sampling
        self.random_state = random_state

    def _make_rule(self) -> WeightingRule:
        def make(error_goal: float) -> RobustBoost:
            return RobustBoost(error_goal, self.margin_goal, self.margin_sigma)

        return OneVsRest(
            lambda: make(self.error_goal),
            # As many wrong labels of a class and wrong labels with its name, in equal parts.
            lambda share: make(
                max(_LEAST_GOAL, min(self.error_goal, 2.0 * self.error_goal * share))
            ),
        )
