"""Members that judge texts by their words, and the folds in which they do so."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.preprocessing import normalize

from hardy._shelf import blocks, release
from hardy.panel.base import Floats, Folds, PanelData, PanelMember, Predictor
from hardy.panel.mixture import brier_score
from hardy.panel.neighbors import NeighborsOpinion

_N_TOPICS = 15
_N_DRAWS = 3
_FEWEST_ROWS = 300
_N_COMPONENTS = 100
_PENALTIES = (1.0, 3.0)
# What holds for other topics too is coarser, and wants a stronger penalty.
_COARSER = 0.1
_PROBE_C = 10.0
# Folds of whole topics are used where other topics tell at least the first share of what words
# tell of labels, and of what there is to tell; where they tell at most the second, as errors that
# are alike within topics make it; and where a text's topic by itself tells less than the third.
_ENOUGH, _SOMETHING = 1 / 3, 0.1
_NEARLY_ALL = 0.8
_MOST = 0.5


class TextFolds:
    """The folds in which texts are judged, chosen once for all members.

    Who labels texts by a list, such as of names, is wrong alike on all texts about a thing, and a
    model that has seen some of them repeats the error on the others. Where it can be told from
    texts about other things what the labels mean, whole topics therefore don't judge themselves.
    Where other topics tell as much as all texts do, nothing is repeated within topics; where the
    label is the topic, it is left out with its topic. Then folds are drawn at random.

    Attributes
    ----------
    across : list of list of (train, test)
        Folds of whole topics, for several draws of topics; empty where folds are drawn at random.

    Examples
    --------
    >>> from hardy.panel import text_members
    >>> len({id(member.text_folds) for member in text_members()})
    1
    """

    def __init__(self) -> None:
        self._data: PanelData | None = None
        self.across: list[Folds] = []

    def choose(self, data: PanelData, seed: int) -> list[Folds]:
        """Give folds of whole topics, or none.

        Parameters
        ----------
        data : PanelData
            The labelled rows.
        seed : int
            For what is drawn.

        Returns
        -------
        list of list of (train, test)
            The attribute `across`.
        """
        if self._data is not data:
            self._data, self.across = data, _fold_by_topic(data, seed)
        return self.across

    def balance(self, codes: NDArray[np.intp]) -> Floats:
        """Give weights of classes: a topic that is left out takes its share of labels with it.

        Parameters
        ----------
        codes : ndarray of shape (n_samples,)
            The class indices of some rows.

        Returns
        -------
        ndarray of shape (n_classes,)
            The weights with which these rows have the classes' shares among all.
        """
        if self._data is None:
            return np.ones(codes.max() + 1)
        n_classes = self._data.n_classes
        shares = np.bincount(codes, minlength=n_classes) / len(codes)
        weights: Floats = self._data.prior / np.where(shares > 0, shares, 1)
        return weights


def _fold_by_topic(data: PanelData, seed: int) -> list[Folds]:
    if data.has_groups or len(data.codes) < _FEWEST_ROWS:
        return []
    draws: list[Folds] = []
    told_by_topic: list[float] = []
    for draw in range(_N_DRAWS):
        topics = find_topics(data.views.words, _N_TOPICS, seed + draw)
        n_splits = min(len(data.folds), len(np.unique(topics)))
        if n_splits < 2:
            return []
        splitter = StratifiedGroupKFold(n_splits, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            draws.append(list(splitter.split(topics, data.codes, topics)))
        told_by_topic.append(_skill(_labels_of_topics(topics, data), data))
    probe = WordsOpinion(TextFolds(), (_PROBE_C,))
    within, *across = (
        _skill(probe.opinion_in(folds, data, seed, f"probe {at}"), data)
        for at, folds in enumerate((data.folds, *draws))
    )
    is_told = min(across) > max(_ENOUGH * within, _SOMETHING)
    is_repeated = max(across) < _NEARLY_ALL * within
    is_topic = max(told_by_topic) > _MOST * within
    return draws if is_told and is_repeated and not is_topic else []


def _labels_of_topics(topics: NDArray[np.intp], data: PanelData) -> Floats:
    """Give the classes' shares among the other texts on each text's topic."""
    own = np.eye(data.n_classes)[data.codes]
    counts = np.zeros((topics.max() + 1, data.n_classes))
    np.add.at(counts, topics, own)
    # One text with the shares of all stands in for those that a small topic lacks.
    shares: Floats = counts[topics] - own + data.prior
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def find_topics(words: Any, n_topics: int, seed: int) -> NDArray[np.intp]:
    """Gather texts by k-means on the leading components of their words.

    Parameters
    ----------
    words : sparse matrix of shape (n_samples, n_terms)
        Weights of words.
    n_topics : int
        How many topics, at most.
    seed : int
        For the random start.

    Returns
    -------
    ndarray of shape (n_samples,)
        The topic of each text.
    """
    n_components = min(_N_COMPONENTS, min(words.shape) - 1)
    if n_components < 2:
        return np.zeros(words.shape[0], dtype=np.intp)
    parts = TruncatedSVD(n_components, random_state=seed).fit_transform(words)
    places = normalize(parts).round(9)
    n_topics = min(n_topics, len(np.unique(places, axis=0)))
    topics: NDArray[np.intp] = KMeans(n_topics, n_init=3, random_state=seed).fit_predict(places)
    return topics


def _skill(proba: Floats, data: PanelData) -> float:
    """Give how much better than the classes' shares probabilities are; at most 1."""
    prior = np.broadcast_to(data.prior, proba.shape)
    return 1 - brier_score(proba, data.codes) / brier_score(prior, data.codes)


