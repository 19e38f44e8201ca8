"""Classifiers that learn each class against the rest, all sub-problems at once, pass by pass."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if

from hardy._all_or_nothing import all_or_nothing
from hardy._classifier import LabelClassifierMixin
from hardy._labels import encode_labels
from hardy._probabilities import likeliest, scores_to_probabilities
from hardy._quoting import quote_all
from hardy.exceptions import InputError
from hardy.learners._rows import check_labelled_rows, weight_classes


def has_known_class_weights(estimator: "OneVsRestLearner") -> bool:
    """Tell whether labels can come by and by, or raise an AttributeError that says why not."""
    if estimator.class_weight == "balanced":
        raise AttributeError(
            "partial_fit can't have class_weight='balanced', which needs all labels at once: use a "
            "dict of weights, or fit."
        )
    return True


class OneVsRestLearner(LabelClassifierMixin, BaseEstimator, ABC):
    """One sub-problem for two classes (positive is ``classes_[1]``), otherwise one for each class.

    A learner adds the parameters named here, `decision_function`, `_start`, `_train`, and
    `_check_warm_start` and `_decision_scale` where it needs more.
    """

    class_weight: Any
    max_iter: int
    warm_start: bool
    random_state: Any

    # Whether rows are read where they lie, which may be on disk, and no copy of them is made.
    _reads_in_place: ClassVar[bool] = True

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows; float32 stays float32, CSR stays CSR, anything else becomes float64.
        y : array-like of shape (n_samples,)
            The labels, of two or more classes and of any kind.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1; see the notes of the class.

        Returns
        -------
        object
            The fitted classifier itself.

        Raises
        ------
        InputError
            Where a label is missing, fewer than two classes have weight, a warm start doesn't fit,
            or values of `X` are too large.
        ValueError
            Where the arrays don't fit together or hold values that aren't finite.
        """
        warm = self.warm_start and hasattr(self, "coef_")
        X, y, weight = check_labelled_rows(self, X, y, sample_weight, reset=not warm)
        classes, codes = encode_labels(y)
        rng = self._begin(classes, X, warm)
        self._learn(X, codes, weight, rng, n_passes=self.max_iter)
        return self

    @available_if(has_known_class_weights)
    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn on from some more rows: one pass in the order given.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like of shape (n_classes,), optional
            All labels that can come; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        object
            The classifier itself.

        Raises
        ------
        AttributeError
            Where `class_weight` is "balanced".
        InputError
            Where the first call lacks `classes` or gives fewer than two, a later call gives other
            ones, a label is none of them, or as in `fit`.
        """
        first = not hasattr(self, "coef_")
        if first and classes is None:
            raise InputError("The first call of partial_fit needs classes, the labels to expect.")
        known = self.classes_ if classes is None else _distinct(classes)
        if not (first or np.array_equal(known, self.classes_)):
            raise InputError(
                f"The classes {quote_all(known)} differ from those of the calls before, "
                f"{quote_all(self.classes_)}."
            )
        X, y, weight = check_labelled_rows(self, X, y, sample_weight, reset=first)
        codes = encode_labels(y, known).codes
        if first:
            self._initialize(known, X, check_random_state(self.random_state))
            self.n_iter_ = 0
        self._learn(X, codes, weight, None, n_passes=1)
        return self

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> NDArray[Any]:
        """Give a number for each row and sub-problem, above zero for its class."""

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give class probabilities: the logistic, or softmax, of twice the decision.

        The decision, in the learner's own unit, is doubled and put through the logistic function
        with two classes, through the softmax with several. This orders rows well but is not
        calibrated.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of `classes_`.
        """
        return scores_to_probabilities(self._scores(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Give the label of the highest probability, the first in `classes_` among equals.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        best = likeliest(self._scores(X))
        predicted: NDArray[Any] = self.classes_[best]
        return predicted

    def _scores(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give twice the decision in the learner's own unit."""
        return np.asarray(
            2 * self.decision_function(X).astype(np.float64, copy=False) / self._decision_scale()
        )

    @abstractmethod
    def _start(self, n_subproblems: int, X: Any, rng: np.random.RandomState) -> None:
        """Set the weights at the start."""

    @abstractmethod
    def _train(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        """Go on from the present weights, and add to `n_iter_`.

        `own` is the sub-problem in which each row is positive. Without `rng`, rows come in their
        own order and go on from the rows before.
        """

    def _decision_scale(self) -> float:
        """Give the decision that counts as one unit in `predict_proba`."""
        return 1.0

    def _check_warm_start(self, classes: NDArray[Any]) -> None:
        if not np.array_equal(classes, self.classes_):
            raise InputError(
                f"A warm start needs the classes of the fit before, {quote_all(self.classes_)}, "
                f"but the labels are {quote_all(classes)}: set warm_start=False."
            )

    def _begin(self, classes: NDArray[Any], X: Any, warm: bool) -> np.random.RandomState:
        """Start a fit, anew or from the present weights, and give its random numbers."""
        if warm:
            self._check_warm_start(classes)
        rng: np.random.RandomState = check_random_state(self.random_state)
        if not warm:
            self._initialize(classes, X, rng)
        self.n_iter_ = 0
        return rng

    def _initialize(self, classes: NDArray[Any], X: Any, rng: np.random.RandomState) -> None:
        """Check what no pass can do without, and start anew."""
        if len(classes) < 2:
            raise InputError(
                f"The labels are of one class, {quote_all(classes)}, but two or more are needed."
            )
        self.classes_ = classes
        self._start(1 if len(classes) == 2 else len(classes), X, rng)

    def _learn(
        self,
        X: Any,
        codes: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        weight = weight_classes(codes, self.classes_, weight, self.class_weight)
        self._train(X, own_subproblems(codes, len(self.classes_)), weight, rng, n_passes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def own_subproblems(codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
    """Give the sub-problem in which each row is positive.

    The one sub-problem of two classes, number 0, is that of ``classes_[1]``.
    """
    return 1 - codes if n_classes == 2 else codes


def _distinct(classes: ArrayLike) -> NDArray[Any]:
    """Sort the classes to expect, none of which may be missing."""
    known, codes = encode_labels(classes)
    if (codes < 0).any():
        place = int(np.flatnonzero(codes < 0)[0])
        raise InputError(f"classes has a missing value in place {place}; leave it out.")
    return known
