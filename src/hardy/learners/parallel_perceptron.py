"""The parallel perceptron: a few perceptrons that vote, kept clear of zero by a margin."""

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import Interval, StrOptions

from hardy._labels import encode_labels
from hardy.exceptions import InputError
from hardy.learners._kernels import parallel_perceptron as kernels
from hardy.learners._rows import kernel_rows, refuse_misshapen
from hardy.learners._voting_classifier import VotingClassifier
from hardy.learners.row_category import categorize_activations

# Some tenths of a second.
_PRODUCTS_AT_ONCE = 300_000_000


class ParallelPerceptronClassifier(VotingClassifier):
    """Classify by the majority vote of a few perceptrons with an activation margin.

    A row x is positive where most of the perceptrons have an activation wᵢ · x above zero. A pass
    moves the perceptrons that are wrong on a wrongly classified row towards it, and those that are
    right on a rightly classified row by less than the margin γ further to the right side. The
    margin adapts itself. Afterwards the activations tell safe rows, rows whose label is in doubt
    and borderline rows apart: see `categorize`.

    Several classes are learned one against the rest, all sub-problems in one array of weights.

    Parameters
    ----------
    n_perceptrons : int, default=3
        The number of perceptrons of each sub-problem, an odd number.
    learning_rate : float, default=0.001
        The step η at the start of `fit`. Steps are summed over the rows, so that more rows want a
        smaller rate. Standardised features are expected, though not required.
    learning_rate_decay : float, default=0.9
        Factor of η after each pass whose training error is above that of the pass before. 1 keeps
        η constant.
    margin : float, default=0.05
        The margin γ at the start, in units of activation; the weights of a perceptron, its bias
        included, have length 1.
    margin_update : {"mean", "sum"}, default="mean"
        How γ adapts. Each rightly classified row asks for a step of +0.25 if all of its right
        perceptrons clear γ, and of −0.75 if not. After a pass γ moves by η times the mean of the
        steps (``"mean"``) or η times their sum (``"sum"``, after each row in on-line mode), but
        not below 0. ``"sum"`` is stronger under heavy noise and fails on rare classes.
    max_iter : int, default=250
        The number of passes over the rows that `fit` makes.
    mode : {"batch", "online"}, default="batch"
        ``"batch"`` moves and normalises the weights once after each pass; ``"online"`` after each
        row, in a new random order for each pass.
    update_rule : {"nr", "p-delta"}, default="nr"
        ``"nr"`` is the rule of label-noise reduction, as described above. ``"p-delta"`` is Auer's:
        it clears the margin on both sides of zero and for every row. Perceptrons that are right by
        less than γ on a wrongly classified row move further to the right side, and those that are
        wrong by less than γ on a rightly classified row move further to the wrong side.
    class_weight : dict, "balanced" or None, default=None
        What the weight of a row is multiplied by, for each label; labels that the dict lacks count
        as 1. ``"balanced"`` gives all classes the same total weight, with the same sum as before.
    warm_start : bool, default=False
        Whether `fit` starts from the weights and margins of the last call rather than anew. The
        learning rate starts anew in any case.
    random_state : int, RandomState or None, default=None
        Draws the weights at the start, and the order of the rows in on-line mode.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    coef_ : ndarray of shape (n_subproblems, n_perceptrons, n_features)
        The weights, in the floating-point type of `X`. There is one sub-problem for two classes
        (positive is ``classes_[1]``), otherwise one for each class.
    intercept_ : ndarray of shape (n_subproblems, n_perceptrons)
        The biases.
    margin_ : ndarray of shape (n_subproblems,)
        The margins γ that the passes have led to.
    activation_scale_ : float
        The root mean square of all activations during the last pass of `fit`, or during all
        calls of `partial_fit` together; `predict_proba` measures by it.
    n_iter_ : int
        The number of passes made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where `X` had names that are strings.

    Notes
    -----
    `sample_weight` scales a row's steps, its part in the training error and its part in the mean.
    A weight of 0 is the row's absence, and in batch mode a weight of 2 is the row twice. Hence the
    size of the weights matters: a distribution that sums to 1 wants multiplying by the number of
    rows before `fit`, so that the uniform one equals no weights.

    An activation of exactly 0 counts as wrong in training, whichever the label; in prediction it
    is a vote for the negative side.

    References
    ----------
    .. [1] P. Auer, H. Burgsteiner, W. Maass, "Reducing communication for distributed learning in
       neural networks", ICANN 2002 (the p-delta rule).
    .. [2] I. Cantador, J. R. Dorronsoro, "Boosting parallel perceptrons for label noise reduction
       in classification problems", IWINAC 2005 (the update, equation 3; the categories).
    .. [3] I. Cantador, J. R. Dorronsoro, "Parallel perceptrons, activation margins and imbalanced
       training set pruning", IbPRIA 2005 (the categories by all perceptrons).

    Examples
    --------
    >>> from hardy.learners import ParallelPerceptronClassifier, RowCategory
    >>> X = [[-3.0], [-2.5], [-2.0], [2.0], [2.5], [3.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> model = ParallelPerceptronClassifier(learning_rate=0.01, random_state=0).fit(X, y)
    >>> model.predict([[-1.5], [1.5]])
    array(['low', 'high'], dtype=object)
    >>> [RowCategory(c).name for c in model.categorize([[-3.0], [3.0]], ["high", "high"])]
    ['NOISY', 'SAFE']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_perceptrons": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "learning_rate_decay": [Interval(Real, 0, 1, closed="right")],
        "margin": [Interval(Real, 0, None, closed="left")],
        "margin_update": [StrOptions({"mean", "sum"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "mode": [StrOptions({"batch", "online"})],
        "update_rule": [StrOptions({"nr", "p-delta"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_perceptrons: int = 3,
        learning_rate: float = 0.001,
        learning_rate_decay: float = 0.9,
        margin: float = 0.05,
        margin_update: Literal["mean", "sum"] = "mean",
        max_iter: int = 250,
        mode: Literal["batch", "online"] = "batch",
        update_rule: Literal["nr", "p-delta"] = "nr",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        warm_start: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_perceptrons = n_perceptrons
        self.learning_rate = learning_rate
        self.learning_rate_decay = learning_rate_decay
        self.margin = margin
        self.margin_update = margin_update
        self.max_iter = max_iter
        self.mode = mode
        self.update_rule = update_rule
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state

    def categorize(
        self, X: ArrayLike, y: ArrayLike, rule: Literal["majority", "all"] = "majority"
    ) -> NDArray[np.int8]:
        """Sort rows by what the activations say about their labels.

        With several classes a row is judged in the sub-problem of its label, and is noisy only if
        another class's sub-problem claims it by the same rule.

        Parameters
        ----------
        X : {array-like, CSR matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels, right or wrong, all among `classes_`.
        rule : {"majority", "all"}, default="majority"
            How many perceptrons must lie beyond the margin on one side.

        Returns
        -------
        ndarray of shape (n_samples,), dtype int8
            The `RowCategory` of each row.

        Raises
        ------
        InputError
            Where a label is missing or unknown, or `rule` is neither.
        """
        activations = self.activations(X)
        codes = encode_labels(y, self.classes_).codes
        check_consistent_length(activations, codes)
        missing = np.flatnonzero(codes < 0)
        if missing.size:
            raise InputError(f"Row {missing[0]} has no label: leave such rows out.")
        return categorize_activations(activations, self.margin_, codes, rule)

    def _start(self, n_subproblems: int, X: Any, rng: np.random.RandomState) -> None:
        super()._start(n_subproblems, X, rng)
        self.margin_ = np.full(n_subproblems, float(self.margin))

    def _train(
        self,
        X: Any,
        own: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.RandomState | None,
        n_passes: int,
    ) -> None:
        online = self.mode == "online"
        rows = (*kernel_rows(X), own, weight)
        make_passes = partial(_train_online, rng, *rows) if online else partial(_train_batch, *rows)
        dtype = np.float64 if online else X.dtype
        self._make_passes(make_passes, n_passes, X, dtype, float(weight.sum()), rng)

    def _make_passes(
        self,
        make_passes: Callable[..., NDArray[np.float64]],
        n_passes: int,
        X: Any,
        dtype: Any,
        total_weight: float,
        rng: np.random.RandomState | None,
    ) -> None:
        """Let `make_passes`, which knows the rows, change units and margins of type `dtype`."""
        refuse_misshapen(self, margin_=self.intercept_.shape[:1])
        margins = self.margin_.copy()
        rates = np.full(len(margins), float(self.learning_rate))
        units, bias = self._copy_units(X, dtype)
        tally = make_passes(
            n_passes, units, bias, margins, rates, self.learning_rate_decay,
            self.margin_update == "mean", self.update_rule != "nr",
        )  # fmt: skip
        self._measure_scale(tally[:, kernels.SQUARES].sum(), total_weight, rng)
        self._store_units(units, bias)
        self.margin_ = margins
        self.n_iter_ += n_passes


def _train_batch(
    dense: Any,
    csr: Any,
    own: NDArray[np.intp],
    weight: NDArray[np.float64],
    n_passes: int,
    units: NDArray[Any],
    bias: NDArray[Any],
    margins: NDArray[np.float64],
    rates: NDArray[np.float64],
    *rule: Any,
) -> NDArray[np.float64]:
    """Make batch passes, so many at once that Ctrl-C needn't wait for long."""
    last_wrong = np.full(len(margins), np.inf)
    n_products = len(own) * units.size if csr is None else len(csr[0]) * len(units)
    at_once = max(1, _PRODUCTS_AT_ONCE // max(len(own), n_products))
    while n_passes:
        now = min(at_once, n_passes)
        n_passes -= now
        tally: NDArray[np.float64] = kernels.train_batch(
            dense, csr, own, weight, now, units, bias, margins, rates, last_wrong, *rule
        )
    return tally


def _train_online(
    rng: np.random.RandomState | None,
    dense: Any,
    csr: Any,
    own: NDArray[np.intp],
    weight: NDArray[np.float64],
    n_passes: int,
    units: NDArray[np.float64],
    bias: NDArray[np.float64],
    margins: NDArray[np.float64],
    rates: NDArray[np.float64],
    *rule: Any,
) -> NDArray[np.float64]:
    """Make on-line passes, each over the rows in a new order."""
    last_wrong = np.full(len(margins), np.inf)
    for _ in range(n_passes):
        order = np.arange(len(own)) if rng is None else rng.permutation(len(own))
        tally: NDArray[np.float64] = kernels.train_online(
            dense, csr, own, weight, order, units, bias, margins, rates, last_wrong, *rule
        )
    return tally
