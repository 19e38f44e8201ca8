"""The audit of labels in memory."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy._labels import as_label_array, encode_labels
from hardy._memory import give_back
from hardy._probabilities import check_pred_proba
from hardy._shelf import Shelf, blocks, release
from hardy._validation import make_random_state, refuse_no_jobs
from hardy.annotators import find_consensus
from hardy.audit._features import (
    DOCUMENTS,
    add_embeddings,
    check_features,
    check_names,
    embedding_columns,
    is_documents,
)
from hardy.audit._limits import (
    find_filled,
    find_judgeable,
    reason_for_nothing,
    warn_of_empty,
    warn_of_little_information,
)
from hardy.audit._rows import check_annotators, check_order, check_sets
from hardy.audit.findings import Evidence, find_faults
from hardy.audit.judging import judge_rows
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
from hardy.panel import EstimatorOpinion, Panel, PanelData, PanelMember, members_for
from hardy.panel.base import Floats
from hardy.panel.panel import Progress
from hardy.panel.views import FEW_ROWS, MOST_ROWS, Views
from hardy.tabular import TableEncoder, refuse_measurements
from hardy.tabular.stored import select_rows, shelf_of

_MAX_SEED = np.iinfo(np.int32).max
_GIVEN = "pred_proba"


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
    consensus = None if annotators is None else find_consensus(annotators)
    if y is None:
        if consensus is None:
            raise InputError("There are no labels to audit: give y, or annotators.")
        y = consensus.labels
    labels = as_label_array(y)
    check_annotators(consensus, len(labels))
    known, codes = encode_labels(labels, classes)
    features, index = check_features(X, len(codes))
    check_names(features, keep=keep, text=text)
    if features is not X and is_documents(X):
        text = [DOCUMENTS]
    if embeddings is not None:
        features = add_embeddings(features, embeddings, len(codes))
    proba = None
    if pred_proba is not None:
        proba = check_pred_proba(pred_proba, n_samples=len(codes), classes=known)
    elif classes is None:
        refuse_measurements(known, int((codes >= 0).sum()))
    counts = np.bincount(codes[codes >= 0], minlength=len(known))
    grouped, parts = check_sets(groups, "groups", codes), check_sets(split, "split", codes)
    # What gives probabilities from elsewhere may know a class that no other group has.
    kept_apart = None if grouped is None or proba is not None else grouped.codes
    is_judgeable = find_judgeable(known, counts, codes, kept_apart)
    is_assessable = np.isin(codes, np.flatnonzero(is_judgeable))
    is_labelled = codes >= 0
    # Where all rows are, codes needn't be copied.
    labelled = slice(None) if is_labelled.all() else np.flatnonzero(is_labelled)

    if cv is None:
        cv = 10 if is_labelled.sum() <= FEW_ROWS else 2
    if not isinstance(cv, Integral) or cv < 2:
        raise InputError(f"cv={cv!r} must be a number of folds, at least 2.")
    refuse_no_jobs(n_jobs)
    rng = make_random_state(random_state)
    members = _choose_members(features, estimator, proba, use_panel, known)
    note = reason_for_nothing(known, counts, is_judgeable)
    if note:
        return replace(_empty_audit(known, labels, codes, index, note), consensus=consensus)

    ranks = check_order(order, len(codes))
    views = Views(
        features
        if features is None or isinstance(labelled, slice)
        else select_rows(features, labelled, MOST_ROWS),
        TableEncoder(keep=keep, text=text),
        int(rng.randint(_MAX_SEED)),
        shelf_of(features),
    )
    data = PanelData.make(
        views,
        codes[labelled],
        len(known),
        groups=None if grouped is None else grouped.codes[labelled],
        n_splits=cv,
        n_jobs=n_jobs,
        random_state=rng,
    )
    give_back()
    if use_panel and features is not None:
        members += members_for(views)
    panel = Panel(members, rng).ask(
        data, {} if proba is None else {_GIVEN: proba[is_labelled]}, progress
    )
    mixture, opinions = _spread(panel, features, codes, proba, views.shelf)
    give_back()
    if proba is None and estimator is None:
        filled = find_filled(features, views)
        if filled is not None:
            warn_of_empty(np.flatnonzero(is_assessable & ~filled))
            is_assessable &= filled
    judgement = judge_rows(mixture, codes, is_assessable)
    warn_of_little_information(judgement.noise_rate, int((counts > 0).sum()))
    is_shown = judgement.is_suspect | (codes < 0)
    shown = rows_to_show(np.where(codes < 0, -1, judgement.doubt), is_shown)
    findings = find_faults(
        Evidence(
            features,
            views,
            known,
            codes,
            judgement.is_suspect,
            is_assessable,
            judgement.likeliest_other,
            views.seed,
            grouped,
            parts,
            ranks,
            consensus,
        )
    )
    coordinates = draw_map(features, views, mixture)
    give_back()
    # Last, as it is the largest array, and nothing else needs it.
    nearest = find_nearest(features, views, codes, shown, n_jobs)
    set_aside = views.set_aside()
    return LabelAudit(
        classes=known,
        given_labels=labels,
        doubt=judgement.doubt,
        is_suspect=judgement.is_suspect,
        suggested_labels=np.where(is_shown, known[judgement.likeliest_other], labels),
        is_assessable=is_assessable,
        noise_rate=judgement.noise_rate,
        transition_matrix=label_transition(judgement.transition, known),
        pred_proba=mixture,
        opinions=opinions,
        detector_weights=panel.weights_,
        nearest_rows=nearest,
        coordinates=coordinates,
        values=values_to_show(
            features,
            shown,
            nearest,
            without=[*set_aside, *embedding_columns(features, embeddings)],
        ),
        index=index,
        findings=findings,
        consensus=consensus,
        source={"set_aside": {name_column(features, name): why for name, why in set_aside.items()}},
    )


def _choose_members(
    features: Any,
    estimator: Any,
    proba: Floats | None,
    use_panel: bool,
    classes: NDArray[Any],
) -> list[PanelMember]:
    estimators = estimator if isinstance(estimator, Sequence) else [estimator]
    if not estimators:
        raise InputError(
            f"estimator={estimator!r} names no classifier: give one or more, or None for Hardy's "
            "own detectors alone."
        )
    own = [estimator for estimator in estimators if estimator is not None]
    names = [type(estimator).__name__ for estimator in own]
    members: list[PanelMember] = [
        EstimatorOpinion(estimator, classes, _numbered(names, at))
        for at, estimator in enumerate(own)
    ]
    if features is None:
        if members:
            raise InputError("estimator needs X: it is fitted on the rows.")
        if proba is None:
            raise InputError("There is nothing to judge by: give X, or pred_proba.")
        return []
    if not use_panel and proba is None and not members:
        raise InputError("use_panel=False needs an estimator or pred_proba to judge by.")
    return members


def _numbered(names: list[str], at: int) -> str:
    """Tell estimators of one type apart, which are detectors of their own."""
    alike = names.count(names[at])
    return names[at] if alike == 1 else f"{names[at]} {names[: at + 1].count(names[at])}"


def _spread(
    panel: Panel, features: Any, codes: NDArray[np.intp], proba: Floats | None, shelf: Shelf
) -> tuple[Floats, Mapping[str, Floats]]:
    """Give mixture and opinions for all rows; those without a label are predicted."""
    labelled, unlabelled = codes >= 0, np.flatnonzero(codes < 0)
    if not unlabelled.size:
        return panel.proba_, panel.opinions_
    predicted = proba[unlabelled] if proba is not None else None
    if panel.members:
        predicted = panel.predict_proba(features, unlabelled)

    def widen(opinion: Floats, name: str) -> Floats:
        wide = shelf.zeros(f"{name}, all rows", (len(codes), opinion.shape[1]))
        done = 0
        for rows in blocks(len(codes)):
            some = wide[rows]
            n_new = int(labelled[rows].sum())
            some[labelled[rows]] = opinion[done : done + n_new]
            done += n_new
            release(wide, opinion)
        wide[unlabelled] = predicted
        return wide

    opinions = {kind: widen(p, kind) for kind, p in panel.opinions_.items()}
    return widen(panel.proba_, "mixture"), opinions


def _empty_audit(
    classes: NDArray[Any],
    labels: NDArray[Any],
    codes: NDArray[np.intp],
    index: "pd.Index[Any]",
    note: str,
) -> LabelAudit:
    n_samples, n_classes = len(codes), len(classes)
    proba = np.zeros((n_samples, n_classes))
    proba[codes >= 0, codes[codes >= 0]] = 1
    return LabelAudit(
        classes=classes,
        given_labels=labels,
        doubt=np.zeros(n_samples),
        is_suspect=np.zeros(n_samples, dtype=bool),
        suggested_labels=labels,
        is_assessable=np.zeros(n_samples, dtype=bool),
        noise_rate=float("nan"),
        transition_matrix=label_transition(np.eye(n_classes), classes),
        pred_proba=proba,
        opinions={},
        detector_weights=pd.Series(dtype=np.float64),
        nearest_rows=np.empty((n_samples, 0), dtype=np.intp),
        coordinates=np.zeros((n_samples, 2)),
        values=pd.DataFrame(),
        index=index,
        source={"set_aside": {}},
        note=note,
    )
