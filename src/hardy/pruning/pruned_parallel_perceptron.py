"""The parallel perceptron that pruning of its training set leads to."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, _fit_context
from sklearn.utils import Tags, get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.validation import _num_samples, check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy._classifier import LabelClassifierMixin
from hardy._labels import encode_labels, find_class
from hardy._probabilities import likeliest, scores_to_probabilities
from hardy._quoting import quote
from hardy.exceptions import InputError
from hardy.learners._rows import check_labelled_rows, check_rows
from hardy.pruning._reduction import (
    Reduction,
    learner_of,
    prepare_learner,
    reduce_training_set,
)


class PrunedParallelPerceptronClassifier(MetaEstimatorMixin, LabelClassifierMixin, BaseEstimator):
    """A parallel perceptron, retrained without redundant and noisy rows while that does no harm.

    See :class:`MarginPruner` for what is removed and when it ends. Of two classes, the rarer is
    the positive one. Several classes are learned one against the rest, each with a pruned training
    set of its own.

    Parameters
    ----------
    estimator : classifier, optional
        A learner with ``categorize``, ``activations`` and ``warm_start``, by default
        ``ParallelPerceptronClassifier(learning_rate=0.01)``.
    drop_noisy_borderline : bool, default=True
        Whether to remove as well the negative borderline rows that all perceptrons get wrong (nB⁻
        of [1]_).
    pos_label : object, optional
        The positive one of two classes, by default the one with less weight, the first of equals.
        With several classes each is positive in turn, and none can be named.
    random_state : int, RandomState instance or None, default=None
        Seeds the learner where it has no seed of its own.

    Attributes
    ----------
    estimator_ : estimator
        The learner that the others are copies of.
    estimators_ : list of classifiers
        The learner of two classes, or one for each of several; fitted on the labels 0 (negative)
        and 1 (positive).
    sample_indices_ : list of ndarrays
        The rows that each was trained on last.
    rounds_ : list of lists of Round
        For each the first training and every accepted reduction: the rows left and the accuracies
        on all rows.
    positive_classes_ : ndarray of shape (n_learners,)
        The label that is positive for each.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    References
    ----------
    .. [1] I. Cantador, J. R. Dorronsoro, "Parallel Perceptrons, Activation Margins and Imbalanced
       Training Set Pruning", IbPRIA 2005.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.preprocessing import StandardScaler
    >>> from hardy import PrunedParallelPerceptronClassifier
    >>> X, y = make_classification(1000, 10, n_informative=5, weights=[0.93], random_state=1)
    >>> X = StandardScaler().fit_transform(X)
    >>> model = PrunedParallelPerceptronClassifier(random_state=0).fit(X, y)
    >>> model.positive_classes_, len(model.sample_indices_[0]) < 500
    (array([1]), True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "drop_noisy_borderline": ["boolean"],
        "pos_label": [object],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        drop_noisy_borderline: bool = True,
        pos_label: Any = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.drop_noisy_borderline = drop_noisy_borderline
        self.pos_label = pos_label
        self.random_state = random_state

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train, prune and train again.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, by default 1: what a row counts for in training and in both
            accuracies. A row of weight w counts as w equal rows, one of weight 0 as absent.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        InputError
            Where `y` has a missing label or one class only, or a parameter doesn't fit the rows.
        """
        table, labels, weights = check_labelled_rows(self, X, y, sample_weight, reset=True)
        given = np.ones(_num_samples(X)) if sample_weight is None else np.asarray(sample_weight)
        rows = np.flatnonzero(given) if given.ndim else np.arange(len(labels))
        self.classes_, codes = encode_labels(labels)
        if len(self.classes_) < 2:
            raise InputError(
                f"y has only one class, {quote(self.classes_[0])}; {type(self).__name__} needs "
                "at least two."
            )
        positive = self._positive_codes(codes, weights)
        learner, weights = prepare_learner(self, codes, self.classes_, weights)
        self.estimator_ = learner
        reductions = [
            reduce_training_set(learner, table, codes == code, weights, self.drop_noisy_borderline)
            for code in positive
        ]
        self.positive_classes_ = self.classes_[positive]
        self._keep(reductions, rows)
        return self

    def _positive_codes(self, codes: NDArray[np.intp], weights: NDArray[np.float64]) -> list[int]:
        if len(self.classes_) == 2:
            if self.pos_label is not None:
                return [find_class(self.pos_label, self.classes_)]
            return [int(np.bincount(codes, weights).argmin())]
        if self.pos_label is not None:
            raise InputError(
                f"pos_label={self.pos_label!r}, but y has {len(self.classes_)} classes, each of "
                "which is positive in turn; leave pos_label out."
            )
        return list(range(len(self.classes_)))

    def _keep(self, reductions: list[Reduction], rows: NDArray[np.intp]) -> None:
        self.estimators_ = [reduction.learner for reduction in reductions]
        self.sample_indices_ = [rows[reduction.kept] for reduction in reductions]
        self.rounds_ = [reduction.rounds for reduction in reductions]

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give the median activation in units of its own scale, one number for each learner.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes positive for ``classes_[1]``; for several one number for each class.
        """
        check_is_fitted(self)
        table = check_rows(self, X)
        scaled = np.column_stack(
            [
                np.asarray(learner.decision_function(table), dtype=np.float64)
                / getattr(learner, "activation_scale_", 1.0)
                for learner in self.estimators_
            ]
        )
        if len(self.classes_) > 2:
            return scaled
        is_second = self.positive_classes_[0] == self.classes_[1]
        return scaled[:, 0] if is_second else -scaled[:, 0]

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give class probabilities: the logistic, or softmax, of twice the decision.

        This orders rows well but is not calibrated.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of ``classes_``.
        """
        return scores_to_probabilities(2.0 * self.decision_function(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Give the label of the highest probability, the first in ``classes_`` among equals.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        best = likeliest(2.0 * self.decision_function(X))
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(learner_of(self)).input_tags.sparse
        return tags