class WordsOpinion(PanelMember):
    """The mean of logistic regressions on words with several penalties, out of fold.

    Parameters
    ----------
    text_folds : TextFolds
        The folds to use, shared with other members.
    penalties : tuple of float, default=(1, 3)
        The inverse strength of each penalty; smaller is smoother. Across topics a tenth of it.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.panel import PanelData, TextFolds, WordsOpinion
    >>> from hardy.panel.views import Views
    >>> from hardy.tabular import TableEncoder
    >>> texts = pd.DataFrame({"text": ["crude oil", "grain harvest"] * 15})
    >>> codes = pd.factorize(texts["text"])[0]
    >>> data = PanelData.make(Views(texts, TableEncoder(text=["text"])), codes, 2, n_splits=3)
    >>> opinion = WordsOpinion(TextFolds()).opinion(data, seed=0)
    >>> bool((opinion.argmax(axis=1) == codes).all())
    True
    """

    kind = "words"
    view = "words"

    def __init__(self, text_folds: TextFolds, penalties: tuple[float, ...] = _PENALTIES) -> None:
        self.text_folds = text_folds
        self.penalties = penalties

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit the models; see :meth:`PanelMember.fit`."""
        scale = _COARSER if self.text_folds.across else 1.0
        shares = self.text_folds.balance(codes)[codes]
        if weights is not None:
            shares = shares * weights
        return MeanOfModels(
            [
                LogisticRegression(C=C * scale, max_iter=1000).fit(X, codes, shares)
                for C in self.penalties
            ]
        )

    def opinion(self, data: PanelData, seed: int) -> Floats:
        """Ask in the folds for texts; see :meth:`PanelMember.opinion`."""
        draws = self.text_folds.choose(data, seed) or [data.folds]
        opinions = [
            self.opinion_in(folds, data, seed, f"{self.kind} {at}")
            for at, folds in enumerate(draws)
        ]
        mean = data.views.shelf.zeros(f"{self.kind} {seed}, mean", opinions[0].shape)
        for rows in blocks(len(mean)):
            mean[rows] = sum(opinion[rows] for opinion in opinions) / len(opinions)
            release(mean, *opinions)
        return mean


class MeanOfModels:
    """The mean of what several fitted models say.

    Parameters
    ----------
    models : list of LogisticRegression
        The models, which have seen the same classes.
    """

    def __init__(self, models: list[LogisticRegression]) -> None:
        self.models = models
        self.classes_ = models[0].classes_

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        mean: Floats = np.mean([model.predict_proba(X) for model in self.models], axis=0)
        return mean


class SimilarTextsOpinion(NeighborsOpinion):
    """Labels of the texts of nearest direction (the cosine of their words), out of fold.

    It has no opinion where texts are judged by texts on other topics.

    Parameters
    ----------
    text_folds : TextFolds
        The folds to use, shared with other members.
    candidates : tuple of int, default=(10, 30)
        The numbers of neighbours k to choose from, by the Brier score on the given labels.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.panel import PanelData, SimilarTextsOpinion, TextFolds
    >>> from hardy.panel.views import Views
    >>> from hardy.tabular import TableEncoder
    >>> texts = pd.DataFrame({"text": ["crude oil", "grain harvest"] * 15})
    >>> codes = pd.factorize(texts["text"])[0]
    >>> data = PanelData.make(Views(texts, TableEncoder(text=["text"])), codes, 2, n_splits=3)
    >>> opinion = SimilarTextsOpinion(TextFolds()).opinion(data, seed=0)
    >>> bool((opinion.argmax(axis=1) == codes).all())
    True
    """

    kind = "similar texts"
    view = "words"

    def __init__(self, text_folds: TextFolds, candidates: tuple[int, ...] = (10, 30)) -> None:
        super().__init__(candidates)
        self.text_folds = text_folds

    def opinion(self, data: PanelData, seed: int) -> Floats | None:
        """Ask in the folds for texts; see :meth:`PanelMember.opinion`."""
        if self.text_folds.choose(data, seed):
            return None
        return self.opinion_in(data.folds, data, seed)


def text_members() -> list[PanelMember]:
    """Give the members that judge columns of text, all in the same folds.

    Returns
    -------
    list of PanelMember
        Linear models and similar texts.

    Examples
    --------
    >>> from hardy.panel import text_members
    >>> [member.kind for member in text_members()]
    ['words', 'similar texts']
    """
    folds = TextFolds()
    return [WordsOpinion(folds), SimilarTextsOpinion(folds)]
