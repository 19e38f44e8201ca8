"""scikit-learn's perceptrons as members: trained and asked many at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Perceptron

from hardy._labels import encode_labels
from hardy.learners._kernels import perceptron_pool as kernels
from hardy.learners._perceptron_pool import Pool, RowOrder, predict_blocks, train_pool

# Those that are served, whatever the others are.
_SERVED = {
    "penalty": None,
    "fit_intercept": True,
    "tol": None,
    "shuffle": True,
    "early_stopping": False,
    "class_weight": None,
    "warm_start": False,
}
# scikit-learn's steps of the bias, on sparse rows of features that are rarely there.
_SPARSE_BIAS_SCALE = 0.01


def can_be_pooled(template: Any) -> bool:
    """Whether a learner is a plain perceptron with a fixed number of passes over its rows."""
    if type(template) is not Perceptron:
        return False
    parameters = template.get_params()
    return all(parameters[name] == value for name, value in _SERVED.items())


def fit_perceptrons(
    template: Perceptron,
    X: Any,
    codes: NDArray[np.intp],
    classes: NDArray[Any],
    bags: Sequence[NDArray[np.intp]],
    order: RowOrder,
    n_jobs: int | None,
    random_state: np.random.RandomState | None,
    seeds: NDArray[Any] | None = None,
) -> list[Perceptron]:
    """Fit a copy of the template on each bag of rows; see `train_pool` for the seeds."""
    template._validate_params()
    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    counts = _count(bags, X.shape[0])
    is_known = np.zeros((len(classes), len(bags)), dtype=bool)
    kernels.find_classes(counts, codes, is_known)
    coef, intercept = train_pool(
        X,
        codes,
        len(classes),
        counts,
        n_epochs=template.max_iter,
        learning_rate=template.eta0,
        bias_scale=_SPARSE_BIAS_SCALE if sparse.issparse(X) else 1.0,
        order=order,
        n_jobs=n_jobs,
        random_state=random_state,
        seeds=seeds,
    )
    return [
        _as_fitted(template, *weights, classes, np.flatnonzero(known), len(rows))
        for weights, known, rows in zip(
            zip(coef, intercept, strict=True), is_known.T, bags, strict=True
        )
    ]


def _count(bags: Sequence[NDArray[np.intp]], n_rows: int) -> NDArray[Any]:
    """Count how often each bag (a column) has each row."""
    columns = []
    for rows in bags:
        counts = np.zeros(n_rows, dtype=np.uint32)
        kernels.count_rows(rows, counts)
        columns.append(counts.astype(np.min_scalar_type(counts.max())))
    return np.column_stack(columns)


def _as_fitted(
    template: Perceptron,
    coef: NDArray[Any],
    intercept: NDArray[Any],
    classes: NDArray[Any],
    known: NDArray[np.intp],
    n_rows: int,
) -> Perceptron:
    """Make a member that knows the classes of its bag only, as if it had been fitted alone."""
    if len(known) < len(classes):
        kept = known[1:] if len(known) == 2 else known
        coef, intercept = coef[kept], intercept[kept]
    member = clone(template)
    member.coef_, member.intercept_, member.classes_ = coef, intercept, classes[known]
    member.n_features_in_ = coef.shape[1]
    member.n_iter_ = template.max_iter
    member.t_ = 1.0 + template.max_iter * n_rows
    return member


def as_pool(
    members: Sequence[Any],
    classes: NDArray[Any],
    columns: Sequence[NDArray[np.intp] | None],
    n_features: int,
) -> Pool | None:
    """Stack the weights of members, with 0 for unseen columns; None unless all are perceptrons."""
    if any(type(member) is not Perceptron for member in members):
        return None
    pairs = [_of_all_classes(member, classes) for member in members]
    coef, intercept = zip(*pairs, strict=True)
    wide = np.zeros((len(members), coef[0].shape[0], n_features), coef[0].dtype)
    for own, weights, seen in zip(wide, coef, columns, strict=True):
        own[:, slice(None) if seen is None else seen] = weights
    return wide, np.stack(intercept)


def pool_outputs(pool: Pool, X: Any) -> NDArray[Any]:
    """Ask each member for the class index of each row; of shape (n_members, n_rows)."""
    return np.concatenate([outputs for _, outputs in predict_blocks(*pool, X)], axis=1)


def _of_all_classes(member: Perceptron, classes: NDArray[Any]) -> Pool:
    """Give a member's weights; for a class that it doesn't know such as never win."""
    coef, intercept = member.coef_, member.intercept_
    if len(member.classes_) == len(classes):
        return coef, intercept
    known = encode_labels(member.classes_, classes).codes
    if len(known) == 2:
        coef, intercept = np.vstack([-coef, coef]), np.concatenate([-intercept, intercept])
    every_coef = np.zeros((len(classes), coef.shape[1]), coef.dtype)
    every_intercept = np.full(len(classes), -np.inf, intercept.dtype)
    every_coef[known], every_intercept[known] = coef, intercept
    return every_coef, every_intercept
