"""Instance-hardness bagging: rows whose label looks doubtful are drawn less often."""

from collections.abc import Callable
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler
from sklearn.utils._param_validation import StrOptions

from hardy._validation import Numbers
from hardy.ensembles._bagging import BaseBagClassifier, Voting
from hardy.ensembles._hardness import HardnessEnsemble
from hardy.hardness import MEASURES
from hardy.learners._perceptron_pool import RowOrder
from hardy.weighting import (
    BagRule,
    HardnessBagging,
    TrainingSet,
    linear_weights,
    softmax_weights,
)
from hardy.weighting.hardness import in_double_precision, refuse_overflow


class HardnessBaggingClassifier(HardnessEnsemble, BaseBagClassifier):
    """Bagging that draws hard rows, which may be mislabelled, less often than easy ones.

    A row's hardness is by default the share of its nearest neighbours that have another label
    (kDN). Bags are drawn with replacement, in proportion to 1/n + (1 − hardness) for n rows
    (``"linear"``) or to exp(1 − hardness) (``"softmax"``) [1]_; the members vote.

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``. Scale the features in front of the ensemble where the
        learner wants them scaled.
    n_estimators : int, default=50
        The number of members.
    max_samples : int or float, optional
        How many rows a bag has: a number, or a share of the rows; by default as many as there are.
    hardness : str, array-like of shape (n_samples,) or None, default="kdn"
        A measure by its name in ``hardy.hardness.MEASURES``, or the hardness of each training row
        in [0, 1], or None for plain bagging. A measure sees the features scaled to [0, 1], without
        missing values; ``"mv"`` and ``"cb"`` look at labels only.
    weighting : {"linear", "softmax"} or callable, default="linear"
        Makes weights of hardness; a callable takes the array and gives non-negative weights.
    n_neighbors : int, default=5
        The number of neighbours of ``"kdn"``.
    voting : {"hard", "soft"}, default="hard"
        Whether the members' labels are counted or their probabilities averaged.
    row_order : {"shared", "independent"}, default="shared"
        Whether perceptrons go through the rows in a common order, which is many times faster, or
        each in its own, as scikit-learn's do one by one; see the notes.
    oob_score : bool, default=False
        Whether to score the training rows by the members that didn't see them.
    n_jobs : int, optional
        The number of processes that train members, as in scikit-learn. The result doesn't depend
        on it.
    random_state : int, RandomState instance or None, default=None
        Seeds the measure, the draws and the members.

    Attributes
    ----------
    hardness_ : ndarray of shape (n_samples,)
        The hardness of each training row; not a number for rows of weight 0, where it was
        measured. Missing where `hardness` is None.
    sample_probabilities_ : ndarray of shape (n_samples,)
        How likely each row is to be drawn.
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        How much each member's vote counts: 1.
    estimator_errors_ : ndarray of shape (n_members,)
        The share of the rows that each was trained on which it gets wrong, repeated
        ones counted repeatedly.
    estimators_samples_ : list of ndarrays
        The rows that each was trained on, repeated ones repeatedly.
    estimators_features_ : list of None
        The columns that each sees: all.
    oob_score_ : float
        The accuracy over the rows that some member didn't see, where `oob_score` is set.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Their probabilities; not a number for rows that every member saw.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    Notes
    -----
    Members that are scikit-learn's ``Perceptron`` with ``tol=None`` and without penalty and class
    weights are trained all at once, over one copy of the rows. With ``row_order="shared"`` up to 64
    members go through one stream of rows together, each beginning and ending at a place of its own,
    and a row that a bag has c times makes c times the step once an epoch. With
    ``"independent"`` each member goes through its bag in an order of its own, as scikit-learn's
    perceptron does, by the same steps; the orders are drawn from `random_state`, not by the
    members, so that a member is not the one that scikit-learn would fit on its bag. All other
    learners are fitted one by one.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from hardy import HardnessBaggingClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = MinMaxScaler().fit_transform(X)
    >>> y_noisy, is_flipped = flip_labels(y, 0.2, random_state=0)
    >>> model = HardnessBaggingClassifier(random_state=0).fit(X, y_noisy)
    >>> bool(model.hardness_[is_flipped].mean() > 3 * model.hardness_[~is_flipped].mean())
    True
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBagClassifier._parameter_constraints,
        "max_samples": [
            Numbers(Integral, 1, None, closed="left"),
            Numbers(Real, 0, None, closed="neither"),
            None,
        ],
        "hardness": [StrOptions(set(MEASURES)), "array-like", None],
        "weighting": [StrOptions({"linear", "softmax"}), callable],
        "n_neighbors": [Numbers(Integral, 1, None, closed="left")],
        "row_order": [StrOptions({"shared", "independent"})],
        "oob_score": ["boolean"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_samples: int | float | None = None,
        hardness: str | ArrayLike | None = "kdn",
        weighting: Literal["linear", "softmax"]
        | Callable[[NDArray[np.float64]], NDArray[np.float64]] = "linear",
        n_neighbors: int = 5,
        voting: Voting = "hard",
        row_order: RowOrder = "shared",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.hardness = hardness
        self.weighting = weighting
        self.n_neighbors = n_neighbors
        self.voting = voting
        self.row_order = row_order
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _make_rule(self, training: TrainingSet, n_rows: int) -> BagRule:
        measured = None
        if self.hardness is not None:
            measured = self._find_hardness(training, n_rows, lambda some: fit_range_scaler(some.X))
        return HardnessBagging(measured, self._weigh(training), self._share(training))

    def _weigh(self, training: TrainingSet) -> Callable[[Any], NDArray[np.float64]]:
        if self.weighting == "linear":
            return partial(linear_weights, size=training.size)
        return softmax_weights if self.weighting == "softmax" else self.weighting

    def _note(self, rule: BagRule, training: TrainingSet, n_rows: int) -> None:
        assert isinstance(rule, HardnessBagging)
        self.sample_probabilities_ = training.spread(rule.probabilities, n_rows, absent=0.0)

    def _share(self, training: TrainingSet) -> float:
        if self.max_samples is None:
            return 1.0
        if isinstance(self.max_samples, Integral):
            return self.max_samples / training.n_drawn
        return float(self.max_samples)


def fit_range_scaler(X: Any) -> Any:
    """Fit what brings all columns to one range; zeros of a sparse matrix stay zeros."""
    if sparse.issparse(X):
        return MaxAbsScaler().fit(in_double_precision(X))
    with np.errstate(over="ignore", invalid="ignore"):
        scaler = MinMaxScaler().fit(in_double_precision(X))
    refuse_overflow(scaler.data_range_, "range overflows")
    return scaler
