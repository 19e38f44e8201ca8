"""imbalanced-learn's interface of a sampler, without imbalanced-learn."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, _fit_context
from sklearn.utils import InputTags, Tags, _safe_indexing, check_consistent_length, get_tags
from sklearn.utils.multiclass import type_of_target

from hardy._all_or_nothing import all_or_nothing
from hardy._labels import encode_labels, has_several_columns
from hardy._quoting import quote
from hardy._validation import validate_labels, validate_rows
from hardy.exceptions import InputError


@dataclass(slots=True)
class _SamplerInputTags(InputTags):
    dataframe: bool = True


@dataclass(slots=True)
class _WhatIsKept:
    sample_indices: bool = True


@dataclass(slots=True)
class _SamplerTags(Tags):
    """scikit-learn's tags with those that imbalanced-learn looks for."""

    sampler_tags: _WhatIsKept = field(default_factory=_WhatIsKept)


class BaseSelector(OneToOneFeatureMixin, BaseEstimator, ABC):
    """A sampler that keeps some of the rows as they are.

    It follows imbalanced-learn's interface, so that it can be a step of its pipelines: rows are
    left out in training, and none when predicting.
    """

    # As a dict of the user's labels it would not come back from a file with True and False.
    class_count_: NDArray[np.intp]
    sample_indices_: NDArray[np.intp]

    @abstractmethod
    def _learner(self) -> Any:
        """Make the learner that looks at the rows, and so decides which rows may come."""

    @abstractmethod
    def _select(self, X: Any, codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
        """Give the positions of the kept rows, sorted."""

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Check the input, and learn the names of the features; `fit_resample` does all else.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : object
            The sampler itself.
        """
        self._check(X, y)
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    def fit_resample(self, X: ArrayLike, y: ArrayLike) -> tuple[Any, Any]:
        """Choose rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows. Missing values are accepted where the learner accepts them.
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels of any kind; or one column for each class, with a single 1 in each row.

        Returns
        -------
        X_resampled : the type of `X`
            The kept rows, in their order.
        y_resampled : the type of `y`
            Their labels.

        Raises
        ------
        InputError
            Where `y` has a missing label or one class only, or a parameter doesn't fit the rows.
        """
        table, codes, n_classes = self._check(X, y)
        self.sample_indices_ = self._select(table, codes, n_classes)
        return _pick(X, self.sample_indices_), _pick(y, self.sample_indices_)

    def _check(self, X: ArrayLike, y: ArrayLike) -> tuple[Any, NDArray[np.intp], int]:
        rows = self.__sklearn_tags__().input_tags
        table = validate_rows(
            self,
            X,
            accept_sparse="csr" if rows.sparse else False,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite="allow-nan" if rows.allow_nan else True,
        )
        labels = validate_labels(self, _as_column(y))
        check_consistent_length(table, labels)
        self.classes_, codes = encode_labels(labels)
        if len(self.classes_) < 2:
            raise InputError(
                f"y has only one class, {quote(self.classes_[0])}; {type(self).__name__} needs "
                "at least two."
            )
        self.class_count_ = np.bincount(codes)
        return table, codes, len(self.classes_)

    @property
    def sampling_strategy_(self) -> dict[Any, int]:
        """How many rows each class has, from which some may be left out."""
        return dict(zip(self.classes_.tolist(), self.class_count_.tolist(), strict=True))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        rows = get_tags(self._learner()).input_tags
        inputs = {f.name: getattr(rows, f.name) for f in fields(InputTags)}
        values = {f.name: getattr(tags, f.name) for f in fields(Tags)}
        values["input_tags"] = _SamplerInputTags(**inputs)
        values["target_tags"].required = True
        return _SamplerTags(**values)


def _as_column(y: Any) -> Any:
    """Turn one column for each class into labels."""
    if not has_several_columns(y):
        return y
    indicator = np.asarray(y)
    if type_of_target(y) != "multilabel-indicator" or (indicator.sum(axis=1) != 1).any():
        raise InputError("Multilabel and multioutput targets are not supported.")
    return indicator.argmax(axis=1)


def _pick(values: Any, indices: NDArray[np.intp]) -> Any:
    if isinstance(values, list):
        return [values[index] for index in indices]
    if sparse.issparse(values):
        return values.tocsr()[indices].asformat(values.format)
    return _safe_indexing(values, indices)
