"""The panel: learners of different kinds, asked for their out-of-sample opinion on every row."""

from hardy.panel.base import PanelData, PanelMember
from hardy.panel.boosted_trees import BoostedTreesOpinion
from hardy.panel.estimator import EstimatorOpinion
from hardy.panel.fit_report import FitReport
from hardy.panel.hardy_classifier import HardyClassifier
from hardy.panel.kernel_ridge import KernelRidgeOpinion
from hardy.panel.linear import LinearOpinion
from hardy.panel.mixture import brier_score, mixture_weights
from hardy.panel.neighbors import NeighborsOpinion
from hardy.panel.noise_votes import NoiseVotesOpinion
from hardy.panel.panel import Panel, default_members, members_for
from hardy.panel.support_vectors import SupportVectorsOpinion
from hardy.panel.text import (
    SimilarTextsOpinion,
    TextFolds,
    WordsOpinion,
    text_members,
)
from hardy.panel.trees import ForestOpinion, TreesOpinion

__all__ = [
    "BoostedTreesOpinion",
    "EstimatorOpinion",
    "FitReport",
    "ForestOpinion",
    "HardyClassifier",
    "KernelRidgeOpinion",
    "LinearOpinion",
    "NeighborsOpinion",
    "NoiseVotesOpinion",
    "Panel",
    "PanelData",
    "PanelMember",
    "SimilarTextsOpinion",
    "SupportVectorsOpinion",
    "TextFolds",
    "TreesOpinion",
    "WordsOpinion",
    "brier_score",
    "default_members",
    "members_for",
    "mixture_weights",
    "text_members",
]
