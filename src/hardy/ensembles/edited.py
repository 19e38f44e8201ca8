"""Edited AdaBoost: rows that their neighbours contradict are left out, the others boosted."""

import warnings
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from hardy.ensembles._base import LEARNING_RATE, BaseBoostClassifier
from hardy.ensembles._members import Sampling, member_output
from hardy.ensembles.adaboost import AdaBoostClassifier
from hardy.weighting import MemberKind, TrainingSet, WeightingRule
from hardy.weighting.edited import Edited, find_contradicted
from hardy.weighting.hardness import fit_scaler, scale_rows

Space = Literal["columns", "votes"]


class EditedBoostClassifier(BaseBoostClassifier):
    """AdaBoost on the rows that their nearest neighbours don't contradict.

    A row is left out before boosting where the vote of its nearest neighbours, each counted by one
    over its distance, is for another class. A class never loses all its rows.

    With ``space="votes"`` the neighbours are looked for where [1]_ looks for them: AdaBoost is run
    on all rows, and the members' votes become the columns before it is run on the rows that are
    left. The distance of two rows is the square root of the sum of the coefficients of the members
    that tell them apart. Under label noise that is the weaker choice, because the members have
    learned the wrong labels by then.

    The rows that are left are more of one mind than all were, so that the probabilities are too
    sure to be read as frequencies of the given labels.

    Parameters
    ----------
    estimator : classifier, optional
        The learner to boost, by default ``DecisionStumpClassifier()``.
    n_estimators : int, default=50
        The number of rounds, and the greatest number of members.
    n_neighbors : int, default=5
        The number of neighbours that vote on each row.
    space : {"columns", "votes"}, default="columns"
        Where neighbours are near: in the columns, standardised (those of a sparse matrix keep their
        zeros), or in the votes of an AdaBoost on all rows, whose training takes as long again.
    learning_rate : float, default=1.0
        Factor of each coefficient, positive.
    sampling : {"reweight", "resample"}, default="reweight"
        How a member sees the distribution: as sample weights, or by rows drawn with replacement,
        as many as the weights of all rows sum to, but no fewer than there are. A member that takes
        no ``sample_weight`` is always given drawn rows.
    random_state : int, RandomState instance or None, default=None
        Seeds the members and the draws.

    Attributes
    ----------
    edited_rows_ : ndarray of shape (n_edited,), dtype intp
        The rows that were left out.
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
    .. [1] Y. Gao, F. Gao, "Edited AdaBoost by weighted kNN", Neurocomputing, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import EditedBoostClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.2, random_state=0)
    >>> model = EditedBoostClassifier(random_state=0).fit(X, y_noisy)
    >>> bool(is_flipped[model.edited_rows_].mean() > 0.7)
    True
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseBoostClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "space": [StrOptions({"columns", "votes"})],
        "learning_rate": LEARNING_RATE,
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        n_neighbors: int = 5,
        space: Space = "columns",
        learning_rate: float = 1.0,
        sampling: Sampling = "reweight",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_neighbors = n_neighbors
        self.space = space
        self.learning_rate = learning_rate
        self.sampling = sampling
        self.random_state = random_state

    def _make_rule(self) -> WeightingRule:
        return Edited(
            lambda training: np.isin(training.rows, self.edited_rows_),
            learning_rate=self.learning_rate,
        )

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        training = super()._training_set(X, y, sample_weight)
        points = (
            scale_rows(training.X, fit_scaler(training))
            if self.space == "columns"
            else self._votes(training)
        )
        contradicted = find_contradicted(points, training.y, training.weights, self.n_neighbors)
        self.edited_rows_ = training.rows[contradicted]
        return training

    def _votes(self, training: TrainingSet) -> NDArray[np.float64]:
        """Boost all rows, and place them by what the members say of them."""
        first = AdaBoostClassifier(
            self.estimator_,
            n_estimators=self.n_estimators,
            learning_rate=self.learning_rate,
            sampling=self.sampling,
            random_state=self.random_state,
        )
        with warnings.catch_warnings():
            # The rounds that are lost later, of the members that are kept, are those of interest.
            warnings.simplefilter("ignore", ConvergenceWarning)
            first.fit(training.X, self.classes_[training.y], training.weights)
        said = [
            member_output(member, MemberKind.CLASSIFIER, training.X, self.classes_)
            for member in first.estimators_
        ]
        choices = np.eye(training.n_classes)[np.array(said).T]
        # Two rows that a member tells apart differ in two of its columns.
        points = choices * np.sqrt(first.estimator_weights_ / 2)[:, None]
        return np.asarray(points.reshape(len(training.y), -1))

    def _looks_at_rows(self) -> bool:
        return True
