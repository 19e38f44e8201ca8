"""One-sided relabelling: rows that look like positives, but are not labelled so."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict


def find_hidden_positives(
    X: Any,
    is_positive: NDArray[np.bool_],
    weights: NDArray[np.float64],
    *,
    C: float = 30.0,
    n_folds: int = 5,
    random_state: int | np.random.RandomState | None = None,
) -> NDArray[np.bool_]:
    """Find the rows that are not labelled positive, but look so as much as those that are.

    Where labels are made by hand, positives are missed far more often than invented. A logistic
    regression with balanced classes gives each row a probability without having learned from it;
    a row that is not labelled positive is a hidden positive where its probability reaches the mean
    of the labelled positives.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_features)
        The rows.
    is_positive : ndarray of shape (n_rows,), dtype bool
        Whether each row is labelled positive.
    weights : ndarray of shape (n_rows,)
        How many rows each row stands for, positive.
    C : float, default=30.0
        The inverse strength of the regression's penalty; 30 suits rows of length 1.
    n_folds : int, default=5
        The number of folds, fewer where one side has fewer rows.
    random_state : int, RandomState instance or None, default=None
        Draws the folds.

    Returns
    -------
    ndarray of shape (n_rows,), dtype bool
        The rows to relabel. There are none where either side has fewer than two rows.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting.relabelling import find_hidden_positives
    >>> X = np.array([[-2.0], [-1.8], [-2.2], [-1.9], [2.1], [2.0], [1.9], [2.1]])
    >>> is_positive = np.array([False] * 5 + [True] * 3)
    >>> find_hidden_positives(X, is_positive, np.ones(8), random_state=0).nonzero()[0]
    array([4])
    """
    n_folds = min(n_folds, int(is_positive.sum()), int((~is_positive).sum()))
    if n_folds < 2:
        return np.zeros_like(is_positive)
    with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
        # Ranks are what is wanted, and they are settled long before the coefficients.
        warnings.simplefilter("ignore", ConvergenceWarning)
        probability = cross_val_predict(
            LogisticRegression(C=C, class_weight="balanced", max_iter=1000),
            X,
            is_positive,
            cv=StratifiedKFold(n_folds, shuffle=True, random_state=random_state),
            method="predict_proba",
            params={"sample_weight": weights},
        )[:, 1]
    usual = np.average(probability[is_positive], weights=weights[is_positive])
    hidden: NDArray[np.bool_] = ~is_positive & (probability >= usual)
    return hidden
