"""Extremely randomised trees: what those trees say of a row that did not see it."""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from hardy.panel.base import Floats, Learned, PanelData, PanelMember, Predictor
from hardy.panel.views import MOST_ROWS


class TreesOpinion(PanelMember):
    """Extremely randomised trees on bootstrap draws; out-of-bag unless rows have groups.

    Parameters
    ----------
    min_samples_leaf : int
        The least number of rows of a leaf.
    n_estimators : int, default=300
        The number of trees.
    max_samples : int, optional
        The most rows that a tree draws; by default as many as there are.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import PanelData, TreesOpinion
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = TreesOpinion(min_samples_leaf=3, n_estimators=30).opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "extra trees"
    view = "plain"
    _forest: ClassVar[Any] = ExtraTreesClassifier

    def __init__(
        self, min_samples_leaf: int, n_estimators: int = 300, max_samples: int | None = None
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.n_estimators = n_estimators
        self.max_samples = max_samples

    @property
    def name(self) -> str:
        """The kind, and the least number of rows of a leaf."""
        return f"{self.kind}, leaf {self.min_samples_leaf}"

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit the trees; see :meth:`PanelMember.fit`."""
        forest = self._make(len(codes), seed, n_jobs, oob_score=False).fit(X, codes, weights)
        # Threads would add up the trees' votes in any order, which rounds differently.
        fitted: Predictor = forest.set_params(n_jobs=1)
        return fitted

    def opinion(self, data: PanelData, seed: int) -> Floats:
        """Ask for each row the trees whose draw left it out; see :meth:`PanelMember.opinion`."""
        if data.has_groups or len(data.codes) > MOST_ROWS:
            return self.opinion_in(data.folds, data, seed)
        return self.learn(data, seed).opinion

    def learn(self, data: PanelData, seed: int) -> Learned:
        """Fit the trees, which have seen a part of the rows each; see :meth:`PanelMember.learn`."""
        if data.has_groups or len(data.codes) > MOST_ROWS:
            return super().learn(data, seed)
        forest = self._make(len(data.codes), seed, data.n_jobs, oob_score=_no_score)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Some inputs do not have OOB scores", UserWarning)
            forest.fit(data.views.training(self.view), data.codes, data.weights)
        votes = np.zeros((len(data.codes), data.n_classes))
        votes[:, forest.classes_] = forest.oob_decision_function_
        # A fitted forest is kept, maybe in a file; what it says of these rows isn't.
        del forest.oob_decision_function_, forest.oob_score_
        never_left_out = ~(votes.sum(axis=1) > 0)
        votes[never_left_out] = data.prior
        # Threads would add up the trees' votes in any order, which rounds differently.
        return Learned(votes, forest.set_params(n_jobs=1, oob_score=False))

    def _make(self, n_rows: int, seed: int, n_jobs: int | None, oob_score: Any) -> Any:
        return self._forest(
            self.n_estimators,
            min_samples_leaf=self.min_samples_leaf,
            bootstrap=True,
            max_samples=None if self.max_samples is None else min(self.max_samples, n_rows),
            oob_score=oob_score,
            random_state=seed,
            n_jobs=n_jobs,
        )


class ForestOpinion(TreesOpinion):
    """A random forest, whose trees search for the best thresholds; otherwise as extra trees.

    Parameters
    ----------
    min_samples_leaf : int
        The smallest leaf.
    n_estimators : int, default=300
        The number of trees.
    max_samples : int, optional
        The rows that each tree sees, at most; by default as many as there are.

    Examples
    --------
    >>> from hardy.panel import ForestOpinion
    >>> ForestOpinion(min_samples_leaf=4).kind
    'random forest'
    """

    kind = "random forest"
    _forest = RandomForestClassifier


def _no_score(y_true: object, y_pred: object) -> float:
    """Stand for the out-of-bag score, which nobody reads; only its probabilities are used."""
    return 0.0
