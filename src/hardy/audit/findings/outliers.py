"""Rows that are unlike all others."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances_chunked

from hardy.audit.findings.base import Evidence, Finding, count
from hardy.panel.base import Floats

_SAMPLE = 500
_NTH = 5
_FEWEST_ROWS = 50
# How many deviations from the middle a logarithm of a distance must be.
_FAR = 6.0
_MOST = 0.01


def find_strangers(evidence: Evidence) -> Iterator[Finding]:
    """Find rows that lie far from all others, in columns scaled by their quartiles.

    The distance of a row to the fifth nearest of a sample of 500 rows counts, with large
    values drawn in by the inverse hyperbolic sine. A row is a stranger where the logarithm of that
    distance is 6 deviations above the median, a deviation being estimated from the median one. At
    most 1 in 100 rows are told.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows; nothing is looked for in a sparse matrix.

    Yields
    ------
    Finding
        ``"unlike_all_others"``, the farthest row first.
    """
    labelled = evidence.labelled
    if evidence.features is None or len(labelled) < _FEWEST_ROWS:
        return
    numbers = evidence.views.plain
    if sparse.issparse(numbers):
        return
    points = _scale(np.asarray(numbers, dtype=np.float64))
    rng = np.random.default_rng(evidence.seed)
    chosen = np.sort(rng.permutation(len(points))[:_SAMPLE])
    is_chosen = np.zeros(len(points), dtype=bool)
    is_chosen[chosen] = True

    def nearest(block: Floats, start: int) -> Floats:
        # A chosen row is at no distance from itself, and comes first.
        near = np.partition(block, (_NTH - 1, _NTH), axis=1)
        own = is_chosen[start : start + len(block)].astype(np.intp)
        return near[np.arange(len(block)), _NTH - 1 + own]

    far = np.concatenate(
        list(pairwise_distances_chunked(points, points[chosen], reduce_func=nearest))
    )
    logarithm = np.log(np.maximum(far, np.finfo(np.float64).tiny))
    middle = np.median(logarithm[far > 0]) if (far > 0).any() else 0.0
    deviation = 1.4826 * np.median(np.abs(logarithm[far > 0] - middle)) if (far > 0).any() else 0.0
    if not deviation:
        return
    height = (logarithm - middle) / deviation
    order = np.argsort(-height, kind="stable")[: max(1, int(_MOST * len(far)))]
    order = order[height[order] > _FAR]
    if order.size:
        yield Finding(
            "unlike_all_others",
            f"{count(len(order), 'row')} far from all others: look whether the values are right, "
            "and whether the row belongs here.",
            labelled[order],
            tuple(f"{np.exp(logarithm[row] - middle):.3g} × the usual distance" for row in order),
            {"usual_distance": float(np.exp(middle))},
        )


def _scale(numbers: Floats) -> Floats:
    """Scale columns by their quartiles, or where these are equal by their deviation."""
    low, middle, high = np.quantile(numbers, [0.25, 0.5, 0.75], axis=0)
    size = np.where(high > low, (high - low) / 1.349, numbers.std(axis=0))
    scaled: Floats = np.arcsinh((numbers - middle) / np.where(size > 0, size, 1.0))
    return scaled
