"""Rows that are equal, or as good as equal."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.preprocessing import QuantileTransformer

from hardy._shelf import blocks
from hardy.audit.findings.base import Evidence, UsedColumn, have_values, is_filled
from hardy.hardness.neighbors import Duplicates
from hardy.panel.base import Floats
from hardy.panel.views import FEW_ROWS

Keys = NDArray[np.uint64]

# Columns beyond these are not left out one by one; any of them shows that values coincide.
_MOST_LEFT_OUT = 16
# Of the equal rows, so many may be expected from values that coincide.
_COINCIDENCE = 0.1
_FEWEST_TERMS = 5
# Of the columns, so many must have a value in both of two rows for these to be almost equal.
_SHARED = 0.5
_LEAST_DISTINCT = 1 / 3
_SURE = 0.002
# On a line, rows are near each other by chance too often.
_LEAST_DIMENSION = 1.5
_N_AROUND = 10
_ROWS_OF_A_QUANTILE, _FEWEST_QUANTILES = 20, 5
# Beside the same text, rows are alike that are nearer than all but so many pairs drawn at random.
_ALIKE, _N_DRAWN = 0.05, 10_000
_BLOCK = 2**22


class Pairs(NamedTuple):
    """Pairs of rows; each is named once, by positions among all rows."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]


