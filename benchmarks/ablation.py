"""What each part of HardyClassifier is worth, on the development sets alone.

All learners are asked once for each set, noise and fold; then each variant mixes and corrects what
they said. At most 600 rows of a set, three folds, one seed. A variant has the parts of
HardyClassifier but for what its name says.

    python benchmarks/ablation.py            run what is missing, and print the tables
"""

import os

# Before anything loads a library that makes threads of its own.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import log_softmax
from sklearn.model_selection import StratifiedKFold

import protocol
from hardy.noise import flip_labels
from hardy.noise.asymmetry import asymmetry
from hardy.noise.correction import NoiseCorrection
from hardy.panel import (
    BoostedTreesOpinion,
    ForestOpinion,
    KernelRidgeOpinion,
    LinearOpinion,
    NeighborsOpinion,
    NoiseVotesOpinion,
    PanelData,
    PanelMember,
    SupportVectorsOpinion,
    TreesOpinion,
    brier_score,
    mixture_weights,
)
from hardy.panel.base import full_width
from hardy.panel.mixture import blend, weights_under_noise
from hardy.panel.views import Views
from hardy.studies.cells import make_seed
from hardy.studies.store import CellStore
from hardy.tabular import TableEncoder

RESULTS = Path(__file__).parent / "results" / "ablation.csv"
MOST_ROWS, N_FOLDS = 600, 3
NOISE = [("uniform", 0.0), ("uniform", 0.2), ("uniform", 0.4), ("class_conditional", 0.2)]
SCORES = ["accuracy", "balanced_accuracy", "log_loss"]
KEYS = ["dataset", "kind", "noise_rate", "fold", "variant"]

LEARNERS: dict[str, PanelMember] = {
    "extra trees 1": TreesOpinion(1, 200),
    "extra trees 3": TreesOpinion(3, 200),
    "forest 1": ForestOpinion(1, 100),
    "forest 4": ForestOpinion(4, 100),
    "kernel ridge, Laplace": KernelRidgeOpinion("laplace"),
    "kernel ridge, Gauss": KernelRidgeOpinion("gauss"),
    "support vectors": SupportVectorsOpinion(),
    "linear model": LinearOpinion(0.3),
}
OTHERS: dict[str, PanelMember] = {
    "forest 10": ForestOpinion(10, 100),
    "support vectors, C = 10": SupportVectorsOpinion(10.0),
    "neighbours": NeighborsOpinion((10, 20, 50)),
    "NR boosting": NoiseVotesOpinion(),
    "boosted trees": BoostedTreesOpinion(max_leaf_nodes=8),
}


# A learner has others of its kind beside it, so that what a kind is worth shows without all of it.
KINDS = {
    "both forests": ["forest 1", "forest 4"],
    "both extra trees": ["extra trees 1", "extra trees 3"],
    "any trees": ["forest 1", "forest 4", "extra trees 1", "extra trees 3"],
    "both kernel ridges": ["kernel ridge, Laplace", "kernel ridge, Gauss"],
    "any kernels": ["kernel ridge, Laplace", "kernel ridge, Gauss", "support vectors"],
}


class Heard(NamedTuple):
    """What the learners said of the training rows and of the test rows."""

    codes: np.ndarray
    opinions: dict[str, np.ndarray]
    predictions: dict[str, np.ndarray]


Mixer = Callable[[list[np.ndarray], np.ndarray], np.ndarray]
Corrector = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def as_it_is(opinions: list[np.ndarray], codes: np.ndarray) -> np.ndarray:
    scores = [brier_score(opinion, codes) for opinion in opinions]
    return weights_under_noise(scores, opinions, codes)


def of_sharpness(factor: float) -> Mixer:
    """Give what weighs alike whatever the noise, as sharply as `factor` times √n says."""

    def mix(opinions: list[np.ndarray], codes: np.ndarray) -> np.ndarray:
        scores = [brier_score(opinion, codes) for opinion in opinions]
        return mixture_weights(scores, factor * np.sqrt(len(codes)))

    return mix


def best_one(opinions: list[np.ndarray], codes: np.ndarray) -> np.ndarray:
    scores = [brier_score(opinion, codes) for opinion in opinions]
    return np.eye(len(scores))[int(np.argmin(scores))]


