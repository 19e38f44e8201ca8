"""Scores that neither scikit-learn nor Hardy's other dependencies have."""

from hardy.metrics.specificity import specificity_score

__all__ = ["specificity_score"]
