"""The noise votes of NR boosting on rows that it was not trained on."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hardy.ensembles import NoiseReducingBoostClassifier
from hardy.learners import ParallelPerceptronClassifier
from hardy.learners.row_category import claims_and_refusals
from hardy.panel.base import Floats, PanelMember, Predictor

# A class against which every member votes is unlikely, not impossible.
_FLOOR = 1e-3


class NoiseVotesOpinion(PanelMember):
    """NR boosting: a class is the likelier, the fewer members would call the row noisy under it.

    Parameters
    ----------
    n_estimators : int, default=10
        The number of boosting rounds.
    max_iter : int, default=50
        The epochs of each parallel perceptron.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import NoiseVotesOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = NoiseVotesOpinion(n_estimators=3).opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "noise votes"
    view = "standard"

    def __init__(self, n_estimators: int = 10, max_iter: int = 50) -> None:
        self.n_estimators = n_estimators
        self.max_iter = max_iter

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Boost parallel perceptrons; see :meth:`PanelMember.fit`."""
        model = NoiseReducingBoostClassifier(
            ParallelPerceptronClassifier(max_iter=self.max_iter),
            n_estimators=self.n_estimators,
            random_state=seed,
        )
        with warnings.catch_warnings():
            # A panel outweighs a member that finds nothing; the user can't do anything about it.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return NoiseVotes(model.fit(X, codes, weights))


class NoiseVotes:
    """What the votes of a fitted ensemble make of the classes of any rows.

    Parameters
    ----------
    model : NoiseReducingBoostClassifier
        The fitted ensemble.
    """

    def __init__(self, model: NoiseReducingBoostClassifier) -> None:
        self.model = model
        self.classes_ = model.classes_

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        n_votes = np.zeros((X.shape[0], len(self.classes_)))
        for member in self.model.estimators_:
            claims, refusals = claims_and_refusals(
                member.activations(X), member.margin_, "majority"
            )
            known = np.searchsorted(self.classes_, member.classes_)
            n_votes[:, known] += refusals & claims.any(axis=1, keepdims=True)
        belief: Floats = 1 - n_votes / len(self.model.estimators_) + _FLOOR
        belief /= belief.sum(axis=1, keepdims=True)
        return belief
