"""NR boosting: an ensemble of parallel perceptrons from which label noise fades."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from hardy._labels import encode_labels
from hardy._validation import check_weights, label_column
from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles._members import Sampling, member_categories
from hardy.learners import ParallelPerceptronClassifier, RowCategory
from hardy.weighting import NoiseReduction, WeightingRule


class NoiseReducingBoostClassifier(BaseBoostClassifier):
    """Boosting in which rows that look mislabelled lose weight, and safe rows gain it.

    AdaBoost with the update d ← d exp(−α R(x) y h(x)) of [1]_. R is −1 for rows that the member
    finds safe (a majority of its perceptrons is on the label's side, beyond the activation margin)
    or label-noisy (a majority is on the other side, beyond it), and 0 for borderline rows; R ≡ 1
    would be AdaBoost. Several classes go by SAMME; see :class:`hardy.weighting.NoiseReduction`.

    How often a row was label-noisy tells how much its label is to be doubted: ``noise_votes_``,
    and for rows that the ensemble was not trained on `categorize_rounds`.

    Standardise the features in front of the ensemble, inside the training fold.

    Parameters
    ----------
    estimator : classifier with a method ``categorize``, optional
        The learner to boost, by default ``ParallelPerceptronClassifier()``.
    n_estimators : int, default=10
        The number of rounds, and the greatest number of members. A member that is no better than a
        guess is dropped, with a warning, and the distribution starts anew.
    sampling : {"reweight", "resample"}, default="reweight"
        How a member sees the distribution: as sample weights, or by rows drawn with replacement,
        as many as the weights sum to, but no fewer than there are rows and no more than a hundred
        times as many. A member that takes no ``sample_weight`` is always given drawn rows.
    two_stage : bool, default=False
        Whether to drop the rows that were label-noisy in at least half of the rounds, and to run
        again on the others. A class that would lose all its rows keeps those with the fewest
        votes.
    random_state : int, RandomState instance or None, default=None
        Seeds the members and the draws.

    Attributes
    ----------
    row_categories_ : ndarray of shape (n_members, n_samples), dtype int8
        The :class:`~hardy.learners.RowCategory` of each training row by each member.
    noise_votes_ : ndarray of shape (n_samples,)
        The share of the members that found the row label-noisy, in [0, 1].
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        Their coefficients α.
    estimator_errors_ : ndarray of shape (n_members,)
        Their errors under the distribution they were trained on; α takes them as at least half a
        row's.
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
    .. [1] I. Cantador, J. R. Dorronsoro, "Boosting Parallel Perceptrons for Label Noise Reduction
       in Classification Problems", IWINAC 2005, LNCS 3562, 586–593.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import StandardScaler
    >>> from hardy import NoiseReducingBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, random_state=0)
    >>> model = NoiseReducingBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> bool(model.noise_votes_[is_flipped].mean() > 5 * model.noise_votes_[~is_flipped].mean())
    True
    """

    _rule_reads_in_place: ClassVar[bool] = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "two_stage": ["boolean"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 10,
        sampling: Sampling = "reweight",
        two_stage: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.sampling = sampling
        self.two_stage = two_stage
        self.random_state = random_state

    def _default_estimator(self) -> Any:
        return ParallelPerceptronClassifier()

    def _make_rule(self) -> WeightingRule:
        return NoiseReduction()

    def _learns_where_rows_lie(self) -> bool:
        # A second stage copies the rows that are left.
        return not self.two_stage and super()._learns_where_rows_lie()

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members, and count how often each row was label-noisy.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. A CSR matrix stays one; other sparse formats are converted to it.
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
            Where `y` has a missing label or one class only, or the members lack what the weighting
            rule needs.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are kept than were asked for; it names the rounds and the reasons.
        """
        super().fit(X, y, sample_weight)
        self._count_votes(X, y)
        if self.two_stage and self.estimator_weights_.any():
            weights = check_weights(sample_weight, self.noise_votes_)
            keep = _trusted(self.noise_votes_, label_column(y), weights > 0)
            super().fit(X, y, np.where(keep, weights, 0.0))
            self._count_votes(X, y)
        return self

    def _count_votes(self, X: ArrayLike, y: ArrayLike) -> None:
        self.row_categories_ = self.categorize_rounds(X, y)
        self.noise_votes_ = (self.row_categories_ == RowCategory.NOISY).mean(axis=0)

    def categorize_rounds(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.int8]:
        """Tell what each member finds each row to be under its label.

        The rows need not be those of the training: the share of `RowCategory.NOISY` over the
        members is then an out-of-sample vote against the label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels to be judged. Of a label that a member was not trained on it knows nothing:
            the row is borderline.

        Returns
        -------
        ndarray of shape (n_members, n_samples), dtype int8
            Values of :class:`~hardy.learners.RowCategory`.
        """
        check_is_fitted(self)
        X = self._check_rows(X, reset=False)
        labels = label_column(y)
        check_consistent_length(X, labels)
        known = np.isin(labels, self.classes_)
        codes = np.full(len(labels), -1, dtype=np.intp)
        codes[known] = encode_labels(labels[known], self.classes_).codes
        return np.array(
            [member_categories(member, X, codes, self.classes_) for member in self.estimators_]
        )


def _trusted(
    votes: NDArray[np.float64], labels: NDArray[Any], present: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Find the rows to keep among those that are present."""
    classes, codes = encode_labels(labels)
    return trusted(votes, codes, fewest_votes(votes[present], codes[present], len(classes)))


def fewest_votes(
    votes: NDArray[np.float64], codes: NDArray[np.intp], n_classes: int
) -> NDArray[np.float64]:
    """Give the fewest votes against a row of each class."""
    fewest = np.full(n_classes, np.inf)
    np.minimum.at(fewest, codes, votes)
    return fewest


def trusted(
    votes: NDArray[np.float64], codes: NDArray[np.intp], fewest: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Find the rows with votes of less than a half, and in every class those with the fewest."""
    return np.asarray((votes < 0.5) | (votes == fewest[codes]))
