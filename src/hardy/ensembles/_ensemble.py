"""What every ensemble shares: members to copy, checked input, and the choice of a class."""

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.validation import check_consistent_length

from hardy._callbacks import CallbackSupportMixin, Watched
from hardy._classifier import LabelClassifierMixin
from hardy._labels import encode_labels
from hardy._quoting import quote
from hardy._validation import Numbers, check_weights, validate_labels, validate_rows
from hardy.exceptions import InputError
from hardy.weighting import TrainingSet

Scores = NDArray[np.float64]


class BaseEnsembleClassifier(
    CallbackSupportMixin, MetaEstimatorMixin, LabelClassifierMixin, BaseEstimator, ABC
):
    """A classifier made of copies of a learner.

    A subclass has the parameters ``estimator``, ``n_estimators`` and ``random_state``.
    """

    estimator: Any
    random_state: int | np.random.RandomState | None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Numbers(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    @abstractmethod
    def _default_estimator(self) -> Any:
        """Make the learner that is copied when none is given."""

    @abstractmethod
    def predict_proba(self, X: ArrayLike) -> Scores:
        """Compute class probabilities, in the order of ``classes_``."""

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the likeliest class, the first of equally likely ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels of the user's own type.
        """
        best = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def _template(self) -> Any:
        return self._default_estimator() if self.estimator is None else self.estimator

    def _training_set(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingSet:
        """Check the input, set what is known of it, and leave out rows of weight 0."""
        table = self._check_rows(X, reset=True)
        labels = validate_labels(self, y)
        check_consistent_length(table, labels)
        weights = check_weights(sample_weight, table)
        rows = np.flatnonzero(weights)
        if not rows.size:
            raise InputError("All rows have the weight 0; there is nothing to learn from.")
        self.classes_, codes = encode_labels(labels[rows])
        if len(self.classes_) < 2:
            among = "" if len(rows) == len(labels) else " among the rows of positive weight"
            raise InputError(
                f"y has only one class{among}, {quote(self.classes_[0])}; a classifier needs "
                "at least two."
            )
        return TrainingSet(
            X=table if len(rows) == len(labels) else table[rows],
            y=codes,
            n_classes=len(self.classes_),
            weights=_scaled_up(weights[rows]),
            rows=rows,
            random_state=check_random_state(self.random_state),
        )

    def _watch(self, training: TrainingSet, n_tasks: int) -> Watched:
        """Let the callbacks see so many tasks of a fit on these rows."""
        data = {
            "X": training.X,
            "y": lambda: self.classes_[training.y],
            "metadata": {"sample_weight": training.weights},
        }
        return Watched(self, n_tasks, data)

    def _take(self, fitted: dict[str, Any]) -> Self:
        for name, value in fitted.items():
            setattr(self, name, value)
        return self

    def _looks_at_rows(self) -> bool:
        """Whether rows are compared with each other, so that none may have a missing value."""
        return False

    def _check_rows(self, X: ArrayLike, *, reset: bool) -> Any:
        allow_nan = self.__sklearn_tags__().input_tags.allow_nan
        return validate_rows(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite="allow-nan" if allow_nan else True,
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        members = get_tags(self._template()).input_tags
        tags.input_tags.sparse = members.sparse
        tags.input_tags.allow_nan = members.allow_nan and not self._looks_at_rows()
        return tags


def _scaled_up(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale weights that sum to less than the number of rows up to it.

    Weights equal repetition, but a set with weights of sum 1 doesn't stand for one row. Equal ones
    become 1 exactly, as if there were none.
    """
    shares = weights / weights.max()
    scale = len(weights) / shares.sum()
    return np.asarray(scale * shares if scale > weights.max() else weights)
