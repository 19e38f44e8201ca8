"""Hardness from local sets: what lies around a row before the first row of another class.

The *nearest enemy* of a row is the nearest row of another class, the first of several. Its *local
set* are the rows of its own class that are nearer than the nearest enemy, itself among them; it is
empty where the enemy is a duplicate. One pass over all pairs serves all measures.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardy.hardness._kernels import compare_with_all
from hardy.hardness._rows import check_labels, check_rows, check_two_rows, scale_together
from hardy.hardness._sharing import shared
from hardy.learners._rows import kernel_rows

# A block of rows is compared without a look at the keyboard.
_BLOCK_ROWS = 256


def nearest_enemy_ratio(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Compare each row's distances to the nearest of its own class and of any other (N2).

    1 − 1/(r + 1), r being the distance to the nearest other row of the same class divided by the
    distance to the nearest enemy. Takes O(n²) distances, but keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder: 1/2 where both are equally near (also at distance 0), 1 for
        the only row of a class, 0 where there is one class only.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    k_disagreeing_neighbors : Counts instead of distances.

    References
    ----------
    .. [1] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: N2.

    Examples
    --------
    >>> from hardy.hardness import nearest_enemy_ratio
    >>> nearest_enemy_ratio([[0.0], [1.0], [2.0], [5.0]], ["a", "a", "b", "b"])
    array([0.33333333, 0.5       , 0.75      , 0.42857143])
    """
    sets = _find_local_sets(X, y)
    own, enemy = sets.nearest_own, sets.nearest_enemy
    value = np.full(len(own), 0.5)
    value[np.isinf(own)] = 1.0
    value[np.isinf(enemy)] = 0.0
    known = np.isfinite(own + enemy) & (own + enemy > 0)
    value[known] = own[known] / (own + enemy)[known]
    return value


