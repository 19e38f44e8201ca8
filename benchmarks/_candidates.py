"""Learners that were tried as members of HardyClassifier; `ablation.py` tells what each is worth.

They are made of what Hardy has, and know of a fold's training rows alone: what they believe of a
label comes from opinions inside these.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import Perceptron

from hardy.ensembles import HardnessBaggingClassifier
from hardy.noise.correction import NoiseCorrection
from hardy.panel import BoostedTreesOpinion, PanelData, PanelMember, TreesOpinion
from hardy.panel.base import Floats, Learned, Predictor, ViewName, draw_rows
from hardy.panel.views import Views

HELD_OUT = 0.2


class Belief:
    """What ordinary extra trees believe of some labels, out of bag, and the noise that they see.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    codes : ndarray of shape (n_samples,)
        Their given class indices.
    seed : int
        For the trees.
    """

    def __init__(self, X: Any, codes: NDArray[np.intp], seed: int) -> None:
        data = PanelData.make(Views(X), codes, codes.max() + 1, n_splits=3, random_state=seed)
        opinion = TreesOpinion(3, 100).opinion(data, seed)
        self.correction = NoiseCorrection.estimate(opinion, codes)
        self.trust = self.correction.apply(opinion)[np.arange(len(codes)), codes]


class HardnessBagsOpinion(PanelMember):
    """Members whose bags draw rows in proportion to how easy they are, or to their trust.

    Parameters
    ----------
    estimator : classifier
        What is bagged; trees vote by their probabilities, perceptrons by their labels.
    by : {"kdn", "trust"} or None
        Draw by the share of nearest neighbours that have the same label, by `Belief`, or evenly.
    n_estimators : int
        The number of bags.
    """

    kind = "hardness bags"

    def __init__(
        self, estimator: Any, by: Literal["kdn", "trust"] | None, n_estimators: int
    ) -> None:
        self.estimator = estimator
        self.by = by
        self.n_estimators = n_estimators

    @property
    def view(self) -> ViewName:
        """Perceptrons want columns of one size."""
        return "standard" if isinstance(self.estimator, Perceptron) else "plain"

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Bag the members; see :meth:`PanelMember.fit`."""
        fitted: Predictor = HardnessBaggingClassifier(
            self.estimator,
            n_estimators=self.n_estimators,
            hardness=1 - Belief(X, codes, seed).trust if self.by == "trust" else self.by,
            voting="soft" if hasattr(self.estimator, "predict_proba") else "hard",
            random_state=seed,
        ).fit(X, codes, weights)
        return fitted


Loss = Callable[[Floats, NDArray[np.intp], Belief, NDArray[np.intp]], float]


def given_loss(proba: Floats, codes: NDArray[np.intp], _: Belief, rows: NDArray[np.intp]) -> float:
    """Log loss on the given labels, as everybody stops by."""
    return float(-np.log(proba[np.arange(len(rows)), codes[rows]]).mean())


def trusted_loss(
    proba: Floats, codes: NDArray[np.intp], belief: Belief, rows: NDArray[np.intp]
) -> float:
    """Log loss on the given labels, each weighted by its trust."""
    own = proba[np.arange(len(rows)), codes[rows]]
    return float(np.average(-np.log(own), weights=belief.trust[rows]))


def forward_loss(
    proba: Floats, codes: NDArray[np.intp], belief: Belief, rows: NDArray[np.intp]
) -> float:
    """Log loss of the given labels, were the probabilities of the true ones made noisy."""
    return given_loss(proba @ belief.correction.transition, codes, belief, rows)


class StoppedTreesOpinion(PanelMember):
    """Boosted trees whose number of rounds has the least loss on rows that were held out.

    Parameters
    ----------
    loss : callable
        What is to be least.
    max_iter : int, default=80
        The most rounds.
    max_leaf_nodes : int, default=8
        The most leaves of a tree.
    """

    kind = "stopped trees"
    view = BoostedTreesOpinion.view

    def __init__(self, loss: Loss, max_iter: int = 80, max_leaf_nodes: int = 8) -> None:
        self.loss = loss
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
        """Choose the rounds, and boost on all rows; see :meth:`PanelMember.fit`."""
        own = np.unique(codes, return_inverse=True)[1]
        kept = draw_rows(own, round((1 - HELD_OUT) * len(own)), seed)
        held = np.setdiff1d(np.arange(len(own)), kept)
        belief = Belief(X, own, seed)
        tried: Any = self._boosted(self.max_iter).fit(X[kept], own[kept], seed, n_jobs)
        losses = [
            self.loss(np.maximum(proba, 1e-9), own, belief, held)
            for proba in tried.staged_predict_proba(X[held])
        ]
        best = self._boosted(int(np.argmin(losses)) + 1)
        return best.fit(X, codes, seed, n_jobs, weights)

    def _boosted(self, max_iter: int) -> BoostedTreesOpinion:
        return BoostedTreesOpinion(max_iter, self.max_leaf_nodes)


class OtherSplitOpinion(PanelMember):
    """A member that gives its opinion by other folds than the panel's.

    Parameters
    ----------
    member : PanelMember
        A member that has its opinion from folds.
    number : int
        Which other folds.
    """

    def __init__(self, member: PanelMember, number: int) -> None:
        self.member = member
        self.number = number
        self.kind = member.kind

    @property
    def view(self) -> ViewName:
        """The member's."""
        return self.member.view

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit the member; see :meth:`PanelMember.fit`."""
        return self.member.fit(X, codes, seed, n_jobs, weights)

    def learn(self, data: PanelData, seed: int) -> Learned:
        """Ask the member on other folds; see :meth:`PanelMember.learn`."""
        other = PanelData.make(
            data.views,
            data.codes,
            data.n_classes,
            n_splits=len(data.folds),
            random_state=seed + self.number,
        )
        return self.member.learn(replace(data, folds=other.folds), seed)
