"""Hardness bagging over blocks of rows: kDN by block, bags drawn and trained in tasks."""

from collections.abc import Callable, Sequence
from copy import copy
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from hardy._all_or_nothing import all_or_nothing
from hardy._validation import Numbers, refuse_extreme_weights
from hardy.distributed._bags import Urn, all_rows, draw_bags, train_members
from hardy.distributed._blocks import Blocks
from hardy.distributed._collections import column_parts
from hardy.distributed._estimator import StagedOnCollections
from hardy.distributed._index import measure_disagreement
from hardy.distributed._training import TrainingBlocks, lay_out
from hardy.ensembles import HardnessBaggingClassifier as InMemory
from hardy.ensembles._bagging import Voting
from hardy.ensembles._bagging_loop import (
    BagMember,
    BagTrainer,
    refuse_too_many,
    warn_of_lost_members,
)
from hardy.ensembles._perceptrons import can_be_pooled
from hardy.ensembles.hardness_bagging import fit_range_scaler
from hardy.learners._perceptron_pool import draw_seeds
from hardy.learners._rows import stack_rows
from hardy.weighting import HardnessBagging, MemberKind, TrainingSet
from hardy.weighting.base import refuse_member
from hardy.weighting.hardness import check_hardness, scale_rows

_INDEX_ROWS = 100_000
_MAX_SEED = np.iinfo(np.int32).max


