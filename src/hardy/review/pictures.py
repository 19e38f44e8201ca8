"""A row's value of one column against those of its class and of the suggested class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._quoting import shown
from hardy.tabular import ColumnDescription
from hardy.tabular._frames import as_moments, parse_numbers

WIDTH, HEIGHT = 120, 34
_N_BINS = 24
# The ends of a scale hold all but so many of the values, so that outliers don't squeeze the rest.
_TAIL = 0.01
_PRIOR = 0.5
# Twice as usual for one label, as for the words of texts.
_EVIDENT = 0.7


@dataclass(frozen=True)
class Picture:
    """One column of one row.

    Attributes
    ----------
    name, value : str
        The column and the row's value in it.
    speaks_for : float
        The logarithm of how much more often the value, or one near to it, is seen in the suggested
        class than in the given one; 0 where it is missing.
    given, suggested : str
        For numbers the outlines of both distributions, as points of an SVG polygon.
    mark : float or None
        For numbers where the value stands on the scale, from 0 to `WIDTH`.
    shares : tuple of float or None
        For words how often each class has the value.
    has_given : bool, default=True
        Whether the row has a label to compare the suggested one with.
    """

    name: str
    value: str
    speaks_for: float
    given: str = ""
    suggested: str = ""
    mark: float | None = None
    shares: tuple[float, float] | None = None
    has_given: bool = True

    @property
    def told(self) -> str:
        """What the outlines and the mark show, in words."""
        if self.mark is None:
            return "no value"
        if not self.has_given:
            return "where it stands among the rows with the suggested label"
        if abs(self.speaks_for) <= _EVIDENT:
            return "about as usual for both labels"
        return f"more usual for the {'suggested' if self.speaks_for > 0 else 'given'} label"


class Column:
    """A column prepared for pictures: its values by class.

    Parameters
    ----------
    description : ColumnDescription
        What the column holds.
    values : Series of shape (n_rows,)
        Its values.
    codes : ndarray of shape (n_rows,)
        Class indices, −1 for rows that don't count.
    n_classes : int
        The number of classes.
    """

    def __init__(
        self,
        description: ColumnDescription,
        values: "pd.Series[Any]",
        codes: NDArray[np.intp],
        n_classes: int,
    ) -> None:
        self.name = description.name
        self._values = values
        self._codes = codes
        numbers = _as_numbers(description, values)
        self.is_numeric = numbers is not None
        if numbers is None:
            places, _ = pd.factorize(values)
        else:
            low, high = np.nanquantile(numbers, [_TAIL, 1 - _TAIL])
            if not high > low:
                low, high = np.nanmin(numbers), np.nanmax(numbers)
            scale = np.clip((numbers - low) / max(high - low, np.finfo(float).tiny), 0, 1)
            self._scale = scale
            places = np.where(np.isnan(scale), -1, np.floor(scale * _N_BINS)).astype(np.intp)
            places = np.minimum(places, _N_BINS - 1)
        self._places = places
        n_places = int(places.max(initial=0)) + 1
        counted = (codes >= 0) & (places >= 0)
        cells = codes[counted] * n_places + places[counted]
        self._counts = np.bincount(cells, minlength=n_classes * n_places).reshape(n_classes, -1)

    def draw(self, at: int, given: int, suggested: int) -> Picture:
        """Draw the value of a row.

        Parameters
        ----------
        at : int
            The row's position among the values.
        given, suggested : int
            The classes to compare it with; −1 where there is none.

        Returns
        -------
        Picture
            See there. The row itself isn't counted.
        """
        value, place = shown(self._values.iloc[at]), int(self._places[at])
        counts = self._counts[[given, suggested]].astype(np.float64)
        if given < 0:
            counts[0] = 0
        own = int(self._codes[at])
        if place >= 0 and own >= 0:
            for row, code in enumerate((given, suggested)):
                counts[row, place] -= code == own
        smooth = _blur(counts) if self.is_numeric else counts
        totals = smooth.sum(axis=1, keepdims=True)
        share = smooth / np.maximum(totals, 1)
        speaks_for = 0.0
        if place >= 0:
            n_places = counts.shape[1]
            odds = (smooth[:, place] + _PRIOR) / (totals[:, 0] + _PRIOR * n_places)
            speaks_for = float(np.log(odds[1] / odds[0])) if given >= 0 else 0.0
        if not self.is_numeric:
            shares = (float(share[0, place]), float(share[1, place])) if place >= 0 else None
            return Picture(self.name, value, speaks_for, shares=shares)
        top = max(float(share.max()), np.finfo(float).tiny)
        return Picture(
            self.name,
            value,
            speaks_for,
            given=_outline(share[0] / top),
            suggested=_outline(share[1] / top),
            mark=round(float(self._scale[at]) * WIDTH, 1) if place >= 0 else None,
            has_given=given >= 0,
        )


def _as_numbers(
    description: ColumnDescription, values: "pd.Series[Any]"
) -> NDArray[np.float64] | None:
    if description.kind == "numeric":
        numbers = np.asarray(parse_numbers(values), dtype=np.float64)
    elif description.kind == "date":
        moments = as_moments(values, description.date_format)
        numbers = pd.to_numeric(moments).to_numpy(dtype=np.float64, copy=True)
        numbers[moments.isna()] = np.nan
    else:
        return None
    return numbers if np.isfinite(numbers).any() else None


def _blur(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread each bin over its neighbours, so that few rows give no saw."""
    padded = np.pad(counts, ((0, 0), (1, 1)))
    return 0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:]


def _outline(share: NDArray[np.float64]) -> str:
    x = (np.arange(len(share)) + 0.5) * WIDTH / len(share)
    y = HEIGHT - 2 - share * (HEIGHT - 4)
    points = [(0, HEIGHT - 2), *zip(x, y, strict=True), (WIDTH, HEIGHT - 2)]
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
