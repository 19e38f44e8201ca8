"""Larger than one machine: the estimators of these names over Dask arrays and data frames."""

from hardy.distributed.parallel_perceptron import ParallelPerceptronClassifier

__all__ = ["ParallelPerceptronClassifier"]
