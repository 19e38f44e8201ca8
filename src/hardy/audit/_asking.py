"""The detectors that are asked about labels, and what they say of all rows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardy._memory import give_back
from hardy._shelf import blocks, release
from hardy._steps import Progress
from hardy.audit._given import Given
from hardy.exceptions import InputError
from hardy.panel import EstimatorOpinion, Panel, PanelData, PanelMember, members_for
from hardy.panel.base import Floats
from hardy.panel.views import Views

_GIVEN = "pred_proba"


class Answers(NamedTuple):
    """What detectors say of all rows.

    Attributes
    ----------
    mixture : ndarray of shape (n_samples, n_classes)
        Their opinions together.
    opinions : mapping of str to ndarray of shape (n_samples, n_classes)
        The probabilities that each detector gives.
    weights : Series of shape (n_detectors,)
        The weight of each in the mixture.
    """

    mixture: Floats
    opinions: Mapping[str, Floats]
    weights: "pd.Series[float]"


def choose_members(given: Given, estimator: Any, use_panel: bool) -> list[PanelMember]:
    """Give the user's own detectors, and refuse to judge by nothing.

    Parameters
    ----------
    given : Given
        What is audited.
    estimator : classifier, list of classifiers or None
        The user's own.
    use_panel : bool
        Whether Hardy's detectors are asked too.

    Returns
    -------
    list of PanelMember
        A detector for each of the classifiers.
    """
    estimators = estimator if isinstance(estimator, Sequence) else [estimator]
    if not estimators:
        raise InputError(
            f"estimator={estimator!r} names no classifier: give one or more, or None for Hardy's "
            "own detectors alone."
        )
    own = [estimator for estimator in estimators if estimator is not None]
    names = [type(estimator).__name__ for estimator in own]
    members: list[PanelMember] = [
        EstimatorOpinion(estimator, given.classes, _numbered(names, at))
        for at, estimator in enumerate(own)
    ]
    if given.features is None:
        if members:
            raise InputError("estimator needs X: it is fitted on the rows.")
        if given.pred_proba is None:
            raise InputError("There is nothing to judge by: give X, or pred_proba.")
        return []
    if not use_panel and given.pred_proba is None and not members:
        raise InputError("use_panel=False needs an estimator or pred_proba to judge by.")
    return members


def _numbered(names: list[str], at: int) -> str:
    """Tell estimators of one type apart, which are detectors of their own."""
    alike = names.count(names[at])
    return names[at] if alike == 1 else f"{names[at]} {names[: at + 1].count(names[at])}"


def ask_panel(
    given: Given,
    views: Views,
    members: list[PanelMember],
    *,
    use_panel: bool,
    n_splits: int,
    random_state: np.random.RandomState,
    n_jobs: int | None,
    progress: Progress | None,
) -> Answers:
    """Ask detectors for their out-of-sample opinions on every row.

    Parameters
    ----------
    given : Given
        What is audited.
    views : Views
        The features of its rows with a label.
    members : list of PanelMember
        The user's own detectors.
    use_panel : bool
        Whether Hardy's detectors are asked too, where there are features.
    n_splits : int
        The number of folds.
    random_state : RandomState
        Draws the folds, and a seed for each detector.
    n_jobs : int or None
        The number of threads.
    progress : callable or None
        Called with what is being done, the number of steps done, and their total.

    Returns
    -------
    Answers
        Of all rows; those without a label are predicted.
    """
    labelled = given.labelled
    data = PanelData.make(
        views,
        given.codes[labelled],
        len(given.classes),
        groups=None if given.groups is None else given.groups.codes[labelled],
        n_splits=n_splits,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    give_back()
    if use_panel and given.features is not None:
        members = members + members_for(views)
    proba = given.pred_proba
    panel = Panel(members, random_state).ask(
        data, {} if proba is None else {_GIVEN: proba[given.codes >= 0]}, progress
    )
    mixture, opinions = _spread(panel, given, views)
    give_back()
    return Answers(mixture, opinions, panel.weights_)


def _spread(panel: Panel, given: Given, views: Views) -> tuple[Floats, Mapping[str, Floats]]:
    """Give mixture and opinions for all rows; those without a label are predicted."""
    codes = given.codes
    labelled, unlabelled = codes >= 0, np.flatnonzero(codes < 0)
    if not unlabelled.size:
        return panel.proba_, panel.opinions_
    predicted = given.pred_proba[unlabelled] if given.pred_proba is not None else None
    if panel.members:
        predicted = panel.predict_proba(given.features, unlabelled)

    def widen(opinion: Floats, name: str) -> Floats:
        wide = views.shelf.zeros(f"{name}, all rows", (len(codes), opinion.shape[1]))
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
