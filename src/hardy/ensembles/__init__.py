"""Ensembles: one boosting loop, and the estimators that each name a learner and a rule for it."""

from hardy.ensembles.adaboost import AdaBoostClassifier
from hardy.ensembles.noise_reducing import NoiseReducingBoostClassifier

__all__ = ["AdaBoostClassifier", "NoiseReducingBoostClassifier"]
