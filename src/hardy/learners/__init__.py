"""Learners: fitted by passes over the rows, they also say how sure they are of each row."""

from hardy.learners.linear_perceptron import LinearPerceptronClassifier
from hardy.learners.parallel_perceptron import ParallelPerceptronClassifier
from hardy.learners.row_category import RowCategory

__all__ = ["LinearPerceptronClassifier", "ParallelPerceptronClassifier", "RowCategory"]
