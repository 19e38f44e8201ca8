"""How far the probability of the predicted class is from how often it is right."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hardy._labels import encode_labels
from hardy._probabilities import check_pred_proba
from hardy.exceptions import InputError


def expected_calibration_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    n_bins: int = 15,
) -> float:
    """Give the expected calibration error of the likeliest class, in bins of equal mass.

    Rows are sorted by the probability of their likeliest class and cut into `n_bins` bins of as
    many rows (one more in the first ones, where they don't come out even); the figure is the mean
    over all rows of the distance between the mean probability in a bin and the share of its rows
    whose likeliest class is the true one [1]_. Rows of equal probability count as equally often
    right, so that the order of the rows doesn't matter.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true labels.
    y_proba : array-like of shape (n_samples, n_classes)
        Class probabilities.
    classes : array-like of shape (n_classes,), optional
        The class of each column; by default the distinct labels of `y_true`, sorted.
    n_bins : int, default=15
        The number of bins; fewer where there are fewer rows.

    Returns
    -------
    float
        In [0, 1], lower is better.

    Raises
    ------
    InputError
        Where `y_proba` doesn't fit `y_true` or holds no probabilities, a label is missing, or
        `n_bins` is less than 1.

    References
    ----------
    .. [1] M. P. Naeini, G. Cooper and M. Hauskrecht, "Obtaining well calibrated probabilities using
       Bayesian binning", AAAI 2015; K. Nguyen and B. O'Connor, "Posterior calibration and
       exploratory analysis for natural language processing models", EMNLP 2015: bins of equal mass.

    Examples
    --------
    >>> from hardy.metrics import expected_calibration_error
    >>> y_proba = [[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.4, 0.6]]
    >>> round(expected_calibration_error([0, 0, 1, 0], y_proba, n_bins=2), 3)
    0.1
    """
    if n_bins < 1:
        raise InputError(f"n_bins={n_bins!r} must be at least 1.")
    known, codes = encode_labels(y_true, classes)
    proba = check_pred_proba(y_proba, n_samples=len(codes), classes=known)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise InputError(f"y_true has no label in row {row}: nothing tells what is right there.")
    sure = proba.max(axis=1)
    right = pd.Series(proba.argmax(axis=1) == codes, dtype=float).groupby(sure).transform("mean")
    order = np.argsort(sure, kind="stable")
    bins = np.array_split(order, min(n_bins, len(order)))
    gaps = [abs(sure[rows].sum() - right.to_numpy()[rows].sum()) for rows in bins]
    return float(sum(gaps) / len(order))
