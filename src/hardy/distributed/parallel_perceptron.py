"""The parallel perceptron, trained where the rows lie."""

from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import _fit_context

from hardy._all_or_nothing import all_or_nothing
from hardy.distributed._blocks import Blocks
from hardy.distributed._estimator import DecidingOnCollections, documented_as
from hardy.distributed._training import TrainingBlocks, lay_out
from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier as InMemory
from hardy.learners._kernels import parallel_perceptron as kernels
from hardy.learners._one_vs_rest import own_subproblems
from hardy.learners._rows import kernel_rows


@documented_as(InMemory)
class ParallelPerceptronClassifier(DecidingOnCollections, InMemory):
    """A :class:`hardy.ParallelPerceptronClassifier` that learns from Dask arrays and frames.

    Each pass sends the weights to the blocks of rows, and fetches the sums of the steps; the rows
    stay where they are. The sums are those of a pass in memory, so that the fitted perceptrons are
    those of the class in memory on the same rows, up to the order in which numbers are added,
    however the rows are split. There are batch passes only: on-line ones, which move the weights
    after each row, can't be split.

    Where the input isn't Dask's, a fitted classifier predicts as the class in memory does.

    Notes
    -----
    Dask computes `X` once, and keeps its blocks on the cluster during `fit`. Rounding may be
    magnified from pass to pass, as in memory by another order of the rows; sums of whole numbers
    are exact, and then so is the equality.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from hardy.distributed import ParallelPerceptronClassifier
    >>> X = da.from_array(np.array([[-3.0], [-2.5], [-2.0], [2.0], [2.5], [3.0]]), chunks=(2, 1))
    >>> y = da.from_array(np.array(["low", "low", "low", "high", "high", "high"]), chunks=2)
    >>> model = ParallelPerceptronClassifier(learning_rate=0.01, random_state=0).fit(X, y)
    >>> model.predict(X)
    dask.array<concatenate, shape=(6,), dtype=<U4, chunksize=(2,), chunktype=numpy.ndarray>
    >>> model.predict([[-1.5], [1.5]])
    array(['low', 'high'], dtype='<U4')
    """

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : {Dask array, Dask data frame} of shape (n_samples, n_features)
            The rows; float32 stays float32, CSR blocks stay CSR, anything else becomes float64.
        y : {Dask array, Dask series} of shape (n_samples,)
            The labels, of two or more classes and of any kind, in the same blocks as `X`.
        sample_weight : {Dask array, Dask series} of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        ParallelPerceptronClassifier
            The fitted classifier itself.

        Raises
        ------
        InputError
            Where the input isn't Dask's or its blocks don't fit together, a label is missing, fewer
            than two classes have weight, values aren't finite, a warm start doesn't fit, or `mode`
            is "online".
        MissingExtraError
            Where Dask isn't installed.
        """
        warm = self.warm_start and hasattr(self, "coef_")
        train_perceptrons(self, lay_out(self, X, y, sample_weight, reset=not warm), warm=warm)
        return self

    def activations(self, X: Any) -> Any:
        """Give the activation w · x of every perceptron for every row, bias included.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        {Dask array, ndarray} of shape (n_samples, n_subproblems, n_perceptrons)
            The activations; a Dask array where `X` is Dask's.
        """
        return self._say("activations", X)

    def categorize(self, X: Any, y: Any, rule: Literal["majority", "all"] = "majority") -> Any:
        """Sort rows by what the activations say about their labels.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.
        y : {Dask array, Dask series, array-like} of shape (n_samples,)
            Their labels, right or wrong, all among `classes_`.
        rule : {"majority", "all"}, default="majority"
            How many perceptrons must lie beyond the margin on one side.

        Returns
        -------
        {Dask array, ndarray} of shape (n_samples,), dtype int8
            The :class:`~hardy.learners.RowCategory` of each row; a Dask array where `X` is Dask's.
        """
        return self._say_of_labels("categorize", X, y, rule=rule)


def train_perceptrons(learner: InMemory, data: TrainingBlocks, *, warm: bool = False) -> None:
    """Fit a parallel perceptron, of the class in memory or of this one, on blocks of rows."""
    if learner.mode != "batch":
        raise InputError(
            "mode='online' moves the weights after each row, one after another, which can't be "
            "split between workers: set mode='batch'."
        )
    learner.n_features_in_ = data.shape[1]
    rng = learner._begin(data.classes, data, warm)
    own = data.codes.map(own_subproblems, len(data.classes))
    weight = data.weigh_classes(learner.class_weight)
    make_passes = partial(_make_passes, data.rows, own, weight)
    learner._make_passes(make_passes, learner.max_iter, data, data.dtype, weight.sum(), rng)


def _make_passes(
    rows: Blocks,
    own: Blocks,
    weight: Blocks,
    n_passes: int,
    units: NDArray[Any],
    bias: NDArray[Any],
    margins: NDArray[np.float64],
    rates: NDArray[np.float64],
    decay: float,
    mean_margin: bool,
    p_delta: bool,
) -> NDArray[np.float64]:
    """Make batch passes, as the kernel in memory does."""
    last_wrong = np.full(len(margins), np.inf)
    for _ in range(n_passes):
        weight_sums, bias_sums, tally = rows.total(
            _sum_pass, own, weight, units, bias, margins, p_delta
        )
        kernels.take_step(
            weight_sums, bias_sums, tally, units, bias, margins, rates, last_wrong, decay,
            mean_margin,
        )  # fmt: skip
    sums: NDArray[np.float64] = tally
    return sums


def _sum_pass(rows: Any, *of_rows_and_units: Any) -> Any:
    return kernels.sum_pass(*kernel_rows(rows), *of_rows_and_units)
