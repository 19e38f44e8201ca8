"""The forms of the features that learners of different kinds ask for."""

from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, QuantileTransformer
from sklearn.preprocessing import StandardScaler as Standard

from hardy.hardness import nearest_neighbors
from hardy.panel.words import WordEncoder
from hardy.tabular import ColumnDescription
from hardy.tabular._frames import as_frame

_CLIP = 3.0
# Trees work in single precision, and squares must stay finite.
_LARGEST = 1e15
_MAX_QUANTILES = 1000


class Views:
    """One table in several forms, each made when it is first asked for.

    Parameters
    ----------
    original : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The features as the user gave them.
    encoder : transformer, optional
        Turns `original` into numbers without missing values; by default it holds such already.
    seed : int, default=0
        Draws the rows that quantiles are taken from where there are very many.
    """

    def __init__(self, original: Any, encoder: Any = None, seed: int = 0) -> None:
        self.original = original
        self.encoder = encoder
        self.seed = seed
        self._nearest: tuple[NDArray[np.intp], NDArray[np.float64]] | None = None

    def training(self, name: str) -> Any:
        """Give the table in the form called `name`."""
        return getattr(self, name)

    def transform(self, rows: Any, name: str) -> Any:
        """Bring other rows of the same table into the form called `name`."""
        if name == "original":
            return rows
        if name == "words":
            return self._word_encoder.transform(as_frame(rows))
        numbers = rows if self.encoder is None else self.encoder.transform(rows)
        plain = self._shrink(numbers)
        return plain if name == "plain" else self._scaler(name).transform(plain)

    def without_rows(self) -> "Views":
        """Give what brings other rows into every form but words, without the rows themselves."""
        light = Views(None, self.encoder, self.seed)
        for name in ("standard", "normal"):
            self.training(name)
            vars(light)[name] = None
        for name in ("_size", "_standardizer", "_normalizer"):
            vars(light)[name] = getattr(self, name)
        return light

    @cached_property
    def plain(self) -> Any:
        """Numbers as they are, but for columns that single precision couldn't hold."""
        return self._shrink(self._numbers)

    @cached_property
    def standard(self) -> Any:
        """Columns of mean 0 and variance 1; sparse ones of largest absolute value 1."""
        return self._standardizer.fit_transform(self.plain)

    @cached_property
    def normal(self) -> Any:
        """Columns whose quantiles are a normal distribution's, clipped, of variance 1.

        Sparse columns have largest absolute value 1.
        """
        return self._normalizer.fit_transform(self.plain)

    @cached_property
    def words(self) -> Any:
        """Weights of the words of the columns of text, as a sparse matrix."""
        return self._word_encoder.transform(as_frame(self.original))

    @cached_property
    def text_columns(self) -> list[int]:
        """The positions of the columns of text that are used."""
        return [at for at, column in enumerate(self._describe()) if _is_used(column, "text")]

    @property
    def is_all_text(self) -> bool:
        """Whether there is nothing to learn from but text."""
        n_used = sum(_is_used(column) for column in self._describe())
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
        return {column.name: column.set_aside for column in self._describe() if column.set_aside}

    def _describe(self) -> list[ColumnDescription]:
        """Tell what the columns hold, where there is an encoder that knows."""
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
        return self.original if self.encoder is None else self.encoder.fit_transform(self.original)

    @cached_property
    def _size(self) -> NDArray[np.float64]:
        """What to divide each column by: 1, or its largest absolute value where that is extreme."""
        ends = [self._numbers.max(axis=0), self._numbers.min(axis=0)]
        if sparse.issparse(self._numbers):
            ends = [end.toarray().ravel() for end in ends]
        size = np.maximum(*np.abs(ends)).astype(np.float64)
        return np.where((size > _LARGEST) | ((size > 0) & (size < 1 / _LARGEST)), size, 1.0)

    def _shrink(self, numbers: Any) -> Any:
        if (self._size == 1).all():
            return numbers
        if sparse.issparse(numbers):
            return numbers @ sparse.diags_array(1 / self._size, format="csr")
        return numbers / self._size

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


def _clip(X: NDArray[Any]) -> NDArray[Any]:
    clipped: NDArray[Any] = np.clip(X, -_CLIP, _CLIP)
    return clipped


def _is_used(column: ColumnDescription, *kinds: str) -> bool:
    return not column.set_aside and (not kinds or column.kind in kinds)
