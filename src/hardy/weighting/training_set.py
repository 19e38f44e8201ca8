"""The rows that members are trained on, and what each stands for."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Of each row, where rows are drawn or repeated: weights may sum to more than any memory holds.
MOST_DRAWN = 100


def repetitions(weights: Floats) -> NDArray[np.intp]:
    """Tell how often each row comes where rows are repeated to show their weights.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,)
        How many rows each row stands for, positive.

    Returns
    -------
    ndarray of shape (n_rows,), dtype intp
        The nearest whole numbers, at least 1, of the weights; scaled down where they sum to more
        than a hundred times the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> repetitions(np.array([0.2, 1.6, 3.0]))
    array([1, 2, 3])
    """
    scale = min(1.0, MOST_DRAWN * len(weights) / weights.sum())
    times: NDArray[np.intp] = np.maximum(1, np.rint(weights * scale)).astype(np.intp)
    return times


class TrainingSet(NamedTuple):
    """What a rule is told before the first round.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_features)
        The rows, without those of weight 0.
    y : ndarray of shape (n_rows,), dtype intp
        The class index of each row.
    n_classes : int
        The number of classes, at least two; each has a row.
    weights : ndarray of shape (n_rows,)
        How many rows each row stands for, positive: the user's weights, scaled up to the sum
        n_rows where their sum is less.
    rows : ndarray of shape (n_rows,), dtype intp
        The place of each row among all rows that the user gave.
    random_state : RandomState
        For rules that draw.
    is_drawn : bool
        Whether members see rows drawn from the distribution. The same distribution then doesn't
        lead to the same member again.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import TrainingSet
    >>> y = np.array([0, 1, 1])
    >>> training = TrainingSet(None, y, 2, np.array([2.0, 1.0, 1.0]), np.arange(3), None)
    >>> training.size, training.distribution
    (4.0, array([0.5 , 0.25, 0.25]))
    """

    X: Any
    y: NDArray[np.intp]
    n_classes: int
    weights: Floats
    rows: NDArray[np.intp]
    random_state: np.random.RandomState
    is_drawn: bool = False

    @property
    def size(self) -> float:
        """How many rows the set stands for."""
        return float(self.weights.sum())

    def given(self, positions: NDArray[np.intp]) -> NDArray[np.intp]:
        """Turn positions in the set into places among all rows that the user gave.

        Parameters
        ----------
        positions : ndarray of shape (n_positions,), dtype intp
            Positions in the set.

        Returns
        -------
        ndarray of shape (n_positions,), dtype intp
            The places.
        """
        # Mostly no row has the weight 0: then they are the same.
        return positions if self.rows[-1] == len(self.rows) - 1 else self.rows[positions]

    @property
    def n_drawn(self) -> int:
        """How many rows a draw from the set has: what it stands for, within memory's bounds."""
        return round(min(self.size, MOST_DRAWN * len(self.weights)))

    def spread(self, values: Floats, n_rows: int, absent: float = np.nan) -> Floats:
        """Put a value for each of the rows among all `n_rows` that the user gave.

        Parameters
        ----------
        values : ndarray of shape (n_rows of the set,)
            A value for each row of the set.
        n_rows : int
            The number of all rows that the user gave.
        absent : float, default=nan
            The value of the rows that have weight 0.

        Returns
        -------
        ndarray of shape (n_rows,)
            A value for each row that the user gave.
        """
        spread = np.full(n_rows, absent)
        spread[self.rows] = values
        return spread

    @property
    def distribution(self) -> Floats:
        """The initial distribution: the weights, of sum 1."""
        return np.asarray(self.weights / self.weights.sum())


def rows_of_classes(training: TrainingSet) -> list[NDArray[np.intp]]:
    """Give the rows of each class, repeated by their weights as nearly as whole rows can be."""
    rows = np.repeat(np.arange(len(training.y)), repetitions(training.weights))
    return [rows[training.y[rows] == code] for code in range(training.n_classes)]
