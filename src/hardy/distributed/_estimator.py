"""What every distributed estimator adds to the one in memory."""

import inspect
import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Any, TypeVar

from sklearn.utils.validation import check_is_fitted

from hardy.distributed._collections import (
    answer_lazily,
    check_table,
    column_parts,
    example_rows,
    is_collection,
)

_Class = TypeVar("_Class", bound=type)
_OF_MEMBERS = ("estimators_", "estimator_weights_", "estimator_errors_", "estimators_features_")


class OnCollections:
    """A fitted estimator that also answers for Dask collections, block by block and lazily.

    It stands in front of the class in memory, which answers for everything else.
    """

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        {Dask array, ndarray} of shape (n_samples,)
            The labels: a Dask array, computed when it is asked to, where `X` is Dask's.
        """
        return self._say("predict", X)

    def predict_proba(self, X: Any) -> Any:
        """Compute class probabilities.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        {Dask array, ndarray} of shape (n_samples, n_classes)
            The probabilities, in the order of ``classes_``; a Dask array where `X` is Dask's.
        """
        return self._say("predict_proba", X)

    def _say(self, method: str, X: Any) -> Any:
        in_memory = getattr(super(), method)
        if not is_collection(X):
            return in_memory(X)
        check_is_fitted(self)
        X = check_table(X)
        example = in_memory(example_rows(X))
        # A copy, which a later fit doesn't change.
        return answer_lazily(getattr(copy(self), method), example, X)

    def _say_of_labels(self, method: str, X: Any, y: Any, *, axis: int = 0, **settings: Any) -> Any:
        """Answer for rows and their labels."""
        in_memory = partial(getattr(super(), method), **settings)
        if not is_collection(X):
            return in_memory(X, y)
        check_is_fitted(self)
        X = check_table(X)
        rows = example_rows(X)
        # The ignored type: a classifier, of which this is a part, has classes.
        example = in_memory(rows, self.classes_[:1].repeat(len(rows)))  # type: ignore[attr-defined]
        y = column_parts("y", y, X)
        answer = partial(getattr(copy(self), method), **settings)
        return answer_lazily(answer, example, X, y, axis=axis)


class StagedOnCollections(OnCollections):
    """The same for ensembles, which also tell what their first members say."""

    def staged_predict_proba(self, X: Any) -> Iterator[Any]:
        """Compute class probabilities of the first member, the first two, and so on.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        {Dask array, ndarray} of shape (n_samples, n_classes)
            As `predict_proba` would give with that many members.
        """
        yield from self._stages("predict_proba", X)

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """Predict by the first member, the first two, and so on.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        {Dask array, ndarray} of shape (n_samples,)
            As `predict` would give with that many members.
        """
        yield from self._stages("predict", X)

    def _stages(self, method: str, X: Any) -> Iterator[Any]:
        check_is_fitted(self)
        if not is_collection(X):
            yield from getattr(super(), f"staged_{method}")(X)
            return
        of_members = [name for name in _OF_MEMBERS if hasattr(self, name)]
        # The ignored type: an ensemble, of which this is a part, has members.
        for n_members in range(1, len(self.estimators_) + 1):  # type: ignore[attr-defined]
            stage = copy(self)
            for name in of_members:
                setattr(stage, name, getattr(self, name)[:n_members])
            yield getattr(stage, method)(X)


class DecidingOnCollections(OnCollections):
    """The same for estimators that have decisions."""

    def decision_function(self, X: Any) -> Any:
        """Compute decisions.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        {Dask array, ndarray} of shape (n_samples,) or (n_samples, n_classes)
            One number for each row with two classes, otherwise one for each class; a Dask array
            where `X` is Dask's.
        """
        return self._say("decision_function", X)


def documented_as(base: type, *absent: str) -> Callable[[_Class], _Class]:
    """Give a class the documented parameters and attributes of another, without `absent` ones."""

    def complete(cls: _Class) -> _Class:
        sections = re.split(r"\n\n(?=[A-Z][A-Za-z ]+\n-{3,}\n)", inspect.getdoc(base) or "")
        kept = [s for s in sections if s.startswith(("Parameters\n", "Attributes\n"))]
        for name in absent:
            kept = [re.sub(rf"\n{name} : .*(\n .*)*", "", section) for section in kept]
        own = re.split(r"\n\n(?=[A-Z][A-Za-z ]+\n-{3,}\n)", inspect.getdoc(cls) or "")
        cls.__doc__ = "\n\n".join([own[0], *kept, *own[1:]]) + "\n"
        return cls

    return complete
