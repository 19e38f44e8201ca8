"""What the members of the panel are given, and what they have to give."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import check_random_state

from hardy._shelf import release
from hardy.panel.views import MOST_ROWS, Views

Floats = NDArray[np.float64]
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]
Folds = Sequence[Fold]
ViewName = Literal["original", "plain", "standard", "normal", "words"]
_MAX_SEED = np.iinfo(np.int32).max


class Predictor(Protocol):
    """Anything fitted that gives class probabilities, with the class indices it has seen."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        ...


@dataclass(frozen=True)
class PanelData:
    """The labelled rows in the forms that members ask for.

    Attributes
    ----------
    views : Views
        The features: as the user gave them, as numbers, standardised, quantile-normalised, and
        as words.
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    n_classes : int
        The number of classes.
    folds : sequence of (train, test)
        Positions; every row is in one test part.
    has_groups : bool
        Whether rows of a group must not judge each other, so that members may use only `folds`.
    n_jobs : int or None
        The number of threads for members that can use several.
    weights : ndarray of shape (n_samples,) or None
        How many rows each row counts for; None for one each.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> [len(test) for _, test in data.folds]
    [20, 20, 20]
    >>> data.prior
    array([0.5, 0.5])
    """

    views: Views
    codes: NDArray[np.intp]
    n_classes: int
    folds: Folds
    has_groups: bool = False
    n_jobs: int | None = None
    weights: Floats | None = None

    @classmethod
    def make(
        cls,
        views: Views,
        codes: NDArray[np.intp],
        n_classes: int,
        *,
        n_splits: int,
        groups: ArrayLike | None = None,
        n_jobs: int | None = None,
        weights: Floats | None = None,
        random_state: np.random.RandomState | int | None = None,
    ) -> "PanelData":
        """Draw the folds, stratified by class, and whole groups where `groups` are given."""
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        # scikit-learn wants at least one class with as many rows, and as many groups.
        most = [np.bincount(codes).max()] + ([] if groups is None else [len(np.unique(groups))])
        folds = kind(
            int(min(n_splits, *most)),
            shuffle=True,
            random_state=check_random_state(random_state).randint(_MAX_SEED),
        )
        with warnings.catch_warnings():
            # Classes with fewer rows than folds are the caller's to warn of, once.
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            parts = FoldNumbers(len(codes))
            for number, (_, test) in enumerate(folds.split(parts.fold_of, codes, groups)):
                parts.fold_of[test] = number
        return cls(views, codes, n_classes, parts, groups is not None, n_jobs, weights)

    @property
    def prior(self) -> Floats:
        """The classes' shares of the rows; shape (n_classes,)."""
        sizes = np.bincount(self.codes, self.weights, self.n_classes)
        prior: Floats = sizes / sizes.sum()
        return prior

    def weights_of(self, rows: Any = slice(None)) -> dict[str, Floats]:
        """Give the argument `weights` for a member's `fit`, where there are any.

        Parameters
        ----------
        rows : index, default=slice(None)
            The rows that it is fitted on.

        Returns
        -------
        dict of str to ndarray
            With the key ``weights``, or empty.
        """
        return {} if self.weights is None else {"weights": self.weights[rows]}


class Learned(NamedTuple):
    """What a member has made of the rows.

    Attributes
    ----------
    opinion : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities for every row.
    fitted : Predictor
        The learner, fitted on all rows.
    """

    opinion: Floats
    fitted: Predictor


class FoldNumbers(Sequence[Fold]):
    """Folds as one number for each row, which takes less memory than their positions.

    Parameters
    ----------
    n_rows : int
        The number of rows; all are in fold 0 before they are given another one.
    """

    def __init__(self, n_rows: int) -> None:
        self.fold_of = np.zeros(n_rows, dtype=np.int32)

    def __len__(self) -> int:
        return int(self.fold_of.max()) + 1

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        is_test = self.fold_of == number
        return np.flatnonzero(~is_test), np.flatnonzero(is_test)


