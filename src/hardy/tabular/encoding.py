"""A table with columns of any kind as one matrix of floats."""

from collections.abc import Collection
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from hardy._all_or_nothing import all_or_nothing
from hardy._quoting import counted, quote
from hardy._validation import bad_cells_named, refuse_unclear_names, validate_rows
from hardy._warnings import warn_user
from hardy.exceptions import InputError
from hardy.tabular._blocks import CategoryBlock, NumberBlock, TextBlock, Unread, column_at
from hardy.tabular._frames import as_frame
from hardy.tabular.columns import (
    ColumnDescription,
    describe_columns,
    describe_numbers,
    refuse_nothing_left,
)
from hardy.tabular.stored import StoredFrame

# What the warning says; the command line tells it in its own words.
TAKEN_FOR_MISSING = "can't be read), taken for missing"
_FLOATS = [np.float64, np.float32]


class TableEncoder(TransformerMixin, BaseEstimator):
    """Turn a table with columns of any kind into one matrix of floats without missing values.

    Numbers pass, with the column's median where one is missing; booleans become 0 and 1;
    moments become year, month, day, hour and total seconds (what can't be read so is missing, with
    a warning where fitting has seen no such cell); few distinct strings become one
    column of 0 and 1 each (all 0 for a string that wasn't there at fitting); text becomes the
    leading components of its three- and four-letter sequences. A column with missing values
    gets a column of 0 and 1 beside it that says where. Columns that say nothing about a row's
    class (see :func:`describe_columns`) are set aside. A sparse matrix passes unchanged.

    Parameters
    ----------
    max_categories : int, default=40
        A column of strings with more distinct values is text.
    n_text_components : int, default=30
        The largest number of output columns for a column of text.
    keep : collection of str, default=()
        Columns that are not set aside unless all of their values are missing.
    text : collection of str, default=()
        Columns that are text whatever they look like, and no identifiers.

    Attributes
    ----------
    columns_ : list of ColumnDescription
        What each column holds, and why it was set aside if it was; empty for a sparse matrix.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the columns; only where all of them are strings.

    See Also
    --------
    describe_columns : Tell what each column holds.
    make_table_classifier : A classifier for such tables.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"size": [1.5, None, 2.5, 1.5], "colour": ["red", "blue"] * 2})
    >>> encoder = TableEncoder().fit(table)
    >>> encoder.transform(table)
    array([[1.5, 0. , 0. , 1. ],
           [1.5, 1. , 1. , 0. ],
           [2.5, 0. , 0. , 1. ],
           [1.5, 0. , 1. , 0. ]])
    >>> list(encoder.get_feature_names_out())
    ['size', 'size is missing', 'colour=blue', 'colour=red']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_categories": [Interval(Integral, 0, None, closed="left")],
        "n_text_components": [Interval(Integral, 1, None, closed="left")],
        "keep": ["array-like"],
        "text": ["array-like"],
    }

    def __init__(
        self,
        *,
        max_categories: int = 40,
        n_text_components: int = 30,
        keep: Collection[str] = (),
        text: Collection[str] = (),
    ) -> None:
        self.max_categories = max_categories
        self.n_text_components = n_text_components
        self.keep = keep
        self.text = text

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Learn what the columns hold.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            The table; pandas or polars.
        y : None
            Ignored.

        Returns
        -------
        TableEncoder
            Itself.

        Raises
        ------
        InputError
            Where a value can't be used, or no column is left to learn from.
        """
        table = self._validate(X, reset=True)
        self.columns_: list[ColumnDescription] = []
        self.blocks_: list[Any] = []
        self.is_sparse_ = sparse.issparse(table)
        if self.is_sparse_:
            return self
        if isinstance(table, np.ndarray):
            self.columns_ = describe_numbers(table)
        else:
            self.columns_ = self._describe(table)
        return self._fit_blocks(table)

    def fit_stored(self, table: StoredFrame) -> Self:
        """Learn what the columns of a table on disk hold, one after another.

        Parameters
        ----------
        table : StoredFrame of shape (n_samples, n_features)
            The table.

        Returns
        -------
        TableEncoder
            Itself, equal to what it were if it had been fitted on the table in memory.

        Raises
        ------
        InputError
            As `fit`.
        """
        self._validate(table.take(np.arange(1)), reset=True)
        self.is_sparse_ = False
        self.columns_ = [
            self._describe(column_at(table, position).to_frame())[0]
            for position in range(table.shape[1])
        ]
        return self._fit_blocks(table)

    def _describe(self, frame: pd.DataFrame) -> list[ColumnDescription]:
        return describe_columns(
            frame, max_categories=self.max_categories, keep=self.keep, text=self.text
        )

    def _fit_blocks(self, table: Any) -> Self:
        refuse_nothing_left(self.columns_, table.shape[0])
        unread: Unread = {}
        self.blocks_ = [block.fit(table, unread) for block in self._make_blocks()]
        self._had_unread = [self.columns_[at].name for at, rows in unread.items() if rows.size]
        return self

    def transform(self, X: ArrayLike) -> NDArray[Any] | sparse.csr_array:
        """Encode a table with the same columns.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            The table, with the columns of the fitted one in the same order.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs), float32 or float64
            Single precision only for arrays that have it. A sparse matrix comes back in CSR
            form.

        Raises
        ------
        ValueError
            Where the columns aren't those of the fitted table.
        InputError
            Where a numeric column has a value that isn't a finite number.

        Warns
        -----
        UserWarning
            Where cells of a column of moments, or of yes and no, hold something else, which the
            fitted table's didn't. They count as missing.
        """
        check_is_fitted(self)
        table = self._validate(X, reset=False)
        if sparse.issparse(table) is not self.is_sparse_:
            fitted, given = ("sparse", "dense") if self.is_sparse_ else ("dense", "sparse")
            name = type(self).__name__
            raise InputError(f"{name} was fitted on a {fitted} table, but this is {given}.")
        if self.is_sparse_:
            return table
        if isinstance(table, np.ndarray) and any(c.kind != "numeric" for c in self._used()):
            table = as_frame(table)
        unread: Unread = {}
        blocks = [block.transform(table, unread) for block in self.blocks_]
        for position, rows in sorted(unread.items()):
            column = self.columns_[position]
            if rows.size and column.name not in self._had_unread:
                _warn_of(column, rows, table.iloc[rows[0], position])
        return blocks[0] if len(blocks) == 1 else np.hstack(blocks)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Name the output columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names for the columns of a table that had none.

        Returns
        -------
        ndarray of str
            One name for each output column.
        """
        check_is_fitted(self)
        names = [str(name) for name in _check_feature_names_in(self, input_features)]
        if not self.is_sparse_:
            names = [name for block in self.blocks_ for name in block.names(names)]
        return np.asarray(names, dtype=object)

    @property
    def n_beside_text_(self) -> int:
        """How many output columns, the first ones, come from columns that aren't text."""
        check_is_fitted(self)
        names = [str(name) for name in _check_feature_names_in(self)]
        if self.is_sparse_:
            return len(names)
        others = [block for block in self.blocks_ if not isinstance(block, TextBlock)]
        return sum(len(block.names(names)) for block in others)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _validate(self, X: Any, *, reset: bool) -> Any:
        """Give a CSR array, a float array, or a frame."""
        if sparse.issparse(X):
            return validate_rows(self, X, accept_sparse="csr", dtype=_FLOATS, reset=reset)
        if hasattr(X, "columns"):
            refuse_unclear_names(X)
            validate_data(self, X, skip_check_array=True, reset=reset)
            if 0 in X.shape:
                raise InputError(
                    f"The table has {counted(X.shape[0], 'row')} and "
                    f"{counted(X.shape[1], 'column')}."
                )
            return as_frame(X)
        array = np.asarray(X, dtype=object if isinstance(X, list | tuple) else None)
        numeric = array.dtype.kind in "biuf"
        with bad_cells_named(array, type(self).__name__):
            array = validate_data(
                self,
                array,
                dtype=_FLOATS if numeric else None,
                ensure_all_finite="allow-nan" if numeric else False,
                reset=reset,
            )
        return array if numeric else as_frame(array)

    def _used(self) -> list[ColumnDescription]:
        return [column for column in self.columns_ if not column.set_aside]

    def _make_blocks(self) -> list[Any]:
        positions: dict[str, list[int]] = {}
        for position, column in enumerate(self.columns_):
            if not column.set_aside:
                positions.setdefault(column.kind, []).append(position)
        numeric, boolean = positions.get("numeric", []), positions.get("boolean", [])
        dates = {p: self.columns_[p].date_format for p in positions.get("date", [])}
        blocks: list[Any] = []
        if numeric or boolean or dates:
            blocks.append(NumberBlock(numeric, boolean, dates))
        if "categorical" in positions:
            blocks.append(CategoryBlock(positions["categorical"]))
        blocks += [TextBlock(p, self.n_text_components) for p in positions.get("text", [])]
        return blocks


def _warn_of(column: ColumnDescription, rows: NDArray[np.intp], first: Any) -> None:
    held = "moments" if column.kind == "date" else "yes and no"
    warn_user(
        f"Column {column.name!r} holds {held}, but has {quote(first)} in row {rows[0]} (counted "
        f"from 0; {counted(len(rows), 'cell')} in all that {TAKEN_FOR_MISSING}."
    )
