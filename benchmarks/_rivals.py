"""What HardyClassifier is compared with: each rival's pipeline, and the settings it chooses from.

Every rival gets the table as numbers without missing values (`TableEncoder`, fitted on the training
fold), scaled where it wants that. Whatever needs many rows is told so by `affordable`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from cleanlab.classification import CleanLearning
from imblearn.pipeline import make_pipeline as make_sampling_pipeline
from imblearn.under_sampling import EditedNearestNeighbours
from lightgbm import LGBMClassifier, early_stopping
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
)
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, QuantileTransformer, StandardScaler
from sklearn.svm import SVC

import hardy
from hardy.tabular import TableEncoder

MOST_ROWS_OF_KERNELS = 2_000
_HOLDOUT = 0.15
# With fewer rows a class takes no part in the holdout that tells when to stop.
_FEWEST_TO_HOLD_OUT = 7


class Rival(NamedTuple):
    """How a method is made, and what its inner validation chooses from."""

    make: Callable[[int, int], Any]
    grid: Mapping[str, list[Any]] = {}
    affordable: Callable[[int], bool] = lambda n_rows: True


class EarlyStoppedLightGBM(LGBMClassifier):
    """LightGBM that stops when a stratified holdout of its training rows gets no better."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "EarlyStoppedLightGBM":
        """Fit; classes with few rows are kept out of the holdout."""
        counts = np.bincount(y)
        common = np.flatnonzero(counts[y] >= _FEWEST_TO_HOLD_OUT)
        _, held = train_test_split(
            common, test_size=_HOLDOUT, stratify=y[common], random_state=self.random_state
        )
        train = np.setdiff1d(np.arange(len(y)), held)
        weight = None if sample_weight is None else sample_weight[train]
        stop = early_stopping(20, verbose=False)
        return super().fit(
            X[train], y[train], weight, eval_set=[(X[held], y[held])], callbacks=[stop]
        )


class Cleaned(CleanLearning):
    """cleanlab's wrapper, which keeps the classes of its model to itself."""

    @property
    def classes_(self) -> np.ndarray:
        """The classes that were left after cleaning."""
        return self.clf.classes_


def _forest(seed: int, n_rows: int, leaf: int = 1, n_estimators: int = 300) -> Any:
    return RandomForestClassifier(n_estimators, min_samples_leaf=leaf, random_state=seed)


def _extra_trees(seed: int, leaf: int, n_estimators: int = 300) -> Any:
    return ExtraTreesClassifier(n_estimators, min_samples_leaf=leaf, random_state=seed)


def _lightgbm(seed: int) -> Any:
    return EarlyStoppedLightGBM(
        n_estimators=500, num_leaves=15, random_state=seed, n_jobs=1, verbosity=-1
    )


def _cleanlab(model: Any, seed: int) -> Any:
    return Cleaned(model, seed=seed, find_label_issues_kwargs={"n_jobs": 1})


def _on_quantiles(*steps: Any) -> Any:
    return make_pipeline(
        QuantileTransformer(output_distribution="normal"), StandardScaler(), *steps
    )


def _stack(seed: int, n_rows: int) -> Any:
    """Put HardyClassifier's kinds of learners under a logistic regression."""
    kernel = Nystroem(n_components=min(300, n_rows // 2), random_state=seed)
    learners = {
        "extra trees 1": _extra_trees(seed, 1, 200),
        "extra trees 3": _extra_trees(seed, 3, 200),
        "forest 1": _forest(seed, n_rows, 1, 100),
        "forest 4": _forest(seed, n_rows, 4, 100),
        "kernel ridge": _on_quantiles(kernel, RidgeClassifier()),
        "logistic regression": _on_quantiles(LogisticRegression(C=0.3, max_iter=1000)),
    }
    if n_rows <= MOST_ROWS_OF_KERNELS:
        learners["support vectors"] = _on_quantiles(SVC())
    return StackingClassifier(list(learners.items()), LogisticRegression(max_iter=1000), cv=3)


RIVALS: dict[str, Rival] = {
    "random forest": Rival(_forest, {"min_samples_leaf": [5, 1]}),
    "extra trees": Rival(lambda s, n: _extra_trees(s, 5), {"min_samples_leaf": [5, 1]}),
    "LightGBM": Rival(lambda s, n: _lightgbm(s)),
    "histogram boosting": Rival(
        lambda s, n: HistGradientBoostingClassifier(early_stopping=True, random_state=s)
    ),
    "logistic regression": Rival(
        lambda s, n: make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        {"logisticregression__C": [1, 0.01, 0.1, 10]},
    ),
    "support vectors": Rival(
        lambda s, n: CalibratedClassifierCV(
            make_pipeline(StandardScaler(), SVC()), ensemble=False, cv=5
        ),
        {
            "estimator__svc__C": [1, 10, 100],
            "estimator__svc__gamma": ["auto", 0.01, 0.1, 1.0],
        },
        affordable=lambda n_rows: n_rows <= MOST_ROWS_OF_KERNELS,
    ),
    "AdaBoost": Rival(lambda s, n: AdaBoostClassifier(n_estimators=100, random_state=s)),
    "bagging": Rival(lambda s, n: BaggingClassifier(n_estimators=100, random_state=s)),
    "cleanlab, forest": Rival(lambda s, n: _cleanlab(_forest(s, n, 1, 100), s)),
    "cleanlab, LightGBM": Rival(lambda s, n: _cleanlab(_lightgbm(s), s)),
    "ENN, forest": Rival(
        lambda s, n: make_sampling_pipeline(
            StandardScaler(), EditedNearestNeighbours(sampling_strategy="all"), _forest(s, n)
        )
    ),
    "hardness bagging": Rival(
        lambda s, n: make_pipeline(MinMaxScaler(), hardy.HardnessBaggingClassifier(random_state=s))
    ),
    "NR boosting": Rival(
        lambda s, n: make_pipeline(
            StandardScaler(), hardy.NoiseReducingBoostClassifier(random_state=s)
        )
    ),
    "stacking": Rival(_stack),
}


def make_rival(name: str, seed: int, n_rows: int, settings: Mapping[str, Any]) -> Any:
    """Give a rival, ready to be fitted on a table of any kind.

    Parameters
    ----------
    name : str
        A key of `RIVALS`.
    seed : int
        For what is drawn.
    n_rows : int
        How many rows it will be fitted on.
    settings : mapping of str to object
        What its inner validation has chosen.
    """
    model = RIVALS[name].make(seed, n_rows).set_params(**settings)
    # A pipeline may not lie in a pipeline of imbalanced-learn.
    steps = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    return make_sampling_pipeline(TableEncoder(), *steps)