def local_set_cardinality(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give the share of each row's class that isn't in the row's local set (LSC).

    1 − (size of the local set)/n_y, n_y being the size of the row's class. The local set are the
    rows of the class that are nearer than the nearest enemy, the row itself among them. Takes
    O(n²) distances, but keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder: 1 for a row with a duplicate of another label, whose local set
        is empty; 0 for any other that is alone in its class, which fills its local set.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    usefulness : In how many local sets the row is.
    local_set_radius : How far the local set reaches.

    References
    ----------
    .. [1] E. Leyva, A. González and R. Pérez, "A set of complexity measures designed for applying
       meta-learning to instance selection", IEEE Transactions on Knowledge and Data Engineering
       27(2), 2015: local sets.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: LSC.

    Examples
    --------
    >>> from hardy.hardness import local_set_cardinality
    >>> local_set_cardinality([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "a", "b"])
    array([0.        , 0.        , 0.66666667, 0.        ])
    """
    sets = _find_local_sets(X, y)
    return 1 - sets.sizes / sets.class_sizes


def local_set_radius(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give how much nearer each row's nearest enemy is than its class reaches (LSR).

    1 − min(1, distance to the nearest enemy / distance to the farthest row of the same class).
    Takes O(n²) distances, but keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder: 1 for a row with a duplicate of another label; 0 for any other
        whose class has no extent, such as a row that is alone in its class.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    local_set_cardinality : How many rows the local set has.

    References
    ----------
    .. [1] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: LSR.

    Examples
    --------
    >>> from hardy.hardness import local_set_radius
    >>> local_set_radius([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "a", "b"])
    array([0.        , 0.        , 0.66666667, 0.        ])
    """
    sets = _find_local_sets(X, y)
    value = np.zeros(len(sets.enemies))
    value[sets.nearest_enemy == 0] = 1.0
    within = sets.nearest_enemy < sets.farthest_own
    value[within] = 1 - sets.nearest_enemy[within] / sets.farthest_own[within]
    return value


def usefulness(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give the share of each row's class whose local sets don't contain the row (usefulness).

    1 − (number of local sets that the row is in)/n_y, n_y being the size of the row's class. Rows
    of other classes have no part in it: a local set is of one class. Takes O(n²) distances, but
    keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder, that is less useful: 1 for a row with a duplicate of another
        label that is in no local set; 0 for any other that is alone in its class.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    local_set_cardinality : How many rows the row's own local set has.
    harmfulness : How many rows have the row as their nearest enemy.

    Notes
    -----
    A row can be in the local sets of its own class only. Counted among all n rows, as it sometimes
    is, even the most useful row would be as hard as 1 − n_y/n, and a rare class hard for being
    rare. Hence n_y, as in PyHard and as for `local_set_cardinality`. Unlike in PyHard, a row is in
    its own local set.

    References
    ----------
    .. [1] E. Leyva, A. González and R. Pérez, "Three new instance selection methods based on local
       sets", Pattern Recognition 48(4), 2015: usefulness.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: as a share, and turned round.

    Examples
    --------
    >>> from hardy.hardness import usefulness
    >>> usefulness([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "a", "b"])
    array([0.33333333, 0.33333333, 0.        , 0.        ])
    """
    sets = _find_local_sets(X, y)
    return 1 - sets.uses / sets.class_sizes


def harmfulness(X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Give the share of the other classes that have each row as their nearest enemy (harmfulness).

    The number of rows whose nearest enemy the row is, divided by n − n_y for n rows, n_y being the
    size of the row's class. Takes O(n²) distances, but keeps O(n) of them only.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Scale them first: the distance is Euclidean.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder. Of several enemies equally near, the one with the smallest
        position counts.

    Raises
    ------
    InputError
        Where a cell or a label is missing, `X` and `y` differ in length, or there are fewer than
        two rows.

    See Also
    --------
    usefulness : In how many local sets the row is.

    References
    ----------
    .. [1] E. Leyva, A. González and R. Pérez, "Three new instance selection methods based on local
       sets", Pattern Recognition 48(4), 2015: harmfulness.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: as a share.

    Examples
    --------
    >>> from hardy.hardness import harmfulness
    >>> harmfulness([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "a", "b"])
    array([0., 0., 1., 1.])
    """
    sets = _find_local_sets(X, y)
    n_rows = len(sets.enemies)
    victims = np.bincount(sets.enemies[sets.enemies >= 0], minlength=n_rows)
    value: NDArray[np.float64] = victims / np.maximum(n_rows - sets.class_sizes, 1)
    return value


class _LocalSets(NamedTuple):
    """What all pairs of rows say about each row."""

    nearest_own: NDArray[np.float64]
    nearest_enemy: NDArray[np.float64]
    enemies: NDArray[np.intp]
    farthest_own: NDArray[np.float64]
    sizes: NDArray[np.intp]
    uses: NDArray[np.intp]
    class_sizes: NDArray[np.intp]


@shared
def _find_local_sets(X: ArrayLike, y: ArrayLike) -> _LocalSets:
    rows = check_rows(X)
    codes = check_labels(y, rows.shape[0])
    check_two_rows(rows, "Local sets")
    rows, _ = scale_together(rows.astype(np.float64))
    n = len(codes)
    own, enemy, farthest = np.empty(n), np.empty(n), np.empty(n)
    enemies = np.full(n, -1, dtype=np.intp)
    sizes, uses = np.zeros(n, dtype=np.intp), np.zeros(n, dtype=np.intp)
    for start in range(0, n, _BLOCK_ROWS):
        block = start, min(start + _BLOCK_ROWS, n)
        found = own, enemy, enemies, farthest, sizes, uses
        compare_with_all(*kernel_rows(rows), codes, *block, *found)
    distances = np.sqrt(own), np.sqrt(enemy), np.sqrt(farthest)
    class_sizes = np.bincount(codes)[codes]
    return _LocalSets(*distances[:2], enemies, distances[2], sizes, uses, class_sizes)
