"""Bags in which every class has as many rows, for classes of unequal size."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hardy._extras import import_extra
from hardy.weighting._alias import AliasTable
from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import Floats, TrainingSet, repetitions


class BalancedVariation(BagRule):
    """Cuts every class into parts as large as the smallest class (BEV [1]_).

    A member is trained on one part of each class; the smallest class has one part, which all
    members see. A last part that would be smaller is filled up with rows of the class's other
    parts. Members beyond the number of parts of the largest class begin with new cuts.

    References
    ----------
    .. [1] F. N. Walmsley, "An ensemble generation method based on instance hardness", 2017 (the
       description of the balanced ensemble variation).

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import BalancedVariation, TrainingSet
    >>> y = np.repeat([0, 1], [7, 3])
    >>> X = np.arange(2.0 * len(y)).reshape(-1, 2)
    >>> training = TrainingSet(X, y, 2, np.ones(10), np.arange(10), np.random.RandomState(0))
    >>> rule = BalancedVariation()
    >>> rule.start(training)
    >>> [np.bincount(y[rule.bag(number, None).rows]).tolist() for number in range(rule.n_parts)]
    [[3, 3], [3, 3], [3, 3]]
    """

    def start(self, training: TrainingSet) -> None:
        """Count the parts; see `BagRule.start`."""
        self._classes = _rows_of_classes(training)
        self._smallest = min(map(len, self._classes))
        self.n_parts = max(self._parts_of(rows) for rows in self._classes)
        self._seed = training.random_state.randint(np.iinfo(np.int32).max)

    def _parts_of(self, rows: NDArray[np.intp]) -> int:
        return -(-len(rows) // self._smallest)

    def bag(self, number: int, random_state: np.random.RandomState) -> Bag:
        """Give the parts whose turn it is; see `BagRule.bag`."""
        cut, turn = divmod(number, self.n_parts)
        # The cut is the same for all members that share it, whoever draws it.
        of_cut = np.random.RandomState((self._seed + cut) % 2**32)
        # Beyond its end an array is resized with what it begins with: that fills the last part up.
        parts = [
            np.resize(of_cut.permutation(rows), (self._parts_of(rows), self._smallest))
            for rows in self._classes
        ]
        return Bag(np.concatenate([some[turn % len(some)] for some in parts]))


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
        self._classes = _rows_of_classes(training)
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
        stack: Callable[..., Any] = sparse.vstack if sparse.issparse(self._X) else np.vstack
        return (stack(made), codes) if len(codes) else None


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
        self._classes = _rows_of_classes(training)
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
        stack: Callable[..., Any] = sparse.vstack if sparse.issparse(self._X) else np.vstack
        targets = np.concatenate(codes)
        return Bag(np.concatenate(drawn), made=(stack(made), targets) if len(targets) else None)

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


def import_smote() -> Any:
    """Give imbalanced-learn's SMOTE."""
    module = import_extra("imblearn.over_sampling", extra="imbalance", purpose="SMOTE")
    return module.SMOTE


def make_rows(
    smote: Any,
    X: Any,
    rows: NDArray[np.intp],
    n_made: int,
    n_neighbors: int,
    random_state: np.random.RandomState,
) -> Any:
    """Make rows between neighbouring `rows` of `X` by SMOTE; copies where there is but one."""
    own = X[rows]
    if n_made <= 0:
        return own[:0]
    if len(rows) == 1:
        return own[np.zeros(n_made, dtype=np.intp)]
    # imbalanced-learn fills up the smaller of two classes: stand-ins make the other one.
    others = own[np.zeros(len(rows) + n_made, dtype=np.intp)]
    stack: Callable[..., Any] = sparse.vstack if sparse.issparse(X) else np.vstack
    both = sparse.csr_matrix(stack([own, others])) if sparse.issparse(X) else stack([own, others])
    classes = np.repeat([1, 0], [len(rows), len(rows) + n_made])
    sampler = smote(
        sampling_strategy={1: len(rows) + n_made},
        k_neighbors=min(n_neighbors, len(rows) - 1),
        random_state=random_state,
    )
    filled, _ = sampler.fit_resample(both, classes)
    return filled[both.shape[0] :]


def _rows_of_classes(training: TrainingSet) -> list[NDArray[np.intp]]:
    """Give the rows of each class, repeated by their weights as nearly as whole rows can be."""
    rows = np.repeat(np.arange(len(training.y)), repetitions(training.weights))
    return [rows[training.y[rows] == code] for code in range(training.n_classes)]
