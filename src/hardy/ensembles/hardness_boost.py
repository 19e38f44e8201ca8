"""AdaBoost in which the weight of a hard row moves less."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._hardness import HardnessEnsemble
from hardy.ensembles._members import Sampling
from hardy.hardness import MEASURES
from hardy.weighting import TrainingSet, WeightingRule
from hardy.weighting.hardness import HardnessFactor, Mitigate, fit_scaler


class HardnessBoostClassifier(HardnessEnsemble, BaseBoostClassifier):
    """AdaBoost whose exponent is multiplied by 1 − hardness.

    d ← d exp(−α (1 − κ(x)) y h(x)), κ(x) being the hardness of the row, which [1]_ names for future
    work: mistakes on rows that any learner is likely to get wrong give them less weight. Hardness
    is by default the share of the nearest neighbours that have another label (kDN); κ ≡ 0 is
    AdaBoost. Several classes go by SAMME.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default ``DecisionStumpClassifier()``.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    hardness : str or array-like of shape (n_samples,), default="kdn"
        A measure by its name in ``hardy.hardness.MEASURES``, or the hardness of each training row
        in [0, 1]. A measure sees the columns standardised (those of a sparse matrix keep their
        zeros).
    n_neighbors : int, default=5
        The number of neighbours of ``"kdn"``.
    mitigate : {"mistakes", "all"}, default="all"
        Whether the exponent is multiplied for the rows that the member got wrong, or for all. With
        ``"all"`` a hard row that the members get right loses less weight than an easy one, so that
        weight gathers on hard rows where the members get most rows right, as deep trees do;
        ``"mistakes"`` avoids it.
    learning_rate : float, default=1.0
        Factor of each coefficient, positive.
    sampling : {"reweight", "resample"}, default="reweight"
        How a member sees the distribution: as sample weights, or by rows drawn with replacement,
        as many as the weights sum to, but no fewer than there are rows and no more than a hundred
        times as many. A member that takes no ``sample_weight`` is always given drawn rows.
    random_state : int, RandomState instance or None, default=None
        Seeds the measure, the members and the draws.

    Attributes
    ----------
    hardness_ : ndarray of shape (n_samples,)
        The hardness of each training row; not a number for rows of weight 0, where it was
        measured.
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
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import HardnessBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.2, random_state=0)
    >>> model = HardnessBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> bool(model.hardness_[is_flipped].mean() > 2 * model.hardness_[~is_flipped].mean())
    True
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "hardness": [StrOptions(set(MEASURES)), "array-like"],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "mitigate": [StrOptions({"mistakes", "all"})],
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        hardness: str | ArrayLike = "kdn",
        n_neighbors: int = 5,
        mitigate: Mitigate = "all",
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.hardness = hardness
        self.n_neighbors = n_neighbors
        self.mitigate = mitigate
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _make_rule(self) -> WeightingRule:
        return HardnessFactor(
            lambda training: self.hardness_[training.rows],
            mitigate=self.mitigate,
            learning_rate=self.learning_rate,
        )

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        training = super()._training_set(X, y, sample_weight)
        self._find_hardness(training, _num_samples(X), fit_scaler)
        return training
