"""SMOTE-bagging: every class is filled up to the largest one, by drawn and by made rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._rows import stack_rows
from hardy.weighting._smote import import_smote, make_rows
from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import TrainingSet, rows_of_classes


class SMOTEBags(BagRule):
    """Fills every class up to the largest by drawn rows and by SMOTE (SMOTEBagging [1]_).

    The rows of the largest class are drawn with replacement. For every other class the share a of
    as many rows is drawn as well, and the rest made by SMOTE between rows of the class; a goes
    from 10 to 100 % from one member to the next, and begins anew.

    Parameters
    ----------
    n_neighbors : int, default=5
        Between how many nearest rows of its class a row is made.

    References
    ----------
    .. [1] S. Wang, X. Yao, "Diversity analysis on imbalanced data sets by using ensemble models",
       IEEE Symposium on Computational Intelligence and Data Mining 2009, 324–331.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import SMOTEBags, TrainingSet
    >>> y = np.repeat([0, 1], [20, 5])
    >>> X = np.arange(2.0 * len(y)).reshape(-1, 2)
    >>> training = TrainingSet(X, y, 2, np.ones(25), np.arange(25), np.random.RandomState(0))
    >>> rule = SMOTEBags(n_neighbors=3)
    >>> rule.start(training)
    >>> bag = rule.bag(0, np.random.RandomState(0))
    >>> np.bincount(y[bag.rows]), np.bincount(bag.made[1])
    (array([20,  2]), array([ 0, 18]))
    """

    def __init__(self, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def start(self, training: TrainingSet) -> None:
        """Keep the rows of each class; see `BagRule.start`."""
        self._smote = import_smote()
        self._X, self._y = training.X, training.y
        self._classes = rows_of_classes(training)
        self._largest = max(map(len, self._classes))

    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Draw and make rows; see `BagRule.bag`."""
        share = (number % 10 + 1) / 10
        drawn = []
        for rows in self._classes:
            is_largest = len(rows) == self._largest
            size = self._largest if is_largest else max(1, round(share * self._largest))
            drawn.append(random_state.choice(rows, size))
        return Bag(np.concatenate(drawn), made=self._made(np.concatenate(drawn), random_state))

    def _made(
        self, drawn: NDArray[np.intp], random_state: np.random.RandomState
    ) -> tuple[Any, NDArray[np.intp]] | None:
        made = [
            make_rows(
                self._smote,
                self._X,
                rows,
                self._largest - np.sum(self._y[drawn] == code),
                self.n_neighbors,
                random_state,
            )
            for code, rows in enumerate(self._classes)
        ]
        codes = np.repeat(np.arange(len(made)), [rows.shape[0] for rows in made])
        return (stack_rows(made), codes) if len(codes) else None
