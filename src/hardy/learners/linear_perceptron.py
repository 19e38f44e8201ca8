"""The linear perceptron: a linear unit trained by the delta rule with momentum."""

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hardy._labels import encode_labels
from hardy._warnings import warn_user
from hardy.exceptions import InputError
from hardy.learners._batch_delta import StepsBySums, sum_lengths, sum_pass
from hardy.learners._kernels.activations import fill_activations
from hardy.learners._one_vs_rest import OneVsRestLearner, own_subproblems
from hardy.learners._predictions import fill_rows
from hardy.learners._rows import (
    check_labelled_rows,
    kernel_weights,
    refuse_misshapen,
    squared_lengths,
    weight_classes,
)
from hardy.learners._visits import (
    VisitsByProducts,
    VisitsByWeights,
    implicit_rates,
    pay_as_products,
)

DECIMALS = 12
# What the warning says; an ensemble of many says it in its own words.
LOWERED = "was lowered (see learning_rate_)"
# Weights, biases, and the last steps of both.
_State = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


class LinearPerceptronClassifier(OneVsRestLearner):
    """Classify by a linear unit that the delta rule with momentum trains row by row, or in batches.

    The unit's output w · x + b is to be +1 for rows of its class and −1 for all others. A row
    whose output misses that by e makes the step Δₜ = η e x + μ Δₜ₋₁, with the learning rate η and
    the momentum μ. Several classes are learned one against the rest, all sub-problems in one array
    of weights.

    Rows of length about 1 are expected (:class:`sklearn.preprocessing.Normalizer`): longer ones
    need a lower learning rate.

    Parameters
    ----------
    learning_rate : float, default=0.2
        The step η at most; it is lowered where rows are too long for it.
    momentum : float, default=0.5
        The share μ of the step before that is made again, from 0 to below 1. On sparse rows too
        all weights make it, exactly, though it is worked out only when a row needs it.
    max_iter : int, default=25
        The most passes over the rows that `fit` makes.
    tol : float, default=0.01
        A sub-problem is learned no further after a pass whose mean squared error, taken of each
        row before its own step, is below this.
    bias_scale : float, default=1.0
        What the steps of the bias are multiplied by. 0.01 helps rare classes on sparse rows,
        whose other weights move far less often than the bias; 0 leaves the bias at 0.
    shuffle : bool, default=True
        Whether `fit` takes the rows in a new random order in each pass rather than in their own.
    class_weight : dict, "balanced" or None, default=None
        What the weight of a row is multiplied by, for each label; labels that the dict lacks count
        as 1. ``"balanced"`` gives all classes the same total weight, with the same sum as before.
    warm_start : bool, default=False
        Whether `fit` starts from the weights of the last call rather than from 0. Momentum starts
        anew in any case.
    mode : {"online", "batch"}, default="online"
        Whether every row makes a step, or every pass one, of the rows' mean: see the notes.
    random_state : int, RandomState or None, default=None
        Draws the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    coef_ : ndarray of shape (n_subproblems, n_features)
        The weights, in the floating-point type of `X`. There is one sub-problem for two classes
        (positive is ``classes_[1]``), otherwise one for each class.
    intercept_ : ndarray of shape (n_subproblems,)
        The biases.
    loss_curve_ : ndarray of shape (n_passes, n_subproblems)
        The mean squared errors of the passes that the last call of `fit` or `partial_fit` made.
    learning_rate_ : float
        The learning rate of the last call of `fit` or `partial_fit`.
    n_iter_ : int
        The number of passes made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    Warns
    -----
    ConvergenceWarning
        Where rows are so long that the learning rate is lowered: see the notes.

    Notes
    -----
    A step δ x, with δ times `bias_scale` for the bias, and all of the momentum that follows from
    it take δ q / (1 − μ) off the row's error, where q = ‖x‖² + `bias_scale`. The learning rate is
    lowered so far that for no row, of any weight s, the step η min(s, 1) e takes off more than the
    error itself,

        η ≤ (1 − μ) / max(min(s, 1) q),

    because the delta rule diverges on rows that are much longer. With the default parameters it
    stays as it is on rows up to a length of 1.22. `learning_rate_` tells what it has become.

    A row's weight counts up to 1 with the error e before the step, as the delta rule has it, and
    beyond 1 with the error after it, which is an implicit step,
    δ = η (e + (s − 1) (e − δ q / (1 − μ))). Hence

        δ = η s e  for s ≤ 1,   δ = η s e / (1 + η (s − 1) q / (1 − μ))  for s > 1:

    rows of weight 1 make the same steps as rows without weights, and however heavy a row is, it
    takes no more than its whole error away.

    A weight of 0 is the row's absence. The size of the weights matters: a distribution that sums
    to 1 wants multiplying by the number of rows before `fit`, so that the uniform one equals no
    weights.

    `partial_fit` goes on with the momentum of the call before, so that it doesn't matter into
    which parts rows are split, unless some are too long for the learning rate.

    With ``mode="batch"`` a pass makes one step, η Σ s e x / Σ s + μ Δₜ₋₁. The learning rate is
    lowered to (1 + μ) Σ s / Σ s q at most, half of where such passes could diverge. They come
    nearer to the least squares by far less than as many on-line ones do: `max_iter` wants to be
    some hundreds. A weight equals repetition, and the order of the rows is nothing.

    `predict_proba` takes the output as the decision, in its own unit.

    References
    ----------
    .. [1] B. Widrow, M. E. Hoff, "Adaptive switching circuits", IRE WESCON 1960 (the delta rule).
    .. [2] D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning internal representations by
       error propagation", in Parallel Distributed Processing, volume 1, 1986 (momentum).

    Examples
    --------
    >>> from hardy import LinearPerceptronClassifier
    >>> X = [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-0.6, 0.8]]
    >>> y = ["right", "right", "left", "left"]
    >>> model = LinearPerceptronClassifier(random_state=0).fit(X, y)
    >>> model.predict([[0.6, -0.8], [-1.0, 0.0]])
    array(['right', 'left'], dtype=object)
    """

    # What the next partial_fit goes on with: the last steps Δ, the bias last.
    _last_steps: NDArray[np.float64] | None

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "momentum": [Interval(Real, 0, 1, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "bias_scale": [Interval(Real, 0, None, closed="left")],
        "shuffle": ["boolean"],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "mode": [StrOptions({"online", "batch"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        learning_rate: float = 0.2,
        momentum: float = 0.5,
        max_iter: int = 25,
        tol: float = 0.01,
        *,
        bias_scale: float = 1.0,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        mode: Literal["online", "batch"] = "online",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.max_iter = max_iter
        self.tol = tol
        self.bias_scale = bias_scale
        self.shuffle = shuffle
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.mode = mode
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_drawn(self, X: Any, y: NDArray[Any], rows: NDArray[np.intp]) -> Self:
        """Learn, anew, what ``fit(X[rows], y[rows])`` does, without copies of repeated rows.

        Where few sparse rows make up most of the draws, as in the later rounds of boosting, the
        passes also take far less time.

        Parameters
        ----------
        X : {ndarray, CSR matrix} of shape (n_samples, n_features)
            The rows to draw from.
        y : ndarray of shape (n_samples,)
            Their labels.
        rows : ndarray of ints
            The numbers of the rows drawn.

        Returns
        -------
        object
            The fitted classifier itself.

        Raises
        ------
        InputError
            As `fit`.

        Examples
        --------
        >>> import numpy as np
        >>> from hardy import LinearPerceptronClassifier
        >>> X, y = np.array([[1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), np.array([1, 0, 0])
        >>> model = LinearPerceptronClassifier(random_state=0).fit_drawn(X, y, np.array([0, 1, 0]))
        >>> model.predict(X[:2])
        array([1, 0])
        """
        drawn, visits, counts = np.unique(rows, return_inverse=True, return_counts=True)
        X, y, weight = check_labelled_rows(self, X[drawn], y[drawn], counts, reset=True)
        classes, codes = encode_labels(y)
        rng = self._begin(classes, X, warm=False)
        weight = weight_classes(codes, classes, weight, self.class_weight)
        own = own_subproblems(codes, len(classes))
        if self.mode == "batch":
            self._train(X, own, weight, rng, self.max_iter)
        else:
            self._visit(X, own, weight / counts, visits, rng, self.max_iter)
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[Any]:
        """Give the output w · x + b.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One number for each row with two classes, otherwise one for each class, in the
            floating-point type of `X`. A row's output is the same whatever rows come with it.
        """
        check_is_fitted(self)
        # What is smaller would be lost in the probabilities: such rows are tied.
        out = np.round(fill_rows(self, X, fill_activations, self.intercept_.shape), DECIMALS)
        return out[:, 0] if out.shape[1] == 1 else out

    def _start(self, n_subproblems: int, X: Any, rng: np.random.RandomState) -> None:
        self.coef_ = np.zeros((n_subproblems, X.shape[1]), dtype=X.dtype)
        self.intercept_ = np.zeros(n_subproblems, dtype=X.dtype)
        self._last_steps = None

    def _train(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        if self.mode == "batch":
            mean_length = float(sum_lengths(X, weight) / weight.sum())
            self._step_by_sums(
                partial(sum_pass, X, own, weight), weight.sum(), mean_length, n_passes, rng is None
            )
            return
        self._visit(X, own, weight, np.arange(len(own)), rng, n_passes)

    def _visit(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        visits: NDArray[np.intp],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        """Make passes over the rows numbered in `visits`, of these weights at each visit."""
        rates = self._find_rates(X, weight)
        scales = self.bias_scale, self.momentum
        passes: VisitsByWeights | VisitsByProducts
        if len(visits) > len(own) and pay_as_products(X, len(visits)):
            passes = VisitsByProducts(X, own, weight, rates, len(self.intercept_), *scales)
        else:
            start = self._begin_steps(X, rng is None)
            passes = VisitsByWeights(X, own, weight, rates, start, *scales)

        def make_pass(is_learning: NDArray[np.bool_]) -> NDArray[np.float64]:
            order = visits.copy()
            if rng is not None and self.shuffle:
                rng.shuffle(order)
            return passes.make_pass(order, is_learning)

        losses = self._repeat(make_pass, weight[visits].sum(), n_passes)
        self._end_steps(passes.end(), losses, rng is None)

    def _step_by_sums(
        self,
        sum_pass: Callable[..., Any],
        total: float,
        mean_length: float,
        n_passes: int,
        goes_on: bool,
    ) -> None:
        """Make batch passes over rows of which only sums are known: `sum_pass` gives them.

        `total` is the sum of the weights, `mean_length` the mean of the squared lengths.
        """
        start = self._begin_steps(None, goes_on)
        length = mean_length + self.bias_scale
        self._lower_rate((1 + self.momentum) / length if length > 0 else np.inf)
        passes = StepsBySums(
            sum_pass, start, self.learning_rate_ / total, self.bias_scale, self.momentum
        )
        losses = self._repeat(passes.make_pass, total, n_passes)
        self._end_steps(start, losses, goes_on)

    def _repeat(
        self, make_pass: Callable[[NDArray[np.bool_]], Any], total: float, n_passes: int
    ) -> list[NDArray[Any]]:
        """Make passes until every sub-problem is learned; give their mean squared errors."""
        is_learning = np.ones(len(self.intercept_), dtype=bool)
        losses: list[NDArray[Any]] = []
        while is_learning.any() and len(losses) < n_passes:
            losses.append(make_pass(is_learning) / total)
            self._check_finite(losses[-1])
            is_learning &= losses[-1] >= self.tol
        return losses

    def _begin_steps(self, X: Any, goes_on: bool) -> _State:
        """Give the weights and the last steps, those of features and those of biases."""
        self._refuse_damage()
        weights = kernel_weights(self.coef_, X, np.float64)
        bias = self.intercept_.astype(np.float64)
        if not goes_on or self._last_steps is None:
            return weights, bias, np.zeros_like(weights), np.zeros_like(bias)
        steps = kernel_weights(self._last_steps[:, :-1], X, np.float64)
        return weights, bias, steps, self._last_steps[:, -1].copy()

    def _end_steps(self, state: _State, losses: list[NDArray[Any]], goes_on: bool) -> None:
        weights, bias, steps, bias_steps = state
        self._check_finite(weights)
        self._last_steps = np.column_stack([steps, bias_steps]) if goes_on else None
        self.coef_ = np.ascontiguousarray(weights, dtype=self.coef_.dtype)
        self.intercept_ = bias.astype(self.intercept_.dtype)
        self.loss_curve_ = np.array(losses)
        self.n_iter_ += len(losses)

    def _refuse_damage(self) -> None:
        shape = (len(self.intercept_), self.n_features_in_)
        refuse_misshapen(self, coef_=shape)
        if self._last_steps is not None:
            refuse_misshapen(self, _last_steps=(shape[0], shape[1] + 1))

    def _find_rates(self, X: Any, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give δ / e for each row and set `learning_rate_`, as the class's notes define them."""
        squares = squared_lengths(X) + self.bias_scale
        rest = 1 - self.momentum
        largest = (np.minimum(weight, 1) * squares).max()
        self._lower_rate(rest / largest if largest > 0 else np.inf)
        return implicit_rates(self.learning_rate_, weight, squares / rest)

    def _lower_rate(self, highest: float) -> None:
        """Set `learning_rate_`, which is `highest` at most."""
        self.learning_rate_ = float(self.learning_rate)
        # Rows that were scaled to length 1 have it up to rounding.
        if self.learning_rate > highest * (1 + 1e-6):
            self.learning_rate_ = float(highest)
            warn_user(
                f"learning_rate={self.learning_rate} {LOWERED}, because "
                f"with momentum={self.momentum} it is too high for the longest rows of X: set a "
                "lower one, or scale the rows to length 1 (sklearn.preprocessing.Normalizer).",
                ConvergenceWarning,
            )

    def _check_finite(self, values: NDArray[np.float64]) -> None:
        if not np.isfinite(values).all():
            raise InputError(
                f"The weights grow without end at learning_rate={self.learning_rate_} and "
                f"momentum={self.momentum}: lower the momentum."
            )
