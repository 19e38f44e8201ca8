"""The protocol of a bagging rule: which rows and columns each member is trained on."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.training_set import TrainingSet


class Bag(NamedTuple):
    """What one member is trained on.

    Attributes
    ----------
    rows : ndarray of shape (n_drawn,), dtype intp
        Positions in the training set, repeated ones repeatedly.
    features : ndarray of shape (n_kept,), dtype intp, or None
        The columns that the member sees; None for all.
    made : tuple (X, targets) or None
        Rows and class indices that are in no training set, beside the drawn ones.
    weights : ndarray of shape (n_drawn,) or None
        How many rows each drawn row stands for; None for one.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Bag
    >>> bag = Bag(np.array([0, 0, 4]), features=np.array([1, 2]))
    >>> bag.rows, bag.weights is None
    (array([0, 0, 4]), True)
    """

    rows: NDArray[np.intp]
    features: NDArray[np.intp] | None = None
    made: tuple[Any, NDArray[np.intp]] | None = None
    weights: NDArray[np.float64] | None = None


class BagRule(ABC):
    """Base class of all bagging rules.

    A rule is made anew for each fit. Its constructor takes the settings; `start` makes the state.

    Attributes
    ----------
    n_candidates : int
        How many members are trained for each that is kept. With one, members don't depend on
        each other and are trained side by side.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import Bag, BagRule
    >>> class Pasting(BagRule):
    ...     def start(self, training):
    ...         self.n_rows = len(training.y)
    ...
    ...     def bag(self, number, random_state):
    ...         return Bag(random_state.permutation(self.n_rows)[: self.n_rows // 2])
    >>> rule = Pasting()
    >>> rule.n_candidates
    1
    """

    n_candidates: int = 1

    @abstractmethod
    def start(self, training: TrainingSet) -> None:
        """Learn what the bags are drawn from.

        Parameters
        ----------
        training : TrainingSet
            The rows, their classes and their weights.
        """

    @abstractmethod
    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Draw what a member is trained on.

        Parameters
        ----------
        number : int
            The place of the member among all that are trained, from 0.
        random_state : RandomState
            The member's own, so that the draw doesn't depend on the other members'.

        Returns
        -------
        Bag
            The rows and columns.
        """

    def choose(self, outputs: Sequence[NDArray[np.intp]]) -> int:
        """Choose which candidate is kept, and remember it.

        Parameters
        ----------
        outputs : sequence of ndarray of shape (n_rows,), dtype intp
            The class index that each candidate gives each training row.

        Returns
        -------
        int
            The place of the kept one.
        """
        return 0
