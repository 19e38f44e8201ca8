"""What surrounds a row: its nearest rows, its place on a map, and the values to show."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.neighbors import NearestNeighbors

from hardy._memory import give_back
from hardy._shelf import blocks, release
from hardy.hardness import nearest_neighbors
from hardy.hardness._rows import leave_out_itself
from hardy.panel.views import FEW_ROWS, Views
from hardy.tabular import take_rows

Floats = NDArray[np.float64]

N_NEAREST = 10
N_NEAREST_SHOWN = 5
MOST_ROWS_SHOWN = 2000
_MOST_SEARCHED = 20_000


def find_nearest(
    features: Any,
    views: Views,
    codes: NDArray[np.intp],
    shown: NDArray[np.intp],
    n_jobs: int | None,
) -> NDArray[np.integer[Any]]:
    """Give the positions of each row's nearest other rows that have a label.

    With more than 10,000 labelled rows only those of the rows to show are looked for, among
    20,000 rows at most.

    Parameters
    ----------
    features : array-like, sparse matrix or DataFrame of shape (n_samples, n_features), or None
        All rows, also those without a label.
    views : Views
        Those with a label.
    codes : ndarray of shape (n_samples,)
        Class indices, −1 where the label is missing.
    shown : ndarray of shape (n_shown,), dtype intp
        The rows to show.
    n_jobs : int or None
        The number of threads.

    Returns
    -------
    ndarray of shape (n_samples, n_nearest), dtype intp or int32
        Nearest first, −1 for rows that none were looked for of; without columns where there are
        no features.
    """
    if features is None:
        return np.empty((len(codes), 0), dtype=np.intp)
    labelled, unlabelled = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
    if len(labelled) > FEW_ROWS:
        found = _nearest_of(shown, features, views, labelled, n_jobs)
        give_back()
        nearest = views.shelf.zeros("nearest", (len(codes), N_NEAREST), np.int32)
        for some in blocks(len(codes)):
            nearest[some] = -1
            release(nearest)
        nearest[shown] = found
        return nearest
    base = views.training(views.main)
    if views.main == "normal":
        found, _ = views.nearest(N_NEAREST, n_jobs)
    else:
        found, _ = nearest_neighbors(base, N_NEAREST, n_jobs=n_jobs)
    nearest = np.empty((len(codes), found.shape[1]), dtype=np.intp)
    nearest[labelled] = labelled[found]
    if unlabelled.size:
        index = NearestNeighbors(n_neighbors=found.shape[1], n_jobs=n_jobs).fit(base)
        for part in blocks(len(unlabelled)):
            rows = views.transform(take_rows(features, unlabelled[part]), views.main)
            near = index.kneighbors(rows, return_distance=False)
            nearest[unlabelled[part]] = labelled[near]
    return nearest


def _nearest_of(
    shown: NDArray[np.intp],
    features: Any,
    views: Views,
    labelled: NDArray[np.intp],
    n_jobs: int | None,
) -> NDArray[np.intp]:
    """Look for the nearest rows of some rows alone."""
    if not shown.size:
        return np.empty((0, N_NEAREST), dtype=np.intp)
    asked = np.arange(len(labelled))
    if len(labelled) > _MOST_SEARCHED:
        drawn = np.random.default_rng(views.seed).permutation(len(labelled))[:_MOST_SEARCHED]
        asked = np.sort(drawn)
    among = views.rows(views.main, asked)
    index = NearestNeighbors(n_neighbors=N_NEAREST + 1, algorithm="brute", n_jobs=n_jobs)
    rows = views.transform(take_rows(features, shown), views.main)
    found = labelled[asked][index.fit(among).kneighbors(rows, return_distance=False)]
    (nearest,) = leave_out_itself(found == shown[:, None], found)
    return nearest


def rows_to_show(doubt: Floats, is_shown: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Give the positions of the rows to show, the most doubtful where there are too many.

    Parameters
    ----------
    doubt : ndarray of shape (n_samples,)
        Higher comes first.
    is_shown : ndarray of shape (n_samples,), dtype bool
        The rows that may be shown.

    Returns
    -------
    ndarray of shape (n_shown,), dtype intp
        At most 2,000 positions.

    Examples
    --------
    >>> import numpy as np
    >>> rows_to_show(np.array([0.1, 0.9, 0.5]), np.array([True, True, False]))
    array([1, 0])
    """
    shown = np.flatnonzero(is_shown)
    return shown[np.argsort(-doubt[shown], kind="stable")][:MOST_ROWS_SHOWN]


def draw_map(features: Any, views: Views, proba: Floats) -> Floats:
    """Place the rows in two dimensions by their principal components.

    Parameters
    ----------
    features : array-like, sparse matrix or DataFrame of shape (n_samples, n_features), or None
        The rows; where there are none the class probabilities are drawn.
    views : Views
        The rows with a label, which define the components.
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.

    Returns
    -------
    ndarray of shape (n_samples, 2)
        Coordinates; the second is 0 where the rows have one dimension only.
    """
    base = proba if features is None else views.sample.training(views.main)
    n_components = min(2, *base.shape)
    if sparse.issparse(base):
        reducer = TruncatedSVD(n_components, random_state=views.seed)
    else:
        reducer = PCA(n_components, random_state=views.seed)
    coordinates = views.shelf.zeros("coordinates", (len(proba), 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        # Its share of the variance is not defined where there is none; nobody reads it.
        reducer.fit(base)
    if features is None or len(proba) == base.shape[0]:
        coordinates[:, :n_components] = reducer.transform(base)
        return coordinates
    for some in views.blocks(np.arange(len(proba))):
        rows = views.transform(take_rows(features, some), views.main)
        coordinates[some, :n_components] = reducer.transform(rows)
        release(coordinates)
    return coordinates


def values_to_show(
    features: Any,
    shown: NDArray[np.intp],
    nearest: NDArray[np.integer[Any]],
    without: Collection[Any] = (),
) -> pd.DataFrame:
    """Give the values of the rows that a report shows, and of their nearest rows.

    Parameters
    ----------
    features : array-like, sparse matrix or DataFrame of shape (n_samples, n_features), or None
        The rows.
    shown : ndarray of shape (n_shown,), dtype intp
        The rows to show.
    nearest : ndarray of shape (n_samples, n_nearest)
        The positions of their nearest rows.
    without : collection, default=()
        Columns to leave out: their names, or positions where they have none.

    Returns
    -------
    DataFrame
        By row position; without columns for sparse features.
    """
    rows = np.union1d(shown, nearest[shown, :N_NEAREST_SHOWN])
    if features is None or sparse.issparse(features):
        return pd.DataFrame(index=rows)
    values = take_rows(features, rows)
    if hasattr(values, "to_pandas"):
        values = values.to_pandas()
    values = pd.DataFrame(values).drop(columns=list(without)).set_axis(rows, axis=0)
    if not hasattr(features, "columns"):
        values.columns = pd.Index([name_column(features, at) for at in values.columns])
    return values


def name_column(features: Any, column: Any) -> str:
    """Name a column as reports do: by its name, or by its position where it has none."""
    return str(column) if hasattr(features, "columns") else f"x{column}"
