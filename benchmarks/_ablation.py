"""How `ablation.py` measures what the parts of HardyClassifier are worth.

All learners are asked once for each table, noise and fold; then each variant mixes and corrects
what they said. A variant has the parts of HardyClassifier but for what its name says.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import log_softmax
from sklearn.model_selection import StratifiedKFold

from hardy.noise import flip_labels
from hardy.noise.asymmetry import asymmetry
from hardy.noise.correction import NoiseCorrection
from hardy.panel import PanelData, PanelMember, brier_score, mixture_weights
from hardy.panel.base import full_width
from hardy.panel.mixture import blend, weights_under_noise
from hardy.panel.views import Views
from hardy.studies.cells import make_seed
from hardy.studies.store import CellStore
from hardy.tabular import TableEncoder
from protocol import Table

SCORES = ["accuracy", "balanced_accuracy", "log_loss"]
KEYS = ["dataset", "kind", "noise_rate", "fold", "variant"]
BASE = "HardyClassifier"

Mixer = Callable[[Sequence[np.ndarray], np.ndarray], np.ndarray]
Corrector = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class Variant(NamedTuple):
    """Which learners are mixed, how they are weighed, and how the noise is taken out."""

    learners: list[str]
    mix: Mixer
    correct: Corrector


class Study(NamedTuple):
    """What is measured, and where it is stored; the variant `BASE` is what others are set beside.

    Parameters
    ----------
    results : Path
        The file of finished cells.
    tables : mapping of str to callable
        What loads each table, by its name.
    noise : list of (str, float)
        The kinds and rates of noise.
    n_folds : int
        Into how many parts each table is taken apart; each is the test part once.
    learners : mapping of str to PanelMember
        All learners, by their names.
    variants : mapping of str to Variant
        All variants, by their names.
    """

    results: Path
    tables: Mapping[str, Callable[[], Table]]
    noise: list[tuple[str, float]]
    n_folds: int
    learners: Mapping[str, PanelMember]
    variants: Mapping[str, Variant]

    def open_store(self) -> CellStore:
        """Give what is finished."""
        return CellStore(self.results, KEYS, [*KEYS, *SCORES], ["noise_rate", "fold", *SCORES])

    def cells(self) -> Iterator[dict[str, Any]]:
        """Give every table under every noise, in every fold."""
        for fold in range(self.n_folds):
            for kind, rate in self.noise:
                for name in self.tables:
                    yield {"dataset": name, "kind": kind, "noise_rate": rate, "fold": fold}


class Heard(NamedTuple):
    """What the learners said of the training rows and of the test rows."""

    codes: np.ndarray
    opinions: dict[str, np.ndarray]
    predictions: dict[str, np.ndarray]


def as_it_is(opinions: Sequence[np.ndarray], codes: np.ndarray) -> np.ndarray:
    scores = [brier_score(opinion, codes) for opinion in opinions]
    return weights_under_noise(scores, opinions, codes)


def of_sharpness(factor: float) -> Mixer:
    """Give what weighs alike whatever the noise, as sharply as `factor` times √n says."""

    def mix(opinions: Sequence[np.ndarray], codes: np.ndarray) -> np.ndarray:
        scores = [brier_score(opinion, codes) for opinion in opinions]
        return mixture_weights(scores, factor * np.sqrt(len(codes)))

    return mix


def over_splits(n_splits: int) -> Mixer:
    """Give the mean of the weights by several splits, whose opinions follow one another."""

    def mix(opinions: Sequence[np.ndarray], codes: np.ndarray) -> np.ndarray:
        n = len(opinions) // n_splits
        parts = [opinions[start : start + n] for start in range(0, len(opinions), n)]
        return np.concatenate([as_it_is(part, codes) for part in parts]) / n_splits

    return mix


def best_one(opinions: Sequence[np.ndarray], codes: np.ndarray) -> np.ndarray:
    scores = [brier_score(opinion, codes) for opinion in opinions]
    return np.eye(len(scores))[int(np.argmin(scores))]


def corrected(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    return NoiseCorrection.estimate(opinion, codes).apply(proba)


def only_calibrated(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    exponent = NoiseCorrection.estimate(opinion, codes).given_exponent
    return np.exp(log_softmax(exponent * np.log(np.maximum(proba, 1e-4)), axis=1))


def by_classes(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Correct by a transition matrix whose rows differ as the audit's do."""
    return _correct_by(asymmetry(codes, opinion), opinion, codes, proba)


