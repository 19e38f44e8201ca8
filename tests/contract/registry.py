"""Every public estimator, sampler and transformer, with what the suite needs to know of it.

A new class is one more `Case`. What may fail of scikit-learn's checks is named here and nowhere
else, and so is what a class can't do because of what it is built on.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import imblearn.pipeline
import imblearn.utils.estimator_checks
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, has_fit_parameter

import hardy
from hardy import (
    AdaBoostClassifier,
    BalancedVariationClassifier,
    BoostingFilter,
    CommitteeMachineClassifier,
    DecisionStumpClassifier,
    DecisionStumpRegressor,
    EditedBoostClassifier,
    HardnessBaggingClassifier,
    HardnessBoostClassifier,
    HardyClassifier,
    ICSBaggingClassifier,
    LabelErrorCleaner,
    LinearPerceptronBoostClassifier,
    LinearPerceptronClassifier,
    LogitBoostClassifier,
    MadaBoostClassifier,
    MarginPruner,
    NoiseDetectingBoostClassifier,
    NoiseReducingBoostClassifier,
    ParallelPerceptronClassifier,
    ParallelPerceptronRegressor,
    PrunedParallelPerceptronClassifier,
    RandomSubspaceClassifier,
    RealAdaBoostClassifier,
    RobustBoostClassifier,
    SelectiveBoostClassifier,
    SMOTEBaggingClassifier,
    SoftMarginBoostClassifier,
)
from hardy.ensembles import BaseBagClassifier, BaseBoostClassifier
from hardy.tabular import TableEncoder
from hardy.text import StemCounter, UnsmoothedTfidfTransformer
from hardy.weighting import linear_weights

SAMPLINGS = ["reweight", "resample"]


def blobs(n_classes: int = 2, n_samples: int = 120, seed: int = 0) -> tuple[Any, Any]:
    """Overlapping classes around different centres, on which no stump is perfect."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, 4))
    X[:, 0] += 1.5 * y
    X[:, 1] -= (y == n_classes - 1) * 1.5
    return X, y


def counts(n_classes: int = 2) -> tuple[Any, Any]:
    """How often each of four words is in a document; some documents have none of them."""
    X, y = blobs(n_classes)
    return np.maximum(np.round(X), 0), y


def texts(n_classes: int = 2) -> tuple[Any, Any]:
    """Documents of four words, two of which have the same stem."""
    numbers, y = counts(n_classes)
    words = np.array(["barrels", "wheat", "banks", "banking"])
    return np.array([" ".join(words.repeat(row.astype(int))) for row in numbers]), y


def mixed_table(n_classes: int = 2) -> tuple[Any, Any]:
    """A table with columns of every kind and missing values, and one that says nothing."""
    X, y = blobs(n_classes)
    frame = pd.DataFrame(
        {
            "size": X[:, 0],
            "colour": np.array(["red", "green", "blue"])[np.digitize(X[:, 1], [-1, 1])],
            "ripe": np.where(X[:, 2] > 0, "yes", "no"),
            "seen": pd.Timestamp("2024-01-30") + pd.to_timedelta(np.round(X[:, 3] * 50), "D"),
            "remark": [
                f"{text} in crate {number}" for number, text in enumerate(texts(n_classes)[0])
            ],
            "unit": "mm",
        }
    )
    for number, name in enumerate(["size", "colour", "ripe", "seen", "remark"]):
        frame.loc[number, name] = None
    return frame, y


