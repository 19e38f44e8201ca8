"""Specificity: how many of the rows outside a class are left out of it."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import multilabel_confusion_matrix
from sklearn.utils.multiclass import unique_labels

from hardy._labels import find_class
from hardy._quoting import quote_all
from hardy.exceptions import InputError

_AVERAGES = ("binary", "macro", "weighted", None)


def specificity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Any = 1,
    average: Literal["binary", "macro", "weighted"] | None = "binary",
    sample_weight: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """Compute the specificity, TN / (TN + FP): the recall of what isn't the class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_pred : array-like of shape (n_samples,)
        The predicted labels.
    pos_label : object, default=1
        The positive class, with ``average="binary"``.
    average : {"binary", "macro", "weighted"} or None, default="binary"
        For two classes that of `pos_label`. For any number the mean over the classes, each against
        the rest (``"macro"``), the mean weighted by their numbers of true rows (``"weighted"``), or
        one value for each class, in sorted order (None).
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, by default 1.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1]; not a number where every row is of the class.

    Raises
    ------
    InputError
        Where `average` is unknown, or ``"binary"`` meets other than two classes or one without
        `pos_label`.

    See Also
    --------
    sklearn.metrics.recall_score : The same for the rows of the class, TP / (TP + FN).

    Examples
    --------
    >>> from hardy.metrics import specificity_score
    >>> specificity_score([0, 0, 0, 1, 1], [0, 0, 1, 1, 0])
    0.6666666666666666
    """
    if average not in _AVERAGES:
        raise InputError(f"average={average!r} is unknown; choose binary, macro, weighted or None.")
    labels = unique_labels(y_true, y_pred)
    matrices = multilabel_confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    )
    negative = matrices[:, 0, :].sum(axis=1)
    with np.errstate(invalid="ignore"):
        each: NDArray[np.float64] = matrices[:, 0, 0] / negative
    if average is None:
        return each
    if average == "macro":
        return float(each.mean())
    if average == "weighted":
        return float(np.average(each, weights=matrices[:, 1, :].sum(axis=1)))
    if len(labels) > 2:
        raise InputError(
            f"average='binary' needs two classes, but the labels are {quote_all(labels)}."
        )
    return float(each[find_class(pos_label, labels)])
