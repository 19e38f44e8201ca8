"""ICS-bagging: of some candidates, the one with which the pool is best is kept."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hardy.learners._rows import stack_rows
from hardy.weighting._alias import AliasTable
from hardy.weighting._smote import import_smote, make_rows
from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import Floats, TrainingSet, rows_of_classes


class IterativeSelection(BagRule):
    """Keeps, of some candidates, the one with which the pool is best (ICS-bagging [1]_).

    Candidates are trained on rows drawn with replacement. How likely a class is drawn goes with
    the share of its rows that the pool so far gets wrong, at first with its share of the rows, or
    evenly after SMOTE. The one is kept that makes
    w · (mean accuracy over the classes) + (1 − w) · (entropy of the votes) of the pool largest.

    Parameters
    ----------
    n_candidates : int, default=5
        How many members are trained for each that is kept.
    accuracy_weight : float, default=0.5
        The weight w of accuracy against diversity, in [0, 1].
    smote : bool, default=False
        Whether the classes are filled up to the largest by SMOTE before rows are drawn
        (SMOTE-ICS-bagging).
    n_neighbors : int, default=5
        Between how many nearest rows of its class SMOTE makes a row.

    Notes
    -----
    The diversity is the entropy measure of Kuncheva and Whitaker: for each row the smaller of the
    numbers of right and wrong votes, over the most that it can be, averaged over the rows.

    References
    ----------
    .. [1] D. V. R. Oliveira, T. N. Porpino, G. D. C. Cavalcanti, T. I. Ren, "A bootstrap-based
       iterative selection for ensemble generation", IJCNN 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import IterativeSelection, TrainingSet
    >>> y = np.repeat([0, 1], [3, 1])
    >>> X = np.arange(2.0 * len(y)).reshape(-1, 2)
    >>> training = TrainingSet(X, y, 2, np.ones(4), np.arange(4), np.random.RandomState(0))
    >>> rule = IterativeSelection(n_candidates=2)
    >>> rule.start(training)
    >>> rule.choose([np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1])])
    1
    """

    def __init__(
        self,
        n_candidates: int = 5,
        accuracy_weight: float = 0.5,
        smote: bool = False,
        n_neighbors: int = 5,
    ) -> None:
        self.n_candidates = n_candidates
        self.accuracy_weight = accuracy_weight
        self.smote = smote
        self.n_neighbors = n_neighbors

    def start(self, training: TrainingSet) -> None:
        """Begin with an empty pool; see `BagRule.start`."""
        if self.smote:
            self._smote = import_smote()
        self._X, self._y, self._weights = training.X, training.y, training.weights
        self._classes = rows_of_classes(training)
        self._n_classes = training.n_classes
        self._size = training.n_drawn
        self._votes: Floats = np.zeros((len(training.y), training.n_classes))
        self._right: Floats = np.zeros(len(training.y))
        self._n_kept = 0
        self._shares = np.bincount(self._y, self._weights)
        even = self._weights / (self._shares[self._y] * self._n_classes)
        self._set_chances(even if self.smote else self._weights / self._shares.sum())

    def _set_chances(self, chances: Floats) -> None:
        self._chances = chances
        if not self.smote:
            self._table = AliasTable(chances)

    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Draw rows, the classes that go wrong more often; see `BagRule.bag`."""
        if not self.smote:
            return Bag(self._table.draw(self._size, random_state))
        largest = max(map(len, self._classes))
        drawn, made, codes = [], [], []
        for code, rows in enumerate(self._classes):
            filled = make_rows(
                self._smote, self._X, rows, largest - len(rows), self.n_neighbors, random_state
            )
            size = round(self._size * self._chances[self._y == code].sum())
            chosen = random_state.choice(largest, max(1, size))
            drawn.append(rows[chosen[chosen < len(rows)]])
            made.append(filled[chosen[chosen >= len(rows)] - len(rows)])
            codes.append(np.full(made[-1].shape[0], code))
        targets = np.concatenate(codes)
        return Bag(
            np.concatenate(drawn), made=(stack_rows(made), targets) if len(targets) else None
        )

    def choose(self, outputs: Sequence[NDArray[np.intp]]) -> int:
        """Keep the candidate with which the pool is best; see `BagRule.choose`."""
        best = int(np.argmax([self._fitness(output) for output in outputs]))
        self._votes[np.arange(len(self._y)), outputs[best]] += 1
        self._right += outputs[best] == self._y
        self._n_kept += 1
        wrong = 1.0 - self._recalls(self._votes)
        # A class without mistakes is still drawn: nobody knows what new rows will bring.
        chances = wrong + 1.0 / len(self._y)
        unscaled = self._weights * (chances / self._shares)[self._y]
        self._set_chances(unscaled / unscaled.sum())
        return best

    def _fitness(self, output: NDArray[np.intp]) -> float:
        votes = self._votes + np.eye(self._n_classes)[output]
        n_votes = self._n_kept + 1
        right = self._right + (output == self._y)
        most = n_votes // 2
        entropy = np.minimum(right, n_votes - right) / most if most else np.zeros(1)
        accuracy = self._recalls(votes).mean()
        diversity = entropy.mean()
        return float(self.accuracy_weight * accuracy + (1 - self.accuracy_weight) * diversity)

    def _recalls(self, votes: Floats) -> Floats:
        is_right = votes.argmax(axis=1) == self._y
        return np.asarray(np.bincount(self._y, self._weights * is_right) / self._shares)
