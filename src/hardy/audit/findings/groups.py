"""Groups of rows, such as annotators or sites, with more or fewer wrong labels than the rest."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import binomtest, norm

from hardy._quoting import cut
from hardy.audit.findings.base import Evidence, Finding
from hardy.panel.base import Floats

_SURE = 0.01
_FEWEST_ROWS = 10
_LEAST_RATIO = 1.25


def find_uneven_groups(evidence: Evidence) -> Iterator[Finding]:
    """Find groups whose share of suspects differs from that of all other rows.

    The test is Cochran's and Mantel and Haenszel's over the labels, so that a group isn't told for
    having many rows of a label that is often in doubt; p, times the number of groups, must be
    below .01, Wilson's interval of 95 % must leave the share of the others out, and one share must
    be 1.25 times the other at least. A group that was told is left out of what the others are
    compared with, so that a bad one doesn't make the rest look good.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows; without groups there is nothing to find.

    Yields
    ------
    Finding
        ``"group_error_rate"``, with the group's suspects; the surest group first.
    """
    rows = np.flatnonzero(evidence.is_assessable)
    if evidence.groups is None or not rows.size:
        return
    names, group = evidence.groups.classes, evidence.groups.codes[rows]
    code, suspect = evidence.codes[rows], evidence.is_suspect[rows]
    cell = group * len(evidence.classes) + code
    shape = (len(names), len(evidence.classes))
    # Floats, because products of counts outgrow integers.
    n_rows, n_found = (
        np.bincount(cells, minlength=np.prod(shape)).reshape(shape).astype(np.float64)
        for cells in (cell, cell[suspect])
    )
    left = np.flatnonzero(n_rows.sum(axis=1) >= _FEWEST_ROWS)
    while len(left) > 1:
        p = _test(n_rows[left], n_found[left]) * len(names)
        size, wrong = n_rows[left].sum(axis=1), n_found[left].sum(axis=1)
        # Of two groups, which are equally sure, the worse one.
        place = np.lexsort([-wrong / size, p])[0]
        if p[place] >= _SURE:
            return
        share = wrong[place] / size[place]
        rest = (wrong.sum() - wrong[place]) / (size.sum() - size[place])
        n = int(size[place])
        low, high = binomtest(int(wrong[place]), n).proportion_ci(method="wilson")
        at, left = left[place], np.delete(left, place)
        if low <= rest <= high or max(share, rest) < _LEAST_RATIO * min(share, rest):
            continue
        yield Finding(
            "group_error_rate",
            f"In the group `{cut(names[at])}` {100 * share:.1f} % of {n:,} labels look wrong "
            f"(95 % interval {100 * low:.1f} to {100 * high:.1f} %), in all others "
            f"{100 * rest:.1f} %.",
            rows[(group == at) & suspect],
            (),
            {
                "group": names.tolist()[at],
                "rows": n,
                "error_rate": round(float(share), 4),
                "interval": [round(float(low), 4), round(float(high), 4)],
                "error_rate_of_others": round(float(rest), 4),
                "p": float(p[place]),
            },
        )


def _test(n_rows: Floats, n_found: Floats) -> Floats:
    """Test each group's count of suspects against the others', label by label."""
    n, found = n_rows.sum(axis=0), n_found.sum(axis=0)
    expected = (n_rows * found / np.maximum(n, 1)).sum(axis=1)
    variance = (n_rows * (n - n_rows) * found * (n - found) / np.maximum(n**2 * (n - 1), 1)).sum(
        axis=1
    )
    departure = np.maximum(np.abs(n_found.sum(axis=1) - expected) - 0.5, 0)
    p: Floats = 2 * norm.sf(departure / np.sqrt(np.where(variance > 0, variance, np.inf)))
    return p
