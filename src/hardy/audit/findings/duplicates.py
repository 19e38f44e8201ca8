"""Rows that are equal, or nearly so, and have different labels."""

from collections.abc import Iterator

import numpy as np

from hardy._quoting import counted
from hardy.audit.findings._copies import (
    chain,
    equal_rows,
    join,
    mixed_sets,
    near_pairs,
    number_sets,
    same_words,
)
from hardy.audit.findings.base import Evidence, Finding


def find_contradictions(evidence: Evidence) -> Iterator[Finding]:
    """Find sets of equal rows, and of nearly equal ones, whose labels differ.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Yields
    ------
    Finding
        ``"contradicting_duplicates"`` and ``"contradicting_near_duplicates"``.
    """
    equal = equal_rows(evidence)
    rows = mixed_sets(equal, evidence.codes)
    if rows.size:
        notes, n_sets = number_sets(equal, rows)
        yield Finding(
            "contradicting_duplicates",
            f"{counted(len(rows), 'row')} in {counted(n_sets, 'set')} are equal in "
            "every column, but their labels differ.",
            rows,
            notes,
            {"sets": n_sets},
        )
    near = join(len(evidence.codes), chain(same_words(evidence)), near_pairs(evidence))
    # Sets of equal rows were told already.
    others = np.setdiff1d(mixed_sets(near, evidence.codes), rows)
    is_other = np.zeros(len(near), dtype=bool)
    is_other[others] = True
    near[~is_other] = -1
    rows = mixed_sets(near, evidence.codes)
    if rows.size:
        notes, n_sets = number_sets(near, rows)
        yield Finding(
            "contradicting_near_duplicates",
            f"{counted(len(rows), 'row')} in {counted(n_sets, 'set')} are almost equal, but their "
            "labels differ.",
            rows,
            notes,
            {"sets": n_sets},
        )
