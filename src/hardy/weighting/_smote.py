"""Rows that imbalanced-learn's SMOTE makes between neighbours of one class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy._extras import import_extra
from hardy.learners._rows import stack_rows


def import_smote() -> Any:
    """Give imbalanced-learn's SMOTE."""
    module = import_extra("imblearn.over_sampling", extra="imbalance", purpose="SMOTE")
    return module.SMOTE


def make_rows(
    smote: Any,
    X: Any,
    rows: NDArray[np.intp],
    n_made: int,
    n_neighbors: int,
    random_state: np.random.RandomState,
) -> Any:
    """Make rows between neighbouring `rows` of `X` by SMOTE; copies where there is but one."""
    own = X[rows]
    if n_made <= 0:
        return own[:0]
    if len(rows) == 1:
        return own[np.zeros(n_made, dtype=np.intp)]
    own, exponent = _within_reach(own)
    # imbalanced-learn fills up the smaller of two classes: stand-ins make the other one.
    others = own[np.zeros(len(rows) + n_made, dtype=np.intp)]
    both = stack_rows([own, others])
    both = sparse.csr_matrix(both) if sparse.issparse(both) else both
    classes = np.repeat([1, 0], [len(rows), len(rows) + n_made])
    sampler = smote(
        sampling_strategy={1: len(rows) + n_made},
        k_neighbors=min(n_neighbors, len(rows) - 1),
        random_state=random_state,
    )
    filled, _ = sampler.fit_resample(both, classes)
    return _scaled(filled[both.shape[0] :], exponent)


def _within_reach(rows: Any) -> tuple[Any, int]:
    """Scale rows of large numbers by a power of two, so that no squared distance overflows.

    Also returns the exponent that leads back.
    """
    if rows.dtype.kind != "f":
        return rows, 0
    largest = max(abs(rows.max()), abs(rows.min()))
    exponent = max(0, int(np.frexp(largest)[1]) - np.finfo(rows.dtype).maxexp // 4)
    return _scaled(rows, -exponent), exponent


def _scaled(rows: Any, exponent: int) -> Any:
    if exponent == 0:
        return rows
    if sparse.issparse(rows):
        rows = rows.copy()
        rows.data = np.ldexp(rows.data, exponent)
        return rows
    return np.ldexp(rows, exponent)
