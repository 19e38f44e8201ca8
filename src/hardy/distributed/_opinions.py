"""Out-of-fold opinions on the rows of blocks, and their mixture."""

import warnings
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing

from hardy.distributed._audited import AuditedBlocks, Sample
from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._training import TrainingBlocks
from hardy.distributed.adaboost import AdaBoostClassifier
from hardy.distributed.noise_reducing import NoiseReducingBoostClassifier
from hardy.learners import DecisionStumpClassifier, ParallelPerceptronClassifier
from hardy.panel import NeighborsOpinion, PanelMember, brier_score, mixture_weights
from hardy.panel.base import Floats, Predictor, full_width
from hardy.panel.noise_votes import NoiseVotes
from hardy.panel.views import FEW_ROWS, Views

# Each row looks for its neighbours among so many at most.
_INDEX_ROWS = FEW_ROWS
_PASSES = 25
_MAX_SEED = np.iinfo(np.int32).max


class Opinions(NamedTuple):
    """Arrays of shape (n_members, n_rows, n_classes) for each block, and the members' kinds."""

    blocks: Blocks
    kinds: list[str]


def ask_panel(
    data: AuditedBlocks,
    folds: Blocks,
    n_folds: int,
    sample: Any,
    views: Any,
    members: Sequence[PanelMember],
    random_state: np.random.RandomState,
) -> Opinions:
    """Ask members that are trained on a sample, each fold in a task, about all rows."""
    dask = import_dask()
    seeds = [int(random_state.randint(_MAX_SEED)) for _ in members]
    fit = dask.delayed(_fit_member, pure=False)
    tasks = [
        [fit(sample, fold, member, seed) for member, seed in zip(members, seeds, strict=True)]
        for fold in range(n_folds)
    ]
    fitted = [list(dask.persist(*of_fold)) for of_fold in tasks]
    forms = [member.view for member in members]
    said = data.rows.map(_ask_members, folds, views, forms, fitted, len(data.classes))
    return Opinions(said, [member.kind for member in members])


def ask_boosted(
    data: AuditedBlocks,
    folds: Blocks,
    n_folds: int,
    views: Any,
    n_rounds: int,
    random_state: np.random.RandomState,
) -> Opinions:
    """Ask ensembles that are trained on all rows, where these lie."""
    stumps, perceptrons = DecisionStumpClassifier(), ParallelPerceptronClassifier(max_iter=_PASSES)
    seed = int(random_state.randint(_MAX_SEED))
    votes = NoiseReducingBoostClassifier(perceptrons, n_estimators=n_rounds, random_state=seed)
    boosted = AdaBoostClassifier(stumps, n_estimators=n_rounds)
    detectors: list[tuple[str, str, Any, Callable[[Any], Predictor]]] = [
        ("noise votes", "standard", votes, NoiseVotes),
        ("boosted stumps", "plain", boosted, _itself),
    ]
    said, kinds = [], []
    for kind, form, model, as_predictor in detectors:
        rows = data.rows.map(_transform, views, form)
        shapes = rows.gather(_describe)
        if form == "plain" and any(is_sparse for _, is_sparse in shapes):
            continue  # Histograms of all columns would take more room than the rows.
        training = TrainingBlocks(
            rows,
            data.codes,
            data.codes.map(np.ones_like, np.float64),
            np.arange(len(data.classes)),
            (sum(data.lengths), shapes[0][0]),
            np.float64,
            range(len(rows.parts)),
        )
        said.append(_ask_out_of_fold(training, folds, n_folds, model, as_predictor))
        kinds.append(kind)
    return Opinions(said[0].map(_stack, *said[1:]), kinds)


def mix(opinions: Sequence[Opinions], data: AuditedBlocks) -> tuple[Blocks, "pd.Series[float]"]:
    """Mix opinions by their Brier scores, and give the weight of each kind."""
    kinds = [kind for some in opinions for kind in some.kinds]
    blocks = [some.blocks for some in opinions]
    said = blocks[0].map(_join, *blocks[1:])
    scores = said.total(_squares, data.codes) / data.sizes.sum()
    weights = mixture_weights(scores.round(9))
    of_kinds = pd.Series(weights, name="weight").groupby(kinds, sort=False).sum()
    return said.map(_mix, weights), of_kinds.rename_axis(None)