class HardnessBaggingClassifier(StagedOnCollections, InMemory):
    """A :class:`hardy.HardnessBaggingClassifier` that learns from Dask arrays and frames.

    The hardness of the rows is measured block by block (kDN), the bags are drawn from all rows, and
    each member is trained in a task of its own, to which the rows of its bag travel. The ensemble
    is that of the class in memory with ``row_order="independent"`` on the same rows and with the
    same `random_state`, however the rows are split. What isn't Dask's is predicted for as in
    memory.

    Parameters
    ----------
    estimator : classifier, optional
        The learner that the members are copies of, by default
        ``Perceptron(max_iter=5, tol=None)``.
    n_estimators : int, default=50
        The number of members.
    max_samples : int or float, optional
        How many rows a bag has: a number, or a share of the rows; by default as many as there are.
        A bag must fit into the memory of one worker.
    hardness : {"kdn"}, Dask array or series of shape (n_samples,), or None, default="kdn"
        What measures the hardness, or that of each training row in [0, 1], or None for plain
        bagging. kDN sees the features scaled to [0, 1].
    weighting : {"linear", "softmax"} or callable, default="linear"
        Makes weights of hardness; a callable takes the array and gives non-negative weights.
    n_neighbors : int, default=5
        The number of neighbours of ``"kdn"``.
    voting : {"hard", "soft"}, default="hard"
        Whether the members' labels are counted or their probabilities averaged.
    random_state : int, RandomState instance or None, default=None
        Seeds the draws and the members.

    Attributes
    ----------
    estimator_ : estimator
        The learner that the members are copies of.
    estimators_ : list of classifiers
        The members, fitted on the user's own labels.
    estimator_weights_ : ndarray of shape (n_members,)
        How much each member's vote counts: 1.
    estimator_errors_ : ndarray of shape (n_members,)
        The share of the rows that each was trained on which it gets wrong, repeated
        ones counted repeatedly.
    estimators_features_ : list of None
        The columns that each sees: all.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    See Also
    --------
    k_disagreeing_neighbors : The hardness itself, from an index of other size, to be given here.

    Notes
    -----
    kDN is exact up to 100,000 rows, and beyond is measured against a sample of so many, as
    :func:`~hardy.distributed.k_disagreeing_neighbors` describes: from there on it isn't the
    hardness in memory.

    One worker holds some 50 bytes of each row while bags are drawn, its label and its chance
    among them, and each member's task holds the rows of its bag: set `max_samples` where these
    are too many. In memory, perceptrons go through all rows together by default
    (``row_order="shared"``), which no split of the rows allows.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from hardy.distributed import HardnessBaggingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = MinMaxScaler().fit_transform(X)
    >>> blocks, labels = da.from_array(X, chunks=(200, 30)), da.from_array(y, chunks=200)
    >>> model = HardnessBaggingClassifier(n_estimators=9, random_state=0).fit(blocks, labels)
    >>> model.score(X, y) > 0.9
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **InMemory._parameter_constraints,
        "hardness": [StrOptions({"kdn"}), "array-like", None],
        "max_samples": [
            Numbers(Integral, 1, None, closed="left"),
            Numbers(Real, 0, None, closed="neither"),
            None,
        ],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_samples: int | float | None = None,
        hardness: Any = "kdn",
        weighting: Literal["linear", "softmax"]
        | Callable[[NDArray[np.float64]], NDArray[np.float64]] = "linear",
        n_neighbors: int = 5,
        voting: Voting = "hard",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.hardness = hardness
        self.weighting = weighting
        self.n_neighbors = n_neighbors
        self.voting = voting
        self.random_state = random_state

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : {Dask array, Dask data frame} of shape (n_samples, n_features)
            The rows. Missing values are accepted where the members accept them and nothing is
            measured.
        y : {Dask array, Dask series} of shape (n_samples,)
            The labels, of any kind, in the same blocks as `X`.
        sample_weight : {Dask array, Dask series} of shape (n_samples,), optional
            Non-negative weights, by default 1. A row of weight w counts as w equal rows, one of
            weight 0 as absent: a weight multiplies the row's chance to be drawn.

        Returns
        -------
        HardnessBaggingClassifier
            The fitted ensemble itself.

        Raises
        ------
        InputError
            Where the input isn't Dask's or its blocks don't fit together, `y` has a missing label
            or one class only, or a parameter doesn't fit the rows.
        MissingExtraError
            Where Dask isn't installed.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are trained than were asked for, because bags had rows of one
            class only. Where all had, one member is trained instead, on all rows, unweighted.
        """
        self.estimator_ = self._template()
        soft = self.voting == "soft"
        kind = MemberKind.PROBABILITIES if soft else MemberKind.CLASSIFIER
        owner = type(self).__name__ + (" with voting='soft'" if soft else "")
        refuse_member(owner, kind, self.estimator_)
        missing = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True
        data = lay_out(self, X, y, sample_weight, ensure_all_finite=missing)
        data.refuse_one_class()
        data.weight.gather(refuse_extreme_weights)
        self.classes_ = data.classes
        random_state = check_random_state(self.random_state)
        trained = self._train(
            data, self._fill_urn(data, X, sample_weight, random_state), random_state
        )
        members, errors = zip(*trained, strict=True)
        self.estimators_ = list(members)
        self.estimator_errors_ = np.array(errors)
        self.estimator_weights_ = np.ones(len(members))
        self.estimators_features_ = [None] * len(members)
        return self

    def _fill_urn(
        self, data: TrainingBlocks, X: Any, sample_weight: Any, random_state: np.random.RandomState
    ) -> Any:
        weights: Any = data.as_training_set(random_state).weights
        columns = [weights]
        if isinstance(self.hardness, str):
            columns.append(self._measure(data, weights, random_state))
        elif self.hardness is not None:
            columns.append(self._given_hardness(data, X, sample_weight))
        # What the task is sent holds neither rows nor what the user gave for each.
        model = copy(self).set_params(hardness=None)
        return data.codes.map(_side_by_side, *columns).meet(_fill, model, self.estimator_)

    def _measure(
        self, data: TrainingBlocks, weights: Blocks, random_state: np.random.RandomState
    ) -> Blocks:
        extremes = [row for rows in data.rows.gather(_extremes) for row in rows]
        scaler = fit_range_scaler(stack_rows(extremes))
        rows = data.rows.map(scale_rows, scaler)
        return measure_disagreement(
            rows, data.codes, weights, self.n_neighbors, _INDEX_ROWS, random_state
        )

    def _given_hardness(self, data: TrainingBlocks, X: Any, sample_weight: Any) -> Blocks:
        given = {"hardness": self.hardness, "sample_weight": sample_weight}
        columns = [
            Blocks(tuple(column_parts(name, column, X))).at(data.filled)
            for name, column in given.items()
            if column is not None
        ]
        return columns[0].map(_check_hardness, data.codes, *columns[1:])

    def _train(
        self, data: TrainingBlocks, urn: Any, random_state: np.random.RandomState
    ) -> list[tuple[Any, float]]:
        refuse_too_many(self.n_estimators)
        seeds = random_state.randint(_MAX_SEED, size=self.n_estimators)
        drawn, n_lost = draw_bags(urn, seeds)
        if n_lost:
            warn_of_lost_members(n_lost, self.n_estimators, bool(drawn.parts))
        of_data = data.rows, data.codes
        if not drawn.parts:
            bag = all_rows(urn, random_state)
            return train_members(*of_data, bag, self.estimator_, self.classes_)
        orders = None
        if can_be_pooled(self.estimator_):
            n_subproblems = 1 if len(self.classes_) == 2 else len(self.classes_)
            orders = draw_seeds(random_state, len(drawn.parts) * n_subproblems)
            orders = orders.reshape(-1, n_subproblems)
        return train_members(*of_data, drawn, self.estimator_, self.classes_, orders)

    def _looks_at_rows(self) -> bool:
        return isinstance(self.hardness, str)

    def _entries(self) -> Sequence[BagMember]:
        nowhere = np.empty(0, dtype=np.intp)
        return [
            BagMember(member, nowhere, None, error)
            for member, error in zip(self.estimators_, self.estimator_errors_, strict=True)
        ]


def _extremes(rows: Any) -> list[Any]:
    """Give the lowest and the highest value of each column, which is all that scalers look at."""
    extremes = [rows.min(axis=0), rows.max(axis=0)]
    return [e.tocsr() if sparse.issparse(e) else e for e in extremes]


def _check_hardness(
    values: Any, codes: NDArray[np.intp], sample_weight: Any = None
) -> NDArray[np.float64]:
    if sample_weight is None:
        return check_hardness(values, len(codes))
    return check_hardness(values, len(sample_weight))[np.asarray(sample_weight) > 0]


def _side_by_side(codes: NDArray[np.intp], *columns: Any) -> tuple[Any, ...]:
    return (codes, *columns)


def _fill(parts: list[tuple[Any, ...]], model: HardnessBaggingClassifier, template: Any) -> Urn:
    """Make the urn in one place, of one number or three for each row."""
    codes, weights, *hardness = (np.concatenate(column) for column in zip(*parts, strict=True))
    training = TrainingSet(
        None, codes, len(model.classes_), weights, np.arange(len(codes)), np.random.RandomState()
    )
    measured = hardness[0] if hardness else None
    rule = HardnessBagging(measured, model._weigh(training), model._share(training))
    rule.start(training)
    return Urn(rule, BagTrainer(template, training, model.classes_))
