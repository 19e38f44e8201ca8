"""scikit-learn's decision trees as nodes of a graph."""

from typing import Any

import numpy as np
from onnx import TensorProto

from hardy.onnx._graph import Graph, Rows


def leaves(tree: Any, graph: Graph, rows: Rows) -> str:
    """Give the number of the node of a ``tree_`` in which each row ends."""
    is_leaf = tree.children_left < 0
    nodes = np.arange(tree.node_count)
    numbers = graph.add(
        "TreeEnsembleRegressor",
        graph.cast(rows.values, TensorProto.FLOAT),
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=np.zeros_like(nodes).tolist(),
        nodes_nodeids=nodes.tolist(),
        nodes_featureids=np.maximum(tree.feature, 0).tolist(),
        nodes_modes=np.where(is_leaf, "LEAF", "BRANCH_LEQ").tolist(),
        nodes_values=_single(tree.threshold).tolist(),
        nodes_truenodeids=np.maximum(tree.children_left, 0).tolist(),
        nodes_falsenodeids=np.maximum(tree.children_right, 0).tolist(),
        nodes_missing_value_tracks_true=tree.missing_go_to_left.astype(int).tolist(),
        target_treeids=np.zeros(is_leaf.sum(), dtype=int).tolist(),
        target_nodeids=nodes[is_leaf].tolist(),
        target_ids=np.zeros(is_leaf.sum(), dtype=int).tolist(),
        # Whole numbers in single precision, exact up to 16 million.
        target_weights=nodes[is_leaf].astype(float).tolist(),
    )
    return graph.add("Squeeze", graph.cast(numbers, TensorProto.INT64), np.array([1]))


def _single(thresholds: Any) -> Any:
    """Round down, so that single-precision values lie on the same side as before."""
    nearest = thresholds.astype(np.float32)
    below = np.nextafter(nearest, np.float32(-np.inf))
    return np.where(nearest > thresholds, below, nearest)