def _ask_out_of_fold(
    data: TrainingBlocks,
    folds: Blocks,
    n_folds: int,
    model: Any,
    as_predictor: Callable[[Any], Predictor],
) -> Blocks:
    said = data.codes.map(_nothing, len(data.classes))
    for fold in range(n_folds):
        training = data.select(folds.map(_is_training, data.codes, fold))
        present = training.class_totals() > 0
        predictor: Predictor
        if np.count_nonzero(present) < 2:
            predictor = _OnlyClass(data.classes[present])
        else:
            with warnings.catch_warnings():
                # Others outweigh one that finds nothing; the user can't do anything about it.
                warnings.simplefilter("ignore", ConvergenceWarning)
                fitted = copy(model).fit_blocks(
                    training if present.all() else training.of_classes(present)
                )
            predictor = as_predictor(fitted)
        said = said.map(_ask_fold, data.rows, folds, fold, predictor)
    return said


class _OnlyClass:
    """What a training part with rows of one class says of all rows."""

    def __init__(self, classes: NDArray[np.intp]) -> None:
        self.classes_ = classes

    def predict_proba(self, X: Any) -> Floats:
        return np.ones((X.shape[0], 1))


def _fit_member(sample: Sample, fold: int, member: PanelMember, seed: int) -> Predictor:
    rows = np.flatnonzero(sample.folds != fold)
    if isinstance(member, NeighborsOpinion) and len(rows) > _INDEX_ROWS:
        rows = rows[np.linspace(0, len(rows) - 1, _INDEX_ROWS).astype(np.intp)]
    codes = sample.codes[rows]
    if len(present := np.unique(codes)) == 1:
        return _OnlyClass(present)
    with warnings.catch_warnings():
        # Many classes in a few rows look like a regression problem to scikit-learn.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return member.fit(_safe_indexing(sample.views.training(member.view), rows), codes, seed)


def _ask_members(
    rows: Any,
    folds: NDArray[np.intp],
    views: Views,
    forms: list[str],
    fitted: list[list[Predictor]],
    n_classes: int,
) -> Floats:
    proba = np.zeros((len(forms), len(folds), n_classes))
    in_form = {name: views.transform(rows, name) for name in set(forms)}
    for fold, predictors in enumerate(fitted):
        asked = np.flatnonzero(folds == fold)
        if not asked.size:
            continue
        for number, (name, predictor) in enumerate(zip(forms, predictors, strict=True)):
            some = _safe_indexing(in_form[name], asked)
            proba[number, asked] = full_width(predictor, some, n_classes)
    return proba


def _ask_fold(
    said: Floats, rows: Any, folds: NDArray[np.intp], fold: int, predictor: Predictor
) -> Floats:
    asked = np.flatnonzero(folds == fold)
    proba = said.copy()
    if asked.size:
        proba[asked] = full_width(predictor, rows[asked], proba.shape[1])
    return proba


def _transform(rows: Any, views: Views, form: str) -> Any:
    return views.transform(rows, form).astype(np.float64, copy=False)


def _describe(rows: Any) -> tuple[int, bool]:
    return rows.shape[1], sparse.issparse(rows)


def _itself(model: Predictor) -> Predictor:
    return model


def _is_training(folds: NDArray[np.intp], codes: NDArray[np.intp], fold: int) -> NDArray[np.bool_]:
    training: NDArray[np.bool_] = (folds != fold) & (codes >= 0)
    return training


def _nothing(codes: NDArray[np.intp], n_classes: int) -> Floats:
    return np.zeros((len(codes), n_classes))


def _stack(*opinions: Floats) -> Floats:
    return np.stack(opinions)


def _join(*opinions: Floats) -> Floats:
    return np.concatenate(opinions)


def _squares(opinions: Floats, codes: NDArray[np.intp]) -> Floats:
    """Give the sum of each opinion's squared distances from the labels."""
    rows = np.flatnonzero(codes >= 0)
    if not rows.size:
        return np.zeros(len(opinions))
    return len(rows) * np.array([brier_score(said[rows], codes[rows]) for said in opinions])


def _mix(opinions: Floats, weights: Floats) -> Floats:
    mixture: Floats = np.tensordot(weights, opinions, axes=1)
    return mixture
