"""The classifier to use when one doesn't want to choose: the panel, refitted on all rows."""

import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import Tags, _safe_indexing, check_consistent_length
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from hardy._all_or_nothing import all_or_nothing
from hardy._classifier import LabelClassifierMixin
from hardy._labels import encode_labels
from hardy._quoting import quote
from hardy._validation import (
    JOBS,
    Numbers,
    check_weights,
    make_random_state,
    refuse_unclear_names,
    validate_labels,
)
from hardy.exceptions import InputError
from hardy.learners._rows import weight_classes
from hardy.noise.correction import NoiseCorrection
from hardy.panel.base import Floats, Learned, PanelData, ViewName, full_width
from hardy.panel.deciding import Aim, check_aim, gains_for
from hardy.panel.fit_report import FitReport
from hardy.panel.mixture import blend, brier_score, weights_under_noise
from hardy.panel.panel import quietly
from hardy.panel.recipe import learners_for
from hardy.panel.views import Views
from hardy.tabular import TableEncoder

_MAX_SEED = np.iinfo(np.int32).max
# Sums of products round differently for other numbers of rows.
_DIGITS = 9


class HardyClassifier(LabelClassifierMixin, BaseEstimator):
    """Learners of different kinds, mixed and corrected for wrong labels; nothing to choose.

    Columns of any kind are encoded, missing values and all. Learners of different kinds give
    out-of-fold or out-of-bag opinions on every row; the better their Brier score on the given
    labels, the more a learner weighs. The mixture's opinions tell how many labels are wrong. The
    learners are refitted on all rows; what their mixture says of new rows is calibrated, and the
    noise is taken out of it.

    Up to 2,000 rows there are extra trees, random forests, kernel ridge regression, support
    vectors and a linear model. With more rows kernels work on drawn rows, support vectors make
    room for boosted trees, and beyond 20,000 rows few trees see all of them.

    Parameters
    ----------
    n_estimators : int, default=200
        The number of extra trees of each kind; random forests have half as many. Beyond 20,000
        rows there are fewer.
    cv : int, default=3
        The number of folds for opinions of learners that have none out of bag.
    class_weight : "balanced", dict of label to weight, or None, default=None
        What the rows of each class count for; "balanced" makes classes count the same. The
        probabilities are then those of classes with such weights.
    optimize : {"accuracy", "g_mean", "f1"} or array-like of shape (n_classes, n_classes), \
default="accuracy"
        What `predict` aims at, by the probabilities: the likeliest class, the best geometric mean
        of the classes' recalls, or the best F1 of each class against the others (of two, of the
        rarer one). Where a class is rare and labels are wrong, "g_mean" pays for it with accuracy.
        An array holds costs, 0 or more: of calling a row of class i (down) j (across), in the
        order of the sorted labels, also where a frame names its columns.
    max_time : float, optional
        Seconds after which no learner is begun; nor is one where the last one took longer than
        what is left. The first one is always fitted.
    verbose : bool, default=False
        Whether to tell on standard error how far it is.
    n_jobs : int, optional
        The number of threads of learners that can use several. The result is the same.
    random_state : int, RandomState instance or None, default=None
        For folds and learners.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    learners_ : list
        The learners, fitted on all rows.
    learner_kinds_ : list of str
        What kind each is of, and what tells it from others of its kind.
    learner_scores_ : ndarray of shape (n_learners,)
        The Brier score of each on the given labels, out of sample; lower is better.
    learner_weights_ : ndarray of shape (n_learners,)
        The weight of each in the mixture; they sum to 1.
    noise_rate_ : float
        The estimated share of wrong labels. It is no more than .54 (k − 1) / k of k classes, which
        is .27 of two: labels that were wronger could hardly be told from labels that tell nothing.
        Where it is that much, more of them may be wrong.
    noise_correction_ : NoiseCorrection
        The estimated noise, and what takes it out of the mixture's probabilities.
    row_trust_ : ndarray of shape (n_samples,)
        How probable it is, out of sample, that the given label of each row is right; NaN for rows
        of weight 0.
    encoder_ : TableEncoder
        What makes numbers of the columns.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    See Also
    --------
    hardy.audit_labels : Find the wrong labels, with reasons.

    Examples
    --------
    A fifth of the labels are wrong.

    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import HardyClassifier
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> noisy, is_flipped = flip_labels(y[:300], 0.2, random_state=0)
    >>> model = HardyClassifier(random_state=0).fit(X[:300], noisy)
    >>> bool(model.score(X[300:], y[300:]) > 0.93)
    True
    >>> bool(0.1 < model.noise_rate_ < 0.25)
    True
    >>> list(model.report_.learners.columns)
    ['kind', 'brier_score', 'weight']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Numbers(Integral, 2, 1_000_000, closed="both")],
        "cv": [Numbers(Integral, 2, None, closed="left")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "optimize": [StrOptions({"accuracy", "g_mean", "f1"}), "array-like"],
        "max_time": [Numbers(Real, 0, None, closed="neither"), None],
        "verbose": ["boolean"],
        "n_jobs": [*JOBS],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_estimators: int = 200,
        cv: int = 3,
        class_weight: Any = None,
        optimize: Aim | ArrayLike = "accuracy",
        max_time: float | None = None,
        verbose: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.cv = cv
        self.class_weight = class_weight
        self.optimize = optimize
        self.max_time = max_time
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Ask learners of different kinds, mix them, estimate the noise, and refit on all rows.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            The table, with columns of any kind and missing values; pandas or polars.
        y : array-like of shape (n_samples,)
            The labels, of any type, some of which may be wrong.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights, by default 1; a row of weight 0 counts as absent.

        Returns
        -------
        HardyClassifier
            Itself.

        Raises
        ------
        InputError
            Where `y` has a missing label, one class only or no class of two rows, costs don't fit
            its classes, or the table can't be used. A model that was fitted before stays so then.
        """
        rng = make_random_state(self.random_state)
        labels = validate_labels(self, y)
        check_consistent_length(X, labels)
        weights = check_weights(sample_weight, labels)
        used = np.flatnonzero(weights)
        if not used.size:
            raise InputError("All rows have the weight 0: there is nothing to learn from.")
        if used.size < len(labels):
            X = _safe_indexing(X, used)

        data = self._encode(X, labels[used], weights[used], rng)
        learned = list(self._learn(data, rng))
        opinion = self._mix([one.opinion for one in learned], data)
        believed = self._correct(opinion, data)

        self.learners_ = [one.fitted for one in learned]
        self.row_trust_ = np.full(len(labels), np.nan)
        self.row_trust_[used] = believed[np.arange(used.size), data.codes]
        self._gains = gains_for(self.optimize, believed, data.weights)
        self._views = data.views.without_rows()
        return self

    def _encode(
        self, X: Any, labels: NDArray[Any], weights: Floats, rng: np.random.RandomState
    ) -> PanelData:
        """Encode the columns and the labels, and draw the folds."""
        self.classes_, codes = encode_labels(labels)
        self._refuse_too_few(np.bincount(codes))
        check_aim(self.optimize, len(self.classes_))
        weights = weight_classes(codes, self.classes_, weights, self.class_weight)
        if not weights.all():
            label = self.classes_.tolist()[codes[weights.argmin()]]
            raise InputError(f"class_weight is 0 for the label {quote(label)}: leave its rows out.")
        self.encoder_ = TableEncoder()
        views = Views(X, self.encoder_, seed=rng.randint(_MAX_SEED))
        with self._in_own_name():
            _ = views.sample.plain
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.encoder_, name):
                setattr(self, name, getattr(self.encoder_, name))
            elif hasattr(self, name):
                delattr(self, name)
        return PanelData.make(
            views,
            codes,
            len(self.classes_),
            n_splits=self.cv,
            n_jobs=self.n_jobs,
            weights=None if (weights == weights[0]).all() else weights / weights.mean(),
            random_state=rng,
        )

    def _refuse_too_few(self, sizes: NDArray[np.intp]) -> None:
        if len(sizes) < 2:
            raise InputError(
                f"y has only one class, {quote(self.classes_[0])}; HardyClassifier needs at "
                "least two."
            )
        if sizes.max() < 2:
            raise InputError(
                f"None of the {len(sizes)} classes has two rows, so that nothing can be learned; "
                "are these labels, and not numbers to predict?"
            )

    def _learn(self, data: PanelData, rng: np.random.RandomState) -> Iterator[Learned]:
        """Ask one learner after the other, while there is time."""
        learners = learners_for(data, self.n_estimators)
        seeds = [int(rng.randint(_MAX_SEED)) for _ in learners]
        self.learner_kinds_: list[str] = []
        self._learner_views: list[ViewName] = []
        left, took = np.inf if self.max_time is None else self.max_time, 0.0
        for learner, seed in zip(learners, seeds, strict=True):
            if self.learner_kinds_ and took > left:
                return
            if self.verbose:
                done = f"{len(self.learner_kinds_)} of {len(learners)} learners"
                print(f"HardyClassifier: {done} done, now {learner.name}", file=sys.stderr)
            start = time.monotonic()
            with quietly():
                learned = learner.learn(data, seed)
            took = time.monotonic() - start
            left -= took
            self.learner_kinds_.append(learner.name)
            self._learner_views.append(learner.view)
            yield learned

    def _mix(self, opinions: Sequence[Floats], data: PanelData) -> Floats:
        """Weigh the learners by how well their opinions fit the given labels."""
        scores = [brier_score(opinion, data.codes, data.weights) for opinion in opinions]
        self.learner_scores_ = np.array(scores)
        self.learner_weights_ = weights_under_noise(scores, opinions, data.codes, data.weights)
        return blend(self.learner_weights_, opinions)

    def _correct(self, opinion: Floats, data: PanelData) -> Floats:
        """Estimate the noise, and take it out of the mixture's opinions."""
        self.noise_correction_ = NoiseCorrection.estimate(opinion, data.codes, data.weights)
        return self.noise_correction_.apply(opinion)

    @property
    def noise_rate_(self) -> float:
        """The estimated share of wrong labels; at least so many where it is the highest."""
        check_is_fitted(self)
        return self.noise_correction_.noise_rate

    @property
    def report_(self) -> FitReport:
        """What the fit has done: learners and weights, estimated noise, rows least believed."""
        check_is_fitted(self)
        return FitReport.make(
            self.classes_,
            pd.DataFrame(
                {
                    "kind": self.learner_kinds_,
                    "brier_score": self.learner_scores_,
                    "weight": self.learner_weights_,
                }
            ),
            self.noise_correction_,
            self.row_trust_,
        )

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Give the probabilities of the true classes.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            The table, with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self)
        refuse_unclear_names(X)
        _check_feature_names(self, X, reset=False)
        with self._in_own_name():
            forms = self._views.forms(X, set(self._learner_views))
        opinions = [
            full_width(learner, forms[view], len(self.classes_))
            for learner, view in zip(self.learners_, self._learner_views, strict=True)
        ]
        proba = self.noise_correction_.apply(blend(self.learner_weights_, opinions)).round(_DIGITS)
        return np.asarray(proba / proba.sum(axis=1, keepdims=True))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Give the label that is best by the probabilities and `optimize`.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            The table, with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        best = (self.predict_proba(X) @ self._gains).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    @contextmanager
    def _in_own_name(self) -> Iterator[None]:
        """Let what the encoder says of a table name the classifier, which is what the user knows.

        That columns aren't named as they were is for the classifier to say.
        """
        own, encoder = type(self).__name__, type(self.encoder_).__name__
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", f"X .*, but {encoder} was fitted", UserWarning)
            try:
                yield
            except ValueError as error:
                # Where it names what could keep a column, it means the encoder itself.
                if encoder not in str(error) or f"of {encoder}" in str(error):
                    raise
                raise type(error)(str(error).replace(encoder, own)) from None

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if isinstance(self.optimize, str):
            return state
        # A model file knows arrays, but no frames.
        return {**state, "optimize": np.asarray(self.optimize)}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags
