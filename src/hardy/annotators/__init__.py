"""Labels by several annotators: consensus, quality of each, agreement, and rows to ask again."""

from hardy.annotators.consensus import Consensus, find_consensus
from hardy.annotators.forms import widen_labels

__all__ = ["Consensus", "find_consensus", "widen_labels"]
