"""The audit of labels in memory."""

from collections.abc import Collection, Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy._memory import give_back
from hardy._steps import Progress
from hardy._validation import make_random_state, refuse_no_jobs
from hardy.audit._asking import ask_panel, choose_members
from hardy.audit._empty import empty_audit
from hardy.audit._given import Given, check_given
from hardy.audit._limits import (
    find_filled,
    reason_for_nothing,
    warn_of_empty,
    warn_of_little_information,
)
from hardy.audit._rows import check_order
from hardy.audit.findings import Evidence, find_faults
from hardy.audit.judging import Judgement, judge_rows
from hardy.audit.result import LabelAudit
from hardy.audit.surroundings import (
    draw_map,
    find_nearest,
    name_column,
    rows_to_show,
    values_to_show,
)
from hardy.exceptions import InputError
from hardy.noise.estimation import label_transition
from hardy.panel.base import Floats
from hardy.panel.views import FEW_ROWS, Views

_MAX_SEED = np.iinfo(np.int32).max


def audit_labels(
    X: Any,
    y: ArrayLike | None = None,
    *,
    estimator: Any = None,
    pred_proba: ArrayLike | None = None,
    use_panel: bool = True,
    classes: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    split: ArrayLike | None = None,
    order: ArrayLike | None = None,
    annotators: Any = None,
    cv: int | None = None,
    keep: Collection[str] = (),
    text: Collection[str] = (),
    embeddings: ArrayLike | None = None,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelAudit:
    """Find the rows whose label is probably wrong.

    A panel of learners of different kinds gives its out-of-sample opinion on every row:
    extremely randomised trees (out of bag), linear models on quantile-normalised columns (out of
    fold), the nearest rows, and the noise votes of NR boosting (out of fold); text by its words.
    Their mixture, each weighted by its Brier score on the given labels, tells how doubtful a label
    is. As many rows are suspects as the estimated noise rate says, the most doubtful ones, unless
    the panel agrees with their label; so is every row with odds of four to one against its label.

    Parameters
    ----------
    X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features), or None
        The features, with columns of any kind and missing values; pandas or polars. Or a list or
        a column of texts. None only where `pred_proba` or `embeddings` are given.
    y : array-like of shape (n_samples,), optional
        The given labels, of any kind. Rows with a missing label take no part and get a suggested
        label. Where there are `annotators`, it may be left out: their consensus is audited.
    estimator : classifier or list of classifiers, optional
        Your own detectors, asked out of fold with `X` as you give it.
    pred_proba : array-like of shape (n_samples, n_classes), optional
        Out-of-sample probabilities that you have already.
    use_panel : bool, default=True
        Whether Hardy's own detectors are asked too; with False only `estimator` and `pred_proba`
        are heard. They are never asked where `X` is None.
    classes : array-like of shape (n_classes,), optional
        The labels in the order of the columns of `pred_proba`; by default the distinct labels of
        `y`, sorted.
    groups : array-like of shape (n_samples,), optional
        Rows of one group (a patient, a document) don't judge each other: opinions are out of fold,
        with whole groups in a fold. Groups with another share of suspects are among the `findings`.
    split : array-like of shape (n_samples,), optional
        The part of a split that each row belongs to, such as train and test: equal and almost
        equal rows in different parts are among the `findings`.
    order : array-like of shape (n_samples,), optional
        Numbers or moments, or words in alphabetical order, in whose order the share of a label may
        change, which is among the `findings`; by default the order of the rows.
    annotators : DataFrame, mapping or array-like of shape (n_samples, n_annotators), optional
        The labels by each of several annotators, as :func:`hardy.annotators.find_consensus` takes
        them. Rows to ask again, annotators to be doubted, and labels in `y` that the others
        contradict are among the `findings`.
    cv : int, optional
        The number of folds for opinions that are out of fold; `estimator` is fitted as often. By
        default 10, and 2 where more than 10,000 rows have a label.
    keep : collection of str, default=()
        Columns that are used although they would be set aside: identifiers and constants.
    text : collection of str, default=()
        Columns that are text whatever they look like.
    embeddings : array-like of shape (n_samples, n_dimensions), optional
        Numbers that a model of your own gives for each row, such as for its text or its picture;
        judged beside the columns of `X`, or alone where `X` is None.
    random_state : int, RandomState instance or None, default=None
        Makes the result repeatable; it doesn't depend on `n_jobs`.
    n_jobs : int, optional
        The number of threads, as in scikit-learn.
    progress : callable, optional
        Called with what is being done, the number of steps done, and their total.

    Returns
    -------
    LabelAudit
        `doubt`, `is_suspect`, `suggested_labels`, `noise_rate`, `transition_matrix` and more.
        Where no class can be compared with another it is empty, and its `note` says why.

    Raises
    ------
    InputError
        Where what is given doesn't fit together or can't be used; where `y` holds numbers of a
        measurement, unless `pred_proba` or `classes` says that they are classes.

    Warns
    -----
    LittleInformationWarning
        Where labels and columns hardly go together.
    NotAssessableWarning
        Where classes have fewer than 3 rows, or all of them in one group, or rows have no value in
        any used column (the zeros of a sparse `X` are values): these are marked as not assessable.
        Where there is no second class.

    See Also
    --------
    hardy.audit.audit_file : The same for a file.

    References
    ----------
    .. [1] C. Northcutt, L. Jiang and I. Chuang, "Confident learning: estimating uncertainty in
       dataset labels", Journal of Artificial Intelligence Research 70, 2021: the noise rate and
       the transition matrix.
    .. [2] I. Cantador and J. R. Dorronsoro, "Boosting parallel perceptrons for label noise
       reduction in classification problems", IWINAC 2005: the noise votes.

    Examples
    --------
    >>> import hardy
    >>> from sklearn.datasets import load_wine
    >>> from hardy.noise import flip_labels
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    >>> audit = hardy.audit_labels(X, y_noisy, random_state=0)
    >>> int(is_flipped.sum()), int((audit.is_suspect & is_flipped).sum())
    (18, 18)
    >>> row = int(audit.suspects[0])
    >>> audit.explain(row)[1]
    '4 of 4 detectors disagree'
    """
    given = check_given(
        X,
        y,
        pred_proba=pred_proba,
        classes=classes,
        groups=groups,
        split=split,
        annotators=annotators,
        keep=keep,
        text=text,
        embeddings=embeddings,
    )
    n_splits = _check_folds(cv, int(given.counts.sum()))
    refuse_no_jobs(n_jobs)
    rng = make_random_state(random_state)
    members = choose_members(given, estimator, use_panel)
    note = reason_for_nothing(given.classes, given.counts, given.is_judgeable)
    if note:
        return empty_audit(given, note)
    ranks = check_order(order, len(given.codes))

    views = given.view(int(rng.randint(_MAX_SEED)))
    answers = ask_panel(
        given,
        views,
        members,
        use_panel=use_panel,
        n_splits=n_splits,
        random_state=rng,
        n_jobs=n_jobs,
        progress=progress,
    )
    is_assessable = _find_assessable(
        given, views, by_columns_alone=estimator is None and pred_proba is None
    )
    judgement = judge_rows(answers.mixture, given.codes, is_assessable)
    warn_of_little_information(judgement.noise_rate, int((given.counts > 0).sum()))
    findings = find_faults(
        Evidence(
            given.features,
            views,
            given.classes,
            given.codes,
            judgement.is_suspect,
            is_assessable,
            judgement.likeliest_other,
            views.seed,
            given.groups,
            given.split,
            ranks,
            given.consensus,
        )
    )
    around = _look_around(given, views, judgement, answers.mixture, n_jobs)
    return LabelAudit(
        classes=given.classes,
        given_labels=given.labels,
        doubt=judgement.doubt,
        is_suspect=judgement.is_suspect,
        suggested_labels=np.where(
            judgement.is_suspect | (given.codes < 0),
            given.classes[judgement.likeliest_other],
            given.labels,
        ),
        is_assessable=is_assessable,
        noise_rate=judgement.noise_rate,
        transition_matrix=label_transition(judgement.transition, given.classes),
        pred_proba=answers.mixture,
        opinions=answers.opinions,
        detector_weights=answers.weights,
        nearest_rows=around.nearest,
        coordinates=around.coordinates,
        values=around.values,
        index=given.index,
        findings=findings,
        consensus=given.consensus,
        source={"set_aside": around.set_aside},
    )


def _check_folds(cv: int | None, n_labelled: int) -> int:
    if cv is None:
        return 10 if n_labelled <= FEW_ROWS else 2
    if not isinstance(cv, Integral) or cv < 2:
        raise InputError(f"cv={cv!r} must be a number of folds, at least 2.")
    return cv


def _find_assessable(given: Given, views: Views, *, by_columns_alone: bool) -> NDArray[np.bool_]:
    """Tell which rows can be judged: of which classes, and by something that they hold."""
    is_assessable = np.isin(given.codes, np.flatnonzero(given.is_judgeable))
    filled = find_filled(given.features, views) if by_columns_alone else None
    if filled is not None:
        warn_of_empty(np.flatnonzero(is_assessable & ~filled))
        is_assessable &= filled
    return is_assessable


class _Around(NamedTuple):
    nearest: NDArray[np.integer[Any]]
    coordinates: Floats
    values: pd.DataFrame
    set_aside: Mapping[str, str]


def _look_around(
    given: Given, views: Views, judgement: Judgement, mixture: Floats, n_jobs: int | None
) -> _Around:
    """Find what a report shows beside the rows: a map, the nearest rows, and their values."""
    features, codes = given.features, given.codes
    shown = rows_to_show(
        np.where(codes < 0, -1, judgement.doubt), judgement.is_suspect | (codes < 0)
    )
    coordinates = draw_map(features, views, mixture)
    give_back()
    # Last, as it is the largest array, and nothing else needs it.
    nearest = find_nearest(features, views, codes, shown, n_jobs)
    set_aside = views.set_aside()
    return _Around(
        nearest,
        coordinates,
        values_to_show(features, shown, nearest, without=[*set_aside, *given.embedding_columns]),
        {name_column(features, name): why for name, why in set_aside.items()},
    )
