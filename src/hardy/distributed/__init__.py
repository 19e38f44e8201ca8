"""Larger than one machine: the estimators of these names over Dask arrays and data frames."""

from hardy.distributed.adaboost import AdaBoostClassifier
from hardy.distributed.decision_stump import DecisionStumpClassifier
from hardy.distributed.noise_reducing import NoiseReducingBoostClassifier
from hardy.distributed.parallel_perceptron import ParallelPerceptronClassifier

__all__ = [
    "AdaBoostClassifier",
    "DecisionStumpClassifier",
    "NoiseReducingBoostClassifier",
    "ParallelPerceptronClassifier",
]
