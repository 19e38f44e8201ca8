"""What a check for faults is given, and what it gives."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from hardy._labels import EncodedLabels
from hardy._quoting import counted
from hardy._shelf import blocks
from hardy.annotators import Consensus
from hardy.audit.surroundings import name_column
from hardy.panel.views import Views
from hardy.tabular._frames import as_frame
from hardy.tabular.stored import StoredFrame

# The share of the largest deviation of components of text that is their rounding, at most.
_ROUNDING = 1e-4
# Divided by less, numbers would overflow.
_LEAST_SIZE = 1e-260


@dataclass(frozen=True, eq=False)
class Finding:
    """A fault in the data, beside single labels that look wrong.

    Attributes
    ----------
    kind : str
        Which fault it is, such as ``"contradicting_duplicates"``.
    sentence : str
        What was found, in words; labels and names stand between backticks.
    rows : ndarray of shape (n_rows,), dtype intp
        The positions of the rows that it is about, counted from 0, in the order in which they are
        to be read.
    notes : tuple of str
        What there is to say of each of these rows; empty where there is nothing.
    details : mapping
        The numbers behind the sentence, in plain values.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.audit import Finding
    >>> Finding("label_spelling", "`dgo` may be a misspelling of `dog`.", np.array([3]))
    Finding('label_spelling', 1 row: `dgo` may be a misspelling of `dog`.)
    """

    kind: str
    sentence: str
    rows: NDArray[np.intp]
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        rows = counted(len(self.rows), "row")
        return f"Finding({self.kind!r}, {rows}: {self.sentence})"


@dataclass(frozen=True, eq=False)
class UsedColumn:
    """A column that is learnt from, whole or in blocks.

    Attributes
    ----------
    kind : str
        What its values are, as :func:`hardy.tabular.describe_columns` says.
    name : str or int
        Its name, or its position where it has none.
    held : Series or StoredFrame
        Its values in all rows, or the table in blocks that it is a column of.
    """

    kind: str
    name: Any
    held: Any

    def values(self) -> "pd.Series[Any]":
        """Give its values in all rows."""
        values: pd.Series[Any] = self.held[self.name] if self._is_stored else self.held
        return values

    def some(self, rows: NDArray[np.intp]) -> "pd.Series[Any]":
        """Give its values in some rows."""
        values: pd.Series[Any] = (
            self.held.only(self.name).take(rows)[self.name]
            if self._is_stored
            else self.held.iloc[rows]
        )
        return values

    def each(self, function: "Callable[[pd.Series[Any]], Any]") -> NDArray[Any]:
        """Give what a function makes of each value, which no other value has a say in."""
        parts: Iterable[Any]
        if self._is_stored:
            parts = (part[self.name] for part in self.held.only(self.name).blocks())
        elif isinstance(self.held.dtype, pd.CategoricalDtype):
            parts = [self.held]  # Each part would have all categories.
        else:
            parts = (self.held.iloc[rows] for rows in blocks(max(1, len(self.held))))
        return np.concatenate([np.asarray(function(part)) for part in parts])

    @property
    def _is_stored(self) -> bool:
        return isinstance(self.held, StoredFrame)


@dataclass(frozen=True)
class Evidence:
    """What is known of the rows once they were judged.

    Attributes
    ----------
    features : DataFrame, array or sparse matrix of shape (n_samples, n_features), or None
        All rows, those without a label among them.
    views : Views
        The features of the rows with a label, in the forms that the panel asks for.
    classes : ndarray of shape (n_classes,)
        The labels.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices, −1 where one is missing.
    is_suspect, is_assessable : ndarray of shape (n_samples,), dtype bool
        Which labels look wrong, and which could be judged.
    likeliest_other : ndarray of shape (n_samples,), dtype intp
        The likeliest class beside the given one.
    seed : int
        Draws the rows that are looked at where there are very many.
    groups, split : EncodedLabels, optional
        The group and the part of a split that each row belongs to.
    order : ndarray of shape (n_samples,), optional
        Ranks of the rows in time, ties allowed; the rows' own order where there is none.
    consensus : Consensus, optional
        What several annotators say together.
    """

    features: Any
    views: Views
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    is_suspect: NDArray[np.bool_]
    is_assessable: NDArray[np.bool_]
    likeliest_other: NDArray[np.intp]
    seed: int = 0
    groups: EncodedLabels | None = None
    split: EncodedLabels | None = None
    order: NDArray[np.intp] | None = None
    consensus: Consensus | None = None

    @property
    def labelled(self) -> NDArray[np.intp]:
        """The positions of the rows with a label, which are the rows of `views`."""
        return np.flatnonzero(self.codes >= 0)

    @cached_property
    def columns(self) -> list[UsedColumn]:
        """The columns that are learnt from; empty where there are no features, or sparse ones."""
        return used_columns(self.features, self.views)

    @cached_property
    def points(self) -> Any:
        """The rows with a label as points whose distances no few large values rule.

        Columns are scaled by their quartiles, or where these are equal (of components of text, but
        for rounding) by their deviation, and
        large values are drawn in by the inverse hyperbolic sine. A sparse matrix has its columns'
        largest values at 1. None where there are no features.
        """
        if self.features is None:
            return None
        if sparse.issparse(self.views.sample.plain):
            return self.views.standard
        return self.points_of(np.arange(self.views.n_rows))

    def points_of(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Give some of the `points`, by their places in `views`, which must not be sparse."""
        middle, size = self._scale
        numbers = np.asarray(self.views.rows("plain", rows), dtype=np.float64)
        points: NDArray[np.float64] = np.arcsinh((numbers - middle) / size)
        return points

    @cached_property
    def _scale(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        told = []
        # Column by column, since there are several copies of one on the way.
        for column in np.asarray(self.views.sample.plain).T:
            numbers = column.astype(np.float64)
            low, middle, high = np.quantile(numbers, [0.25, 0.5, 0.75])
            told.append((middle, (high - low) / 1.349, numbers.std()))
        middles, sizes, deviations = np.array(told).T
        least = np.full_like(sizes, _LEAST_SIZE)
        if self.views.text_columns:
            # The components of text have one unit, and what is tiny in it is rounding. Scaled by
            # that, words that are rare would stand apart from all others.
            text = slice(self.views.encoder.n_beside_text_, None)
            least[text] = _ROUNDING * deviations[text].max()
        sizes = np.where(sizes > least, sizes, np.maximum(deviations, least))
        return middles, np.where(sizes > _LEAST_SIZE, sizes, 1.0)

    def name(self, column: UsedColumn) -> str:
        """Name a column as reports do."""
        return name_column(self.features, column.name)


def used_columns(features: Any, views: Views) -> list[UsedColumn]:
    """Give the columns that are learnt from; none where there are no features, or sparse ones."""
    if features is None or sparse.issparse(features):
        return []
    is_stored = isinstance(features, StoredFrame)
    frame = features if is_stored else as_frame(features)
    # Views that were sent to where the rows are hold none, but their encoder knows the columns.
    described = views.columns or getattr(views.encoder, "columns_", [])
    return [
        UsedColumn(column.kind, column.name, frame if is_stored else frame.iloc[:, place])
        for place, column in enumerate(described)
        if not column.set_aside
    ]


def have_values(columns: Iterable[UsedColumn], n_samples: int) -> NDArray[np.bool_]:
    """Tell which rows have a value in some of the columns; the rest aren't read once all have."""
    filled = np.zeros(n_samples, dtype=bool)
    for column in columns:
        filled |= column.each(is_filled)
        if filled.all():
            break
    return filled


def is_filled(cells: "pd.Series[Any]") -> NDArray[np.bool_]:
    """Tell which cells of a column have a value; blanks are none."""
    filled = cells.notna()
    if cells.dtype.kind not in "biufcmM":
        filled &= cells.astype(object).map(str).str.strip() != ""
    return filled.to_numpy(dtype=bool)


Check = Callable[[Evidence], Iterable[Finding]]
