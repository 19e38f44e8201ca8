"""BEV: every class is cut into parts as large as the smallest one."""

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.bag import Bag, BagRule
from hardy.weighting.training_set import TrainingSet, rows_of_classes


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
        self._classes = rows_of_classes(training)
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