class PanelMember(ABC):
    """One learner of the panel.

    A subclass says how to fit itself (`fit`) on the view of the features that it asks for; it may
    have a cheaper way than the folds to an out-of-sample opinion on the rows it is fitted on.

    Attributes
    ----------
    kind : str
        The kind of learner, as reports name it; members of a kind count as one detector.
    view : {"original", "plain", "standard", "normal", "words"}
        The form of the features.
    samples : bool
        Whether 150,000 rows of a fold are enough to be fitted on, where there are more.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import PanelData, PanelMember
    >>> from hardy.panel.views import Views
    >>> from sklearn.naive_bayes import GaussianNB
    >>> class Bayes(PanelMember):
    ...     kind = "naive Bayes"
    ...     view = "standard"
    ...
    ...     def fit(self, X, codes, seed, n_jobs=None):
    ...         return GaussianNB().fit(X, codes)
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = Bayes().opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind: str
    view: ClassVar[ViewName]
    samples: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """What tells it from others of its kind, too; the kind, where it needn't be told."""
        return self.kind

    @abstractmethod
    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit a fresh learner.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            The rows in the form of `view`.
        codes : ndarray of shape (n_samples,)
            Their class indices.
        seed : int
            For what is drawn.
        n_jobs : int, optional
            The number of threads.
        weights : ndarray of shape (n_samples,), optional
            How many rows each row counts for; given only where rows count differently.

        Returns
        -------
        Predictor
            The fitted learner.
        """

    def learn(self, data: PanelData, seed: int) -> Learned:
        """Give an out-of-sample opinion, and the learner fitted on all rows.

        Parameters
        ----------
        data : PanelData
            The labelled rows.
        seed : int
            For what is drawn.

        Returns
        -------
        Learned
            Both; a member that has its opinion from the same fit overrides this.
        """
        return Learned(self.opinion_in(data.folds, data, seed), self.refit(data, seed))

    def refit(self, data: PanelData, seed: int) -> Predictor:
        """Fit the learner on all rows, or on as many as are enough.

        Parameters
        ----------
        data : PanelData
            The labelled rows.
        seed : int
            For what is drawn.

        Returns
        -------
        Predictor
            The fitted learner.
        """
        known = np.arange(len(data.codes))
        if self.samples and len(known) > MOST_ROWS:
            known = draw_rows(data.codes, MOST_ROWS, seed)
        rows = data.views.rows(self.view, known)
        return self.fit(rows, data.codes[known], seed, data.n_jobs, **data.weights_of(known))

    def opinion(self, data: PanelData, seed: int) -> Floats | None:
        """Give out-of-sample class probabilities for every row, by the folds unless overridden.

        Parameters
        ----------
        data : PanelData
            The labelled rows.
        seed : int
            For what is drawn.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities; a class that a training part lacks has probability 0 there, and the
            only class that it has has probability 1. None from a member without an opinion.
        """
        return self.opinion_in(data.folds, data, seed)

    def opinion_in(
        self, folds: Folds, data: PanelData, seed: int, name: str | None = None
    ) -> Floats:
        """Give out-of-fold class probabilities for every row.

        Parameters
        ----------
        folds : sequence of (train, test)
            Positions; every row is in one test part.
        data : PanelData
            The labelled rows.
        seed : int
            For what is drawn.
        name : str, optional
            What tells this opinion from others of the same kind and seed.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            As :meth:`opinion` gives them.
        """
        views, shelf = data.views, data.views.shelf
        name = f"{name or self.kind} {seed}"
        proba = shelf.zeros(name, (len(data.codes), data.n_classes))
        done = 0
        for number in range(len(folds)):
            if shelf.is_done(step := f"{name}, fold {number}"):
                continue
            train, test = folds[number]
            if self.samples and len(train) > MOST_ROWS:
                train = train[draw_rows(data.codes[train], MOST_ROWS, seed)]
            if len(present := np.unique(data.codes[train])) == 1:
                proba[test, present] = 1
            else:
                fitted = self.fit(
                    views.rows(self.view, train),
                    data.codes[train],
                    seed,
                    data.n_jobs,
                    **data.weights_of(train),
                )
                for some in views.blocks(test):
                    proba[some] = full_width(fitted, views.rows(self.view, some), data.n_classes)
                    release(proba)
                    shelf.tell((done := done + len(some)) / len(proba))
            shelf.finish(step, proba)
        return proba


def draw_rows(codes: NDArray[np.intp], n_samples: int, seed: int) -> NDArray[np.intp]:
    """Draw rows without replacement, the same share of each class, rounded up.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        The class index of each row.
    n_samples : int
        How many rows to draw, at most `n_rows`.
    seed : int
        For the draw.

    Returns
    -------
    ndarray of shape (n_drawn,), dtype intp
        Positions, rising; at most one more a class than `n_samples`.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0] * 90 + [1] * 10)
    >>> np.bincount(codes[draw_rows(codes, 20, seed=0)])
    array([18,  2])
    """
    order = np.random.RandomState(seed).permutation(len(codes))
    rank_in_class = pd.Series(codes[order]).groupby(codes[order]).cumcount().to_numpy()
    quota = np.ceil(np.bincount(codes) * (n_samples / len(codes)))
    drawn: NDArray[np.intp] = np.sort(order[rank_in_class < quota[codes[order]]])
    return drawn


def full_width(fitted: Predictor, X: Any, n_classes: int) -> Floats:
    """Predict, with a column for every class whether the learner has seen it or not."""
    proba = np.zeros((X.shape[0] if hasattr(X, "shape") else len(X), n_classes))
    proba[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
    return proba