@dataclass(frozen=True)
class Case:
    """A public class: quick settings, a grid over all of its parameters, and other settings.

    `data` makes rows of the kind that it is for, and labels, for a number of classes. `statistical`
    says why a weight is a repetition on average only, where it is so whatever the settings;
    `extreme` why the probabilities order the rows but don't add up to the classes' shares without
    ``CalibratedClassifierCV``; `cannot` what else it can't do because of what it is built on or in.
    """

    make: type
    quick: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, list[Any]] = field(default_factory=dict)
    variants: tuple[Mapping[str, Any], ...] = ()
    data: Callable[..., tuple[Any, Any]] = blobs
    statistical: str = ""
    extreme: str = ""
    cannot: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, **settings: Any) -> Any:
        """Make an estimator with the quick settings, the seed 0 and those given."""
        seed = {"random_state": 0} if "random_state" in self.names else {}
        return self.make(**{**self.quick, **seed, **settings})

    def small(self, **settings: Any) -> Any:
        """Make an estimator of few members, for many small tables."""
        few = {"n_estimators": 3, "n_candidates": 2}
        return self(**{name: few[name] for name in few if name in self.names} | settings)

    @property
    def names(self) -> set[str]:
        """The names of the parameters."""
        return set(self.make().get_params(deep=False))

    def member(self) -> Any:
        """Make a copy of the learner that is used when none is given."""
        model = fit(self(), *blobs())
        return clone(getattr(model, "estimator_", model.estimator))

    def settings(self) -> list[dict[str, Any]]:
        """The quick settings and each variant of them."""
        return [{}, *map(dict, self.variants)]

    @property
    def is_sampler(self) -> bool:
        return hasattr(self.make, "fit_resample")

    @property
    def is_transformer(self) -> bool:
        return hasattr(self.make, "transform")

    @property
    def takes_numbers(self) -> bool:
        """Whether rows may be a matrix, and not texts only."""
        return get_tags(self.make()).input_tags.two_d_array

    def skip_where_it_cannot(self, what: str) -> None:
        if reason := self.cannot.get(what):
            pytest.skip(reason)

    def in_pipeline(self, model: Any) -> Any:
        """Put a model of this class behind and before what it needs to predict."""
        if self.is_transformer:
            return make_pipeline(model, MaxAbsScaler(), LogisticRegression())
        if self.is_sampler:
            return imblearn.pipeline.make_pipeline(StandardScaler(), model, clone(_SEEDED_TREE))
        return make_pipeline(StandardScaler(), model)


_ONLINE = "rows come in an order that other rows change"
_DRAWN = "other rows are drawn when the rows come in another order"
_TREE = DecisionTreeClassifier(max_depth=3)
_SEEDED_TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
_BAG_GRID = {
    "estimator": [_TREE],
    "estimator__max_depth": [1, 2],
    "n_estimators": [3],
    "voting": ["hard", "soft"],
    "n_jobs": [1],
    "random_state": [0],
}
_BOOST_GRID = {
    "estimator": [_TREE],
    "estimator__max_depth": [1, 2],
    "n_estimators": [2],
    "learning_rate": [0.5],
    "sampling": SAMPLINGS,
    "random_state": [0],
}
_RESAMPLE = {"sampling": "resample"}
_WEIGHTS_OF_ALL_ROWS = "imbalanced-learn's pipeline leaves out rows, but not their weights"
_PERCEPTRON = ParallelPerceptronClassifier(max_iter=20)
# What holds of all rows alike in test_invariance.py, but not of these.
_UNITS = {"units": "it takes steps in the unit of the columns"}
_BY_COLUMN = {
    **_UNITS,
    "columns": "its first weights are drawn for one column after the other",
}
_FIRST_WEIGHTS = {
    **_BY_COLUMN,
    "names": "its first weights are drawn for one class after the other",
}
_PERCEPTRONS = {
    **_UNITS,
    "names": "each class has a perceptron, and the next one sees the rows in another order",
}
_COLUMNS_DRAWN = {"columns": "columns are drawn by their places"}

