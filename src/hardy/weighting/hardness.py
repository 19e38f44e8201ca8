"""Hardness in boosting: the weight of a row moves less, the more its neighbours disagree."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from hardy._quoting import counted
from hardy._validation import as_numbers
from hardy.exceptions import InputError
from hardy.hardness import instance_hardness, nearest_neighbors
from hardy.hardness.measures import LABELS_ONLY
from hardy.weighting.adaboost import AdaBoost
from hardy.weighting.base import Opinion
from hardy.weighting.training_set import Floats, TrainingSet, repetitions

RowMeasure = Callable[[TrainingSet], Floats]
Mitigate = Literal["mistakes", "all"]


class HardnessFactor(AdaBoost):
    """AdaBoost whose exponent is multiplied by 1 − hardness.

    d ← d exp(−α (1 − κ(x)) m), m the agreement of the member with the label (y h(x) for two
    classes) and κ(x) the hardness of the row, as [1]_ names for future work. A row of hardness 1
    keeps its weight, but for the normalisation; κ ≡ 0 is AdaBoost. Errors and coefficients are
    those of AdaBoost.

    A hard row that the members get right thus loses less weight than an easy one, and where they
    get most rows right, weight gathers on the hard ones after all. ``mitigate="mistakes"`` avoids
    it.

    Parameters
    ----------
    hardness : callable
        Gives the hardness of each row of a `TrainingSet`, in [0, 1].
    mitigate : {"mistakes", "all"}, default="all"
        Whether the factor is that of the rows that the member got wrong, or of all.
    learning_rate : float, default=1.0
        Factor of α, positive.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017.

    Examples
    --------
    The member gets the last two of five rows wrong, ε = 2/5, e^2α = 3/2; the last is the harder.

    >>> import numpy as np
    >>> from hardy.weighting import Opinion, TrainingSet
    >>> from hardy.weighting.hardness import HardnessFactor
    >>> rule = HardnessFactor(lambda training: np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    >>> y = np.array([0, 0, 1, 1, 1])
    >>> rule.start(TrainingSet(None, y, 2, np.ones(5), np.arange(5), None))
    >>> step = rule.update([Opinion(np.array([0, 0, 1, 0, 0]))])
    >>> weights = rule.requests()[0].weights
    >>> (weights / weights[0]).round(4)
    array([1.    , 1.    , 1.    , 1.5   , 1.2247])
    """

    def __init__(
        self, hardness: RowMeasure, mitigate: Mitigate = "all", learning_rate: float = 1.0
    ) -> None:
        super().__init__(learning_rate)
        self.hardness = hardness
        self.mitigate = mitigate

    def start(self, training: TrainingSet) -> None:
        """Start from the initial distribution; see `WeightingRule.start`."""
        super().start(training)
        self._ease = 1.0 - self.hardness(training)

    def _factor(self, opinion: Opinion, wrong: NDArray[np.bool_], agreement: Floats) -> Floats:
        if self.mitigate == "mistakes":
            return np.where(wrong, self._ease, 1.0)
        return self._ease


class Neighborhood(NamedTuple):
    """The nearest rows of each row, and the row itself.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_found + 1), dtype intp
        Positions, nearest first, and in their own order among equally near ones.
    distances : ndarray of shape (n_rows, n_found + 1)
        Euclidean distances.
    masses : ndarray of shape (n_rows, n_found + 1)
        How many of the neighbours each of them is. That of the row itself is 0 unless its weight
        says that it has twins.
    """

    rows: NDArray[np.intp]
    distances: Floats
    masses: Floats

    @classmethod
    def of(cls, points: Any, weights: Floats, n_neighbors: int) -> "Neighborhood":
        """Find the neighbours of each row, where one of weight w is w equal rows.

        Parameters
        ----------
        points : ndarray or CSR matrix of shape (n_rows, n_features)
            The rows, scaled.
        weights : ndarray of shape (n_rows,)
            How many rows each row stands for, positive.
        n_neighbors : int
            The number of neighbours.

        Returns
        -------
        Neighborhood
            With fewer rows than `n_neighbors`, all others are neighbours.

        Examples
        --------
        >>> import numpy as np
        >>> from hardy.weighting.hardness import Neighborhood
        >>> Neighborhood.of(np.array([[0.0], [1.0], [3.0]]), np.array([2.0, 1.0, 1.0]), 2).masses
        array([[1., 1., 0.],
               [0., 2., 0.],
               [0., 1., 1.]])
        """
        return cls.around(None, *nearest_neighbors(points, n_neighbors), weights, n_neighbors)

    @classmethod
    def around(
        cls,
        asked: NDArray[np.intp] | None,
        near: NDArray[np.intp],
        far: Floats,
        weights: Floats,
        n_neighbors: int,
    ) -> "Neighborhood":
        """Make it of other rows that were found to be the nearest ones.

        Parameters
        ----------
        asked : ndarray of shape (n_asked,), dtype intp, or None
            The positions of the rows; None where they are all, in their order.
        near, far : ndarrays of shape (n_asked, n_found)
            The positions and the distances of other rows, nearest first.
        weights : ndarray of shape (n_rows,)
            How many rows each row stands for, positive.
        n_neighbors : int
            The number of neighbours.

        Returns
        -------
        Neighborhood
            Of the asked rows.
        """
        itself = (np.arange(len(near)) if asked is None else asked)[:, None]
        rows, distances = np.hstack([itself, near]), np.hstack([np.zeros_like(itself), far])
        order = np.lexsort((rows, distances), axis=1)
        rows = np.take_along_axis(rows, order, axis=1)
        distances = np.take_along_axis(distances, order, axis=1)
        available = np.where(rows == itself, np.maximum(weights[rows] - 1.0, 0.0), weights[rows])
        taken_before = np.cumsum(available, axis=1) - available
        return cls(rows, distances, np.clip(n_neighbors - taken_before, 0.0, available))

    def disagreement(self, own: NDArray[np.intp], codes: NDArray[np.intp]) -> Floats:
        """Give the share of each row's neighbours that have another label.

        Parameters
        ----------
        own : ndarray of shape (n_asked,), dtype intp
            The class index of each row.
        codes : ndarray of shape (n_rows,), dtype intp
            Those of all rows.

        Returns
        -------
        ndarray of shape (n_asked,)
            In [0, 1].
        """
        disagrees = codes[self.rows] != own[:, None]
        shares: Floats = (self.masses * disagrees).sum(axis=1) / self.masses.sum(axis=1)
        return shares


def fit_scaler(training: TrainingSet) -> StandardScaler:
    """Fit what makes columns comparable before neighbours are looked for.

    Parameters
    ----------
    training : TrainingSet
        The rows and their weights.

    Returns
    -------
    StandardScaler
        Columns get the mean 0 and the variance 1; those of a sparse matrix keep their zeros.

    Raises
    ------
    InputError
        Where the squares of a column's values overflow.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> from hardy.weighting.hardness import fit_scaler
    >>> X, y = np.array([[1.0], [5.0]]), np.array([0, 1])
    >>> training = TrainingSet(X, y, 2, np.ones(2), np.arange(2), None)
    >>> fit_scaler(training).transform(X).ravel()
    array([-1.,  1.])
    """
    scaler = StandardScaler(with_mean=not sparse.issparse(training.X))
    with np.errstate(over="ignore", invalid="ignore"):
        scaler.fit(in_double_precision(training.X), sample_weight=training.weights)
    refuse_overflow(scaler.var_, "squares overflow")
    return scaler


def refuse_overflow(of_columns: NDArray[np.float64], what: str) -> None:
    """Refuse columns of which what was computed is not finite."""
    bad = np.flatnonzero(~np.isfinite(of_columns))
    if bad.size:
        raise InputError(
            f"The values of column {bad[0]} of X are so large that their {what}: scale them."
        )


def in_double_precision(X: Any) -> Any:
    """Give rows of numbers in float64, without a copy where they are."""
    return X.astype(np.float64, copy=False)


def scale_rows(X: Any, scaler: Any) -> Any:
    """Bring rows to the scale on which they are compared with each other.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        The rows.
    scaler : transformer
        Fitted on rows in float64, as by `fit_scaler`.

    Returns
    -------
    ndarray or sparse matrix of shape (n_rows, n_features)
        In float64 whatever type `X` has: were the numbers rounded first, rows at equal distances
        would be so no more.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from hardy.weighting.hardness import scale_rows
    >>> X = np.array([[0], [1], [3]])
    >>> scale_rows(X.astype(np.float32), MinMaxScaler().fit(X)).ravel()
    array([0.        , 0.33333333, 1.        ])
    """
    return scaler.transform(in_double_precision(X))


def neighbor_disagreement(
    training: TrainingSet, n_neighbors: int, scaler: Any = None
) -> NDArray[np.float64]:
    """Give the share of each row's nearest neighbours that have another label (kDN).

    A row of weight w is w equal rows, so that w − 1 of its nearest
    neighbours are its own twins.

    Parameters
    ----------
    training : TrainingSet
        The rows, without missing values.
    n_neighbors : int
        The number of neighbours. With fewer other rows, all of them are asked.
    scaler : transformer, optional
        Fitted on the rows; what it makes of them is compared. By default columns are standardised.

    Returns
    -------
    ndarray of shape (n_rows,)
        In [0, 1], higher is harder.

    See Also
    --------
    hardy.hardness.k_disagreeing_neighbors : The same for rows without weights, as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> from hardy.weighting.hardness import neighbor_disagreement
    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 0, 1])
    >>> training = TrainingSet(X, y, 2, np.ones(4), np.arange(4), None)
    >>> neighbor_disagreement(training, 2)
    array([0. , 0. , 0.5, 1. ])
    """
    points = scale_rows(training.X, scaler or fit_scaler(training))
    near = Neighborhood.of(points, training.weights, n_neighbors)
    return near.disagreement(training.y, training.y)


def measure_hardness(
    training: TrainingSet, name: str, n_neighbors: int, scaler: Any
) -> NDArray[np.float64]:
    """Measure the hardness of each row by the name of a measure.

    A row of weight w is w equal rows; but for kDN, as nearly as whole rows can be.

    Parameters
    ----------
    training : TrainingSet
        The rows, without missing values unless the measure looks at labels only.
    name : str
        A key of ``hardy.hardness.MEASURES``.
    n_neighbors : int
        The number of neighbours of ``"kdn"``.
    scaler : transformer
        Fitted on the rows; what it makes of them is measured, where the measure looks at them.

    Returns
    -------
    ndarray of shape (n_rows,)
        In [0, 1], higher is harder.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> from hardy.weighting.hardness import fit_scaler, measure_hardness
    >>> X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0, 0, 1])
    >>> training = TrainingSet(X, y, 2, np.array([2.0, 1.0, 1.0]), np.arange(3), None)
    >>> scaler = fit_scaler(training)
    >>> measure_hardness(training, "kdn", 2, scaler)
    array([0., 0., 1.])
    """
    if name == "kdn":
        return neighbor_disagreement(training, n_neighbors, scaler)
    times = repetitions(training.weights)
    owner = np.repeat(np.arange(len(times)), times)
    rows = training.X if name in LABELS_ONLY else scale_rows(training.X, scaler)
    seed = training.random_state.randint(np.iinfo(np.int32).max)
    measured = instance_hardness(rows[owner], training.y[owner], name, random_state=seed)[name]
    return np.asarray(np.bincount(owner, measured) / times)


def check_hardness(hardness: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """Check the hardness that a user gives for each training row."""
    values = as_numbers(hardness, "hardness")
    if values.shape != (n_rows,):
        raise InputError(
            f"hardness has the shape {values.shape}, but X has "
            f"{counted(n_rows, 'row')}; it needs one value for each."
        )
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if bad.size:
        raise InputError(f"hardness is {values[bad[0]]} for row {bad[0]}; it must be in [0, 1].")
    return values
