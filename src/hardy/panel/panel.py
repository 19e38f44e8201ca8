"""Learners of different kinds, asked for out-of-sample opinions and weighted by Brier score."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from hardy._shelf import blocks, release
from hardy._steps import Progress, Step
from hardy.panel.base import Floats, PanelData, PanelMember, full_width
from hardy.panel.boosted_trees import BoostedTreesOpinion
from hardy.panel.linear import LinearOpinion
from hardy.panel.mixture import brier_score, mixture_weights
from hardy.panel.neighbors import NeighborsOpinion
from hardy.panel.noise_votes import NoiseVotesOpinion
from hardy.panel.text import text_members
from hardy.panel.trees import TreesOpinion
from hardy.panel.views import FEW_ROWS, Views
from hardy.tabular import take_rows

_MAX_SEED = np.iinfo(np.int32).max


def default_members(n_rows: int = 0) -> list[PanelMember]:
    """Give Hardy's own panel: learners of different kinds, from smooth to flexible.

    Parameters
    ----------
    n_rows : int, default=0
        How many rows they will judge.

    Returns
    -------
    list of PanelMember
        Fresh members. Up to 10,000 rows: trees with leaves of one row and of five, linear models
        of four penalties, near and wide neighbourhoods, and the noise votes of NR boosting. Beyond,
        where many rows make up for few members: boosted trees and a linear model on all rows, and
        ten extremely randomised trees on 20,000 draws of them.

    Examples
    --------
    >>> sorted({member.kind for member in default_members()})
    ['extra trees', 'linear model', 'neighbours', 'noise votes']
    >>> sorted({member.kind for member in default_members(n_rows=100_000)})
    ['boosted trees', 'extra trees', 'linear model']
    """
    if n_rows > FEW_ROWS:
        return [
            BoostedTreesOpinion(),
            TreesOpinion(min_samples_leaf=3, n_estimators=10, max_samples=2 * FEW_ROWS),
            LinearOpinion(C=1.0),
        ]
    return [
        TreesOpinion(min_samples_leaf=1),
        TreesOpinion(min_samples_leaf=5),
        LinearOpinion(C=0.001),
        LinearOpinion(C=0.003),
        LinearOpinion(C=0.03),
        LinearOpinion(C=0.3),
        NeighborsOpinion((10, 20)),
        NeighborsOpinion((50, 100)),
        NoiseVotesOpinion(),
    ]


def members_for(views: Views) -> list[PanelMember]:
    """Give the members that suit a table.

    Parameters
    ----------
    views : Views
        The table.

    Returns
    -------
    list of PanelMember
        Hardy's own panel, and members that judge words where there are columns of text; these
        alone where there is nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import default_members, members_for
    >>> from hardy.panel.views import Views
    >>> len(members_for(Views(np.eye(3)))) == len(default_members())
    True
    """
    if views.is_all_text:
        return text_members()
    members = default_members(views.n_rows)
    return members + (text_members() if views.text_columns else [])


class Panel:
    """Members whose out-of-sample opinions on every row are mixed by their Brier scores.

    Parameters
    ----------
    members : sequence of PanelMember
        The learners to ask.
    random_state : int, RandomState instance or None, default=None
        Draws a seed for each member.

    Attributes
    ----------
    proba_ : ndarray of shape (n_samples, n_classes)
        The mixture's out-of-sample probabilities.
    opinions_ : dict of str to ndarray of shape (n_samples, n_classes)
        The opinion of each kind of member; several members of a kind are mixed likewise.
    weights_ : Series of shape (n_kinds,)
        The weight of each kind in the mixture; they sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import LinearOpinion, Panel, PanelData, TreesOpinion
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> panel = Panel([LinearOpinion(C=1.0), TreesOpinion(3, 30)], random_state=0).ask(data)
    >>> list(panel.weights_.index), panel.proba_.shape
    (['linear model', 'extra trees'], (60, 2))
    """

    def __init__(
        self,
        members: Sequence[PanelMember],
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.members = members
        self.random_state = random_state

    def ask(
        self,
        data: PanelData,
        given: Mapping[str, Floats] | None = None,
        progress: Progress | None = None,
    ) -> "Panel":
        """Ask every member for its opinion on every row, and mix them.

        Parameters
        ----------
        data : PanelData
            The labelled rows.
        given : mapping of str to ndarray of shape (n_samples, n_classes), optional
            Out-of-sample probabilities made elsewhere, by the name of their kind.
        progress : callable, optional
            Called with a text, the number of members done, and their total.

        Returns
        -------
        Panel
            Itself.
        """
        rng = check_random_state(self.random_state)
        self.seeds_ = [int(rng.randint(_MAX_SEED)) for _ in self.members]
        self._asked: list[tuple[PanelMember, int]] = []
        opinions: list[Floats] = list((given or {}).values())
        kinds = list(given or {})
        for number, (member, seed) in enumerate(zip(self.members, self.seeds_, strict=True)):
            if progress is not None:
                progress(f"{Step.ASKING} {member.kind}", number, len(self.members))
            with quietly():
                opinion = member.opinion(data, seed)
            if opinion is not None:
                opinions.append(opinion)
                kinds.append(member.kind)
                self._asked.append((member, seed))
        if progress is not None:
            progress(f"{Step.MIXING} the opinions", len(self.members), len(self.members))
        scores = [brier_score(opinion, data.codes) for opinion in opinions]
        self.member_weights_ = mixture_weights(scores)
        self._data = data
        self._gather(kinds, opinions)
        return self

    def predict_proba(self, X: Any, rows: NDArray[np.intp] | None = None) -> Floats:
        """Give the mixture's probabilities for other rows of the table, refitted on all.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            Rows in the user's form.
        rows : ndarray of shape (n_new,), dtype intp, optional
            The positions of those to predict; by default all.

        Returns
        -------
        ndarray of shape (n_new, n_classes)
            Class probabilities by the members; opinions given from elsewhere have no say.
        """
        data = self._data
        weights = self.member_weights_[-len(self._asked) :]
        weights = weights / weights.sum()
        if rows is None:
            rows = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
        proba = data.views.shelf.zeros("predicted", (len(rows), data.n_classes))
        for (member, seed), weight in zip(self._asked, weights, strict=True):
            with quietly():
                fitted = member.refit(data, seed)
            for part in blocks(len(rows)):
                at = rows[part]
                some = data.views.transform(take_rows(X, at), member.view, at)
                proba[part] += weight * full_width(fitted, some, data.n_classes)
                release(proba)
        return proba

    def _gather(self, kinds: Sequence[str], opinions: Sequence[Floats]) -> None:
        weights: dict[str, float] = {}
        self.opinions_: dict[str, Floats] = {}
        for kind in dict.fromkeys(kinds):
            own = [at for at, other in enumerate(kinds) if other == kind]
            weights[kind] = float(self.member_weights_[own].sum())
            # Alone of its kind, an opinion needn't be copied.
            self.opinions_[kind] = opinions[own[0]]
            if len(own) > 1:
                total = sum(self.member_weights_[at] * opinions[at] for at in own)
                self.opinions_[kind] = total / weights[kind]
        self.weights_ = pd.Series(weights, name="weight", dtype=np.float64)
        self.proba_: Floats = self._data.views.shelf.zeros("mixture", opinions[0].shape)
        for rows in blocks(len(self.proba_)):
            terms = (weight * self.opinions_[kind][rows] for kind, weight in weights.items())
            self.proba_[rows] = sum(terms)
            release(self.proba_, *self.opinions_.values())


@contextmanager
def quietly() -> Iterator[None]:
    """Keep back scikit-learn's guess that many classes in a few rows are a regression problem."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        yield
