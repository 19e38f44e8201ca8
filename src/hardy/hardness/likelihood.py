"""Hardness from naive Bayes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.naive_bayes import GaussianNB

from hardy.hardness._rows import check_dense_rows, check_labels, scale_columns
from hardy.hardness._sharing import shared


def class_likelihood(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give how unlikely each row's class is by naive Bayes (CL).

    1 − P(y | x), with normally distributed features and equal priors for all classes. In O(n).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numeric features without missing values, dense. Their scales don't matter.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; 1 − 1/C for C classes where all columns are constant.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` is sparse, or `X` and `y` differ in length.

    See Also
    --------
    class_likelihood_difference : The same against the likeliest other class.

    Notes
    -----
    Columns are scaled to [0, 1]. A billionth of the largest variance of a column is added to each
    variance, which keeps a class of one row from having none. The row itself has part in the
    estimate.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: class likelihood.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: with equal priors, and turned round.

    Examples
    --------
    >>> from hardy.hardness import class_likelihood
    >>> X = [[-2.0], [-1.0], [0.0], [0.0], [1.0], [2.0]]
    >>> class_likelihood(X, ["a", "a", "a", "b", "b", "b"]).round(2)
    array([0.  , 0.05, 0.5 , 0.5 , 0.05, 0.  ])
    """
    return 1 - _class_probabilities(X, y).own


def class_likelihood_difference(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give how far another class is likelier than each row's own by naive Bayes (CLD).

    (1 − (P(own class | x) − the largest P(other class | x))) / 2, with normally distributed
    features and equal priors for all classes. In O(n). With two classes it is the same as
    `class_likelihood`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numeric features without missing values, dense. Their scales don't matter.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; 1/2 where all columns are constant.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` is sparse, or `X` and `y` differ in length.

    See Also
    --------
    class_likelihood : Tells how the probabilities are made.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: class likelihood difference.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: turned round and scaled to [0, 1].

    Examples
    --------
    >>> from hardy.hardness import class_likelihood_difference
    >>> X = [[-2.0], [-1.0], [0.0], [0.0], [1.0], [2.0]]
    >>> class_likelihood_difference(X, ["a", "a", "a", "b", "b", "b"]).round(2)
    array([0.  , 0.05, 0.5 , 0.5 , 0.05, 0.  ])
    """
    own, other = _class_probabilities(X, y)
    return (1 - (own - other)) / 2


class _Probabilities(NamedTuple):
    """Of each row's own class, and of the likeliest other one."""

    own: NDArray[np.float64]
    other: NDArray[np.float64]


@shared
def _class_probabilities(X: ArrayLike, y: ArrayLike) -> _Probabilities:
    rows = check_dense_rows(X, "Naive Bayes (class likelihood)")
    codes = check_labels(y, len(rows))
    scaled = scale_columns(rows)
    n_classes = codes.max() + 1
    even = np.full(n_classes, 1 / n_classes)
    if scaled.any():
        proba = GaussianNB(priors=even).fit(scaled, codes).predict_proba(scaled).clip(0, 1)
    else:
        proba = np.tile(even, (len(codes), 1))
    each = np.arange(len(codes))
    own = proba[each, codes]
    proba[each, codes] = 0
    return _Probabilities(own, proba.max(axis=1))