CASES = [
    Case(
        ParallelPerceptronClassifier,
        quick={"max_iter": 30},
        grid={
            "n_perceptrons": [1, 3],
            "learning_rate": [0.01],
            "learning_rate_decay": [0.8],
            "margin": [0.1],
            "margin_update": ["mean", "sum"],
            "max_iter": [10],
            "mode": ["batch", "online"],
            "update_rule": ["nr", "p-delta"],
            "class_weight": [None, "balanced"],
            "warm_start": [False],
            "random_state": [0],
        },
        variants=(
            {"mode": "online"},
            {"mode": "online", "class_weight": "balanced"},
            {"update_rule": "p-delta"},
            {"class_weight": "balanced"},
        ),
        extreme="activations are no log odds",
        cannot=_FIRST_WEIGHTS,
    ),
    Case(
        CommitteeMachineClassifier,
        quick={"max_iter": 20},
        grid={
            "n_perceptrons": [1, 3],
            "learning_rate": [0.01],
            "max_iter": [10],
            "mode": ["batch", "online"],
            "class_weight": [None, "balanced"],
            "warm_start": [False],
            "random_state": [0],
        },
        variants=({"mode": "batch"}, {"class_weight": "balanced"}),
        extreme="activations are no log odds",
        cannot=_FIRST_WEIGHTS,
    ),
    Case(
        ParallelPerceptronRegressor,
        quick={"max_iter": 50},
        grid={
            "n_perceptrons": [3, 20],
            "rho": [None, 2.0],
            "epsilon": [0.2],
            "learning_rate": [0.01],
            "learning_rate_decay": [0.8],
            "margin": [0.1],
            "margin_update": ["mean", "sum"],
            "margin_weight": [2.0],
            "max_iter": [10],
            "mode": ["batch", "online"],
            "keep_best": [True, False],
            "warm_start": [False],
            "random_state": [0],
        },
        variants=({"mode": "batch"}, {"margin_update": "mean"}),
        cannot={
            **_BY_COLUMN,
            "order": "a unit changes sides where sums that round otherwise come near to 0",
        },
    ),
    Case(
        DecisionStumpClassifier,
        grid={
            "max_bins": [255, 10],
            "criterion": ["gini", "entropy"],
            "class_weight": [None, "balanced"],
        },
        variants=({"criterion": "entropy", "max_bins": 5}, {"class_weight": "balanced"}),
    ),
    Case(DecisionStumpRegressor, grid={"max_bins": [255, 10]}, variants=({"max_bins": 5},)),
    Case(
        AdaBoostClassifier,
        quick={"n_estimators": 8},
        grid=_BOOST_GRID,
        variants=(_RESAMPLE, {"estimator": GaussianNB()}, {"estimator": LogisticRegression()}),
    ),
    Case(
        NoiseReducingBoostClassifier,
        grid={
            "estimator": [_PERCEPTRON],
            "estimator__margin": [0.01, 0.1],
            "n_estimators": [2],
            "sampling": SAMPLINGS,
            "two_stage": [False, True],
            "random_state": [0],
        },
        variants=(_RESAMPLE, {"two_stage": True}),
        extreme="weight moves to safe rows, so that coefficients are no log odds",
        cannot=_FIRST_WEIGHTS,
    ),
    Case(
        RealAdaBoostClassifier,
        quick={"n_estimators": 8},
        grid=_BOOST_GRID,
        variants=(_RESAMPLE, {"estimator": _TREE}),
    ),
    Case(
        LogitBoostClassifier,
        quick={"n_estimators": 8},
        grid={**_BOOST_GRID, "estimator": [DecisionTreeRegressor()]},
        variants=(_RESAMPLE,),
    ),
    Case(
        MadaBoostClassifier,
        quick={"n_estimators": 8},
        grid=_BOOST_GRID,
        variants=(_RESAMPLE,),
        extreme="weights are cut off, so that coefficients are no log odds",
    ),
    Case(
        SoftMarginBoostClassifier,
        quick={"n_estimators": 8},
        grid={**_BOOST_GRID, "C": [0.0, 0.5]},
        variants=(_RESAMPLE, {"C": 1.0}),
        extreme="mistrust is part of the margins, so that coefficients are no log odds",
    ),
    Case(
        RobustBoostClassifier,
        quick={"n_estimators": 8},
        grid={
            **{name: values for name, values in _BOOST_GRID.items() if name != "learning_rate"},
            "error_goal": [0.2],
            "margin_goal": [0.0, 0.5],
            "margin_sigma": [0.2],
        },
        variants=(_RESAMPLE, {"margin_goal": 0.3}),
        extreme="margins are measured against a goal, not in log odds",
    ),
    Case(
        SelectiveBoostClassifier,
        quick={"n_estimators": 8},
        grid={
            **_BOOST_GRID,
            "n_neighbors": [3],
            "accumulation": ["weight", "margin", "printed"],
            "mitigate": ["mistakes", "all"],
            "noise_degree": ["class_relative", "plain"],
            "error_correction": [False],
        },
        variants=(
            _RESAMPLE,
            {"accumulation": "margin", "noise_degree": "plain", "mitigate": "all"},
            {"error_correction": True, "estimator": _TREE},
        ),
        extreme="rows in doubt lose weight, so that coefficients are no log odds",
    ),
    Case(
        HardnessBoostClassifier,
        quick={"n_estimators": 8},
        grid={
            **_BOOST_GRID,
            "hardness": ["kdn"],
            "n_neighbors": [3],
            "mitigate": ["mistakes", "all"],
        },
        variants=(_RESAMPLE, {"mitigate": "mistakes"}),
        extreme="hard rows keep their weight, so that coefficients are no log odds",
    ),
    Case(
        NoiseDetectingBoostClassifier,
        quick={"n_estimators": 8},
        grid={**_BOOST_GRID, "n_neighbors": [3], "flip": ["mistakes", "all"]},
        variants=({"flip": "all"},),
        extreme="mistakes on noisy rows count as right, so that errors are too low",
    ),
    Case(
        EditedBoostClassifier,
        quick={"n_estimators": 8},
        grid={**_BOOST_GRID, "n_neighbors": [3], "space": ["columns", "votes"]},
        variants=(_RESAMPLE, {"space": "votes"}),
        extreme="rows that their neighbours contradict are left out",
    ),
    Case(
        LinearPerceptronBoostClassifier,
        quick={"n_estimators": 8},
        grid={
            "n_estimators": [2],
            "learning_rate": [0.1],
            "momentum": [0.3],
            "voting": ["hard", "soft"],
            "relabel_positives": [False, True],
            "max_iter": [5],
            "tol": [0.02],
            "bias_scale": [0.5],
            "contradictions": ["drop", "keep"],
            "sampling": SAMPLINGS,
            "pos_label": [1],
            "random_state": [0],
        },
        variants=({"voting": "soft"}, {"relabel_positives": True}, {"sampling": "reweight"}),
        statistical=_DRAWN,
        extreme="outputs of the members are no log odds",
        cannot=_UNITS,
    ),
    Case(
        PrunedParallelPerceptronClassifier,
        grid={
            "estimator": [_PERCEPTRON],
            "estimator__margin": [0.01, 0.1],
            "drop_noisy_borderline": [True, False],
            "pos_label": [0, 1],
            "random_state": [0],
        },
        variants=({"drop_noisy_borderline": False}, {"estimator": _PERCEPTRON}),
        extreme="activations are no log odds",
        cannot=_BY_COLUMN,
    ),
    Case(
        LinearPerceptronClassifier,
        grid={
            "learning_rate": [0.1],
            "momentum": [0.0, 0.5],
            "max_iter": [5],
            "tol": [0.01],
            "bias_scale": [0.5],
            "shuffle": [True, False],
            "class_weight": [None, "balanced"],
            "warm_start": [False],
            "mode": ["online", "batch"],
            "random_state": [0],
        },
        variants=({"class_weight": "balanced"}, {"momentum": 0.0}, {"mode": "batch"}),
        extreme="outputs are no log odds",
        cannot=_UNITS,
    ),
    Case(
        HardnessBaggingClassifier,
        quick={"n_estimators": 10},
        grid={
            **_BAG_GRID,
            "max_samples": [0.5, 20],
            "hardness": ["kdn", None],
            "weighting": ["linear", "softmax", linear_weights],
            "row_order": ["shared", "independent"],
            "n_neighbors": [3],
            "oob_score": [True, False],
        },
        variants=(
            {"hardness": None, "weighting": "softmax", "row_order": "independent"},
            {"estimator": _TREE, "voting": "soft"},
        ),
        statistical=_DRAWN,
        extreme="votes are no probabilities, and a rare class's rows are often hard",
        cannot=_PERCEPTRONS,
    ),
    Case(
        RandomSubspaceClassifier,
        quick={"n_estimators": 30},
        grid={**_BAG_GRID, "max_features": [0.5, 1.0]},
        variants=({"estimator": _TREE, "voting": "soft"},),
        statistical=_ONLINE,
        cannot={**_PERCEPTRONS, **_COLUMNS_DRAWN},
    ),
    Case(
        BalancedVariationClassifier,
        grid={**_BAG_GRID, "n_estimators": [None, 3]},
        variants=({"estimator": _TREE, "voting": "soft", "n_estimators": 5},),
        statistical=_DRAWN,
        extreme="every member sees classes of equal size",
        cannot=_PERCEPTRONS,
    ),
    Case(
        SMOTEBaggingClassifier,
        quick={"n_estimators": 10},
        grid={**_BAG_GRID, "n_neighbors": [3]},
        variants=({"estimator": _TREE, "voting": "soft"},),
        statistical=_DRAWN,
        extreme="every member sees classes of equal size",
        cannot=_PERCEPTRONS,
    ),
    Case(
        ICSBaggingClassifier,
        quick={"n_estimators": 10},
        grid={
            **_BAG_GRID,
            "n_candidates": [2],
            "accuracy_weight": [0.7],
            "smote": [False, True],
            "n_neighbors": [3],
        },
        variants=({"smote": True}, {"estimator": _TREE, "voting": "soft"}),
        statistical=_DRAWN,
        extreme="classes that go wrong are drawn more often",
        cannot=_PERCEPTRONS,
    ),
    Case(
        HardyClassifier,
        quick={"n_estimators": 4, "cv": 2},
        grid={
            "n_estimators": [4],
            "cv": [2],
            "class_weight": [None, "balanced"],
            "optimize": ["accuracy", "g_mean", "f1", [[0, 1], [5, 0]]],
            "max_time": [None],
            "verbose": [False],
            "n_jobs": [1],
            "random_state": [0],
        },
        statistical="other rows are in a fold or in a tree's draw when the rows come otherwise",
        cannot={
            **_COLUMNS_DRAWN,
            "sparse": "sparse columns are scaled, and not brought to a normal distribution",
        },
    ),
    Case(
        MarginPruner,
        grid={
            "estimator": [_PERCEPTRON],
            "estimator__margin": [0.01, 0.1],
            "drop_noisy_borderline": [True, False],
            "pos_label": [0, 1],
            "random_state": [0],
        },
        variants=({"drop_noisy_borderline": False}, {"estimator": _PERCEPTRON}),
        cannot={**_BY_COLUMN, "weights": _WEIGHTS_OF_ALL_ROWS},
    ),
    Case(
        BoostingFilter,
        grid={
            "estimator": [_TREE],
            "estimator__max_depth": [1, 2],
            "n_estimators": [2],
            "contamination": [0.0, 0.2],
            "random_state": [0],
        },
        variants=({"estimator": _TREE, "contamination": 0.3}, {"estimator": GaussianNB()}),
        cannot={
            "weights": _WEIGHTS_OF_ALL_ROWS,
            "order": "of rows that weigh the same, the first ones are left out",
            "columns": "of columns that part all rows alike, the first one is taken",
            "names": "of classes that a side has as many rows of, the first one is taken",
        },
    ),
    Case(
        LabelErrorCleaner,
        quick={"estimator": _SEEDED_TREE, "use_panel": False, "cv": 3},
        grid={
            "action": ["drop", "relabel"],
            "min_precision": [None, 0.9],
            "estimator": [_TREE],
            "estimator__max_depth": [1, 2],
            "use_panel": [False],
            "cv": [2, 3],
            "n_jobs": [1],
            "random_state": [0],
        },
        variants=({"min_precision": 0.8},),
        cannot={
            "columns": "the tree that it is given here draws among equally good columns",
            "names": "of equally likely classes, the estimate of the noise counts the first one",
            "units": "the tree that it is given here takes numbers within 1e-7 for equal",
            "weights": _WEIGHTS_OF_ALL_ROWS,
            "order": "folds are drawn from the rows in their order",
            "huge": "scikit-learn's tree, which it is given here, holds rows in single precision",
        },
    ),
    Case(
        TableEncoder,
        quick={"n_text_components": 3},
        grid={
            "max_categories": [2, 40],
            "n_text_components": [2],
            "keep": [(), ("unit",)],
            "text": [(), ("colour",)],
        },
        variants=({"max_categories": 2, "n_text_components": 2},),
        data=mixed_table,
        cannot={"units": "numbers stay as they are"},
    ),
    Case(
        StemCounter,
        grid={
            "stemmer": [None, "english"],
            "stop_words": [None, "english", ["wheat"]],
            "min_df": [1, 2],
            "max_features": [None, 2],
        },
        variants=({"stemmer": None, "min_df": 0.1, "max_features": 3},),
        data=texts,
        cannot={"frames": "its counts are sparse, which set_output refuses; as of CountVectorizer"},
    ),
    Case(
        UnsmoothedTfidfTransformer,
        grid={"norm": ["l1", "l2", None]},
        variants=({"norm": None}, {"norm": "l1"}),
        data=counts,
        cannot={
            "units": "rows are brought to one length over all columns",
            "frames": "scikit-learn makes no frames of sparse rows",
        },
    ),
]


def is_tree(member: Any) -> bool:
    return isinstance(member, DecisionTreeClassifier)


def statistical_reason(estimator: Any) -> str:
    """Say why a weight is a repetition on average only, or nothing where it is so exactly."""
    case = next(case for case in CASES if type(estimator) is case.make)
    if case.statistical and not (
        case.make is RandomSubspaceClassifier and is_tree(estimator.estimator)
    ):
        return case.statistical
    if getattr(estimator, "mode", "") == "online":
        return _ONLINE
    if getattr(estimator, "sampling", "") == "resample":
        return _DRAWN
    return ""


def order_reason(case: Case, settings: Mapping[str, Any]) -> str:
    """Say why rows in another order may be judged otherwise, or nothing where they may not."""
    estimator = case(**settings)
    if getattr(estimator, "space", "") == "votes":
        return "of rows that all members judge alike, the first ones are the nearest"
    if getattr(estimator, "error_correction", False):
        return "folds are drawn from the rows in their order"
    return case.cannot.get("order", "") or statistical_reason(estimator)


def expected_failures(estimator: Any) -> dict[str, str]:
    """Name the checks of scikit-learn's that may fail, with the reason."""
    reason = statistical_reason(estimator)
    if not reason:
        return {}
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")
    }


def _cases(keep: Any) -> pytest.MarkDecorator:
    kept = [case for case in CASES if keep(case)]
    return pytest.mark.parametrize("case", kept, ids=lambda case: case.make.__name__)


