"""What a model file has made, looked at before compiled code follows it blindly.

Such code takes the shapes of fitted arrays and the indices in them for granted: where a file was
tampered with, it would read or write beyond their ends.
"""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster._kmeans import _BaseKMeans
from sklearn.ensemble import IsolationForest
from sklearn.ensemble._forest import BaseForest
from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.neighbors._base import NeighborsBase
from sklearn.preprocessing import MultiLabelBinarizer, OneHotEncoder
from sklearn.svm._base import BaseLibSVM
from sklearn.tree import BaseDecisionTree

_STATE_OF_MERSENNE_TWISTER = 624


def is_sound(model: Any) -> bool:
    """Tell whether nothing in a model leads compiled code beyond an array.

    Parameters
    ----------
    model : object
        What was made of a file.

    Returns
    -------
    bool
        False where something does. Where parts are missing or are something else, asking for them
        raises whatever Python does.
    """
    return all(_is_sound(part) for part in _walk(model))


def _walk(model: Any) -> Iterator[Any]:
    """Walk through a model and its parts, whatever holds them; each comes once."""
    waiting, seen = [model], {id(model)}
    while waiting:
        part = waiting.pop()
        yield part
        held: list[Any] = []
        if isinstance(part, np.ndarray):
            held = part.ravel().tolist() if part.dtype == object else []
        elif isinstance(part, dict):
            held = [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            held = [*part]
        elif not isinstance(part, type):
            held = [*getattr(part, "__dict__", {}).values()]
        for one in held:
            if id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)


@singledispatch
def _is_sound(part: Any) -> bool:
    return True


@_is_sound.register
def _is_sound_tree(estimator: BaseDecisionTree) -> bool:
    """Whether every path through the nodes ends in a value and asks for columns that exist."""
    tree = getattr(estimator, "tree_", None)
    return tree is None or bool(
        tree.n_features == estimator.n_features_in_
        and tree.n_outputs == estimator.n_outputs_ > 0
        # scikit-learn sees to it that the values are of this shape.
        and tree.max_n_classes > 0
        and _are_sound_nodes(
            tree.children_left,
            tree.children_right,
            tree.feature,
            tree.children_left != -1,
            tree.n_features,
        )
    )


# These look at the rows once, not again for each of their trees.
@_is_sound.register(BaseForest)
@_is_sound.register(BaseGradientBoosting)
def _are_sound_trees(ensemble: Any) -> bool:
    trees = np.asarray(getattr(ensemble, "estimators_", []), dtype=object)
    n_outputs = getattr(ensemble, "n_trees_per_iteration_", None)
    return all(tree.n_features_in_ == ensemble.n_features_in_ for tree in trees.flat) and (
        n_outputs is None or trees.shape[1:] == (n_outputs,)
    )


@_is_sound.register
def _is_sound_isolation(forest: IsolationForest) -> bool:
    if not hasattr(forest, "estimators_"):
        return True
    columns = forest.estimators_features_
    return len(columns) == len(forest.estimators_) and all(
        tree.n_features_in_ == np.size(seen) == forest._max_features
        for tree, seen in zip(forest.estimators_, columns, strict=True)
    )


@_is_sound.register
def _are_sound_boosted(model: BaseHistGradientBoosting) -> bool:
    return all(
        nodes.dtype == PREDICTOR_RECORD_DTYPE
        and _are_sound_nodes(
            nodes["left"].astype(np.int64),
            nodes["right"].astype(np.int64),
            nodes["feature_idx"],
            nodes["is_leaf"] == 0,
            model.n_features_in_,
        )
        # A node of categories would name a set of them.
        and not nodes["is_categorical"].any()
        for boosted in getattr(model, "_predictors", ())
        for nodes in (np.asarray(tree.nodes) for tree in boosted)
    )


def _are_sound_nodes(left: Any, right: Any, features: Any, inner: Any, n_features: int) -> bool:
    node = np.arange(len(left))[inner]
    below = np.stack([left, right])[:, inner]
    return bool(
        len(left)
        # scikit-learn numbers a node's children after the node, so no path can run in circles.
        and (below > node).all()
        and (below < len(left)).all()
        and (features[inner] >= 0).all()
        and (features[inner] < n_features).all()
    )


