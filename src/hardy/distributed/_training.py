"""Rows, labels and weights of a fit: checked, encoded, and laid out on the cluster."""

from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from hardy._labels import encode_labels
from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._collections import (
    check_table,
    column_parts,
    example_rows,
    table_parts,
    table_type,
)
from hardy.exceptions import InputError
from hardy.learners._rows import check_labelled_rows


@dataclass(frozen=True)
class TrainingBlocks:
    """The rows of positive weight, with their class indices and weights, in blocks with rows.

    It has the shape and the type of the rows as one array, which is all of them that the start of
    a learner looks at.
    """

    rows: Blocks
    codes: Blocks
    weight: Blocks
    classes: NDArray[Any]
    shape: tuple[int, int]
    dtype: type[np.floating[Any]]

    def class_totals(self) -> NDArray[np.float64]:
        """Give the sum of the weights of each class's rows."""
        totals: NDArray[np.float64] = self.codes.total(
            _class_totals, self.weight, len(self.classes)
        )
        return totals


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
    filled = [part for part, fact in zip(checked.parts, facts, strict=True) if fact is not None]
    if not filled:
        raise InputError("X has no row of positive weight: there is nothing to learn from.")
    checked = Blocks(tuple(filled))
    lengths, labels = zip(*filter(None, facts), strict=True)
    classes = encode_labels(_join(labels)).classes
    return TrainingBlocks(
        rows=checked.map(itemgetter(0)),
        codes=checked.map(_encode, classes),
        weight=checked.map(itemgetter(2)),
        classes=classes,
        shape=(sum(lengths), X.shape[1]),
        dtype=dtype,
    )


def _check_part(
    X: Any,
    number: int,
    estimator: BaseEstimator,
    options: dict[str, Any],
    y: Any,
    sample_weight: Any = None,
) -> tuple[Any, NDArray[Any], NDArray[np.float64]] | None:
    if not len(y) == X.shape[0] == len(y if sample_weight is None else sample_weight):
        raise InputError(
            f"Block {number} of X, y and sample_weight, counted from 0, differ in length: give "
            "them the same blocks, for example by taking them from one data frame."
        )
    if not X.shape[0] or (sample_weight is not None and not np.any(sample_weight)):
        return None
    try:
        return check_labelled_rows(estimator, X, y, sample_weight, reset=False, **options)
    except (ValueError, TypeError) as error:
        message = f"In block {number} of the rows, counted from 0: {error}"
        raise InputError(message) from None


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
