"""Weighting rules: what the next member of a boosted ensemble sees, and what its vote counts."""

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.bag import Bag, BagRule, RandomSubspace
from hardy.weighting.balanced_bags import BalancedVariation, IterativeSelection, SMOTEBags
from hardy.weighting.base import (
    MemberKind,
    Opinion,
    Request,
    Step,
    TrainingSet,
    WeightingRule,
    check_member,
)
from hardy.weighting.hardness_bagging import HardnessBagging, linear_weights, softmax_weights
from hardy.weighting.noise_reduction import NoiseReduction
from hardy.weighting.one_vs_rest import OneVsRest

__all__ = [
    "AdaBoost",
    "Bag",
    "BagRule",
    "BalancedVariation",
    "HardnessBagging",
    "IterativeSelection",
    "MemberKind",
    "NoiseReduction",
    "OneVsRest",
    "Opinion",
    "RandomSubspace",
    "Request",
    "SMOTEBags",
    "Step",
    "TrainingSet",
    "WeightingRule",
    "check_member",
    "linear_weights",
    "softmax_weights",
]
