"""What the learners that HardyClassifier asks of more than 2,000 rows are worth.

Of the development sets only phoneme has so many rows; the other tables are made, by fixed seeds.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets

import protocol
from _ablation import (
    BASE,
    Study,
    Variant,
    as_it_is,
    best_one,
    corrected,
    leaving_out,
    of_sharpness,
    only_calibrated,
    putting_in,
)
from _candidates import StoppedTreesOpinion, trusted_loss
from hardy.panel import (
    ForestOpinion,
    KernelRidgeOpinion,
    NoiseVotesOpinion,
    PanelData,
    PanelMember,
    SupportVectorsOpinion,
)
from hardy.panel.recipe import learners_for
from hardy.panel.views import Views
from protocol import Table

RESULTS = Path(__file__).parent / "results"
NOISE = [("uniform", 0.0), ("uniform", 0.2), ("uniform", 0.4)]
# Each half of a table is learnt from, and the other one tested on.
N_FOLDS = 2
ROWS_OF_MIDDLE, ROWS_OF_MANY = 8_000, 50_000


def clusters(n_rows: int, n_classes: int, seed: int, **options: Any) -> Any:
    return datasets.make_classification(
        n_rows,
        n_features=20,
        n_informative=8,
        n_redundant=4,
        n_classes=n_classes,
        n_clusters_per_class=4,
        flip_y=0,
        random_state=seed,
        **options,
    )


MAKERS: dict[str, Callable[[int], Any]] = {
    "clusters": lambda n: clusters(n, 2, 0),
    "clusters of five classes": lambda n: clusters(n, 5, 1, class_sep=1.5),
    "clusters, a tenth positive": lambda n: clusters(n, 2, 2, weights=[0.9]),
    "quantiles": lambda n: datasets.make_gaussian_quantiles(
        n_samples=n, n_features=10, n_classes=3, random_state=3
    ),
    "moons": lambda n: datasets.make_moons(n, noise=0.3, random_state=4),
}


@cache
def make(name: str, n_rows: int) -> Table:
    X, y = MAKERS[name](n_rows)
    return Table(pd.DataFrame(X).add_prefix("x"), y, int(y.max()) + 1, X)


def recipe(n_rows: int) -> dict[str, PanelMember]:
    """Give the learners that HardyClassifier asks of so many rows, by their names."""
    views = Views(np.zeros((n_rows, 1)))
    data = PanelData.make(views, np.arange(n_rows) % 2, 2, n_splits=2, random_state=0)
    return {learner.name: learner for learner in learners_for(data, 200)}


def kinds_of(learners: dict[str, PanelMember]) -> dict[str, list[str]]:
    """Give the groups of learners of one kind, and of all that grow trees side by side."""
    groups: dict[str, list[str]] = {}
    for name, learner in learners.items():
        groups.setdefault(f"any {learner.kind}", []).append(name)
    groups["any trees side by side"] = [
        *groups["any extra trees"],
        *groups["any random forest"],
    ]
    return {name: group for name, group in groups.items() if len(group) > 1}


def study(
    name: str, tables: dict[str, Callable[[], Table]], n_rows: int, others: dict[str, PanelMember]
) -> Study:
    """Take apart the recipe for so many training rows."""
    learners = recipe(n_rows)
    variants = {
        BASE: Variant([*learners], as_it_is, corrected),
        "even weights": Variant([*learners], of_sharpness(0), corrected),
        "the best learner alone": Variant([*learners], best_one, corrected),
        "calibrated, noise left in": Variant([*learners], as_it_is, only_calibrated),
        **leaving_out(learners, kinds_of(learners)),
        **putting_in(learners, others),
    }
    results = RESULTS / f"ablation_{name}.csv"
    return Study(results, tables, NOISE, N_FOLDS, learners | others, variants)


MIDDLE = study(
    "middle",
    {
        "phoneme": partial(protocol.load, "phoneme", "whole"),
        **{name: partial(make, name, ROWS_OF_MIDDLE) for name in MAKERS},
    },
    ROWS_OF_MIDDLE // 2,
    {
        "NR boosting": NoiseVotesOpinion(),
        "Gaussian kernel ridge": KernelRidgeOpinion("gauss", n_landmarks=500),
        "support vectors": SupportVectorsOpinion(),
        "boosted trees stopped by trust": StoppedTreesOpinion(trusted_loss, max_leaf_nodes=15),
    },
)
MANY = study(
    "many",
    {
        name: partial(make, name, ROWS_OF_MANY)
        for name in ("clusters", "clusters of five classes", "quantiles")
    },
    ROWS_OF_MANY // 2,
    {
        "kernel ridge on 500 rows": KernelRidgeOpinion("laplace", n_landmarks=500),
        "forest of leaf 1": ForestOpinion(1, 50, max_samples=20_000),
    },
)
