"""Studies: methods compared while training labels are wrong, on many data sets."""

from hardy.studies.noise_comparison import compare_under_noise
from hardy.studies.scores import score_predictions
from hardy.studies.summaries import RobustnessDisplay, mean_scores, rank_methods

__all__ = [
    "RobustnessDisplay",
    "compare_under_noise",
    "mean_scores",
    "rank_methods",
    "score_predictions",
]
