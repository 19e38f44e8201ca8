"""Boosted linear perceptrons asked many at once, so that few rows don't cost a call for each."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy._probabilities import likeliest
from hardy.ensembles._ensemble import Scores
from hardy.learners import LinearPerceptronClassifier
from hardy.learners._kernels.activations import MANY, fill_activations
from hardy.learners._rows import kernel_rows, kernel_weights, refuse_misshapen
from hardy.learners.linear_perceptron import DECIMALS
from hardy.weighting import MemberKind, WeightingRule

# Outputs that are held at once.
_BLOCK = 2**20


def know_all(members: Sequence[Any], classes: NDArray[Any]) -> bool:
    """Whether each member has seen all classes, as `linear_terms` takes for granted."""
    return all(len(member.classes_) == len(classes) for member in members)


def linear_terms(
    members: Sequence[LinearPerceptronClassifier],
    rule: WeightingRule,
    classes: NDArray[Any],
    X: Any,
) -> Iterator[Scores]:
    """Give what each member adds to F, before its coefficient."""
    n_outputs = 1 if len(classes) == 2 else len(classes)
    for member in members:
        refuse_misshapen(member, coef_=(n_outputs, X.shape[1]), intercept_=(n_outputs,))
    X, columns = _columns_met(X)
    for some in _crews(members, X.shape[0] * n_outputs):
        decisions = _decide(some, X, columns, n_outputs)
        is_decision = rule.member_kind is MemberKind.DECISIONS
        terms = rule.scores([decisions if is_decision else likeliest(2 * decisions)], len(classes))
        yield from terms.reshape(len(some), X.shape[0], *terms.shape[1:])


def _columns_met(X: Any) -> tuple[Any, Any]:
    """Leave the columns out that are empty in few sparse rows; tell which are left."""
    if not sparse.issparse(X) or X.nnz >= X.shape[1]:
        return X, slice(None)
    columns, indices = np.unique(X.indices, return_inverse=True)
    shape = X.shape[0], len(columns)
    return sparse.csr_matrix((X.data, indices, X.indptr), shape=shape), columns


def _crews(members: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Part members into crews that fill a block, if a member has so many outputs.

    The kernel sums few units in another order than many: a crew never has so few, whatever the
    number of rows, unless all members together have.
    """
    n_crews = max(1, min(len(members) * size // _BLOCK, len(members) // MANY))
    bounds = np.linspace(0, len(members), n_crews + 1).astype(int)
    for start, stop in pairwise(bounds):
        yield members[start:stop]


def _decide(
    members: Sequence[LinearPerceptronClassifier], X: Any, columns: Any, n_outputs: int
) -> NDArray[np.float64]:
    """Give the members' decisions on all rows, member by member."""
    weights = kernel_weights(np.concatenate([m.coef_[:, columns] for m in members]), X, X.dtype)
    bias = np.concatenate([m.intercept_ for m in members]).astype(X.dtype)
    sums = np.empty((X.shape[0], len(bias)), X.dtype)
    fill_activations(*kernel_rows(X), weights, bias, sums)
    by_member = sums.reshape(X.shape[0], len(members), n_outputs).swapaxes(0, 1)
    decisions = np.round(by_member, DECIMALS).astype(np.float64).reshape(-1, n_outputs)
    return decisions[:, 0] if n_outputs == 1 else decisions