def from_rarer(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Correct between two classes in one direction alone where more labels of the rarer are lost.

    Whether more of them are is told by the same matrix as `by_classes` corrects by.
    """
    ratio = asymmetry(codes, opinion)
    sizes = np.bincount(codes, minlength=len(ratio))
    loses_more = (sizes[:, None] < sizes) & (ratio > ratio.T)
    return _correct_by(np.where(loses_more.T, 0, ratio), opinion, codes, proba)


def _correct_by(
    ratio: np.ndarray, opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray
) -> np.ndarray:
    found = NoiseCorrection.estimate(opinion, codes)
    transition = found.transition * ratio
    transition /= transition.sum(axis=1, keepdims=True)
    return found._replace(transition=transition).apply(proba)


def leaving_out(learners: Mapping[str, PanelMember], groups: Mapping[str, list[str]]) -> dict:
    """Give a variant without each learner, and one without each group of them."""
    parts = {name: [name] for name in learners} | dict(groups)
    return {
        f"without {part}": Variant([n for n in learners if n not in out], as_it_is, corrected)
        for part, out in parts.items()
    }


def putting_in(learners: Mapping[str, PanelMember], others: Mapping[str, PanelMember]) -> dict:
    """Give a variant with each other learner."""
    return {f"with {more}": Variant([*learners, more], as_it_is, corrected) for more in others}


def hear(
    table: Table, train: np.ndarray, test: np.ndarray, noisy: np.ndarray, seed: int, learners: dict
) -> Heard:
    views = Views(table.X.iloc[train], TableEncoder())
    data = PanelData.make(views, noisy, table.n_classes, n_splits=3, random_state=seed)
    heard = Heard(noisy, {}, {})
    for name, learner in learners.items():
        heard.opinions[name], fitted = learner.learn(data, seed)
        rows = views.transform(table.X.iloc[test], learner.view)
        heard.predictions[name] = full_width(fitted, rows, table.n_classes)
    return heard


def score(heard: Heard, variant: Variant, true: np.ndarray) -> dict[str, float]:
    opinions = [heard.opinions[name] for name in variant.learners]
    weights = variant.mix(opinions, heard.codes)
    mixed = blend(weights, [heard.predictions[name] for name in variant.learners])
    proba = variant.correct(blend(weights, opinions), heard.codes, mixed)
    is_right = proba.argmax(axis=1) == true
    own = np.maximum(proba[np.arange(len(true)), true], 1e-9)
    return {
        "accuracy": is_right.mean(),
        "balanced_accuracy": np.mean([is_right[true == code].mean() for code in np.unique(true)]),
        "log_loss": -np.log(own).mean(),
    }


def run(study: Study) -> None:
    """Measure the variants that are not finished."""
    store = study.open_store()
    start, left = time.monotonic(), list(study.cells())
    for number, cell in enumerate(left, 1):
        missing = [name for name in study.variants if {**cell, "variant": name} not in store]
        if not missing:
            continue
        kind, rate, fold = cell["kind"], cell["noise_rate"], cell["fold"]
        table = study.tables[cell["dataset"]]()
        seed = make_seed(cell["dataset"], kind, rate, fold)
        folds = StratifiedKFold(study.n_folds, shuffle=True, random_state=1)
        train, test = list(folds.split(table.codes, table.codes))[fold]
        noisy, _ = flip_labels(table.codes[train], rate, kind=kind, random_state=seed)
        asked = {name for variant in missing for name in study.variants[variant].learners}
        learners = {name: one for name, one in study.learners.items() if name in asked}
        heard = hear(table, train, test, noisy, seed, learners)
        for name in missing:
            scores = score(heard, study.variants[name], table.codes[test])
            store.append({**cell, "variant": name, **scores})
        print(number, *cell.values(), f"{time.monotonic() - start:.0f} s", file=sys.stderr)


def differences(study: Study, cells: pd.DataFrame, name: str) -> pd.DataFrame:
    """Give what each variant has more than `BASE`, and the standard error over the tables.

    Folds of a table are no tables of their own: the mean of those that the variant has is taken
    first.
    """
    levels = ["kind", "noise_rate"]
    wide = cells.pivot_table(index=[*levels, "dataset", "fold"], columns="variant", values=name)
    more = wide.drop(columns=BASE).sub(wide[BASE], axis=0)
    by_level = more.groupby(level=[*levels, "dataset"]).mean().groupby(level=levels)
    means, errors = by_level.mean().T, by_level.sem().T
    shown = means.map("{:+.4f}".format) + " ± " + errors.map("{:.4f}".format)
    return shown.loc[[name for name in study.variants if name in shown.index]]


def show(study: Study) -> None:
    """Print what is finished."""
    cells = pd.read_csv(study.results)
    for name in SCORES:
        wide = cells.pivot_table(index="variant", columns=["kind", "noise_rate"], values=name)
        wide = wide.reindex(list(study.variants)).dropna(how="all")
        print(f"\n{name}\n{wide.round(4).to_string()}")
        print(f"\n{name}, beside {BASE}'s\n{differences(study, cells, name).to_string()}")
