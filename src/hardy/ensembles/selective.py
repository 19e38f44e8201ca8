"""Selective boosting: AdaBoost that stops chasing rows which look mislabelled."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._ensemble import Scores
from hardy.ensembles._error_correction import CleanNeighbors, correction_helps
from hardy.ensembles._members import Sampling
from hardy.learners import DecisionStumpClassifier
from hardy.weighting import TrainingSet, WeightingRule
from hardy.weighting.hardness import Mitigate
from hardy.weighting.selective import Accumulation, NoiseDegree, Selective, noise_degrees


class SelectiveBoostClassifier(BaseBoostClassifier):
    """Selective boosting (sBoost): rows that look mislabelled gain less weight.

    AdaBoost whose exponent has a mitigation term [1]_. A row's noise degree θ is the share of its
    nearest neighbours that have another label. Round t has the coefficient β of AdaBoost, and

    L_{t+1} ∝ L_t exp(−β_t y h_t − ψ_t θ),   ψ_t = β_t ξ_t / max ξ_t,   ξ_t = Σ β_s κ_s,

    where κ tells how much a row stands out in a round, by default its weight L, and the maximum is
    over the rows. A row thus has to be both noisy by its neighbours and often wrong to be held
    back. θ ≡ 0 is AdaBoost. Several classes go by SAMME; see
    :class:`hardy.weighting.selective.Selective`.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default ``DecisionStumpClassifier()``.
    n_estimators : int, default=100
        The number of rounds, and the greatest number of members.
    n_neighbors : int, default=5
        The number of neighbours of each row; 5 suits stumps, 15 suits deeper trees. Columns are
        standardised before neighbours are looked for (those of a sparse matrix keep their zeros).
    accumulation : {"weight", "margin", "printed"}, default="weight"
        What κ is: the weight of the row; ∝ exp(−ρ), ρ being the margin of the vote so far in
        [−1, 1]; or ∝ exp(+ρ), which is how the formula is printed, against the words around it.
    mitigate : {"mistakes", "all"}, default="mistakes"
        Whether the term acts on the rows that the member got wrong, or on all rows, as printed.
    noise_degree : {"class_relative", "plain"}, default="class_relative"
        Whether θ is measured from the mean θ̄ of the row's class, as the positive part of
        (θ − θ̄)/(1 − θ̄), or taken as it is. The first protects rare classes, and sets whose
        neighbours say nothing of the labels.
    error_correction : bool, default=False
        Whether neighbours may correct predictions. Where at least four fifths of a row's
        neighbours, each counted by 1 − θ, are for one class and the ensemble is for another, F
        becomes that of the neighbours' votes. A five-fold cross-validation inside `fit`, which
        takes about five times as long as the fit itself, decides whether it is done at all.
    learning_rate : float, default=1.0
        Factor of each coefficient, positive.
    sampling : {"reweight", "resample"}, default="reweight"
        How a member sees the distribution: as sample weights, or by rows drawn with replacement,
        as many as the weights sum to, but no fewer than there are rows and no more than a hundred
        times as many. A member that takes no ``sample_weight`` is always given drawn rows.
    random_state : int, RandomState instance or None, default=None
        Seeds the members, the draws and the folds.

    Attributes
    ----------
    noise_degrees_ : ndarray of shape (n_samples,)
        θ of each training row, class-relative or plain; not a number for rows of weight 0.
    corrects_errors_ : bool
        Whether predictions are corrected: where `error_correction` is set, and cross-validation
        found that of the predictions it changes, those made right outnumber those made wrong by
        more than one standard error.
    correction_scaler_ : StandardScaler
        What standardises rows to be predicted; as the next three only where `corrects_errors_`.
    correction_points_ : ndarray or CSR matrix of shape (n_rows, n_features)
        The training rows of positive weight, standardised.
    correction_votes_ : ndarray of shape (n_rows, n_classes)
        What each adds to its class as a neighbour: its weight times 1 − θ.
    correction_masses_ : ndarray of shape (n_rows,)
        Their weights.
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
    `accumulation` and `mitigate` are settled neither by the formulas of [1]_ nor by its words;
    ``"printed"``, ``"all"`` and ``"plain"`` are closest to the print. Under label noise that form
    does worse than the defaults. ``noise_degree="plain"`` with the other defaults holds back more
    rows, which is often better where much noise is certain and neighbours know the classes, and
    worse for a rare class. The correction of errors is known from the paper's abstract only; every
    version tried was harmless at best.

    References
    ----------
    .. [1] Li, Wang and Ismail, on selective boosting (sBoost), 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import SelectiveBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.2, random_state=0)
    >>> model = SelectiveBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> degrees = model.noise_degrees_
    >>> bool(degrees[is_flipped].mean() > 5 * degrees[~is_flipped].mean())
    True
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "accumulation": [StrOptions({"weight", "margin", "printed"})],
        "mitigate": [StrOptions({"mistakes", "all"})],
        "noise_degree": [StrOptions({"class_relative", "plain"})],
        "error_correction": ["boolean"],
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 100,
        n_neighbors: int = 5,
        accumulation: Accumulation = "weight",
        mitigate: Mitigate = "mistakes",
        noise_degree: NoiseDegree = "class_relative",
        error_correction: bool = False,
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_neighbors = n_neighbors
        self.accumulation = accumulation
        self.mitigate = mitigate
        self.noise_degree = noise_degree
        self.error_correction = error_correction
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _default_estimator(self) -> Any:
        return DecisionStumpClassifier()

    def _make_rule(self) -> WeightingRule:
        return Selective(
            lambda training: self.noise_degrees_[training.rows],
            accumulation=self.accumulation,
            mitigate=self.mitigate,
            learning_rate=self.learning_rate,
        )

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        training = super()._training_set(X, y, sample_weight)
        degrees = noise_degrees(training, self.n_neighbors, self.noise_degree)
        self.noise_degrees_ = training.spread(degrees, _num_samples(X))
        self.corrects_errors_ = self.error_correction and self._correction_helps(training)
        if self.corrects_errors_:
            neighbors = CleanNeighbors.of(training, degrees)
            self.correction_scaler_ = neighbors.scaler
            self.correction_points_ = neighbors.points
            self.correction_votes_ = neighbors.votes
            self.correction_masses_ = neighbors.masses
        return training

    def _correction_helps(self, training: TrainingSet) -> bool:
        # Not the training set's generator: the members are the same with and without correction.
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        return correction_helps(self, training, seed)

    def _correction(self, rows: Any) -> Callable[[Scores], Scores]:
        if not self.corrects_errors_:
            return super()._correction(rows)
        neighbors = CleanNeighbors(
            self.correction_scaler_,
            self.correction_points_,
            self.correction_votes_,
            self.correction_masses_,
        )
        answer = neighbors.ask(rows, self.n_neighbors)
        return lambda scores: neighbors.correct(scores, answer)

    def _looks_at_rows(self) -> bool:
        return True
