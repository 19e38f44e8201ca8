"""Hardness: how likely each row is to be misclassified, whatever the learner."""

from hardy.hardness.classes import class_balance, minority_value
from hardy.hardness.likelihood import class_likelihood, class_likelihood_difference
from hardy.hardness.local_sets import (
    harmfulness,
    local_set_cardinality,
    local_set_radius,
    nearest_enemy_ratio,
    usefulness,
)
from hardy.hardness.measures import MEASURES, instance_hardness
from hardy.hardness.neighbors import k_disagreeing_neighbors, nearest_neighbors
from hardy.hardness.overlap import feature_overlap
from hardy.hardness.spanning_tree import mst_disagreement
from hardy.hardness.trees import disjunct_class_percentage, disjunct_size, tree_depth

__all__ = [
    "MEASURES",
    "class_balance",
    "class_likelihood",
    "class_likelihood_difference",
    "disjunct_class_percentage",
    "disjunct_size",
    "feature_overlap",
    "harmfulness",
    "instance_hardness",
    "k_disagreeing_neighbors",
    "local_set_cardinality",
    "local_set_radius",
    "minority_value",
    "mst_disagreement",
    "nearest_enemy_ratio",
    "nearest_neighbors",
    "tree_depth",
    "usefulness",
]
