"""Weighting rules: what the next member of a boosted ensemble sees, and what its vote counts."""

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.balanced_variation import BalancedVariation
from hardy.weighting.base import MemberKind, Opinion, Request, Step, WeightingRule, check_member
from hardy.weighting.edited import Edited
from hardy.weighting.hardness import HardnessFactor
from hardy.weighting.hardness_bagging import HardnessBagging, linear_weights, softmax_weights
from hardy.weighting.iterative_selection import IterativeSelection
from hardy.weighting.logitboost import LogitBoost
from hardy.weighting.madaboost import MadaBoost
from hardy.weighting.noise_detecting import NoiseDetection
from hardy.weighting.noise_reduction import NoiseReduction
from hardy.weighting.one_vs_rest import OneVsRest
from hardy.weighting.random_subspace import RandomSubspace
from hardy.weighting.real_adaboost import RealAdaBoost
from hardy.weighting.robust_boost import RobustBoost
from hardy.weighting.selective import Selective
from hardy.weighting.smote_bags import SMOTEBags
from hardy.weighting.soft_margin import SoftMargin
from hardy.weighting.soft_vote import SoftVote
from hardy.weighting.training_set import TrainingSet, repetitions

__all__ = [
    "AdaBoost",
    "Bag",
    "BagRule",
    "BalancedVariation",
    "Edited",
    "HardnessBagging",
    "HardnessFactor",
    "IterativeSelection",
    "LogitBoost",
    "MadaBoost",
    "MemberKind",
    "NoiseDetection",
    "NoiseReduction",
    "OneVsRest",
    "Opinion",
    "RandomSubspace",
    "RealAdaBoost",
    "Request",
    "RobustBoost",
    "SMOTEBags",
    "Selective",
    "SoftMargin",
    "SoftVote",
    "Step",
    "TrainingSet",
    "WeightingRule",
    "check_member",
    "linear_weights",
    "repetitions",
    "softmax_weights",
]
