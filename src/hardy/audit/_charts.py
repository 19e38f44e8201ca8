"""Where the marks of the report's pictures stand, in the units of their drawing areas."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy.audit.result import LabelAudit
from hardy.audit.summary import suspect_threshold

N_SERIES = 7
MOST_SUSPECTS_DRAWN = 1_000
MOST_OTHERS_DRAWN = 2_000
# The least and the greatest of a few far-off rows would press all others into a corner.
_SHOWN_QUANTILES = (0.005, 0.995)


class Point(NamedTuple):
    """One row in the picture; `series` is None where it has no label."""

    x: float
    y: float
    row: int
    series: int | None


class Series(NamedTuple):
    """A class (or the rest of the classes, at position N_SERIES) with its own mark."""

    position: int
    label: Any
    n_rows: int


class Picture(NamedTuple):
    """The rows in two dimensions; suspects from the least to the most doubtful."""

    width: int
    height: int
    others: list[Point]
    suspects: list[Point]
    series: list[Series]
    n_unlabelled: int
    is_sample: bool


class Bar(NamedTuple):
    """One bin of the histogram, and the suspects in it."""

    x: float
    width: float
    y: float
    height: float
    suspect_y: float
    suspect_height: float
    low: float
    high: float
    n_rows: int
    n_suspects: int


class Tick(NamedTuple):
    """A place on an axis and its text."""

    at: float
    text: str


class Histogram(NamedTuple):
    """How many rows have how much doubt, on a logarithmic scale."""

    width: int
    height: int
    bars: list[Bar]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    threshold: float | None


def draw_picture(audit: LabelAudit, width: int = 760, height: int = 460) -> Picture | None:
    """Place all suspects (the most doubtful 1,000) and a sample of the other rows."""
    margin = 14
    finite = np.asarray(np.isfinite(audit.coordinates).all(axis=1))
    if not finite.any():
        return None
    low, high = np.quantile(audit.coordinates[finite], _SHOWN_QUANTILES, axis=0)
    room = 0.08 * (high - low)
    low, high = low - room, high + room
    spread = np.where(high > low, high - low, 1)
    placed = np.clip(np.where(high > low, (audit.coordinates - low) / spread, 0.5), 0, 1)
    x = margin + placed[:, 0] * (width - 2 * margin)
    y = margin + (1 - placed[:, 1]) * (height - 2 * margin)
    series, series_of_class = _choose_series(audit)
    codes = audit.given_codes

    def points(rows: NDArray[np.intp]) -> list[Point]:
        return [
            Point(
                round(float(x[row]), 1),
                round(float(y[row]), 1),
                int(row),
                series_of_class[codes[row]] if codes[row] >= 0 else None,
            )
            for row in rows
        ]

    suspects = audit.suspects
    suspects = suspects[finite[suspects]][:MOST_SUSPECTS_DRAWN]
    others = np.flatnonzero(finite & ~audit.is_suspect)
    is_sample = len(others) > MOST_OTHERS_DRAWN or len(suspects) < audit.is_suspect.sum()
    if len(others) > MOST_OTHERS_DRAWN:
        others = np.random.default_rng(0).choice(others, MOST_OTHERS_DRAWN, replace=False)
    return Picture(
        width=width,
        height=height,
        others=points(others),
        suspects=points(suspects[::-1]),
        series=series,
        n_unlabelled=int((codes < 0).sum()),
        is_sample=bool(is_sample),
    )


def _choose_series(audit: LabelAudit) -> tuple[list[Series], dict[int, int]]:
    codes = audit.given_codes
    counts = np.bincount(codes[codes >= 0], minlength=len(audit.classes))
    n_shown = N_SERIES if len(counts) > N_SERIES else len(counts)
    shown = np.sort(np.argsort(-counts, kind="stable")[:n_shown])
    series = [Series(at, audit.classes[code], int(counts[code])) for at, code in enumerate(shown)]
    rest = np.setdiff1d(np.arange(len(counts)), shown)
    if rest.size:
        series.append(Series(N_SERIES, f"{rest.size} other classes", int(counts[rest].sum())))
    positions = {int(code): at for at, code in enumerate(shown)}
    return series, {code: positions.get(code, N_SERIES) for code in range(len(counts))}


def draw_histogram(
    audit: LabelAudit, width: int = 460, height: int = 240, n_bins: int = 20
) -> Histogram:
    """Count the assessable rows by doubt."""
    left, right, top, bottom = 44, 10, 22, 34
    edges = np.linspace(0, 1, n_bins + 1)
    counts = np.histogram(audit.doubt[audit.is_assessable], edges)[0]
    suspects = np.histogram(audit.doubt[audit.is_suspect & audit.is_assessable], edges)[0]
    n_decades = max(1, int(np.ceil(np.log10(max(counts.max(), 1)))))
    base = height - bottom

    def across(share: float) -> float:
        return round(left + share * (width - left - right), 1)

    # A count of 1 must be seen, so that the scale begins at a half.
    def up(count: float) -> float:
        share = np.log10(max(count, 0.5) / 0.5) / (n_decades - np.log10(0.5))
        return round(float(share) * (base - top), 1)

    bars = [
        Bar(
            x=across(edges[at]) + 1,
            width=round(across(edges[at + 1]) - across(edges[at]) - 2, 1),
            y=round(base - up(counts[at]), 1),
            height=up(counts[at]),
            suspect_y=round(base - up(suspects[at]), 1),
            suspect_height=up(suspects[at]),
            low=float(edges[at]),
            high=float(edges[at + 1]),
            n_rows=int(counts[at]),
            n_suspects=int(suspects[at]),
        )
        for at in range(n_bins)
    ]
    threshold = suspect_threshold(audit)
    return Histogram(
        width=width,
        height=height,
        bars=bars,
        x_ticks=[Tick(across(share), f"{share:g}") for share in (0, 0.25, 0.5, 0.75, 1)],
        y_ticks=[
            Tick(round(base - up(10**power), 1), f"{10**power:,}") for power in range(n_decades + 1)
        ],
        threshold=None if threshold is None else across(threshold),
    )
