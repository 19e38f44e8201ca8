"""Larger than one machine: the estimators of these names over Dask arrays and data frames."""

from hardy.distributed.adaboost import AdaBoostClassifier
from hardy.distributed.audit import DistributedLabelAudit, audit_labels
from hardy.distributed.decision_stump import DecisionStumpClassifier
from hardy.distributed.hardness_bagging import HardnessBaggingClassifier
from hardy.distributed.linear_perceptron import LinearPerceptronClassifier
from hardy.distributed.neighbors import k_disagreeing_neighbors
from hardy.distributed.noise_reducing import NoiseReducingBoostClassifier
from hardy.distributed.parallel_perceptron import ParallelPerceptronClassifier

__all__ = [
    "AdaBoostClassifier",
    "DecisionStumpClassifier",
    "DistributedLabelAudit",
    "HardnessBaggingClassifier",
    "LinearPerceptronClassifier",
    "NoiseReducingBoostClassifier",
    "ParallelPerceptronClassifier",
    "audit_labels",
    "k_disagreeing_neighbors",
]
