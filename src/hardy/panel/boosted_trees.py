"""Boosted trees on binned columns: the opinion that stays affordable with very many rows."""

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from hardy.panel.base import Floats, PanelMember, Predictor


class BoostedTreesOpinion(PanelMember):
    """Few and large gradient-boosted trees, out of fold.

    Parameters
    ----------
    max_iter : int, default=40
        The number of rounds.
    max_leaf_nodes : int, default=63
        The most leaves of a tree.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import BoostedTreesOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=2, random_state=0)
    >>> opinion = BoostedTreesOpinion().opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "boosted trees"
    view = "plain"

    def __init__(self, max_iter: int = 40, max_leaf_nodes: int = 63) -> None:
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Boost the trees; see :meth:`PanelMember.fit`."""
        model = HistGradientBoostingClassifier(
            learning_rate=0.25,
            max_iter=self.max_iter,
            max_leaf_nodes=self.max_leaf_nodes,
            early_stopping=False,
            random_state=seed,
        )
        # It would take all processors, whatever was asked for.
        with threadpool_limits(effective_n_jobs(n_jobs), "openmp"):
            fitted: Predictor = model.fit(X, codes, weights)
        return fitted
