"""Ensembles: one boosting loop, and the estimators that each name a learner and a rule for it."""

from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles.adaboost import AdaBoostClassifier
from hardy.ensembles.noise_reducing import NoiseReducingBoostClassifier

__all__ = ["AdaBoostClassifier", "BaseBoostClassifier", "NoiseReducingBoostClassifier"]
