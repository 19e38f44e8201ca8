"""Scores that neither scikit-learn nor Hardy's other dependencies have."""

from hardy.metrics.calibration import expected_calibration_error
from hardy.metrics.specificity import specificity_score

__all__ = ["expected_calibration_error", "specificity_score"]
