"""Hardness from the sizes of the classes alone."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import _num_samples

from hardy.hardness._rows import check_labels


def minority_value(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give how much smaller each row's class is than the largest one (MV).

    1 − n_y / (size of the largest class), n_y being the size of the row's class. In O(n).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The features, which don't matter here but for their number of rows.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1), higher is harder; 0 in the largest class.

    Raises
    ------
    InputError
        Where a label is missing, or `X` and `y` differ in length.

    See Also
    --------
    class_balance : The same against the share that each class would have if all were equal.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: minority value, here as 1 − MV.

    Examples
    --------
    >>> from hardy.hardness import minority_value
    >>> minority_value([[0.0], [1.0], [2.0]], ["a", "a", "b"])
    array([0. , 0. , 0.5])
    """
    codes, sizes = _class_sizes(X, y)
    value: NDArray[np.float64] = 1 - sizes[codes] / sizes.max()
    return value


def class_balance(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give how rare each row's class is (CB).

    (1 − n_y/n + 1/C) · C/(C + 1) for n rows and C classes, n_y being the size of the row's class.
    In O(n).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The features, which don't matter here but for their number of rows.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; C/(C + 1) where all classes are equal.

    Raises
    ------
    InputError
        Where a label is missing, or `X` and `y` differ in length.

    See Also
    --------
    minority_value : The same against the largest class.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: class balance, n_y/n − 1/C.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: turned round and scaled to [0, 1].

    Examples
    --------
    >>> from hardy.hardness import class_balance
    >>> class_balance([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"])
    array([0.5       , 0.5       , 0.5       , 0.83333333])
    """
    codes, sizes = _class_sizes(X, y)
    balance: NDArray[np.float64] = 1 - sizes[codes] / len(codes) + 1 / len(sizes)
    return balance * len(sizes) / (len(sizes) + 1)


def _class_sizes(X: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    codes = check_labels(y, _num_samples(X))
    return codes, np.bincount(codes)
