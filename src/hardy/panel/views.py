"""The forms of the features that learners of different kinds ask for."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, QuantileTransformer
from sklearn.preprocessing import StandardScaler as Standard
from sklearn.utils.validation import _num_samples

from hardy._shelf import BLOCK_ROWS, MEMORY, Shelf, blocks
from hardy.exceptions import InputError
from hardy.hardness import nearest_neighbors
from hardy.panel.words import WordEncoder
from hardy.tabular import ColumnDescription, take_rows
from hardy.tabular._frames import as_frame

_CLIP = 3.0
# scikit-learn's trees and quantiles take numbers within 1e-7 of each other for equal; trees work in
# single precision, and squares must stay finite. None of it matters between these sizes.
_SMALLEST, _LARGEST = 1e-3, 1e8
# Other columns get this binary exponent, at which none of it matters either.
_EXPONENT = 26
# Interpolating between numbers smaller than this would overflow.
_TRACE = 1e-290
_MAX_QUANTILES = 1000

# More rows are judged by members whose work hardly grows faster than they do.
FEW_ROWS = 10_000
# No more rows are held in a form of their own, or trained on; the others are taken in blocks.
MOST_ROWS = 150_000


class Views:
    """One table in several forms, each made when it is first asked for.

    Of more than 150,000 rows a sample of so many says how the forms are made, and none is made of
    all rows at once: `rows` gives some of them.

    Parameters
    ----------
    original : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The features as the user gave them.
    encoder : transformer, optional
        Turns `original` into numbers without missing values; by default it holds such already.
    seed : int, default=0
        Draws the rows that quantiles are taken from where there are very many.
    shelf : Shelf, optional
        Where arrays with a line for each row are kept; by default in memory.
    """

    shelf: Shelf = MEMORY

    def __init__(
        self, original: Any, encoder: Any = None, seed: int = 0, shelf: Shelf = MEMORY
    ) -> None:
        self.original = original
        self.encoder = encoder
        self.seed = seed
        self.shelf = shelf
        self._nearest: tuple[NDArray[np.intp], NDArray[np.float64]] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return 0 if self.original is None else int(_num_samples(self.original))

    @property
    def sample(self) -> "Views":
        """The rows that say how the forms are made: these, or a sample where there are too many."""
        return self if self.n_rows <= MOST_ROWS else self._drawn

    @cached_property
    def _drawn(self) -> "Views":
        drawn = np.random.default_rng(self.seed).permutation(self.n_rows)[:MOST_ROWS]
        rows = take_rows(self.original, np.sort(drawn))
        return Views(rows, self.encoder, self.seed, self.shelf)

    def training(self, name: str) -> Any:
        """Give the table in the form called `name`."""
        if name == "original" or self.sample is self:
            return getattr(self, name)
        return self.rows(name, np.arange(self.n_rows))

    def rows(self, name: str, positions: NDArray[np.intp]) -> Any:
        """Give some rows in the form called `name`."""
        if self.sample is self:
            return take_rows(self.training(name), positions)
        if name == "original" or len(positions) <= BLOCK_ROWS:
            return self.transform(take_rows(self.original, positions), name, positions)
        # Block by block, since on the way to a form there are several copies of its rows.
        made: Any = None
        parts = []
        for some in blocks(len(positions)):
            at = positions[some]
            part = self.transform(take_rows(self.original, at), name, at)
            if sparse.issparse(part):
                parts.append(part)
                continue
            if made is None:
                made = np.empty((len(positions), part.shape[1]), part.dtype)
            made[some] = part
        return sparse.vstack(parts, format="csr") if parts else made

    def blocks(self, positions: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
        """Give positions in parts; whole where the rows are held in their forms anyway."""
        size = max(1, len(positions)) if self.sample is self else BLOCK_ROWS
        for start in range(0, len(positions), size):
            yield positions[start : start + size]

    def transform(self, rows: Any, name: str, positions: NDArray[np.intp] | None = None) -> Any:
        """Bring other rows of the same table into the form called `name`.

        Parameters
        ----------
        rows : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            Rows in the user's form.
        name : str
            A form.
        positions : ndarray of shape (n_samples,), optional
            How an error numbers them; by default from 0.
        """
        if name == "original":
            return rows
        if self.sample is not self:
            return self.sample.transform(rows, name, positions)
        if name == "words":
            return self._word_encoder.transform(as_frame(rows))
        return self._from_numbers(self._encode(rows), name, positions)

    def forms(self, rows: Any, names: Collection[str]) -> dict[str, Any]:
        """Bring other rows of the same table into several forms; they are encoded once.

        Parameters
        ----------
        rows : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            Rows in the user's form.
        names : collection of str
            The forms.
        """
        if self.sample is not self:
            return self.sample.forms(rows, names)
        others = set(names) - {"original", "words"}
        # The encoder tells best what is wrong with a table.
        numbers = self._encode(rows) if others or self.encoder is not None else None
        apart = {name: self.transform(rows, name) for name in set(names) - others}
        return apart | {name: self._from_numbers(numbers, name, None) for name in others}

    def _encode(self, rows: Any) -> Any:
        _ = self._size  # which fits the encoder
        return rows if self.encoder is None else self.encoder.transform(rows)

    def _from_numbers(self, numbers: Any, name: str, positions: NDArray[np.intp] | None) -> Any:
        size = self._size
        plain = _divide(numbers, size)
        if name != "normal":  # where what is too large is clipped
            self._refuse_too_large(plain, size, positions)
        if name == "plain":
            return plain
        return self._scaler(name).transform(_round_off(plain) if name == "normal" else plain)

    def _refuse_too_large(
        self, plain: Any, size: NDArray[np.float64], positions: NDArray[np.intp] | None
    ) -> None:
        """Refuse numbers that single precision can't hold, though those of the fit were small."""
        largest = np.finfo(np.float32).max
        cells = plain.data if sparse.issparse(plain) else plain
        # Nearly always all is well, which these tell without another array of that size.
        if cells.max(initial=0) <= largest and cells.min(initial=0) >= -largest:
            return
        bad = abs(plain) > largest
        if not (bad.nnz if sparse.issparse(bad) else bad.any()):
            return
        row, column = (int(where[0]) for where in bad.nonzero())
        value = float(plain[row, column] * size[column])
        given = range(plain.shape[1])
        names = given if self.encoder is None else self.encoder.get_feature_names_out().tolist()
        raise InputError(
            f"Column {names[column]!r} has {value:g} in row "
            f"{row if positions is None else positions[row]} (counted from 0), too large beside "
            "what was fitted on: mend or leave out such rows."
        )

    def without_rows(self) -> "Views":
        """Give what brings other rows into every form, without the rows themselves."""
        if self.sample is not self:
            return self.sample.without_rows()
        light = Views(None, self.encoder, self.seed)
        # No rows are kept any more, and a model file knows no place for them.
        del light.shelf
        for name in ("standard", "normal"):
            self.training(name)
            vars(light)[name] = None
        for name in ("_size", "_standardizer", "_normalizer"):
            vars(light)[name] = getattr(self, name)
        if self.text_columns:
            vars(light)["_word_encoder"] = self._word_encoder
        return light

    @cached_property
    def plain(self) -> Any:
        """Numbers as they are, but for columns of extreme numbers."""
        return self._keep("plain", _divide(self._numbers, self._size))

    @cached_property
    def standard(self) -> Any:
        """Columns of mean 0 and variance 1; sparse ones of largest absolute value 1."""
        return self._keep("standard", self._standardizer.fit_transform(self.plain))

    @cached_property
    def normal(self) -> Any:
        """Columns whose quantiles are a normal distribution's, clipped, of variance 1.

        Sparse columns have largest absolute value 1.
        """
        return self._keep("normal", self._normalizer.fit_transform(_round_off(self.plain)))

    @cached_property
    def words(self) -> Any:
        """Weights of the words of the columns of text, as a sparse matrix."""
        return self._word_encoder.transform(as_frame(self.original))

    @cached_property
    def text_columns(self) -> list[int]:
        """The positions of the columns of text that are used."""
        return [at for at, column in enumerate(self.columns) if _is_used(column, "text")]

    @property
    def is_all_text(self) -> bool:
        """Whether there is nothing to learn from but text."""
        n_used = sum(_is_used(column) for column in self.columns)
        return 0 < len(self.text_columns) == n_used

    @property
    def main(self) -> Literal["words", "normal"]:
        """The form in which rows are near each other."""
        return "words" if self.is_all_text else "normal"

    def nearest(
        self, n_neighbors: int, n_jobs: int | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Give each row's nearest other rows in the form `normal`, searched for once.

        Parameters
        ----------
        n_neighbors : int
            How many are wanted at most; fewer where there are fewer rows.
        n_jobs : int, optional
            The number of threads.

        Returns
        -------
        neighbors, distances : ndarrays of shape (n_samples, n_found)
            Positions and distances, nearest first.
        """
        if self._nearest is None or self._nearest[0].shape[1] < n_neighbors:
            self._nearest = nearest_neighbors(self.normal, n_neighbors, n_jobs=n_jobs)
        neighbors, distances = self._nearest
        return neighbors[:, :n_neighbors], distances[:, :n_neighbors]

    def set_aside(self) -> dict[Any, str]:
        """Tell which columns were not used, and why."""
        return {column.name: column.set_aside for column in self.columns if column.set_aside}

    @property
    def columns(self) -> list[ColumnDescription]:
        """What the columns hold; empty where there is no encoder that knows."""
        if self.sample is not self:
            return self.sample.columns
        if self.encoder is None or self.original is None:
            return []
        if not hasattr(self.encoder, "columns_"):
            _ = self._numbers
        described: list[ColumnDescription] = getattr(self.encoder, "columns_", [])
        return described

    @cached_property
    def _word_encoder(self) -> WordEncoder:
        return WordEncoder(self.text_columns).fit(as_frame(self.original))

    @cached_property
    def _numbers(self) -> Any:
        if self.encoder is None:
            return self.original
        return self._keep("numbers", self.encoder.fit_transform(self.original))

    def _keep(self, name: str, form: Any) -> Any:
        return form if sparse.issparse(form) else self.shelf.keep(f"sample, {name}", form)

    @cached_property
    def _size(self) -> NDArray[np.float64]:
        """What to divide each column by: 1, or a power of two where its numbers are extreme."""
        ends = [self._numbers.max(axis=0), self._numbers.min(axis=0)]
        if sparse.issparse(self._numbers):
            ends = [end.toarray().ravel() for end in ends]
        largest = np.maximum(*np.abs(ends)).astype(np.float64)
        if self.text_columns:
            # The components of text have one unit, and what is tiny in it is rounding.
            text = slice(self.encoder.n_beside_text_, None)
            largest[text] = largest[text].max()
        is_extreme = (largest > _LARGEST) | ((largest > 0) & (largest < _SMALLEST))
        exponent = np.maximum(np.frexp(largest)[1] - _EXPONENT, np.finfo(np.float64).minexp)
        return np.where(is_extreme, np.ldexp(1.0, exponent), 1.0)

    def _scaler(self, name: str) -> Any:
        """Give what was fitted when the form was made."""
        self.training(name)
        return self._normalizer if name == "normal" else self._standardizer

    @cached_property
    def _standardizer(self) -> TransformerMixin:
        return MaxAbsScaler() if sparse.issparse(self.plain) else Standard()

    @cached_property
    def _normalizer(self) -> TransformerMixin:
        if sparse.issparse(self.plain):
            return self._standardizer
        return make_pipeline(
            QuantileTransformer(
                n_quantiles=min(_MAX_QUANTILES, self.plain.shape[0]),
                output_distribution="normal",
                random_state=self.seed,
            ),
            FunctionTransformer(_clip),
            Standard(),
        )


def _divide(numbers: Any, size: NDArray[np.float64]) -> Any:
    if sparse.issparse(numbers) and numbers.indices.dtype != np.int32:
        numbers = _with_short_positions(numbers)
    if (size == 1).all():
        return numbers
    if sparse.issparse(numbers):
        return numbers @ sparse.diags_array(1 / size, format="csr")
    return numbers / size


def _with_short_positions(numbers: Any) -> Any:
    """Give the same sparse matrix with positions of 32 bits, the only ones that trees know."""
    if max(*numbers.shape, numbers.nnz) > np.iinfo(np.int32).max:
        return numbers
    positions = numbers.indices.astype(np.int32), numbers.indptr.astype(np.int32)
    return sparse.csr_array((numbers.data, *positions), shape=numbers.shape)


def _round_off(plain: Any) -> Any:
    """Take numbers that are next to nothing for 0: what is interpolated between them overflows."""
    if sparse.issparse(plain):
        return plain
    is_trace = (np.abs(plain) < _TRACE) & (plain != 0)
    return np.where(is_trace, 0, plain) if is_trace.any() else plain


def _clip(X: NDArray[Any]) -> NDArray[Any]:
    clipped: NDArray[Any] = np.clip(X, -_CLIP, _CLIP)
    return clipped


def _is_used(column: ColumnDescription, *kinds: str) -> bool:
    return not column.set_aside and (not kinds or column.kind in kinds)
