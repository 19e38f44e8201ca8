"""Rows that stand in more than one part of a split."""

from collections.abc import Iterator

from hardy._quoting import counted, cut
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


def find_shared_rows(evidence: Evidence) -> Iterator[Finding]:
    """Find equal and almost equal rows in different parts of a split, such as train and test.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows; without a split there is nothing to find.

    Yields
    ------
    Finding
        ``"duplicates_across_split"``.
    """
    if evidence.split is None:
        return
    names, part = evidence.split
    sets = join(
        len(part),
        chain(equal_rows(evidence)),
        chain(same_words(evidence)),
        near_pairs(evidence),
    )
    rows = mixed_sets(sets, part)
    if rows.size:
        notes, n_sets = number_sets(sets, rows)
        yield Finding(
            "duplicates_across_split",
            f"{counted(len(rows), 'row')} in {counted(n_sets, 'set')} are equal, or almost, "
            "and stand in different parts of the split: a model would be tested on rows that it "
            "has seen.",
            rows,
            tuple(
                f"{note}, `{cut(names[part[row]])}`" for note, row in zip(notes, rows, strict=True)
            ),
            {"sets": n_sets},
        )
