"""Comparing methods over many data sets: tests of ranks, and their diagram."""

from hardy.stats.diagram import CriticalDifferenceDisplay
from hardy.stats.friedman import FriedmanResult, friedman_test
from hardy.stats.nemenyi import critical_difference, nemenyi_test
from hardy.stats.wilcoxon import wilcoxon_holm

__all__ = [
    "CriticalDifferenceDisplay",
    "FriedmanResult",
    "critical_difference",
    "friedman_test",
    "nemenyi_test",
    "wilcoxon_holm",
]