def equal_rows(evidence: Evidence) -> NDArray[np.intp]:
    """Give the number of the set of equal rows that each row is in.

    In a table of few coarse columns rows are equal by chance, which says nothing. That is told by
    leaving out one column at a time: where rows are copies, hardly any others agree in all columns
    but one; where values coincide, many do.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Returns
    -------
    ndarray of shape (n_samples,)
        The number of each row's set, −1 for rows without a twin and where twins are coincidences.
    """
    none = np.full(len(evidence.codes), -1, dtype=np.intp)
    if sparse.issparse(evidence.features):
        sets = _number(Duplicates.of(evidence.features).of_row)
        sets[np.diff(evidence.features.indptr) < _FEWEST_TERMS] = -1
        return sets
    if not evidence.columns:
        return none
    columns = evidence.columns
    total = _add_keys(columns)
    sets = _number(total)
    # Rows without anything agree in nothing.
    sets[~have_values(columns, len(sets))] = -1
    if (sets < 0).all():
        return none
    left_out = [at for at, column in enumerate(columns) if not _is_prose(column)]
    step = -(-len(left_out) // _MOST_LEFT_OUT) or 1
    _, first, sizes = np.unique(total, return_index=True, return_counts=True)
    twins, first = sizes[sizes > 1] - 1, first[sizes > 1]
    keys = (_key(columns[at], at) for at in left_out[::step])
    by_chance = max((_expect(total - key, key, first, twins) for key in keys), default=0.0)
    return none if by_chance > _COINCIDENCE * twins.sum() else sets


def same_words(evidence: Evidence) -> NDArray[np.intp]:
    """Give the number of the set of rows whose text is the same but for case, blanks and marks.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Returns
    -------
    ndarray of shape (n_samples,)
        The number of each row's set, −1 for rows without a twin; all of them −1 where no column
        is text.
    """
    is_prose = [_is_prose(column) for column in evidence.columns]
    if not any(is_prose):
        return np.full(len(evidence.codes), -1, dtype=np.intp)
    sets = _number(_add_keys(evidence.columns, is_prose))
    sets[~have_values(itertools.compress(evidence.columns, is_prose), len(sets))] = -1
    return sets


def near_pairs(evidence: Evidence) -> Pairs:
    """Find rows that lie nearer to each other than the rows around them let expect.

    With *k* rows around a row of a cloud of dimension *m*, the nearest one lies within the share
    *r* of the distance of the k-th with probability (k − 1) rᵐ at most. Pairs for which that is
    below .002 / n, seen from both of its rows, are near; m is estimated from distances too. That
    must hold among values that are spread evenly, too: in columns with long tails most rows lie in
    one corner, each of them far nearer to some than to others. Where there is text, whose words are
    many numbers beside the few of other columns, rows must be nearer in these alone than 95 % of
    pairs drawn at random, too. None are looked for among more than 10,000 rows.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Returns
    -------
    Pairs
        The pairs, rows at no distance left out.

    References
    ----------
    E. Levina and P. J. Bickel, "Maximum likelihood estimation of intrinsic dimension", NIPS 2004.
    """
    labelled = evidence.labelled
    nothing = np.empty(0, dtype=np.intp)
    if evidence.features is None or not 3 <= len(labelled) <= FEW_ROWS:
        return Pairs(nothing, nothing)
    neighbors, distances = evidence.views.nearest(_N_AROUND)
    dimension = _intrinsic_dimension(distances)
    if dimension is None or dimension < _LEAST_DIMENSION:
        return Pairs(nothing, nothing)
    is_sparse = sparse.issparse(evidence.points)
    if not is_sparse:
        # The search is among ranks, which stand apart however near the values are.
        distances = _distances(evidence.points, neighbors)
    at = np.where(distances > 0, distances, np.inf).argmin(axis=1)
    left = _much_nearer(distances, neighbors, at, dimension)
    if left.size and not is_sparse:
        evenly = _distances(_even(evidence.points), neighbors)
        left = np.intersect1d(left, _much_nearer(evenly, neighbors, at, dimension))
    right = neighbors[left, at[left]]
    if left.size and evidence.columns:
        # What stands in for missing values is equal in all rows.
        here, there = (_are_filled(evidence.columns, labelled[side]) for side in (left, right))
        share_most = (here & there).mean(axis=1) > _SHARED
        left, right = left[share_most], right[share_most]
        if evidence.views.text_columns:
            alike = _are_alike_beside_text(evidence, left, right)
            left, right = left[alike], right[alike]
    pairs = np.unique(np.sort(np.column_stack([left, right]), axis=1), axis=0)
    return Pairs(labelled[pairs[:, 0]], labelled[pairs[:, 1]])


def _much_nearer(
    distances: Floats, neighbors: NDArray[np.intp], at: NDArray[np.intp], dimension: float
) -> NDArray[np.intp]:
    """Give the rows to which the neighbor at a place is nearer than chance allows."""
    rows, n_around = np.arange(len(distances)), distances.shape[1]
    first, last = distances[rows, at], distances.max(axis=1)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        share = first / np.minimum(last, last[neighbors[rows, at]])
        is_near = (n_around - 1) * share**dimension < _SURE / len(rows)
    near: NDArray[np.intp] = rows[is_near]
    return near


def _even(points: Floats) -> Floats:
    """Spread the values of each column evenly, by a few quantiles between which none is moved.

    Were all of them ranked, copies that differ a little would stand as far apart as others.
    """
    n_quantiles = max(_FEWEST_QUANTILES, len(points) // _ROWS_OF_A_QUANTILE)
    even: Floats = QuantileTransformer(n_quantiles=min(n_quantiles, len(points))).fit_transform(
        points
    )
    return even


def chain(sets: NDArray[np.intp]) -> Pairs:
    """Give pairs that hold each set together."""
    order = np.flatnonzero(sets >= 0)
    order = order[np.argsort(sets[order], kind="stable")]
    is_same = sets[order[1:]] == sets[order[:-1]]
    return Pairs(order[:-1][is_same], order[1:][is_same])


def join(n_samples: int, *pairs: Pairs) -> NDArray[np.intp]:
    """Give the number of the set of rows that pairs join together, −1 for rows in none."""
    left, right = (np.concatenate(side) for side in zip(*pairs, strict=True))
    if not left.size:
        return np.full(n_samples, -1, dtype=np.intp)
    graph = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(n_samples, n_samples))
    return _number(connected_components(graph, directed=False)[1])


def mixed_sets(sets: NDArray[np.intp], values: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the rows of sets in which a value differs, set by set.

    Parameters
    ----------
    sets : ndarray of shape (n_samples,)
        The number of each row's set, −1 for none.
    values : ndarray of shape (n_samples,)
        Such as class indices, −1 where one is missing: such rows are in no set.

    Returns
    -------
    ndarray of shape (n_rows,)
        Positions, in the order of each set's first row.
    """
    rows = np.flatnonzero((sets >= 0) & (values >= 0))
    if not rows.size:
        return rows
    _, inverse = np.unique(sets[rows], return_inverse=True)
    lowest = np.full(inverse.max() + 1, np.iinfo(np.intp).max)
    highest, first = np.full_like(lowest, -1), lowest.copy()
    np.minimum.at(lowest, inverse, values[rows])
    np.maximum.at(highest, inverse, values[rows])
    np.minimum.at(first, inverse, rows)
    is_mixed = (lowest != highest)[inverse]
    rows, begin = rows[is_mixed], first[inverse[is_mixed]]
    in_order: NDArray[np.intp] = rows[np.lexsort([rows, begin])]
    return in_order


def number_sets(sets: NDArray[np.intp], rows: NDArray[np.intp]) -> tuple[tuple[str, ...], int]:
    """Name the set of each row, counted from 1 in the order of the rows, and count the sets."""
    numbers, uniques = pd.factorize(sets[rows])
    return tuple(f"set {number + 1}" for number in numbers), len(uniques)


def _hash(column: "pd.Series[Any]") -> Keys:
    if column.dtype.kind == "f":
        # Adding 0 turns −0 into 0, which is equal to it.
        column = column + 0.0
    elif column.dtype == object:
        column = column.map(_as_word)
    return pd.util.hash_pandas_object(column, index=False).to_numpy().astype(np.uint64)


def _are_filled(columns: Sequence[UsedColumn], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which cells of some rows have a value; blanks are none."""
    return np.column_stack([is_filled(column.some(rows)) for column in columns])


def _are_alike_beside_text(
    evidence: Evidence, left: NDArray[np.intp], right: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Tell which pairs of labelled rows aren't unlike in the columns that aren't text."""
    beside = evidence.points[:, : evidence.views.encoder.n_beside_text_]
    rng = np.random.default_rng(evidence.seed)
    one, other = rng.integers(len(beside), size=(2, _N_DRAWN))
    drawn = ((beside[one] - beside[other]) ** 2).sum(axis=1)[one != other]
    alike: NDArray[np.bool_] = ((beside[left] - beside[right]) ** 2).sum(axis=1) <= np.quantile(
        drawn, _ALIKE
    )
    return alike


def _as_word(cell: Any) -> str:
    """Give a cell as a word; a number is another one than the word that is written like it."""
    return cell if isinstance(cell, str) else f"{type(cell).__name__} {cell}"


def _hash_plain_words(column: "pd.Series[Any]") -> Keys:
    return _hash(_plain_words(column))


def _key(column: UsedColumn, place: int, how: "Callable[[pd.Series[Any]], Keys]" = _hash) -> Keys:
    """Make a key of each cell of the column at some place."""
    # Odd, so that no key is lost; random, so that columns that change places are told apart.
    factor = int(np.random.default_rng(place).integers(2**63)) * 2 + 1
    keys: Keys = column.each(how)
    keys *= np.uint64(factor)
    return keys


def _add_keys(columns: Sequence[UsedColumn], is_prose: Sequence[bool] = ()) -> Keys:
    """Make a key of each row, the sum of its cells'; of prose only the words count."""
    prose = [*is_prose] or [False] * len(columns)
    total = np.zeros(0, dtype=np.uint64)
    for place, (column, only_words) in enumerate(zip(columns, prose, strict=True)):
        keys = _key(column, place, _hash_plain_words if only_words else _hash)
        total = np.add(total, keys, out=total) if place else keys
    return total


def _number(keys: NDArray[Any]) -> NDArray[np.intp]:
    numbers = np.full(len(keys), -1, dtype=np.intp)
    in_order = np.sort(keys)
    shared = np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
    # Mostly no row has a twin, which takes less time and memory to find than to number them all.
    if shared.size:
        for rows in blocks(len(keys)):
            at = np.minimum(np.searchsorted(shared, keys[rows]), len(shared) - 1)
            numbers[rows] = np.where(shared[at] == keys[rows], at, -1)
    return numbers


def _intrinsic_dimension(distances: Floats) -> float | None:
    """Estimate the dimension of the cloud; None where too few rows have distinct distances."""
    # Rows with twins say nothing of it.
    is_told = (distances[:, 0] > 0) & (distances[:, -1] > distances[:, 0])
    if distances.shape[1] < 3 or not is_told.any():
        return None
    ratios = distances[is_told, -1:] / distances[is_told]
    spread = float(np.log(ratios).sum(axis=1).mean())
    dimension: float = (distances.shape[1] - 1) / spread
    return dimension


def _distances(points: Floats, neighbors: NDArray[np.intp]) -> Floats:
    distances = np.empty(neighbors.shape)
    step = max(1, _BLOCK // (neighbors.shape[1] * points.shape[1]))
    for start in range(0, len(points), step):
        block = slice(start, start + step)
        away = points[block, None, :] - points[neighbors[block]]
        distances[block] = np.sqrt((away**2).sum(axis=2))
    return distances


def _expect(rest: Keys, key: Keys, first: NDArray[np.intp], twins: NDArray[np.intp]) -> float:
    """Count the twins to expect by chance, from rows that agree in all columns but one."""
    others = _count_equal(rest, rest[first]) - 1 - twins
    share = _count_equal(key, key[first]) / len(key)
    return float((others * share / np.maximum(1 - share, 1 / len(key))).sum())


def _count_equal(keys: Keys, wanted: Keys) -> NDArray[np.intp]:
    """Count how often each of some keys occurs."""
    ranked = np.sort(keys)
    return np.searchsorted(ranked, wanted, "right") - np.searchsorted(ranked, wanted, "left")


def _is_prose(column: UsedColumn) -> bool:
    """Whether a column is text that hardly repeats, so that equal texts are copies."""
    if column.kind != "text":
        return False
    keys = pd.Series(column.each(_hash))
    has_holes = column.each(lambda cells: cells.isna()).any()
    return bool(keys.nunique() - has_holes >= _LEAST_DISTINCT * len(keys))


def _plain_words(column: "pd.Series[Any]") -> "pd.Series[Any]":
    words = column.astype(object).where(column.notna(), "").map(str).str.casefold()
    return words.str.replace(r"[\W_]+", " ", regex=True).str.strip()