def _with_settings(keep: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("case", "settings"),
        [
            pytest.param(case, settings, id=f"{case.make.__name__}-{number}")
            for case in CASES
            if keep(case)
            for number, settings in enumerate(case.settings())
        ],
    )


every = _cases(lambda case: True)
every_of_numbers = _cases(lambda case: case.takes_numbers)
every_classifier = _cases(lambda case: is_classifier(case()))
every_regressor = _cases(lambda case: is_regressor(case()))
every_booster = _cases(lambda case: issubclass(case.make, BaseBoostClassifier))
every_bag = _cases(lambda case: issubclass(case.make, BaseBagClassifier))
every_of_labels = _cases(lambda case: is_classifier(case()) or case.is_sampler)
every_before_labels = _cases(lambda case: not is_regressor(case()))
every_sampler = _cases(lambda case: case.is_sampler)
# imbalanced-learn's checks want sparse rows to be taken, whatever the learner can do.
every_check_of_samplers = imblearn.utils.estimator_checks.parametrize_with_checks(
    [
        sampler
        for case in CASES
        if case.is_sampler
        for sampler in (case(**settings) for settings in case.settings())
        if get_tags(sampler).input_tags.sparse
    ]
)
every_transformer = _cases(lambda case: case.is_transformer)
every_setting = _with_settings(lambda case: True)
every_setting_of_numbers = _with_settings(lambda case: case.takes_numbers)
every_setting_of_labels = _with_settings(lambda case: is_classifier(case()) or case.is_sampler)
every_sampler_setting = _with_settings(lambda case: case.is_sampler)
every_transformer_setting = _with_settings(lambda case: case.is_transformer)
every_classifier_setting = _with_settings(lambda case: is_classifier(case()))
every_booster_setting = _with_settings(lambda case: issubclass(case.make, BaseBoostClassifier))
every_weighted_setting = _with_settings(lambda case: has_fit_parameter(case(), "sample_weight"))


