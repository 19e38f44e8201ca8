"""Members of an ensemble: made, fitted on weighted or drawn rows, and asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.utils.validation import has_fit_parameter

from hardy._labels import EncodedLabels, encode_labels
from hardy._quoting import quote
from hardy.exceptions import InputError
from hardy.learners import RowCategory
from hardy.learners._rows import label_factors
from hardy.weighting import MemberKind, Opinion, Request, TrainingSet

Sampling = Literal["reweight", "resample"]

MAX_DRAWS = 100
_TREES = (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor)
_GRID = 2.0**-33
# Coarser, because sums of weights times targets are to be exact too.
_REGRESSION_GRID = 2.0**-20


# The members of a round, and the rows of the user's that each saw.
Fitted = tuple[list[Any], list[NDArray[np.intp]]]
FitMember = Callable[[Any, Any, Any, NDArray[np.float64]], Any]


def fit_member(member: Any, X: Any, y: Any, weights: NDArray[np.float64]) -> Any:
    """Fit a member on all rows."""
    return member.fit(X, y, sample_weight=weights)


@dataclass(frozen=True)
class MemberTrainer:
    """Trains members on one training set, and asks them about it.

    `template` is what the members are copies of, `classes` the user's labels in the order of the
    class indices. `fit_member` gives a member back fitted on all rows, by default by fitting it.
    """

    template: Any
    kind: MemberKind
    sampling: Sampling
    training: TrainingSet
    classes: NDArray[Any]
    fit_member: FitMember = fit_member

    @property
    def _has_bins(self) -> bool:
        """Whether members take rows that were put into bins, and labels that were encoded."""
        return hasattr(self.template, "bin_rows")

    @cached_property
    def _draws(self) -> bool:
        return draws_rows(self.template, self.sampling)

    @cached_property
    def _rows(self) -> Any:
        """The training rows as the members read them best."""
        if self._has_bins:
            return self.template.bin_rows(self.training.X, self.training.weights)
        return rows_for(self.template, self.training.X)

    @cached_property
    def _class_factors(self) -> NDArray[np.float64]:
        """What the members' ``class_weight`` gives each class of the user's.

        Members that are trained against the rest don't see the user's labels, so that their rows
        carry these weights instead.
        """
        factors = np.ones(len(self.classes))
        for weights in _class_weights(self.template).values():
            factors *= label_factors(weights, self.classes)
        if not factors.all():
            label = self.classes.tolist()[int(factors.argmin())]
            raise InputError(
                f"class_weight is 0 for the label {quote(label)}, but each class is learned "
                "against the rest here: leave the rows of that label out instead."
            )
        return factors

    def fit_round(self, requests: Sequence[Request]) -> Fitted | None:
        """Fit a member for each request; give them and the rows of the user's that each saw.

        None where the rows of one of them would all be of one class.
        """
        classes = labels_of_round(self.classes, len(requests))
        if len(requests) > 1:
            factors = self._class_factors[self.training.y]
            requests = [r._replace(weights=r.weights * factors) for r in requests]
        fitted = [self._fit(request, classes) for request in requests]
        if None in fitted:
            return None
        members, samples = zip(*fitted, strict=True)
        return list(members), list(samples)

    def _fit(self, request: Request, classes: NDArray[Any]) -> tuple[Any, NDArray[np.intp]] | None:
        X = self._rows
        distribution = request.weights / request.weights.sum()
        reweight = not self._draws
        whole = reweight and bool(distribution.all())
        rows: slice | NDArray[np.intp] = slice(None)
        if not whole:
            rows = np.flatnonzero(distribution) if reweight else self._draw(distribution, request)
        if not self._trainable(request.targets[rows]):
            return None
        member = copy_member(self.template, self.training.random_state)
        if classes is not self.classes:
            member.set_params(**dict.fromkeys(_class_weights(self.template)))
        labels = request.targets if self.kind is MemberKind.REGRESSOR else classes[request.targets]
        if whole:
            if self._has_bins and self.kind is not MemberKind.REGRESSOR:
                labels = EncodedLabels(classes, request.targets)
            weights = self._weights(distribution)
            return self.fit_member(member, X, labels, weights), self.training.rows
        if not reweight and hasattr(member, "fit_drawn"):
            member.fit_drawn(X, labels, rows)
            return member, self.training.rows[rows]
        shares = {"sample_weight": self._weights(distribution)[rows]} if reweight else {}
        member.fit(X[rows], labels[rows], **shares)
        return member, self.training.rows[rows]

    def _weights(self, distribution: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scale a distribution so that the uniform one gives the user's weights."""
        weights = self.training.weights
        return scale_to_weights(distribution, weights, weights.sum(), self.kind)

    def _draw(self, distribution: NDArray[np.float64], request: Request) -> NDArray[np.intp]:
        size = self.training.n_drawn
        for _ in range(MAX_DRAWS):
            rows = self.training.random_state.choice(len(distribution), size, p=distribution)
            if self._trainable(request.targets[rows]):
                break
        return rows

    def _trainable(self, targets: NDArray[Any]) -> bool:
        return self.kind is MemberKind.REGRESSOR or bool((targets != targets[0]).any())

    def opinions(self, members: Sequence[Any], requests: Sequence[Request]) -> list[Opinion]:
        """Ask each member of a round for its opinion on all training rows."""
        X, classes = self._rows, labels_of_round(self.classes, len(requests))
        return [
            member_opinion(member, self.kind, X, request.targets, classes)
            for member, request in zip(members, requests, strict=True)
        ]

    def fit_unweighted(self, requests: Sequence[Request]) -> Fitted | None:
        """Fit the round's members as if all weights were equal."""
        return self.fit_round([r._replace(weights=np.ones(len(r.weights))) for r in requests])


