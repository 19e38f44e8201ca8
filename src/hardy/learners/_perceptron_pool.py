"""Bagged perceptrons trained many at once: what each row costs to load serves all members.

A pool is a pair of arrays, the weights (members, sub-problems, features) and the biases (members,
sub-problems). There is one sub-problem for two classes, positive for class 1, otherwise one for
each class against the rest. A bag is a column of counts: how often it has each row.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_random_state

from hardy._validation import without_repeated_cells
from hardy.exceptions import InputError
from hardy.learners._kernels import perceptron_pool as kernels
from hardy.learners._kernels.perceptron_pool import LANES
from hardy.learners._rows import kernel_rows

Pool = tuple[NDArray[Any], NDArray[Any]]
RowOrder = Literal["shared", "independent"]
RandomState = int | np.random.RandomState | None

_PREDICTIONS_AT_ONCE = 2**18
_CACHE_LINE = 64  # bytes
_LARGEST_SEED = np.iinfo(np.int32).max
_MOST_VISITS = 2**62


def train_pool(
    X: Any,
    codes: NDArray[np.intp],
    n_classes: int,
    counts: NDArray[Any],
    *,
    n_epochs: int = 5,
    learning_rate: float = 1.0,
    bias_scale: float = 1.0,
    order: RowOrder = "shared",
    n_jobs: int | None = None,
    random_state: RandomState = None,
    seeds: NDArray[Any] | None = None,
) -> Pool:
    """Train one perceptron on each bag, from weights of 0.

    A row x of sign y that has y (w · x + b) ≤ 0 makes the steps w += η y x and
    b += η s y, with the learning rate η and the scale s of the bias [1]_.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        The rows, float32 or float64.
    codes : ndarray of shape (n_samples,)
        The index of each row's class.
    n_classes : int
        The number of classes.
    counts : ndarray of shape (n_samples, n_members)
        How often each member's bag has each row, of an unsigned type.
    n_epochs : int, default=5
        How often each member sees each row of its bag.
    learning_rate : float, default=1.0
        The step η. It only scales the weights.
    bias_scale : float, default=1.0
        The scale s of the bias's steps. scikit-learn's is 1 for dense rows and 0.01 for sparse
        ones.
    order : {"shared", "independent"}, default="shared"
        Whether members see rows in a common order, which is many times faster, or each in its own:
        see the notes.
    n_jobs : int, optional
        The number of threads, as in joblib. The result doesn't depend on it.
    random_state : int, RandomState or None, default=None
        Draws the order of the rows.
    seeds : ndarray of shape (n_streams,), optional
        The seed of each order in place of drawn ones: with ``order="independent"`` that of each
        member and, within it, each sub-problem.

    Returns
    -------
    coef : ndarray of shape (n_members, n_subproblems, n_features)
        The weights, in the floating-point type of `X`.
    intercept : ndarray of shape (n_members, n_subproblems)
        The biases.

    Raises
    ------
    InputError
        Where `counts` and `codes` don't fit the rows, `n_epochs` is beyond counting, or the weights
        overflow.

    Notes
    -----
    With ``order="independent"``, each member and sub-problem goes through the rows of its bag in a
    new random order in each epoch, a row that the bag has c times at c places. This is
    scikit-learn's perceptron, to the last digit where rounding plays no part.

    With ``order="shared"``, crews of up to 64 members go through one stream of visits together:
    `n_epochs` permutations of all rows, and the first one again. Member m of M takes part from
    visit ⌊m n / M⌋ on, for `n_epochs` × n visits, so that it sees each row `n_epochs` times, but
    ends on other rows than its neighbours: a perceptron depends much on the rows that it has seen
    last, and members that end on the same ones err together. For the same reason each sub-problem
    has a stream of its own. A row that the bag has c times is visited once an epoch, and makes c
    times the step.

    References
    ----------
    .. [1] F. Rosenblatt, "The perceptron: a probabilistic model for information storage and
       organization in the brain", Psychological Review 65(6), 1958.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.learners._perceptron_pool import count_votes, train_pool
    >>> X = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 0.0], [3.0, 1.0]])
    >>> codes = np.array([0, 0, 1, 1])
    >>> counts = np.array([[1, 2], [1, 1], [2, 0], [0, 1]], dtype=np.uint8)
    >>> coef, intercept = train_pool(X, codes, 2, counts, random_state=0)
    >>> count_votes(coef, intercept, X)
    array([[2, 0],
           [2, 0],
           [0, 2],
           [0, 2]], dtype=uint8)
    """
    n_rows, n_members = counts.shape
    if not len(codes) == n_rows == X.shape[0]:
        raise InputError(
            f"X has {X.shape[0]} rows, but there are {len(codes)} codes and {n_rows} rows of "
            "counts; all three must be the same."
        )
    if n_epochs * n_rows >= _MOST_VISITS:
        raise InputError(f"So many passes would never end: {n_epochs}. Set a lower max_iter.")
    n_subproblems = 1 if n_classes == 2 else n_classes
    coef = np.zeros((n_members, n_subproblems, X.shape[1]), dtype=X.dtype)
    intercept = np.zeros((n_members, n_subproblems), dtype=X.dtype)
    X = without_repeated_cells(X) if sparse.issparse(X) else np.ascontiguousarray(X)
    positive = [1] if n_classes == 2 else range(n_classes)
    signs = [np.where(codes == k, 1, -1).astype(X.dtype) for k in positive]
    train = _train_crew if order == "shared" else _train_member
    size = LANES if order == "shared" else 1
    crews = np.array_split(np.arange(n_members), -(-n_members // size))
    bags = [_pad(counts, crew) if order == "shared" else counts for crew in crews]
    places = [
        (crew, bag, k) for crew, bag in zip(crews, bags, strict=True) for k in range(n_subproblems)
    ]
    if seeds is None:
        seeds = draw_seeds(check_random_state(random_state), len(places))
    with np.errstate(over="ignore"):
        # They fill arrays that are here: no other process, nor another machine, could.
        Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(train)(
                X, signs[k], bag, crew, n_epochs, bias_scale, seed,
                coef[crew[0] : crew[-1] + 1, k], intercept[crew[0] : crew[-1] + 1, k],
            )
            for (crew, bag, k), seed in zip(places, seeds, strict=True)
        )  # fmt: skip
        coef *= X.dtype.type(learning_rate)
        intercept *= X.dtype.type(learning_rate)
    if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
        raise InputError("The values of X are so large that the weights overflow: scale them.")
    return coef, intercept


def draw_seeds(random_state: np.random.RandomState, size: int) -> NDArray[Any]:
    """Draw the seeds of the orders in which members go through their rows."""
    seeds: NDArray[Any] = random_state.randint(_LARGEST_SEED, size=size)
    return seeds


def count_votes(
    coef: NDArray[Any], intercept: NDArray[Any], X: Any
) -> NDArray[np.unsignedinteger[Any]]:
    """Count how many members predict each class.

    With one sub-problem a member predicts class 1 where its activation is above 0, otherwise the
    class of the highest activation, the first among equals.

    Parameters
    ----------
    coef : ndarray of shape (n_members, n_subproblems, n_features)
        The weights.
    intercept : ndarray of shape (n_members, n_subproblems)
        The biases.
    X : {ndarray, CSR matrix} of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The numbers of votes.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.learners._perceptron_pool import count_votes
    >>> coef = np.array([[[1.0]], [[1.0]], [[-1.0]]])
    >>> count_votes(coef, np.array([[0.0], [-3.0], [0.0]]), np.array([[2.0], [-1.0]]))
    array([[2, 1],
           [2, 1]], dtype=uint8)
    """
    n_members, n_subproblems, _ = coef.shape
    n_classes = max(2, n_subproblems)
    votes = np.empty((X.shape[0], n_classes), dtype=np.min_scalar_type(n_members))
    for some, labels in predict_blocks(coef, intercept, X):
        votes[some, 0] = n_members
        for k in range(1, n_classes):
            votes[some, k] = (labels == k).sum(axis=0, dtype=votes.dtype)
            votes[some, 0] -= votes[some, k]
    return votes


def predict_blocks(
    coef: NDArray[Any], intercept: NDArray[Any], X: Any
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Give the members' classes (members, rows) for one block of rows after the other."""
    n_members, n_subproblems, n_features = coef.shape
    weights = np.ascontiguousarray(coef.swapaxes(0, 1)).reshape(-1, n_features)
    bias = intercept.T[:, :, np.newaxis]
    step = max(1, _PREDICTIONS_AT_ONCE // len(weights))
    for start in range(0, X.shape[0], step):
        some = slice(start, min(start + step, X.shape[0]))
        with np.errstate(over="ignore", invalid="ignore"):
            activations = np.ascontiguousarray(weights @ X[some].T)
        if not np.isfinite(activations).all():
            raise InputError(
                "The values of X are so large that the activations overflow: scale them."
            )
        activations = activations.reshape(n_subproblems, n_members, -1)
        activations += bias
        if n_subproblems == 1:
            yield some, (activations[0] > 0).view(np.uint8)
            continue
        best = activations[0]
        labels = np.zeros(best.shape, dtype=np.min_scalar_type(n_subproblems))
        for k in range(1, n_subproblems):
            # This is argmax, several times faster because it goes through memory in its order.
            labels = np.where(activations[k] > best, labels.dtype.type(k), labels)
            best = np.maximum(best, activations[k])
        yield some, labels


def _pad(counts: NDArray[Any], crew: NDArray[np.intp]) -> NDArray[Any]:
    """Give the counts of a crew with a column for each lane."""
    padded = _aligned_zeros(len(counts) * LANES, counts.dtype).reshape(-1, LANES)
    padded[:, : len(crew)] = counts[:, crew[0] : crew[-1] + 1]
    return padded


def _train_crew(
    X: Any,
    signs: NDArray[Any],
    counts: NDArray[Any],
    crew: NDArray[np.intp],
    n_epochs: int,
    bias_scale: float,
    seed: int,
    coef: NDArray[Any],
    intercept: NDArray[Any],
) -> None:
    """Fill the weights of a crew, for one sub-problem, along one stream of visits."""
    n_rows, n_features = X.shape
    rng = np.random.default_rng(seed)
    starts = np.arange(len(crew)) * n_rows // len(crew)
    stops = starts + n_epochs * n_rows
    weights = _aligned_zeros(n_features * LANES, X.dtype)
    bias = np.zeros(LANES, dtype=X.dtype)
    first = rng.permutation(n_rows)
    # Who began late in the first epoch ends on what it missed of it.
    for epoch in range(n_epochs + 1):
        order = first if epoch in (0, n_epochs) else rng.permutation(n_rows)
        begin = epoch * n_rows
        changes = np.unique(np.clip([starts, stops], begin, begin + n_rows))
        for start, stop in pairwise(changes):
            is_active = np.zeros(LANES, dtype=X.dtype)
            is_active[: len(crew)] = (starts <= start) & (start < stops)
            kernels.train_crew(
                *kernel_rows(X), signs, counts, order[start - begin : stop - begin], is_active,
                np.array([bias_scale], dtype=X.dtype), weights, bias,
            )  # fmt: skip
    coef[:] = weights.reshape(n_features, LANES)[:, : len(crew)].T
    intercept[:] = bias[: len(crew)]


def _train_member(
    X: Any,
    signs: NDArray[Any],
    counts: NDArray[Any],
    crew: NDArray[np.intp],
    n_epochs: int,
    bias_scale: float,
    seed: int,
    coef: NDArray[Any],
    intercept: NDArray[Any],
) -> None:
    """Fill the weights of one member, for one sub-problem, on its bag alone."""
    bag = np.repeat(np.arange(X.shape[0]), counts[:, crew[0]])
    rng = np.random.default_rng(seed)
    for _ in range(n_epochs):
        kernels.train_alone(
            *kernel_rows(X), signs, rng.permutation(bag), np.array([bias_scale], dtype=X.dtype),
            coef[0], intercept,
        )  # fmt: skip


def _aligned_zeros(size: int, dtype: Any) -> NDArray[Any]:
    """Make zeros that start with a cache line: lying across two takes twice as long.

    Vectors of weights that do are loaded and stored twice, and rows of counts are fetched twice.
    """
    zeros: NDArray[Any] = np.zeros(size + _CACHE_LINE, dtype=dtype)
    skipped = -zeros.ctypes.data % _CACHE_LINE // zeros.itemsize
    return zeros[skipped : skipped + size]
