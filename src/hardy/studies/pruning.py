"""Pruning of imbalanced training sets (Cantador & Dorronsoro 2005): Tables 1 to 3."""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hardy._extras import import_extra
from hardy.datasets import fetch_uci
from hardy.learners import ParallelPerceptronClassifier
from hardy.pruning import PrunedParallelPerceptronClassifier
from hardy.studies.agreement import beside_published, read_published
from hardy.studies.cells import make_seed
from hardy.studies.reproduction import Cell, Reproduction, settle

Rows = NDArray[np.bool_]

# The paper's name of a data set, and the one that fetch_uci knows it by.
_DATASETS = {
    "cancer": "cancer", "diabetes": "pima", "ionosphere": "ionosphere", "vehicle": "vehicle",
    "glass": "glass", "vowel": "vowel_990", "thyroid": "thyroid",
}  # fmt: skip
_ONE_SIDED_SELECTION_ON = ("vehicle", "vowel", "glass")
_N_REPEATS, _N_FOLDS = 10, 10
_TABLE_1 = {
    "keep_nb": "final_g_keep_nb",
    "drop_nb": "final_g_drop_nb",
    "network": "mlp_g",
}
# What Tables 2 and 3 tell of the first training and of the last, by the paper's columns.
_TABLES_2_AND_3 = (
    "initial_g", "final_g", "initial_size", "final_size", "mean_iterations", "initial_acc",
    "initial_a_pos", "initial_a_neg", "final_acc", "final_a_pos", "final_a_neg",
)  # fmt: skip


def _perceptrons(dataset: str, seed: int) -> ParallelPerceptronClassifier:
    rate = 0.001 if dataset == "thyroid" else 0.01
    return ParallelPerceptronClassifier(learning_rate=rate, random_state=seed)


def _pruned(keep: bool, dataset: str, seed: int) -> Any:
    member = _perceptrons(dataset, seed)
    return PrunedParallelPerceptronClassifier(member, drop_noisy_borderline=not keep, pos_label=1)


def _network(dataset: str, seed: int) -> Any:
    return MLPClassifier(max_iter=500, random_state=seed)


def _selected(classifier: Any, seed: int) -> Any:
    under_sampling = import_extra(
        "imblearn.under_sampling", extra="imbalance", purpose="one-sided selection"
    )
    pipeline = import_extra("imblearn.pipeline", extra="imbalance", purpose="one-sided selection")
    sampler = under_sampling.OneSidedSelection(random_state=seed)
    return pipeline.make_pipeline(sampler, classifier)


# The paper's methods, made of the name of a data set and a seed.
METHODS: dict[str, Callable[[str, int], Any]] = {
    "initial": _perceptrons,
    "drop_nb": lambda dataset, seed: _pruned(False, dataset, seed),
    "keep_nb": lambda dataset, seed: _pruned(True, dataset, seed),
    "network": _network,
    "one_sided_1nn": lambda _, seed: _selected(KNeighborsClassifier(1), seed),
    "one_sided_tree": lambda _, seed: _selected(DecisionTreeClassifier(random_state=seed), seed),
}


@cache
def _load(dataset: str, data_home: str | None) -> tuple[NDArray[np.float64], Rows]:
    found = fetch_uci(_DATASETS[dataset], data_home=data_home)
    return found.data.to_numpy(np.float64), found.target.isin(found.positive).to_numpy()


