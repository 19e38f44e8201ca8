"""Rows, labels and weights of a fit: checked, encoded, and laid out on the cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import getitem, itemgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from hardy._labels import encode_labels
from hardy._quoting import quote
from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._collections import (
    check_table,
    column_parts,
    example_rows,
    table_parts,
    table_type,
)
from hardy.exceptions import InputError
from hardy.learners._rows import check_labelled_rows, class_factors
from hardy.weighting import TrainingSet


@dataclass(frozen=True)
class TrainingBlocks:
    """The rows of positive weight, with their class indices and weights, in blocks with rows.

    It has the shape and the type of the rows as one array, which is all of them that the start of
    a learner looks at, and the numbers of the given blocks that have any.
    """

    rows: Blocks
    codes: Blocks
    weight: Blocks
    classes: NDArray[Any]
    shape: tuple[int, int]
    dtype: type[np.floating[Any]]
    filled: Sequence[int]

    def refuse_one_class(self) -> None:
        """Refuse labels among which there is nothing to choose."""
        if len(self.classes) < 2:
            raise InputError(
                f"y has only one class, {quote(self.classes[0])}, among the rows of positive "
                "weight; a classifier needs at least two."
            )

    def class_totals(self) -> NDArray[np.float64]:
        """Give the sum of the weights of each class's rows."""
        totals: NDArray[np.float64] = self.codes.total(
            _class_totals, self.weight, len(self.classes)
        )
        return totals

    def as_training_set(self, rng: np.random.RandomState) -> TrainingSet:
        """Tell a weighting rule of the rows: blocks stand for arrays."""
        # As in memory: a set with weights of sum 1 doesn't stand for one row.
        scale = max(1.0, self.shape[0] / self.weight.sum())
        rows: Any = self.rows
        codes: Any = self.codes
        weights: Any = self.weight.map(np.multiply, scale)
        nowhere = np.empty(0, dtype=np.intp)
        return TrainingSet(rows, codes, len(self.classes), weights, nowhere, rng)

    def of_classes(self, present: NDArray[np.bool_]) -> Self:
        """Leave out classes all of whose rows have weight 0 now; the rows stay."""
        new_codes = np.where(present, np.cumsum(present) - 1, 0)
        codes = self.codes.map(_encode_anew, new_codes)
        return replace(self, codes=codes, classes=self.classes[present])

    def select(self, keep: Blocks) -> Self:
        """Select rows, of all classes."""
        n_kept = keep.gather(np.count_nonzero)
        filled = np.flatnonzero(n_kept)
        kept = keep.at(filled)
        return replace(
            self,
            rows=self.rows.at(filled).map(getitem, kept),
            codes=self.codes.at(filled).map(getitem, kept),
            weight=self.weight.at(filled).map(getitem, kept),
            shape=(sum(n_kept), self.shape[1]),
            filled=[self.filled[int(number)] for number in filled],
        )

    def weigh_classes(self, class_weight: Any) -> Blocks:
        """Give the weights of the rows times those of their classes."""
        if class_weight is None:
            return self.weight
        factors = class_factors(self.classes, class_weight, self.class_totals(), self.weight.sum())
        return self.weight.map(_scale_weights, self.codes, factors)


def lay_out(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    reset: bool = True,
    **options: Any,
) -> TrainingBlocks:
    """Check a fit's input where it lies, and keep it there.

    `options` change scikit-learn's checks of the rows.
    """
    import_dask()
    X = check_table(X)
    validate_data(estimator, example_rows(X), reset=reset, skip_check_array=True)
    given: list[Any] = [Blocks(tuple(column_parts("y", y, X)))]
    if sample_weight is not None:
        given.append(Blocks(tuple(column_parts("sample_weight", sample_weight, X))))
    dtype = table_type(X)
    parts = table_parts(X)
    numbers = Blocks(tuple(range(len(parts))))
    checked = Blocks(tuple(parts)).map(
        _check_part, numbers, estimator, {"dtype": dtype, **options}, *given
    )
    facts = checked.gather(_describe)
    filled = [number for number, fact in enumerate(facts) if fact is not None]
    if not filled:
        raise InputError("X has no row of positive weight: there is nothing to learn from.")
    checked = checked.at(filled)
    lengths, labels = zip(*filter(None, facts), strict=True)
    classes = encode_labels(_join(labels)).classes
    return TrainingBlocks(
        rows=checked.map(itemgetter(0)),
        codes=checked.map(_encode, classes),
        weight=checked.map(itemgetter(2)),
        classes=classes,
        shape=(sum(lengths), X.shape[1]),
        dtype=dtype,
        filled=filled,
    )


def _check_part(
    X: Any,
    number: int,
    estimator: BaseEstimator,
    options: dict[str, Any],
    y: Any,
    sample_weight: Any = None,
) -> tuple[Any, NDArray[Any], NDArray[np.float64]] | None:
    refuse_uneven(number, X, y, y if sample_weight is None else sample_weight)
    if not X.shape[0] or (sample_weight is not None and not np.any(sample_weight)):
        return None
    try:
        return check_labelled_rows(estimator, X, y, sample_weight, reset=False, **options)
    except (ValueError, TypeError) as error:
        message = f"In block {number} of the rows, counted from 0: {error}"
        raise InputError(message) from None


def refuse_uneven(number: int, X: Any, *columns: Any) -> None:
    """Refuse a block of rows that has other lengths of y or of the weights."""
    if any(len(column) != X.shape[0] for column in columns):
        raise InputError(
            f"Block {number} of X, y and sample_weight, counted from 0, differ in length: give "
            "them the same blocks, for example by taking them from one data frame."
        )


def encode_blocks(labels: Blocks) -> tuple[NDArray[Any], Blocks]:
    """Give the classes of labels that lie in blocks with rows, and their indices."""
    known = [classes for classes in labels.gather(_distinct) if len(classes)]
    classes = encode_labels(_join(known) if known else []).classes
    return classes, labels.map(_as_codes, classes)


def _distinct(labels: Any) -> NDArray[Any]:
    return encode_labels(labels).classes


def _as_codes(labels: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    return encode_labels(labels, classes).codes


def _describe(part: Any) -> tuple[int, NDArray[Any]] | None:
    """Tell the number of rows and the distinct labels; None where there are none."""
    return None if part is None else (len(part[2]), encode_labels(part[1]).classes)


def _join(labels: Any) -> NDArray[Any]:
    """Put labels of many blocks together; what differs in kind stays what it is in each."""
    same = len({block.dtype.kind for block in labels}) == 1
    return np.concatenate(labels if same else [block.astype(object) for block in labels])


def _encode(part: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    return encode_labels(part[1], classes).codes


def _class_totals(
    codes: NDArray[np.intp], weight: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    return np.bincount(codes, weight, n_classes).astype(np.float64)


def _scale_weights(
    weight: NDArray[np.float64], codes: NDArray[np.intp], factors: NDArray[np.float64]
) -> NDArray[np.float64]:
    scaled: NDArray[np.float64] = weight * factors[codes]
    return scaled


def _encode_anew(codes: NDArray[np.intp], new_codes: NDArray[np.intp]) -> NDArray[np.intp]:
    return new_codes[codes]
