"""Instance hardness: (X, y) → one score for each row in [0, 1], higher is harder."""

from hardy.hardness.neighbors import k_disagreeing_neighbors, nearest_neighbors

__all__ = ["k_disagreeing_neighbors", "nearest_neighbors"]
