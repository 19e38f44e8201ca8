"""Weighting rules: what the next member of a boosted ensemble sees, and what its vote counts."""

from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import (
    MemberKind,
    Opinion,
    Request,
    Step,
    TrainingSet,
    WeightingRule,
    check_member,
)
from hardy.weighting.noise_reduction import NoiseReduction
from hardy.weighting.one_vs_rest import OneVsRest

__all__ = [
    "AdaBoost",
    "MemberKind",
    "NoiseReduction",
    "OneVsRest",
    "Opinion",
    "Request",
    "Step",
    "TrainingSet",
    "WeightingRule",
    "check_member",
]