def public_estimators() -> set[type]:
    """All classes of public modules that can be fitted; bases that others build on can't.

    Those of hardy.distributed are fitted on Dask's collections alone.
    """
    names = [module.name for module in iter_modules(hardy.__path__) if module.name[0] != "_"]
    names.remove("distributed")
    homes = [hardy, *(import_module(f"hardy.{name}") for name in names)]
    public = [getattr(home, name) for home in homes for name in getattr(home, "__all__", [])]
    return {
        item
        for item in public
        if isinstance(item, type)
        and issubclass(item, BaseEstimator)
        and not inspect.isabstract(item)
    }


def fit(model: Any, X: Any, y: Any, **options: Any) -> Any:
    """Fit a model; a sampler chooses rows."""
    if hasattr(model, "fit_resample"):
        model.fit_resample(X, y)
        return model
    return model.fit(X, y, **options)


def said(model: Any, X: Any) -> Any:
    """What a model says: its decisions, probabilities or predictions, or its rows in other form.

    A sampler, which must have been fitted on these rows, says which of them it kept.
    """
    for name in ("decision_function", "predict_proba", "predict", "transform"):
        if hasattr(model, name):
            return getattr(model, name)(X)
    return np.isin(np.arange(_num_samples(X)), model.sample_indices_)


def outputs(model: Any, X: Any) -> np.ndarray:
    """What a model says as an array."""
    answer = said(model, X)
    return answer.toarray() if sparse.issparse(answer) else np.asarray(answer)
