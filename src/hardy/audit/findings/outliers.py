"""Rows that are unlike all others."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances_chunked

from hardy._quoting import counted
from hardy.audit.findings.base import Evidence, Finding
from hardy.panel.base import Floats
from hardy.panel.views import FEW_ROWS

_SAMPLE, _SAMPLE_OF_MANY = 500, 100
_NTH = 5
_FEWEST_ROWS = 50
_MEGABYTES = 4
# How many deviations from the middle a logarithm of a distance must be.
_FAR = 6.0
# Of counts most distances are equal, but for this.
_ROUNDING = 1e-9
_MOST = 0.01


def find_strangers(evidence: Evidence) -> Iterator[Finding]:
    """Find rows that lie far from all others, in columns scaled by their quartiles.

    The distance of a row to the fifth nearest of a sample of 500 rows, of 100 where there are more
    than 10,000, counts, with large values drawn in by the inverse hyperbolic sine. A row is a
    stranger where the logarithm of that distance is 6 deviations above the median, a deviation
    being estimated from the median one. At most 1 in 100 rows are told.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows; nothing is looked for in a sparse matrix.

    Yields
    ------
    Finding
        ``"unlike_all_others"``, the farthest row first.
    """
    labelled, views = evidence.labelled, evidence.views
    if evidence.features is None or len(labelled) < _FEWEST_ROWS:
        return
    if sparse.issparse(views.sample.plain):
        return
    height = _distance_from_some(evidence)
    apart = height > 0
    np.log(np.maximum(height, np.finfo(np.float64).tiny, out=height), out=height)
    usual = height[apart]
    if not usual.size:
        return
    middle = np.median(usual, overwrite_input=True)
    deviation = 1.4826 * np.median(np.abs(usual - middle, out=usual), overwrite_input=True)
    if deviation < _ROUNDING:
        return
    height -= middle
    far = np.flatnonzero(height / deviation > _FAR)
    order = far[np.argsort(-height[far], kind="stable")][: max(1, int(_MOST * len(height)))]
    if order.size:
        yield Finding(
            "unlike_all_others",
            f"{counted(len(order), 'row')} far from all others: look whether the values are right, "
            "and whether the row belongs here.",
            labelled[order],
            tuple(f"{np.exp(height[row]):.3g} × the usual distance" for row in order),
            {"usual_distance": float(np.exp(middle))},
        )


def _distance_from_some(evidence: Evidence) -> Floats:
    """Give each row's distance to the fifth nearest of a sample of the others."""
    n_rows = len(evidence.labelled)
    rng = np.random.default_rng(evidence.seed)
    size = _SAMPLE if n_rows <= FEW_ROWS else _SAMPLE_OF_MANY
    chosen = np.sort(rng.permutation(n_rows)[:size])
    sample = evidence.points_of(chosen)
    is_chosen = np.zeros(n_rows, dtype=np.int8)
    is_chosen[chosen] = 1
    far = np.empty(n_rows)
    for some in evidence.views.blocks(np.arange(n_rows)):

        def nearest(block: Floats, start: int, own: Any = is_chosen[some]) -> Floats:
            # A chosen row is at no distance from itself, and comes first.
            near = np.partition(block, (_NTH - 1, _NTH), axis=1)
            places = _NTH - 1 + own[start : start + len(block)]
            fifth: Floats = near[np.arange(len(block)), places]
            return fifth

        points = evidence.points_of(some)
        far[some] = np.concatenate(
            list(
                pairwise_distances_chunked(
                    points, sample, reduce_func=nearest, working_memory=_MEGABYTES
                )
            )
        )
    return far
