"""Made data: three pairs of normal distributions, an exclusive or, and two boxes."""

from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from hardy._validation import make_random_state
from hardy.exceptions import InputError

Made = tuple[NDArray[np.float64], NDArray[np.intp]]
RandomState = int | np.random.RandomState | None

_N_FEATURES = 20


def make_twonorm(n_samples: int = 300, random_state: RandomState = None) -> Made:
    """Make two normal classes of 20 features (Breiman's twonorm [1]_).

    Both have unit covariance; the means are (a, …, a) for class 1 and (−a, …, −a) for class 0 with
    a = 2/√20. The best boundary is a plane, whose error is about 2.3 %.

    Parameters
    ----------
    n_samples : int, default=300
        The number of rows; each class has half of them, class 0 the odd one.
    random_state : int, RandomState instance or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 20)
        The rows, in random order.
    y : ndarray of shape (n_samples,)
        0 or 1.

    References
    ----------
    .. [1] L. Breiman, "Bias, variance, and arcing classifiers", technical report 460, University of
       California, Berkeley, 1996.

    Examples
    --------
    >>> from hardy.datasets import make_twonorm
    >>> X, y = make_twonorm(random_state=0)
    >>> X.shape, int(y.sum()), round(float(X[y == 1].mean()), 1)
    ((300, 20), 150, 0.4)
    """
    y, rng = _labels(n_samples, random_state)
    a = 2 / np.sqrt(_N_FEATURES)
    X = rng.normal(size=(n_samples, _N_FEATURES)) + np.where(y == 1, a, -a)[:, None]
    return X, y


def make_threenorm(n_samples: int = 300, random_state: RandomState = None) -> Made:
    """Make two classes of 20 features, one of them in two parts (Breiman's threenorm [1]_).

    All parts are normal with unit covariance. Class 1 has half of its rows around (a, …, a) and
    half around (−a, …, −a); class 0 lies around (a, −a, a, …, −a), with a = 2/√20.

    Parameters
    ----------
    n_samples : int, default=300
        The number of rows; each class has half of them, class 0 the odd one.
    random_state : int, RandomState instance or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 20)
        The rows, in random order.
    y : ndarray of shape (n_samples,)
        0 or 1.

    References
    ----------
    .. [1] L. Breiman, "Bias, variance, and arcing classifiers", technical report 460, University of
       California, Berkeley, 1996.

    Examples
    --------
    >>> from hardy.datasets import make_threenorm
    >>> X, y = make_threenorm(1000, random_state=0)
    >>> X[y == 0].mean(axis=0)[:2].round(1)
    array([ 0.4, -0.5])
    """
    y, rng = _labels(n_samples, random_state)
    a = 2 / np.sqrt(_N_FEATURES)
    side = np.where(_halves((y == 1).sum(), rng), a, -a)
    means = np.tile(np.where(np.arange(_N_FEATURES) % 2, -a, a), (n_samples, 1))
    means[y == 1] = side[:, None]
    return means + rng.normal(size=(n_samples, _N_FEATURES)), y


def make_ringnorm(n_samples: int = 300, random_state: RandomState = None) -> Made:
    """Make two normal classes of 20 features, one of them inside the other (ringnorm [1]_).

    Class 1 has the mean 0 and four times the unit covariance; class 0 the mean (a, …, a) and unit
    covariance, with a = 1/√20.

    Parameters
    ----------
    n_samples : int, default=300
        The number of rows; each class has half of them, class 0 the odd one.
    random_state : int, RandomState instance or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 20)
        The rows, in random order.
    y : ndarray of shape (n_samples,)
        0 or 1.

    References
    ----------
    .. [1] L. Breiman, "Bias, variance, and arcing classifiers", technical report 460, University of
       California, Berkeley, 1996.

    Examples
    --------
    >>> from hardy.datasets import make_ringnorm
    >>> X, y = make_ringnorm(1000, random_state=0)
    >>> round(float(X[y == 1].std()), 1), round(float(X[y == 0].std()), 1)
    (2.0, 1.0)
    """
    y, rng = _labels(n_samples, random_state)
    a = 1 / np.sqrt(_N_FEATURES)
    noise = rng.normal(size=(n_samples, _N_FEATURES))
    return np.where(y[:, None] == 1, 2 * noise, a + noise), y


