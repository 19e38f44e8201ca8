"""Hardness from where a decision tree puts each row."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import rankdata
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state

from hardy.hardness._rows import check_labels, check_rows
from hardy.hardness._sharing import shared

RandomState = int | np.random.RandomState | None
_N_FOLDS = 5
# As shares of the weight that prunes the whole tree; the heaviest first, because it wins ties.
_PRUNING = np.append(np.geomspace(1, 1e-3, 10), 0)


def disjunct_size(
    X: ArrayLike, y: ArrayLike, *, random_state: RandomState = None
) -> NDArray[np.float64]:
    """Give how much smaller each row's leaf of an unpruned tree is than the largest leaf (DS).

    1 − (size of the row's leaf − 1) / (size of the largest leaf − 1). In O(n log n) for each
    column and level of the tree.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Only the order of the values in each column
        matters.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    random_state : int, RandomState instance or None, default=None
        Decides between equally good splits.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; 1 for a row that is alone in its leaf.

    Raises
    ------
    InputError
        Where a cell or a label is missing, or `X` and `y` differ in length.

    See Also
    --------
    disjunct_class_percentage : Which classes are in the leaf.
    tree_depth : How far down the leaf is.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: disjunct size, here as 1 − DS.

    Examples
    --------
    >>> from hardy.hardness import disjunct_size
    >>> disjunct_size([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"], random_state=0)
    array([0., 0., 0., 1.])
    """
    leaf = _place_rows(X, y, False, random_state).leaf
    sizes = np.bincount(leaf)
    if sizes.max() == 1:
        return np.ones(len(leaf))
    value: NDArray[np.float64] = 1 - (sizes[leaf] - 1) / (sizes.max() - 1)
    return value


def disjunct_class_percentage(
    X: ArrayLike, y: ArrayLike, *, random_state: RandomState = None
) -> NDArray[np.float64]:
    """Give the share of other classes in each row's leaf of a pruned tree (DCP).

    In O(n log n) for each column and level of some 56 trees.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Only the order of the values in each column
        matters.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    random_state : int, RandomState instance or None, default=None
        Decides between equally good splits, and draws the folds that choose the pruning.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1), higher is harder; 0 in a leaf of one class.

    Raises
    ------
    InputError
        Where a cell or a label is missing, or `X` and `y` differ in length.

    See Also
    --------
    tree_depth : Tells how the tree is pruned.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: disjunct class percentage, here as 1 − DCP.

    Examples
    --------
    >>> from hardy.hardness import disjunct_class_percentage
    >>> X = [[0.0]] * 4 + [[1.0]] * 4
    >>> disjunct_class_percentage(X, ["a", "a", "a", "b"] + ["b"] * 4, random_state=0)
    array([0.25, 0.25, 0.25, 0.75, 0. , 0. , 0. , 0. ])
    """
    placed = _place_rows(X, y, True, random_state)
    pair = placed.leaf * (placed.codes.max() + 1) + placed.codes
    value: NDArray[np.float64] = 1 - np.bincount(pair)[pair] / np.bincount(placed.leaf)[placed.leaf]
    return value


def tree_depth(
    X: ArrayLike, y: ArrayLike, *, pruned: bool = False, random_state: RandomState = None
) -> NDArray[np.float64]:
    """Give the depth of each row's leaf in a decision tree as a share of the tree's depth (TD).

    In O(n log n) for each column and level of the tree, or of some 56 trees where it is pruned.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Numeric features without missing values. Only the order of the values in each column
        matters.
    y : array-like of shape (n_samples,)
        Labels of any kind, none missing.
    pruned : bool, default=False
        Whether the tree is pruned.
    random_state : int, RandomState instance or None, default=None
        Decides between equally good splits, and draws the folds that choose the pruning.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], higher is harder; 0 where the tree has no split.

    Raises
    ------
    InputError
        Where a cell or a label is missing, or `X` and `y` differ in length.

    Notes
    -----
    Trees are scikit-learn's with Gini impurity, grown on the ranks of the values in each column.
    Pruning is by minimal cost and complexity. Its weight α is chosen among 0 and ten values, from
    the one that prunes the whole tree down to a thousandth of it in equal ratios, by accuracy in
    five stratified folds; among equally accurate ones the largest is taken. With one int for
    `random_state`, all measures look at the same tree.

    References
    ----------
    .. [1] M. R. Smith, T. Martinez and C. Giraud-Carrier, "An instance level analysis of data
       complexity", Machine Learning 95, 2014: tree depth, pruned and unpruned.
    .. [2] J. L. M. Arruda, R. B. C. Prudêncio and A. C. Lorena, "Measuring instance hardness using
       data complexity measures", BRACIS 2020: the depth as a share.

    Examples
    --------
    >>> from hardy.hardness import tree_depth
    >>> tree_depth([[0.0], [0.0], [0.0], [1.0], [2.0]], ["a", "a", "a", "b", "a"], random_state=0)
    array([0.5, 0.5, 0.5, 1. , 1. ])
    """
    depth = _place_rows(X, y, bool(pruned), random_state).depth
    value: NDArray[np.float64] = depth / max(depth.max(), 1)
    return value


class _Placed(NamedTuple):
    """The leaf of each row, its depth, and the row's class."""

    leaf: NDArray[np.intp]
    depth: NDArray[np.intp]
    codes: NDArray[np.intp]


@shared
def _place_rows(X: ArrayLike, y: ArrayLike, pruned: bool, random_state: RandomState) -> _Placed:
    rows = check_rows(X)
    codes = check_labels(y, rows.shape[0])
    ranks = _rank_columns(rows)
    rng = check_random_state(random_state)
    tree = DecisionTreeClassifier(random_state=rng.randint(np.iinfo(np.int32).max))
    if pruned:
        tree.set_params(ccp_alpha=_choose_pruning(tree, ranks, codes, rng))
    tree.fit(ranks, codes)
    depth = np.diff(tree.decision_path(ranks).indptr) - 1
    return _Placed(tree.apply(ranks), depth, codes)


def _choose_pruning(
    tree: DecisionTreeClassifier,
    ranks: Any,
    codes: NDArray[np.intp],
    rng: np.random.RandomState,
) -> float:
    heaviest = tree.cost_complexity_pruning_path(ranks, codes).ccp_alphas[-1]
    if heaviest <= 0:
        return 0.0
    # Beyond rounding, so that it does prune the whole tree.
    heaviest *= 1 + 1e-9
    # Not StratifiedKFold, which refuses or warns of classes with fewer rows than folds. Classes
    # come in the order of their first rows, so that their names don't matter.
    by_class = rng.permutation(len(codes))
    order = pd.factorize(codes)[0]
    by_class = by_class[np.argsort(order[by_class], kind="stable")]
    fold = np.empty_like(by_class)
    fold[by_class] = np.arange(len(codes)) % _N_FOLDS
    search = GridSearchCV(
        tree, {"ccp_alpha": heaviest * _PRUNING}, cv=PredefinedSplit(fold), refit=False
    )
    return float(search.fit(ranks, codes).best_params_["ccp_alpha"])


def _rank_columns(rows: Any) -> Any:
    """Put ranks in place of the values of each column; of a sparse one, counted from zero.

    A tree splits ranks as it would split the values, whose size it can't always take.
    """
    if not sparse.issparse(rows):
        return rankdata(rows, "dense", axis=0).astype(np.float32)
    columns = rows.tocsc()
    ranks = columns.astype(np.float32)
    for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True):
        column = columns.data[start:stop]
        for sign in (1, -1):
            chosen = sign * column > 0
            ranks.data[start:stop][chosen] = sign * rankdata(sign * column[chosen], "dense")
        if np.count_nonzero(column) == rows.shape[0]:
            # Without a zero between them, the lowest above it follows upon the highest below.
            ranks.data[start:stop][column > 0] -= 1
    return ranks.tocsr()