def scale_to_weights(
    distribution: NDArray[np.float64],
    weights: NDArray[np.float64],
    total: float,
    kind: MemberKind,
) -> NDArray[np.float64]:
    """Scale a distribution so that the uniform one gives the user's weights, of sum `total`.

    The factors are put on a grid of step 2⁻³³, so that sums of weights come out the same in
    whatever order they are added. Trees would otherwise choose between equally good splits by
    rounding, and not give the same for repeated as for weighted rows.
    """
    factors = distribution * total / weights
    grid = _REGRESSION_GRID if kind is MemberKind.REGRESSOR else _GRID
    steps: NDArray[np.float64] = np.maximum(np.rint(factors / grid), factors > 0)
    return weights * steps * grid


def _class_weights(template: Any) -> dict[str, Any]:
    """Find the parameters that give weights to the user's own labels."""
    return {
        name: value
        for name, value in template.get_params(deep=True).items()
        if name.split("__")[-1] == "class_weight" and isinstance(value, dict)
    }


def draws_rows(template: Any, sampling: Sampling) -> bool:
    """Whether members see rows drawn from the distribution, as those without weights always do."""
    return sampling == "resample" or not has_fit_parameter(template, "sample_weight")


def copy_member(template: Any, random_state: np.random.RandomState) -> Any:
    member = clone(template)
    seeds = {
        name: random_state.randint(np.iinfo(np.int32).max)
        for name in sorted(member.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    return member.set_params(**seeds)


def labels_of_round(classes: NDArray[Any], n_members: int) -> NDArray[Any]:
    """Give the labels that a round's members are fitted on, in the order of their indices.

    Those of the user, so that a member's ``class_weight`` finds them, but 0 and 1 in a round of
    several members, each of which is trained against the rest.
    """
    return classes if n_members == 1 else np.arange(2)


def member_opinion(
    member: Any, kind: MemberKind, X: Any, targets: NDArray[Any], classes: NDArray[Any]
) -> Opinion:
    """Ask a member for its opinion; `classes` are the labels it is fitted on."""
    categories = None
    if kind is MemberKind.MARGINS:
        categories = member_categories(member, X, targets, classes)
    return Opinion(member_output(member, kind, X, classes), categories)


# What overflows has the right sign, or is judged by what the member makes of it.
@np.errstate(over="ignore", invalid="ignore")
def member_output(member: Any, kind: MemberKind, X: Any, classes: NDArray[Any]) -> NDArray[Any]:
    """Ask a member for what `Opinion.output` holds; `classes` are the labels it is fitted on."""
    if kind is MemberKind.REGRESSOR:
        numbers = np.asarray(member.predict(X), dtype=np.float64)
        if numbers.ndim != 1 or not np.isfinite(numbers).all():
            raise InputError(
                f"A member, {type(member).__name__}, must predict one finite number for each row; "
                "look at its settings, or use another estimator."
            )
        return numbers
    if kind is MemberKind.DECISIONS:
        return _decisions(member, X, classes)
    if kind is MemberKind.PROBABILITIES:
        said: NDArray[Any] = member.predict_proba(X)
        if np.isnan(said).any():
            raise InputError(
                f"A member, {type(member).__name__}, gives probabilities that are no numbers "
                "(NaN); look at its settings and at constant columns, or use another estimator."
            )
        if len(member.classes_) == len(classes):
            return said
        probabilities = np.zeros((X.shape[0], len(classes)))
        probabilities[:, encode_labels(member.classes_, classes).codes] = said
        return probabilities
    predicted = member.predict(X)
    if predicted.dtype == classes.dtype and classes.dtype.kind in "biuf":
        # Sorted numbers that the member was fitted on: no need to look for missing ones.
        if len(classes) == 2:
            return np.asarray(predicted == classes[1]).astype(np.intp)
        return np.asarray(np.searchsorted(classes, predicted))
    return encode_labels(predicted, classes).codes


def rows_for(template: Any, X: Any) -> Any:
    """Give rows in the precision that all members would turn them into, each for itself."""
    if type(template) in _TREES and isinstance(X, np.ndarray):
        with np.errstate(over="ignore"):
            single = X.astype(np.float32)
        # Values beyond it are left to the trees, whose error names them.
        return X if np.isinf(single).any() else single
    return X


def _decisions(member: Any, X: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Ask for decisions; a class that was not in the member's rows gets the row's lowest."""
    decisions = np.asarray(member.decision_function(X), dtype=np.float64)
    if len(classes) == 2:
        return decisions
    if decisions.ndim == 1:
        decisions = np.column_stack([-decisions, decisions])
    known = encode_labels(member.classes_, classes).codes
    full = np.repeat(decisions.min(axis=1, keepdims=True), len(classes), axis=1)
    full[:, known] = decisions
    return full


def member_categories(
    member: Any, X: Any, targets: NDArray[np.intp], classes: NDArray[Any]
) -> NDArray[np.int8]:
    """Ask a member for each row's category under the class index in `targets`.

    Of a class that was not in its rows, or of the index −1, a member knows nothing: the row is
    borderline.
    """
    known = np.isin(targets, encode_labels(member.classes_, classes).codes)
    categories = np.full(len(targets), RowCategory.BORDERLINE, dtype=np.int8)
    if known.all():
        categories[:] = member.categorize(X, classes[targets])
    elif known.any():
        categories[known] = member.categorize(X[known], classes[targets[known]])
    return categories
