"""Learners: fitted by passes over the rows, or by one look at them."""

from hardy.learners.committee_machine import CommitteeMachineClassifier
from hardy.learners.decision_stump import DecisionStumpClassifier
from hardy.learners.decision_stump_regressor import DecisionStumpRegressor
from hardy.learners.linear_perceptron import LinearPerceptronClassifier
from hardy.learners.parallel_perceptron import ParallelPerceptronClassifier
from hardy.learners.parallel_perceptron_regressor import ParallelPerceptronRegressor
from hardy.learners.row_category import RowCategory

__all__ = [
    "CommitteeMachineClassifier",
    "DecisionStumpClassifier",
    "DecisionStumpRegressor",
    "LinearPerceptronClassifier",
    "ParallelPerceptronClassifier",
    "ParallelPerceptronRegressor",
    "RowCategory",
]
