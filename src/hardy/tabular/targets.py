"""Whether a column can be a target: labels that repeat, of two classes or more."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy._labels import encode_labels
from hardy._quoting import quote
from hardy.exceptions import InputError

_MANY = 1000
_FEW = 20
_AS_MISSING = (
    "In files of text, words such as NA and NULL are read as none; give a class of that name "
    "another one."
)


@dataclass(frozen=True)
class TargetFacts:
    """What a column of labels holds.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted.
    counts : ndarray of shape (n_classes,), dtype int64
        The number of rows of each class.
    is_missing : ndarray of shape (n_samples,), dtype bool
        Which rows have no label.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.tabular import TargetFacts
    >>> is_missing = np.array([False, True, False, False])
    >>> TargetFacts(np.array(["apple", "plum"]), np.array([2, 1]), is_missing).n_missing
    1
    """

    classes: NDArray[Any]
    counts: NDArray[np.int64]
    is_missing: NDArray[np.bool_]

    @property
    def n_missing(self) -> int:
        """The number of rows without a label."""
        return int(self.is_missing.sum())


def check_target(y: ArrayLike, name: str = "y") -> TargetFacts:
    """Check that a column holds the labels of a classification.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The labels; missing ones are counted.
    name : str, default="y"
        The column's name, for the messages.

    Returns
    -------
    TargetFacts
        The classes, their sizes, and the rows without a label.

    Raises
    ------
    InputError
        Where all labels are missing, all are the same, all are distinct, most occur once, or
        they are numbers that measure something.

    Examples
    --------
    >>> facts = check_target(["ripe", "raw", None, "ripe"])
    >>> facts.classes, facts.counts, facts.n_missing
    (array(['raw', 'ripe'], dtype=object), array([1, 2]), 1)
    >>> check_target([1.25, 2.5, 3.75], "weight")
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: The target 'weight' has a value of its own in each of ...
    """
    classes, codes = encode_labels(y)
    is_missing = codes < 0
    n, n_classes = len(codes) - int(is_missing.sum()), len(classes)
    if n == 0:
        raise InputError(f"The target {name!r} has no label in any row. {_AS_MISSING}")
    if n_classes == 1:
        others = f" Rows without a label: {is_missing.sum():,}. {_AS_MISSING}"
        raise InputError(
            f"The target {name!r} has one class only, {quote(classes[0])}; two or more are needed."
            + (others if is_missing.any() else "")
        )
    refuse_measurements(classes, n, f"The target {name!r}")
    if n_classes == n:
        raise InputError(
            f"The target {name!r} has a value of its own in each of the {n} rows; labels repeat."
        )
    if n_classes > max(_FEW, n // 2):
        raise InputError(
            f"The target {name!r} has {n_classes} distinct values in {n} rows; most of them can't "
            "repeat, so it is no column of classes."
        )
    return TargetFacts(classes, np.bincount(codes[~is_missing], minlength=n_classes), is_missing)


def refuse_other_labels(classes: NDArray[Any], subject: str = "y") -> None:
    """Refuse labels from which a classifier can't learn.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels.
    subject : str, default="y"
        What holds them, for the message.

    Raises
    ------
    InputError
        Where a label is neither a word, a float or integer, a boolean, a moment without a time
        zone nor a duration: a date, a decimal, bytes.
    """
    if classes.dtype.kind in "biufmMU":
        return
    for label in pd.Series(classes).tolist():
        value = label.item() if isinstance(label, np.generic) else label
        if not isinstance(value, str | bool | int | float):
            raise InputError(
                f"{subject} holds labels of the type {type(label).__name__}, such as "
                f"{quote(label)}; turn them into words or numbers first."
            )


def refuse_measurements(classes: NDArray[Any], n: int, subject: str = "y") -> None:
    """Refuse labels that are numbers of a measurement.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels.
    n : int
        The number of rows that have a label.
    subject : str, default="y"
        What holds them, for the message.

    Raises
    ------
    InputError
        Where labels are numbers, and too many for classes.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.tabular import refuse_measurements
    >>> refuse_measurements(np.array([0, 1]), 1000)
    >>> refuse_measurements(np.linspace(0, 1, 900), 1000)
    Traceback (most recent call last):
    hardy.exceptions.InputError: y holds numbers with 900 distinct values in 1000 rows, which
    is a regression task; Hardy needs classes. Cut the numbers into ranges first.
    """
    if _measures_something(classes, n):
        raise InputError(
            f"{subject} holds numbers with {len(classes)} distinct values in {n} rows, which is a "
            "regression task; Hardy needs classes. Cut the numbers into ranges first."
        )


def _measures_something(classes: NDArray[Any], n: int) -> bool:
    """Whether labels are numbers, and too many for classes."""
    n_classes = len(classes)
    if n_classes <= _FEW:
        return False
    numbers = pd.to_numeric(pd.Series(classes, dtype=object), errors="coerce")
    if numbers.isna().any():
        return False
    whole = bool((numbers % 1 == 0).all())
    return n_classes >= _MANY or n_classes > n // 2 or (not whole and n_classes > n // 20)
