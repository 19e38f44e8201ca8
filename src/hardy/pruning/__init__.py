"""Pruning: training without the rows that say nothing new or say it wrongly."""

from hardy.pruning.boosting_filter import BoostingFilter
from hardy.pruning.margin_pruner import MarginPruner
from hardy.pruning.pruned_parallel_perceptron import PrunedParallelPerceptronClassifier

__all__ = ["BoostingFilter", "MarginPruner", "PrunedParallelPerceptronClassifier"]
