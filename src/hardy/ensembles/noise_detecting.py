"""Noise-detecting AdaBoost: neighbours tell mistakes on noisy rows from others."""

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _num_samples

from hardy._labels import encode_labels
from hardy._validation import label_column
from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling, member_output
from hardy.weighting import MemberKind, TrainingSet, WeightingRule
from hardy.weighting.hardness import neighbor_disagreement
from hardy.weighting.noise_detecting import Flip, NoiseDetection, is_noisy


class NoiseDetectingBoostClassifier(BaseBoostClassifier):
    """AdaBoost in which a mistake on a row that its neighbours contradict counts as right.

    A row is noisy where more than half of its nearest neighbours have another label. The error ε
    of a member, its coefficient and the new distribution are those of AdaBoost, as if the labels of
    the noisy rows that the member got wrong were flipped [1]_: such rows lose weight where AdaBoost
    would give them more. With several classes, which go by SAMME, a noisy mistake counts as right.

    The members are trained on the labels as they are. The coefficients say how well the members do
    on the labels that are believed, so that the probabilities are far too sure to be read as
    frequencies of the given labels.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default ``DecisionStumpClassifier()``.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    n_neighbors : int, default=5
        The number of neighbours of each row; columns are standardised before (those of a sparse
        matrix keep their zeros).
    flip : {"mistakes", "all"}, default="mistakes"
        Which noisy rows count as flipped in a round: those that the member got wrong, or all, where
        one that the member got right counts as a mistake.
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
    hardness_ : ndarray of shape (n_samples,)
        The share of each row's neighbours that have another label; not a number for rows of
        weight 0.
    noise_votes_ : ndarray of shape (n_samples,)
        The share of the rounds in which the row counted as flipped; not a number for rows of
        weight 0.
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        Their coefficients.
    estimator_errors_ : ndarray of shape (n_members,)
        Their errors under the distribution they were trained on, noisy labels being flipped.
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
    Whether more than half of the neighbours disagree is Hardy's reading of the criterion "k-NN" of
    [1]_, and so is ``flip="mistakes"``; ``flip="all"`` takes its loss, which is said to favour
    "misclassified noisy instances and correctly classified non-noisy instances", by the letter.
    The paper's other criterion, a mixture fitted by expectation maximisation, and its condition to
    start anew are not here: a member that is no better than a guess on the labels as they are is
    dropped and ends the rounds.

    References
    ----------
    .. [1] J. Cao, S. Kwong, R. Wang, "A noise-detection based AdaBoost algorithm for mislabeled
       data", Pattern Recognition 45 (2012), 4451–4465.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import NoiseDetectingBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.2, random_state=0)
    >>> model = NoiseDetectingBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> bool(model.noise_votes_[is_flipped].mean() > 10 * model.noise_votes_[~is_flipped].mean())
    True
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "flip": [StrOptions({"mistakes", "all"})],
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        n_neighbors: int = 5,
        flip: Flip = "mistakes",
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_neighbors = n_neighbors
        self.flip = flip
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _make_rule(self) -> WeightingRule:
        return NoiseDetection(
            lambda training: self.hardness_[training.rows],
            flip=self.flip,
            learning_rate=self.learning_rate,
        )

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        training = super()._training_set(X, y, sample_weight)
        hardness = neighbor_disagreement(training, self.n_neighbors)
        self.hardness_ = training.spread(hardness, _num_samples(X))
        return training

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members, and count how often each row's label counted as flipped.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows, without missing values. A CSR matrix stays one; other sparse formats are
            converted to it.
        y : array-like of shape (n_samples,)
            The labels, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, by default 1: the initial distribution. A row of weight w counts
            as w equal rows, one of weight 0 as absent.

        Returns
        -------
        self : object
            The fitted ensemble.

        Raises
        ------
        InputError
            Where `X` has a missing value, `y` has a missing label or one class only, or the members
            lack what the weighting rule needs.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are kept than were asked for; it names the rounds and the reasons.
        """
        super().fit(X, y, sample_weight)
        self.noise_votes_ = self._count_votes(X, y)
        return self

    def _count_votes(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        present = ~np.isnan(self.hardness_)
        votes = np.full(len(present), np.nan)
        votes[present] = is_noisy(self.hardness_[present])
        if self.flip == "mistakes":
            rows = self._check_rows(X, reset=False)[present]
            codes = encode_labels(label_column(y)[present], self.classes_).codes
            said = [
                member_output(member, MemberKind.CLASSIFIER, rows, self.classes_)
                for member in self.estimators_
            ]
            votes[present] *= np.mean(np.array(said) != codes, axis=0)
        return votes

    def _looks_at_rows(self) -> bool:
        return True
