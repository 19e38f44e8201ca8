"""The linear perceptron in batch mode, trained where the rows lie."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, Self

from sklearn.base import _fit_context

from hardy._all_or_nothing import all_or_nothing
from hardy.distributed._estimator import DecidingOnCollections, documented_as
from hardy.distributed._training import lay_out
from hardy.learners import LinearPerceptronClassifier as InMemory
from hardy.learners._batch_delta import sum_lengths, sum_pass
from hardy.learners._one_vs_rest import own_subproblems


@documented_as(InMemory, "shuffle", "mode", "random_state")
class LinearPerceptronClassifier(DecidingOnCollections, InMemory):
    """A :class:`hardy.LinearPerceptronClassifier` that learns from Dask arrays and frames.

    Each pass sends the weights to the blocks of rows, and fetches the sums of what the rows would
    have moved them by. The fitted units are those of the class in memory with ``mode="batch"`` on
    the same rows, up to the order in which numbers are added, however the rows are split. On-line
    passes, which move the weights after each row, can't be split.

    Where the input isn't Dask's, a fitted classifier predicts as the class in memory does.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from hardy.distributed import LinearPerceptronClassifier
    >>> X = da.from_array(np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-0.6, 0.8]]), chunks=2)
    >>> y = da.from_array(np.array(["right", "right", "left", "left"]), chunks=2)
    >>> model = LinearPerceptronClassifier(max_iter=200).fit(X, y)
    >>> model.predict([[0.6, -0.8], [-1.0, 0.0]])
    array(['right', 'left'], dtype='<U5')
    """

    mode = "batch"
    shuffle = False
    random_state = None

    def __init__(
        self,
        learning_rate: float = 0.2,
        momentum: float = 0.5,
        max_iter: int = 25,
        tol: float = 0.01,
        *,
        bias_scale: float = 1.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
    ) -> None:
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.max_iter = max_iter
        self.tol = tol
        self.bias_scale = bias_scale
        self.class_weight = class_weight
        self.warm_start = warm_start

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
        LinearPerceptronClassifier
            The fitted classifier itself.

        Raises
        ------
        InputError
            Where the input isn't Dask's or its blocks don't fit together, a label is missing, fewer
            than two classes have weight, values aren't finite or too large, or a warm start doesn't
            fit.
        MissingExtraError
            Where Dask isn't installed.
        """
        warm = self.warm_start and hasattr(self, "coef_")
        data = lay_out(self, X, y, sample_weight, reset=not warm)
        self._begin(data.classes, data, warm)
        own = data.codes.map(own_subproblems, len(data.classes))
        weight = data.weigh_classes(self.class_weight)
        total = weight.sum()
        mean_length = float(data.rows.total(sum_lengths, weight)) / total
        passes = partial(data.rows.total, sum_pass, own, weight)
        self._step_by_sums(passes, total, mean_length, self.max_iter, goes_on=False)
        return self
