"""Ensembles: one boosting loop, one bagging loop, and the estimators that name a rule for them."""

from hardy.ensembles._bagging import BaseBagClassifier
from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles.adaboost import AdaBoostClassifier
from hardy.ensembles.balanced_variation import BalancedVariationClassifier
from hardy.ensembles.edited import EditedBoostClassifier
from hardy.ensembles.hardness_bagging import HardnessBaggingClassifier
from hardy.ensembles.hardness_boost import HardnessBoostClassifier
from hardy.ensembles.ics_bagging import ICSBaggingClassifier
from hardy.ensembles.linear_perceptron_boost import LinearPerceptronBoostClassifier
from hardy.ensembles.logitboost import LogitBoostClassifier
from hardy.ensembles.madaboost import MadaBoostClassifier
from hardy.ensembles.noise_detecting import NoiseDetectingBoostClassifier
from hardy.ensembles.noise_reducing import NoiseReducingBoostClassifier
from hardy.ensembles.random_subspace import RandomSubspaceClassifier
from hardy.ensembles.real_adaboost import RealAdaBoostClassifier
from hardy.ensembles.robust_boost import RobustBoostClassifier
from hardy.ensembles.selective import SelectiveBoostClassifier
from hardy.ensembles.smote_bagging import SMOTEBaggingClassifier
from hardy.ensembles.soft_margin import SoftMarginBoostClassifier

__all__ = [
    "AdaBoostClassifier",
    "BalancedVariationClassifier",
    "BaseBagClassifier",
    "BaseBoostClassifier",
    "EditedBoostClassifier",
    "HardnessBaggingClassifier",
    "HardnessBoostClassifier",
    "ICSBaggingClassifier",
    "LinearPerceptronBoostClassifier",
    "LogitBoostClassifier",
    "MadaBoostClassifier",
    "NoiseDetectingBoostClassifier",
    "NoiseReducingBoostClassifier",
    "RandomSubspaceClassifier",
    "RealAdaBoostClassifier",
    "RobustBoostClassifier",
    "SMOTEBaggingClassifier",
    "SelectiveBoostClassifier",
    "SoftMarginBoostClassifier",
]