@_is_sound.register
def _is_sound_machine(machine: BaseLibSVM) -> bool:
    """Whether a support-vector machine has as many of everything as its classes and vectors say."""
    if not hasattr(machine, "support_vectors_"):
        return True
    counts, vectors = machine._n_support, machine.support_vectors_
    n_vectors, n_others = len(machine.support_), len(counts) - 1
    n_pairs = len(counts) * n_others // 2
    coefficients = machine._dual_coef_
    has_classes = machine._impl in ("c_svc", "nu_svc")
    is_precomputed = machine.kernel == "precomputed"
    return bool(
        n_others > 0
        and (counts >= 0).all()
        and (counts if has_classes else counts[:1]).sum() == n_vectors
        and coefficients.shape == (n_others, n_vectors)
        and (not sparse.issparse(coefficients) or coefficients.nnz == n_others * n_vectors)
        and np.shape(machine._intercept_) == (n_pairs,)
        and len(machine._probA) == len(machine._probB)
        and len(machine._probA) in ((n_pairs,) if _gives_odds(machine) else (0, n_pairs))
        and (is_precomputed or vectors.shape == (n_vectors, machine.n_features_in_))
        and (machine.support_ >= 0).all()
        and (machine.support_ < machine.shape_fit_[0]).all()
    )


def _gives_odds(machine: BaseLibSVM) -> bool:
    # scikit-learn 1.9 has deprecated the parameter.
    return bool(getattr(machine, "_effective_probability", machine.probability))


@_is_sound.register
def _has_sound_centers(model: _BaseKMeans) -> bool:
    centers = getattr(model, "cluster_centers_", None)
    return centers is None or centers.shape[1:] == (model.n_features_in_,)


@_is_sound.register
def _has_sound_rows(model: NeighborsBase) -> bool:
    rows = getattr(model, "_fit_X", None)
    own = getattr(model, "_y", None)
    return rows is None or (
        rows.shape == (model.n_samples_fit_, model.n_features_in_)
        and (own is None or len(own) == len(rows))
    )


@_is_sound.register(CountVectorizer)
@_is_sound.register(DictVectorizer)
def _has_sound_vocabulary(vectorizer: Any) -> bool:
    return _counts_up(getattr(vectorizer, "vocabulary_", {}))


@_is_sound.register
def _has_sound_classes(binarizer: MultiLabelBinarizer) -> bool:
    return _counts_up(getattr(binarizer, "_cached_dict", None) or {})


def _counts_up(columns: dict[Any, Any]) -> bool:
    """Whether each column of a sparse matrix to be made has one name."""
    return sorted(columns.values()) == list(range(len(columns)))


@_is_sound.register
def _has_sound_categories(encoder: OneHotEncoder) -> bool:
    """Whether every category has a column of its own among those that are made."""
    if not hasattr(encoder, "categories_"):
        return True
    n_codes = [len(categories) for categories in encoder.categories_]
    if encoder._infrequent_enabled:
        for at, mapping in enumerate(encoder._default_to_infrequent_mappings):
            if mapping is not None:
                if len(mapping) != n_codes[at] or min(mapping) < 0:
                    return False
                n_codes[at] = max(mapping) + 1
    dropped = encoder._drop_idx_after_grouping
    if dropped is not None:
        if len(dropped) != len(n_codes):
            return False
        for at, code in enumerate(dropped):
            if code is not None:
                if not 0 <= code < n_codes[at]:
                    return False
                n_codes[at] -= 1
    return list(encoder._n_features_outs) == n_codes


@_is_sound.register(sparse.spmatrix)
@_is_sound.register(sparse.sparray)
def _is_sound_matrix(matrix: Any) -> bool:
    if matrix.format != "csr":
        return False
    try:
        matrix.check_format(full_check=True)
    except ValueError:
        return False
    return True


@_is_sound.register
def _is_sound_stream(stream: np.random.RandomState) -> bool:
    state: Any = stream.get_state(legacy=False)
    return bool(0 <= state["state"]["pos"] <= _STATE_OF_MERSENNE_TWISTER)


@_is_sound.register
def _is_sound_generator(generator: np.random.Generator) -> bool:
    # The others hold a place in a table.
    return isinstance(generator.bit_generator, np.random.PCG64 | np.random.PCG64DXSM)
