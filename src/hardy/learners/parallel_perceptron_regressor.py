"""The parallel perceptron for numbers: perceptrons whose count of votes is the prediction."""

from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin, _fit_context
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy.exceptions import InputError
from hardy.learners._kernels.activations import count_upper
from hardy.learners._kernels.voting_rows import regressor_pass
from hardy.learners._predictions import fill_rows
from hardy.learners._rows import (
    check_labelled_rows,
    kernel_rows,
    squared_lengths,
    validate_numbers,
)
from hardy.learners._voting_units import VotingUnits


class ParallelPerceptronRegressor(RegressorMixin, VotingUnits):
    """Predict numbers by counting the votes of perceptrons, trained by the p-delta rule.

    With p perceptrons more on the upper side, wᵢ · x ≥ 0, than on the lower, the output is p / ρ,
    cut off at −1 and 1. A row whose output is too high by more than the tolerance ε moves the
    perceptrons on the upper side away from it, one whose output is too low moves those on the lower
    side towards it. All other perceptrons that have the row within the margin γ of their boundary
    move so that it lies deeper on its side. Targets are scaled to [−1, 1], and predictions back.

    Parameters
    ----------
    n_perceptrons : int, default=20
        The number of perceptrons, even or odd.
    rho : float or None, default=None
        The lead of votes ρ that gives the output 1, at most the default, `n_perceptrons`. Outputs
        have a distance of 2 / ρ. Lower values leave perceptrons free to vote against each other,
        which targets need that go up and down again.
    epsilon : float, default=0.1
        The tolerance ε, in units of the scaled target, whose range has a length of 2. Below 1 / ρ
        there are targets that no output meets.
    learning_rate : float, default=0.001
        The step η at the start of `fit`. Standardised features are expected, though not required.
    learning_rate_decay : float, default=0.9
        Factor of η after each pass whose squared error is above that of the pass before. 1 keeps
        η constant.
    margin : float, default=0.05
        The margin γ at the start, in units of activation; the weights of a perceptron, its bias
        included, have length 1.
    margin_update : {"sum", "mean"}, default="sum"
        How γ adapts. Each row asks for a step of ε ρ − min(M, 4 ε ρ), where M perceptrons were
        moved because the row lies within their margin. γ moves by η times the sum of the steps
        (``"sum"``, after each row in on-line mode) or, after each pass, by η times their mean
        (``"mean"``), but not below 0.
    margin_weight : float, default=1.0
        The importance μ of the margin: the steps that clear it are μ times as long as those that
        correct the output. Values of 2 to 4 can help where there are many rows and features.
    max_iter : int, default=250
        The number of passes over the rows that `fit` makes.
    mode : {"online", "batch"}, default="online"
        ``"online"`` moves and normalises the weights after each row, in a new random order for each
        pass; ``"batch"`` once after each pass, by the sum of all steps, so that more rows want a
        smaller learning rate.
    keep_best : bool, default=True
        Whether the weights of the lowest mean squared error are kept, rather than the last ones: on
        line those after the pass that had it, in batch mode those that the pass began with.
    warm_start : bool, default=False
        Whether `fit` starts from the weights, the margin and the range of targets of the last call
        rather than anew. The learning rate starts anew in any case.
    random_state : int, RandomState or None, default=None
        Draws the weights at the start, and the order of the rows in on-line mode.

    Attributes
    ----------
    coef_ : ndarray of shape (n_perceptrons, n_features)
        The weights, in the floating-point type of `X`.
    intercept_ : ndarray of shape (n_perceptrons,)
        The biases.
    margin_ : float
        The margin γ that the passes have led to.
    target_range_ : tuple of two floats
        The lowest and the highest target in training, which are the outputs −1 and 1. No
        prediction lies outside of it.
    loss_curve_ : ndarray of shape (n_passes,)
        The mean squared error of each pass, in units of the scaled target, taken of each row
        before its own step.
    n_iter_ : int
        The number of passes made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    See Also
    --------
    ParallelPerceptronClassifier : The same perceptrons for labels.

    Notes
    -----
    With the output o, the target t, and the activation a of a perceptron, the rule adds

    ======  =======================================
    −η x    if o > t + ε and a ≥ 0
    η x     if o < t − ε and a < 0
    η μ x   if o ≤ t + ε and 0 ≤ a < γ
    −η μ x  if o ≥ t − ε and −γ < a < 0
    ======  =======================================

    to its weights. The paper draws the length of the weights to 1 by a further step,
    −η (‖w‖² − 1) w, on every row. Here weights are scaled to length 1 outright, after each row in
    on-line mode and after each pass in batch mode, which is what that step tends to.

    `sample_weight` scales a row's steps, its part in the squared error and its part in the mean. A
    weight of 0 is the row's absence, so that its target doesn't count for the range, and in batch
    mode a weight of 2 is the row twice.

    Where features depend on each other, as the columns of a category do, weights can turn into
    directions that no row has, and margin and activations vanish together: the squared error rises
    again after some passes. This is why the best pass is kept, which is no part of the paper.

    A single target far out makes the range wide, and the outputs coarse for all others: transform
    such targets before, for example by :class:`sklearn.compose.TransformedTargetRegressor`.

    References
    ----------
    .. [1] P. Auer, H. Burgsteiner, W. Maass, "Reducing communication for distributed learning in
       neural networks", ICANN 2002 (the p-delta rule).
    .. [2] P. Auer, H. Burgsteiner, W. Maass, "A learning rule for very simple universal
       approximators consisting of a single layer of perceptrons", Neural Networks 21, 2008 (the
       rule with margin, and how the margin adapts).

    Examples
    --------
    >>> import numpy as np
    >>> from hardy import ParallelPerceptronRegressor
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> y = np.sin(3 * X[:, 0])
    >>> model = ParallelPerceptronRegressor(40, rho=20, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_perceptrons": [Interval(Integral, 1, None, closed="left")],
        "rho": [Interval(Real, 0, None, closed="neither"), None],
        "epsilon": [Interval(Real, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "learning_rate_decay": [Interval(Real, 0, 1, closed="right")],
        "margin": [Interval(Real, 0, None, closed="left")],
        "margin_update": [StrOptions({"sum", "mean"})],
        "margin_weight": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "mode": [StrOptions({"online", "batch"})],
        "keep_best": ["boolean"],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_perceptrons: int = 20,
        rho: float | None = None,
        epsilon: float = 0.1,
        learning_rate: float = 0.001,
        learning_rate_decay: float = 0.9,
        margin: float = 0.05,
        margin_update: Literal["sum", "mean"] = "sum",
        margin_weight: float = 1.0,
        max_iter: int = 250,
        mode: Literal["online", "batch"] = "online",
        keep_best: bool = True,
        warm_start: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_perceptrons = n_perceptrons
        self.rho = rho
        self.epsilon = epsilon
        self.learning_rate = learning_rate
        self.learning_rate_decay = learning_rate_decay
        self.margin = margin
        self.margin_update = margin_update
        self.margin_weight = margin_weight
        self.max_iter = max_iter
        self.mode = mode
        self.keep_best = keep_best
        self.warm_start = warm_start
        self.random_state = random_state

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows and their targets.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows; float32 stays float32, CSR stays CSR, anything else becomes float64.
        y : array-like of shape (n_samples,)
            The targets, finite numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1; see the notes of the class.

        Returns
        -------
        ParallelPerceptronRegressor
            The fitted regressor itself.

        Raises
        ------
        InputError
            Where `rho` is above `n_perceptrons`, a target is missing or infinite, all weights are
            0, a warm start finds another `n_perceptrons`, or values of `X` are too large.
        ValueError
            Where the arrays don't fit together or hold values that aren't finite.
        """
        if self._rho() > self.n_perceptrons:
            raise InputError(
                f"rho is {self.rho}, but the votes of n_perceptrons={self.n_perceptrons} can't "
                "lead by more than their number."
            )
        warm = self.warm_start and hasattr(self, "coef_")
        X, y, weight = check_labelled_rows(
            self, X, y, sample_weight, reset=not warm, validate=validate_numbers
        )
        rng = check_random_state(self.random_state)
        if warm:
            self._check_number_of_units()
        else:
            self._draw_units((self.n_perceptrons,), X, rng)
            self.margin_ = float(self.margin)
            self.target_range_ = float(np.min(y)), float(np.max(y))
        centre, half = self._target_scale()
        # Where all targets are the same, any output will do.
        targets = np.clip((y - centre) / (half or 1.0), -1, 1)
        self._train(X, targets, weight, rng)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give the output, scaled back to the range of the targets.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        check_is_fitted(self)
        n_upper = fill_rows(self, X, count_upper, dtype=np.intp)
        return np.asarray(self._outputs()[n_upper])

    def _outputs(self) -> NDArray[np.float64]:
        """Give the prediction for each number of perceptrons on the upper side."""
        leads = 2 * np.arange(self.intercept_.size + 1) - self.intercept_.size
        centre, half = self._target_scale()
        outputs = centre + half * np.clip(leads / self._rho(), -1, 1)
        # Rounding must not lead beyond the targets that were seen.
        return np.asarray(np.clip(outputs, *self.target_range_))

    def _rho(self) -> float:
        return float(self.n_perceptrons if self.rho is None else self.rho)

    def _target_scale(self) -> tuple[float, float]:
        """Give the middle and half the length of the targets' range, neither of which overflows."""
        lowest, highest = self.target_range_
        return highest / 2 + lowest / 2, highest / 2 - lowest / 2

    def _train(
        self,
        X: Any,
        targets: NDArray[np.float64],
        weight: NDArray[np.float64],
        rng: np.random.RandomState,
    ) -> None:
        online, by_sum = self.mode == "online", self.margin_update == "sum"
        weights, bias = self._copy_units(X, np.float64)
        rows = (*kernel_rows(X), squared_lengths(X) + 1, targets, weight)
        rule = (float(self.epsilon), self._rho(), float(self.margin_weight))
        rate, margin = float(self.learning_rate), self.margin_
        losses: list[float] = []
        best, lowest = (weights, bias, margin), np.inf
        # A batch pass tells the error of the weights that it finds: one more tells the last ones'.
        n_looks = self.max_iter + (self.keep_best and not online)
        for look in range(n_looks):
            found = weights.copy(), bias.copy(), margin
            order = rng.permutation(len(targets)) if online else np.arange(len(targets))
            sums = (weights, bias) if online else (np.zeros_like(weights), np.zeros_like(bias))
            margin_rate = rate if online and by_sum else 0.0
            margin, steps, squares = regressor_pass(
                *rows, order, rate, *rule, margin, margin_rate, online, weights, bias, *sums
            )
            loss = squares / weight.sum()
            if look < self.max_iter:
                losses.append(loss)
                if not online:
                    _move(weights, bias, *sums)
                if not margin_rate:
                    margin = max(margin + rate * steps / (1.0 if by_sum else weight.sum()), 0.0)
            candidate = (weights.copy(), bias.copy(), margin) if online else found
            # The weights at the start were not learned.
            if self.keep_best and loss < lowest and (online or look):
                best, lowest = candidate, loss
            # Equal weights summed in another order differ by rounding: that is no rise.
            if len(losses) > 1 and losses[-1] > losses[-2] * (1 + 1e-9):
                rate *= self.learning_rate_decay
        if self.keep_best:
            weights, bias, margin = best
        self._store_units(weights, bias)
        self.margin_ = float(margin)
        self.loss_curve_ = np.array(losses)
        self.n_iter_ = len(losses)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _move(
    weights: NDArray[np.float64],
    bias: NDArray[np.float64],
    sums: NDArray[np.float64],
    bias_sums: NDArray[np.float64],
) -> None:
    """Add the sums of a batch pass and scale the units to length 1."""
    sums += weights
    bias_sums += bias
    lengths = np.sqrt((sums**2).sum(axis=1) + bias_sums**2)
    # A unit that its rows move exactly onto zero has no direction: it stays where it was.
    moves = lengths > 0
    weights[moves] = sums[moves] / lengths[moves, None]
    bias[moves] = bias_sums[moves] / lengths[moves]