def make_noisy_xor(
    n_samples: int = 600, flip_rate: float = 0.1, random_state: RandomState = None
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.bool_]]:
    """Make an exclusive or in two dimensions, with some labels flipped ([1]_, Figure 1).

    Rows are uniform on (−1, 1)²; the class is 1 where both features have one sign.

    Parameters
    ----------
    n_samples : int, default=600
        The number of rows.
    flip_rate : float, default=0.1
        The share of the labels that is flipped, rounded to whole rows.
    random_state : int, RandomState instance or None, default=None
        Draws the rows and the flips.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        The rows.
    y : ndarray of shape (n_samples,)
        0 or 1, after the flips.
    is_flipped : ndarray of shape (n_samples,), dtype bool
        Which labels were flipped.

    References
    ----------
    .. [1] I. Cantador, J. R. Dorronsoro, "Boosting Parallel Perceptrons for Label Noise Reduction
       in Classification Problems", IWINAC 2005.

    Examples
    --------
    >>> from hardy.datasets import make_noisy_xor
    >>> X, y, is_flipped = make_noisy_xor(200, random_state=0)
    >>> X.shape, int(is_flipped.sum())
    ((200, 2), 20)
    """
    n_samples = _check_size(n_samples)
    rng = make_random_state(random_state)
    X = rng.uniform(-1, 1, size=(n_samples, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(np.intp)
    is_flipped = _draw_flips(n_samples, flip_rate, rng)
    return X, np.where(is_flipped, 1 - y, y), is_flipped


def make_boxes(
    n_samples: int = 200,
    n_outliers: int = 5,
    flip_rate: float = 0.2,
    random_state: RandomState = None,
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.bool_]]:
    """Make two boxes that can be told apart, outliers, and flipped labels ([1]_, Figure 1.2.1).

    Class 0 is uniform on (0, 1)², class 1 on (1.5, 2.5) × (−0.5, 0.5). Outliers of class 0 lie in
    the box of class 1.

    Parameters
    ----------
    n_samples : int, default=200
        The number of rows, outliers included; each class has half of them, class 0 the odd one.
    n_outliers : int, default=5
        How many rows of class 0 are outliers.
    flip_rate : float, default=0.2
        The share of the labels that is flipped, rounded to whole rows.
    random_state : int, RandomState instance or None, default=None
        Draws the rows and the flips.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        The rows, in random order.
    y : ndarray of shape (n_samples,)
        0 or 1, after the flips.
    is_flipped : ndarray of shape (n_samples,), dtype bool
        Which labels were flipped.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    >>> from hardy.datasets import make_boxes
    >>> X, y, is_flipped = make_boxes(random_state=0)
    >>> X.shape, int(is_flipped.sum())
    ((200, 2), 40)
    """
    y, rng = _labels(n_samples, random_state)
    n_negative = int((y == 0).sum())
    if not (isinstance(n_outliers, Integral) and 0 <= n_outliers <= n_negative):
        raise InputError(
            f"n_outliers={n_outliers!r} must be a whole number from 0 to {n_negative}, the size of "
            "class 0."
        )
    X = rng.uniform(size=(n_samples, 2))
    is_right = y == 1
    is_right[rng.permutation(np.flatnonzero(y == 0))[:n_outliers]] = True
    X[is_right] += [1.5, -0.5]
    is_flipped = _draw_flips(n_samples, flip_rate, rng)
    return X, np.where(is_flipped, 1 - y, y), is_flipped


def _check_size(n_samples: int) -> int:
    if not isinstance(n_samples, Integral) or n_samples < 2:
        raise InputError(f"n_samples={n_samples!r} must be a whole number, at least 2.")
    return int(n_samples)


def _labels(
    n_samples: int, random_state: RandomState
) -> tuple[NDArray[np.intp], np.random.RandomState]:
    rng = make_random_state(random_state)
    return _halves(_check_size(n_samples), rng), rng


def _halves(n: int, rng: np.random.RandomState) -> NDArray[np.intp]:
    return np.asarray(rng.permutation(np.arange(n) % 2), dtype=np.intp)


def _draw_flips(n: int, rate: float, rng: np.random.RandomState) -> NDArray[np.bool_]:
    if not isinstance(rate, Real) or not 0 <= rate <= 1:
        raise InputError(f"flip_rate={rate!r} is not a share: give a number from 0 to 1.")
    return np.asarray(rng.permutation(n) < round(rate * n))
