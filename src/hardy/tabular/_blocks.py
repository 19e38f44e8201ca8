"""Groups of columns of one kind, each turned into a block of floats."""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.preprocessing import OneHotEncoder

from hardy.tabular._frames import (
    as_documents,
    as_frame,
    as_moments,
    as_numbers,
    as_truth_values,
    as_words,
    find_unread_rows,
)
from hardy.tabular.stored import StoredFrame

Frame = pd.DataFrame | StoredFrame
Table = Frame | NDArray[Any]
# The rows, by the column's position, that hold something else than yes, no or a moment should.
Unread = dict[int, NDArray[np.intp]]


def column_at(frame: Frame, position: int) -> "pd.Series[Any]":
    """Give one column of a frame; of a stored one, nothing else is read."""
    if isinstance(frame, StoredFrame):
        frame, position = as_frame(frame[frame.columns[position]].to_frame()), 0
    return frame.iloc[:, position]


class MedianImputer(BaseEstimator):
    """Put the median where a number is missing, and flag columns in which some were.

    The same as scikit-learn's ``SimpleImputer(strategy="median", add_indicator=True)``, without
    its masked arrays, which take ten times as long.
    """

    def fit(self, parts: Iterable[NDArray[Any]]) -> Self:
        flagged, medians = zip(*map(_find_medians, parts), strict=True)
        self.flagged_ = np.flatnonzero(np.concatenate(flagged))
        self.medians_ = np.concatenate(medians)
        return self

    def transform(self, numbers: NDArray[Any]) -> NDArray[Any]:
        missing = np.isnan(numbers)
        if missing.any():
            numbers = np.where(missing, self.medians_, numbers)
        if not self.flagged_.size:
            return numbers
        return np.hstack([numbers, missing[:, self.flagged_].astype(numbers.dtype)])

    def names(self, names: list[str]) -> list[str]:
        return [*names, *(f"{names[position]} is missing" for position in self.flagged_)]


def _find_medians(numbers: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Tell which columns miss some numbers, and the median of each."""
    flagged = np.isnan(numbers).any(axis=0)
    with np.errstate(over="ignore"):
        medians = np.median(numbers, axis=0)
        if flagged.any():
            medians[flagged] = np.nanmedian(numbers[:, flagged], axis=0)
    # The sum of two large numbers in the middle isn't finite, but half of it is.
    lost = np.isinf(medians)
    if lost.any():
        medians[lost] = 2 * np.nanmedian(numbers[:, lost] / 2, axis=0)
    return flagged, medians


class NumberBlock(BaseEstimator):
    """Numeric and boolean columns and the parts of moments, with medians for what is missing."""

    def __init__(
        self, numeric: list[int], boolean: list[int], dates: dict[int, str | None]
    ) -> None:
        self.numeric = numeric
        self.boolean = boolean
        self.dates = dates

    def fit(self, frame: Table, unread: Unread) -> Self:
        """Learn medians and the parts of moments; put what can't be read into `unread`."""
        self.date_encoders_: list[Any] = []
        self.imputer_ = MedianImputer().fit(self._parts(frame, unread))
        return self

    def transform(self, frame: Table, unread: Unread) -> NDArray[Any]:
        """Give the block; put what can't be read into `unread`."""
        parts = list(self._parts(frame, unread))
        return self.imputer_.transform(parts[0] if len(parts) == 1 else np.hstack(parts))

    def names(self, names: list[str]) -> list[str]:
        own = [names[position] for position in (*self.numeric, *self.boolean)]
        for position, encoder in zip(self.dates, self.date_encoders_, strict=True):
            own += [f"{names[position]} {part}" for part in encoder.extracted_features_]
        return self.imputer_.names(own)

    def _parts(self, frame: Table, unread: Unread) -> Iterator[NDArray[Any]]:
        """Give the columns, of frames one after another; moments are learnt on the way."""
        if isinstance(frame, np.ndarray):
            whole = len(self.numeric) == frame.shape[1]
            yield frame if whole else frame[:, self.numeric]
            return
        for position in self.numeric:
            yield as_numbers(column_at(frame, position)).reshape(-1, 1)
        for position in self.boolean:
            column = column_at(frame, position)
            truth = as_truth_values(column)
            unread[position] = find_unread_rows(column, np.isnan(truth))
            yield truth.reshape(-1, 1)
        for number, (position, date_format) in enumerate(self.dates.items()):
            column = column_at(frame, position)
            moments = as_moments(column, date_format).rename("moment")
            unread[position] = find_unread_rows(column, moments.isna().to_numpy())
            if number == len(self.date_encoders_):
                self.date_encoders_.append(_fit_date(moments))
            yield self.date_encoders_[number].transform(moments).to_numpy(dtype=np.float64)


def _fit_date(moments: pd.Series) -> Any:
    import skrub

    encoder = skrub.DatetimeEncoder()
    encoder.fit(moments)
    return encoder


class CategoryBlock(BaseEstimator):
    """Categorical columns, one column of 0 and 1 for each category; a new category is all 0."""

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions

    def fit(self, frame: Frame, _: Unread) -> Self:
        distinct = [self._words(frame, position).unique() for position in self.positions]
        most = max(map(len, distinct))
        self.encoder_ = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        # Categories are the same however often they come.
        self.encoder_.fit(np.column_stack([np.resize(words, most) for words in distinct]))
        return self

    def transform(self, frame: pd.DataFrame, _: Unread) -> NDArray[Any]:
        columns = [self._words(frame, position).to_numpy() for position in self.positions]
        encoded: NDArray[Any] = self.encoder_.transform(np.column_stack(columns))
        return encoded

    def names(self, names: list[str]) -> list[str]:
        return [
            f"{names[position]} is missing" if word is None else f"{names[position]}={word}"
            for position, words in zip(self.positions, self.encoder_.categories_, strict=True)
            for word in words
        ]

    def _words(self, frame: Frame, position: int) -> pd.Series:
        return as_words(column_at(frame, position))


class TextBlock(BaseEstimator):
    """A column of text as the leading components of its letter sequences."""

    def __init__(self, position: int, n_components: int) -> None:
        self.position = position
        self.n_components = n_components

    def fit(self, frame: Frame, _: Unread) -> Self:
        import skrub

        words = self._words(frame)
        n_components = max(1, min(self.n_components, words.nunique() - 1))
        self.encoder_ = skrub.StringEncoder(n_components=n_components, random_state=0)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The matrix shape is")
            self.encoder_.fit(words)
        return self

    def transform(self, frame: pd.DataFrame, _: Unread) -> NDArray[Any]:
        components = self.encoder_.transform(self._words(frame))
        return np.asarray(components, dtype=np.float64)

    def names(self, names: list[str]) -> list[str]:
        n_components = self.encoder_.n_components_
        return [f"{names[self.position]} text {number}" for number in range(1, n_components + 1)]

    def _words(self, frame: Frame) -> pd.Series:
        return as_documents(column_at(frame, self.position)).rename("text")
