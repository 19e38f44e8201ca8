"""Studies: methods compared while training labels are wrong, and papers recomputed."""

from hardy.studies.noise_comparison import compare_under_noise
from hardy.studies.reproducing import Reproduced, reproduce, study_names
from hardy.studies.scores import score_predictions
from hardy.studies.summaries import RobustnessDisplay, draw_ranks, mean_scores, rank_methods

__all__ = [
    "Reproduced",
    "RobustnessDisplay",
    "compare_under_noise",
    "draw_ranks",
    "mean_scores",
    "rank_methods",
    "reproduce",
    "score_predictions",
    "study_names",
]
