"""Faults in the data that make labels wrong, beside labels that the panel contradicts.

Each is looked for by a function in a file of its own, which is given the `Evidence` and yields a
`Finding` for each fault.
"""

from hardy._memory import give_back
from hardy.audit.findings.annotators import find_disagreement
from hardy.audit.findings.base import Check, Evidence, Finding
from hardy.audit.findings.drift import find_drift
from hardy.audit.findings.duplicates import find_contradictions
from hardy.audit.findings.giveaway import find_giveaways
from hardy.audit.findings.groups import find_uneven_groups
from hardy.audit.findings.outliers import find_strangers
from hardy.audit.findings.spelling import find_misspellings
from hardy.audit.findings.split import find_shared_rows

__all__ = ["CHECKS", "Evidence", "Finding", "find_faults"]

CHECKS: tuple[Check, ...] = (
    find_misspellings,
    find_contradictions,
    find_shared_rows,
    find_giveaways,
    find_uneven_groups,
    find_disagreement,
    find_drift,
    find_strangers,
)


def find_faults(evidence: Evidence) -> tuple[Finding, ...]:
    """Look for every fault.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Returns
    -------
    tuple of Finding
        In the order of `CHECKS`.
    """
    found: list[Finding] = []
    for check in CHECKS:
        found += check(evidence)
        give_back()
    return tuple(found)