class Pruning(Reproduction):
    """Tables 1 to 3: a parallel perceptron before and after its training set was pruned.

    Ten repetitions of ten stratified folds on seven data sets, features standardised by the
    training folds. Accuracies are averaged over the folds before g is taken of them, as the paper's
    figures are.
    """

    name = "pruning"
    title = "Pruning of imbalanced training sets by activation margins"
    reference = (
        "I. Cantador, J. R. Dorronsoro, “Parallel Perceptrons, Activation Margins and Imbalanced "
        "Training Set Pruning”, IbPRIA 2005, Tables 1 to 3."
    )
    keys = ("dataset", "method", "repeat")
    seeded_by = ("dataset", "repeat")
    measures = ("acc", "a_pos", "a_neg", "size", "iterations")

    def cells(self, *, quick: bool) -> list[Cell]:
        """List them, repetition after repetition; quick are two without thyroid and networks."""
        cells = [
            {"dataset": dataset, "method": method, "repeat": repeat}
            for repeat, dataset, method in product(range(_N_REPEATS), _DATASETS, METHODS)
            if dataset in _ONE_SIDED_SELECTION_ON or not method.startswith("one_sided")
        ]
        return settle(
            cells,
            lambda cell: (
                cell["repeat"] < 2 and cell["dataset"] != "thyroid" and cell["method"] != "network"
            ),
            quick=quick,
        )

    def load(self, cell: Cell, data_home: str | None) -> Any:
        """Give the rows, and which of them are positive."""
        return _load(cell["dataset"], data_home)

    def evaluate(self, cell: Cell, data: Any) -> dict[str, float]:
        """Cross-validate one method on one data set, once."""
        X, is_positive = data
        seed = self.seed(cell)
        folds = StratifiedKFold(_N_FOLDS, shuffle=True, random_state=seed)
        found = []
        for fold, (train, test) in enumerate(folds.split(X, is_positive)):
            scaler = make_pipeline(SimpleImputer(), StandardScaler()).fit(X[train])
            model = METHODS[cell["method"]](cell["dataset"], make_seed(seed, fold))
            model.fit(scaler.transform(X[train]), is_positive[train].astype(np.intp))
            right = model.predict(scaler.transform(X[test])) == is_positive[test]
            found.append(
                {
                    "acc": 100 * right.mean(),
                    "a_pos": 100 * right[is_positive[test]].mean(),
                    "a_neg": 100 * right[~is_positive[test]].mean(),
                    **_size(model, len(train)),
                }
            )
        return {str(name): float(mean) for name, mean in pd.DataFrame(found).mean().items()}

    def tables(self, results: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Put Table 1 and Tables 2 and 3 beside what was computed; s_o is over repetitions."""
        results = results.assign(g=np.sqrt(results["a_pos"] * results["a_neg"]))
        published = read_published("cantador2005_pruning_tables1to3").set_index("dataset")
        first = _melt(published, {column: method for method, column in _TABLE_1.items()}, "method")
        rest = _melt(published, {column: column for column in _TABLES_2_AND_3}, "quantity")
        shown = results[results["method"] != "initial"]
        return {
            "table_1": beside_published(
                shown, first, by=["dataset", "method"], unit="repeat", measure="g"
            ),
            "tables_2_and_3": beside_published(
                _quantities(results), rest, by=["dataset", "quantity"], unit="repeat",
                measure="value",
            ),
        }  # fmt: skip

    def figures(self, results: pd.DataFrame, data_home: str | None) -> dict[str, Any]:
        """Draw g of all methods; the paper has no figure."""
        from matplotlib.figure import Figure

        table = self.tables(results)["table_1"]
        figure = Figure(figsize=(10, 4.4), layout="constrained")
        ax = figure.subplots()
        names = list(dict.fromkeys(table["dataset"]))
        for place, (method, rows) in enumerate(table.groupby("method", sort=False)):
            at = rows["dataset"].map(names.index) + 0.13 * (place - 2)
            options: dict[str, Any] = {"color": f"C{place}", "linestyle": "none"}
            ax.errorbar(
                at, rows["ours"], rows["ours_sd"], marker="o", capsize=2, label=method, **options
            )
            ax.plot(at, rows["published"], marker="_", markersize=12, **options)
        ax.set_xticks(range(len(names)), names)
        ax.set_ylabel("g (%); bars across: published")
        figure.legend(loc="outside lower center", ncols=5)
        return {"geometric_mean": figure}


def _size(model: Any, n_rows: int) -> dict[str, float]:
    """Tell how many rows the last training saw, and how many reductions there were."""
    if isinstance(model, PrunedParallelPerceptronClassifier):
        (rounds,) = model.rounds_
        return {
            "size": float(rounds[-1].n_positive + rounds[-1].n_negative),
            "iterations": float(len(rounds) - 1),
        }
    if hasattr(model, "steps"):
        return {"size": float(len(model[0].sample_indices_)), "iterations": 1.0}
    return {"size": float(n_rows), "iterations": 0.0}


def _melt(published: pd.DataFrame, columns: dict[str, str], name: str) -> pd.DataFrame:
    chosen = published[list(columns)].rename(columns=columns)
    return chosen.melt(ignore_index=False, var_name=name, value_name="published").reset_index()


def _quantities(results: pd.DataFrame) -> pd.DataFrame:
    """List what Tables 2 and 3 tell, from the first training and from pruning as published."""
    measures = ("g", "size", "acc", "a_pos", "a_neg")
    initial, final = (results[results["method"] == name] for name in ("initial", "drop_nb"))
    parts = [
        *(_quantity(initial, measure, f"initial_{measure}") for measure in measures),
        *(_quantity(final, measure, f"final_{measure}") for measure in measures),
        _quantity(final, "iterations", "mean_iterations"),
    ]
    return pd.concat(parts, ignore_index=True)


def _quantity(rows: pd.DataFrame, measure: str, name: str) -> pd.DataFrame:
    chosen = rows[["dataset", "repeat", measure]].rename(columns={measure: "value"})
    return chosen.assign(quantity=name)
