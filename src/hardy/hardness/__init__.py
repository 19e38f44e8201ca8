"""Hardness: how likely each row is to be misclassified, whatever the learner."""

from hardy.hardness.measures import MEASURES, instance_hardness
from hardy.hardness.neighbors import k_disagreeing_neighbors, nearest_neighbors

__all__ = ["MEASURES", "instance_hardness", "k_disagreeing_neighbors", "nearest_neighbors"]