def corrected(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    return NoiseCorrection.estimate(opinion, codes).apply(proba)


def only_calibrated(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    exponent = NoiseCorrection.estimate(opinion, codes).given_exponent
    return np.exp(log_softmax(exponent * np.log(np.maximum(proba, 1e-4)), axis=1))


def by_classes(opinion: np.ndarray, codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Correct by a transition matrix whose rows differ as the audit's do."""
    found = NoiseCorrection.estimate(opinion, codes)
    transition = found.transition * asymmetry(codes, opinion)
    transition /= transition.sum(axis=1, keepdims=True)
    return found._replace(transition=transition).apply(proba)


VARIANTS: dict[str, tuple[list[str], Mixer, Corrector]] = {
    "HardyClassifier": ([*LEARNERS], as_it_is, corrected),
    "weights as sharp whatever the noise": ([*LEARNERS], of_sharpness(4), corrected),
    "weights half as sharp": ([*LEARNERS], of_sharpness(2), corrected),
    "even weights": ([*LEARNERS], of_sharpness(0), corrected),
    "the best learner alone": ([*LEARNERS], best_one, corrected),
    "calibrated, noise left in": ([*LEARNERS], as_it_is, only_calibrated),
    "noise by class": ([*LEARNERS], as_it_is, by_classes),
    **{
        f"without {left_out}": ([n for n in LEARNERS if n != left_out], as_it_is, corrected)
        for left_out in LEARNERS
    },
    **{f"with {more}": ([*LEARNERS, more], as_it_is, corrected) for more in OTHERS},
    "forest 1 alone": (["forest 1"], as_it_is, corrected),
    **{
        f"without {kind}": ([n for n in LEARNERS if n not in left_out], as_it_is, corrected)
        for kind, left_out in KINDS.items()
    },
}


def hear(table: Any, train: np.ndarray, test: np.ndarray, noisy: np.ndarray, seed: int) -> Heard:
    views = Views(table.X.iloc[train], TableEncoder())
    data = PanelData.make(views, noisy, table.n_classes, n_splits=3, random_state=seed)
    heard = Heard(noisy, {}, {})
    for name, learner in {**LEARNERS, **OTHERS}.items():
        heard.opinions[name], fitted = learner.learn(data, seed)
        rows = views.transform(table.X.iloc[test], learner.view)
        heard.predictions[name] = full_width(fitted, rows, table.n_classes)
    return heard


def score(heard: Heard, variant: str, true: np.ndarray) -> dict[str, float]:
    names, mix, correct = VARIANTS[variant]
    opinions = [heard.opinions[name] for name in names]
    weights = mix(opinions, heard.codes)
    mixed = blend(weights, [heard.predictions[name] for name in names])
    proba = correct(blend(weights, opinions), heard.codes, mixed)
    is_right = proba.argmax(axis=1) == true
    own = np.maximum(proba[np.arange(len(true)), true], 1e-9)
    return {
        "accuracy": is_right.mean(),
        "balanced_accuracy": np.mean([is_right[true == code].mean() for code in np.unique(true)]),
        "log_loss": -np.log(own).mean(),
    }


def run(store: CellStore) -> None:
    protocol.MOST_ROWS = MOST_ROWS
    for fold in range(N_FOLDS):
        for kind, rate in NOISE:
            for name in protocol.STAGES["development"].split():
                key = {"dataset": name, "kind": kind, "noise_rate": rate, "fold": fold}
                if {**key, "variant": list(VARIANTS)[-1]} in store:
                    continue
                table = protocol.load(name, "drawn")
                seed = make_seed(name, kind, rate, fold)
                folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=1)
                train, test = list(folds.split(table.codes, table.codes))[fold]
                noisy, _ = flip_labels(table.codes[train], rate, kind=kind, random_state=seed)
                heard = hear(table, train, test, noisy, seed)
                for variant in VARIANTS:
                    row = {**key, "variant": variant}
                    if row not in store:
                        store.append({**row, **score(heard, variant, table.codes[test])})
                print(name, kind, rate, fold, file=sys.stderr)


def differences(cells: pd.DataFrame, name: str) -> pd.DataFrame:
    """Give what each variant has more than HardyClassifier, and the standard error over the sets.

    Folds of a set are no sets of their own: their mean is taken first.
    """
    levels = ["kind", "noise_rate"]
    wide = cells.pivot_table(index=[*levels, "dataset"], columns="variant", values=name)
    more = wide.drop(columns="HardyClassifier").sub(wide["HardyClassifier"], axis=0)
    by_level = more.groupby(level=levels)
    means, errors = by_level.mean().T, by_level.sem().T
    shown = means.map("{:+.4f}".format) + " ± " + errors.map("{:.4f}".format)
    return shown.loc[[name for name in VARIANTS if name in shown.index]]


def main() -> None:
    store = CellStore(RESULTS, KEYS, [*KEYS, *SCORES], ["noise_rate", "fold", *SCORES])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(store)
    cells = pd.read_csv(RESULTS)
    for name in SCORES:
        wide = cells.pivot_table(index="variant", columns=["kind", "noise_rate"], values=name)
        print(f"\n{name}\n{wide.loc[list(VARIANTS)].round(4).to_string()}")
        print(f"\n{name}, beside HardyClassifier's\n{differences(cells, name).to_string()}")


if __name__ == "__main__":
    main()
