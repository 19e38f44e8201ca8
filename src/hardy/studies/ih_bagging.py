"""Instance-hardness bagging (Walmsley 2017): Tables 4.2.1 to 4.2.6, Figures 4.2.7 to 4.2.14."""

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_moons
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import Perceptron
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from hardy.datasets import fetch_uci
from hardy.ensembles import HardnessBaggingClassifier
from hardy.hardness import k_disagreeing_neighbors
from hardy.noise import flip_labels
from hardy.stats import CriticalDifferenceDisplay, friedman_test, nemenyi_test
from hardy.studies.agreement import beside_published, read_published
from hardy.studies.cells import make_seed
from hardy.studies.reproduction import Cell, Reproduction, accuracy_under_noise, settle

# The thesis's name of a data set, and the one that fetch_uci knows it by.
_DATASETS = {
    "pima": "pima", "wdbc": "wdbc", "ctg": "ctg", "ionosphere": "ionosphere", "liver": "liver",
    "yeast": "yeast", "glass": "glass", "vowel": "vowel_528_9f", "haberman": "haberman",
    "vertebral": "vertebral", "transfusion": "transfusion", "ecoli": "ecoli", "ilpd": "ilpd",
    "make_moons": None, "satimage": "satimage",
}  # fmt: skip
_QUICK = ("haberman", "vertebral", "liver", "glass", "transfusion", "make_moons")
_PERCENTS = (0, 10, 20, 30, 40, 50)
_N_REPEATS, _N_FOLDS, _N_MEMBERS, _N_NEIGHBORS = 10, 5, 50, 5
_IN_FIGURES = ("wdbc", "ionosphere", "ecoli", "vowel")


def _perceptron(seed: int) -> Any:
    return Perceptron(max_iter=5, tol=None, random_state=seed)


def _subspace(seed: int, n_features: int) -> Any:
    """Make members that see half of the columns each, and the rows in one common order.

    With an order for each member, as Hardy's random subspace has it, members differ more and the
    vote is several points better than what was published.
    """
    rng = np.random.default_rng(seed)
    half = round(n_features / 2)
    members = []
    for number in range(_N_MEMBERS):
        columns = rng.choice(n_features, half, replace=False).tolist()
        kept = ColumnTransformer([("kept", "passthrough", columns)])
        members.append((str(number), make_pipeline(kept, _perceptron(seed))))
    return VotingClassifier(members)


def _pool(seed: int, hardness: str | None, weighting: Any = "linear") -> Any:
    return HardnessBaggingClassifier(
        _perceptron(0), n_estimators=_N_MEMBERS, hardness=hardness, weighting=weighting,
        n_neighbors=_N_NEIGHBORS, row_order="independent", random_state=seed,
    )  # fmt: skip


# The methods by the names of the thesis's tables; each is made of a seed and the number of columns.
METHODS: dict[str, Callable[[int, int], Any]] = {
    "Perceptron": lambda seed, _: _perceptron(seed),
    "Random Subspace": _subspace,
    "Bagging": lambda seed, _: _pool(seed, None),
    "Proposed (Linear)": lambda seed, _: _pool(seed, "kdn", "linear"),
    "Proposed (Softmax)": lambda seed, _: _pool(seed, "kdn", "softmax"),
}


@cache
def _load(dataset: str, data_home: str | None) -> tuple[NDArray[np.float64], NDArray[Any]]:
    name = _DATASETS[dataset]
    if name is None:
        X, y = make_moons(1000, random_state=0)
        return X, y
    frame, labels = fetch_uci(name, data_home=data_home, return_X_y=True)
    return frame.to_numpy(np.float64), labels.to_numpy()


class HardnessBagging(Reproduction):
    """Tables 4.2.1 to 4.2.6: five methods on fifteen data sets with 0 to 50 % of labels flipped.

    Ten repetitions of five stratified folds; labels are flipped in the training folds only, and
    features scaled to [0, 1] by them.
    """

    name = "ih-bagging"
    title = "Instance-hardness bagging of perceptrons"
    reference = (
        "F. N. Walmsley, “An ensemble generation method based on instance hardness”, 2017, Tables "
        "4.2.1 to 4.2.6 and Figures 4.2.7 to 4.2.14."
    )
    keys = ("dataset", "noise_percent", "method", "repeat")
    seeded_by = ("dataset", "repeat")
    measures = ("accuracy_percent",)

    def cells(self, *, quick: bool) -> list[Cell]:
        """List them, repetition after repetition; quick are two on the small data sets."""
        cells = [
            {"dataset": dataset, "noise_percent": percent, "method": method, "repeat": repeat}
            for repeat, dataset, percent, method in product(
                range(_N_REPEATS), _DATASETS, _PERCENTS, METHODS
            )
        ]
        return settle(
            cells, lambda cell: cell["repeat"] < 2 and cell["dataset"] in _QUICK, quick=quick
        )

    def load(self, cell: Cell, data_home: str | None) -> Any:
        """Give the rows and their labels."""
        return _load(cell["dataset"], data_home)

    def evaluate(self, cell: Cell, data: Any) -> dict[str, float]:
        """Cross-validate one method on one data set, once."""
        X, y = data
        accuracy = accuracy_under_noise(
            lambda seed: make_pipeline(
                MinMaxScaler(), METHODS[cell["method"]](seed, X.shape[1])
            ),
            X, y,
            noise_rate=cell["noise_percent"] / 100, n_folds=_N_FOLDS,
            seed=self.seed(cell),
        )  # fmt: skip
        return {"accuracy_percent": accuracy}

    def tables(self, results: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Put the tables beside what was computed, and the tests of ranks below."""
        published = read_published("walmsley2017_accuracy").rename(
            columns={"noise": "noise_percent", "mean": "published", "std": "published_sd"}
        )
        by = ["noise_percent", "dataset", "method"]
        table = beside_published(
            results, published, by=by, unit="repeat", measure="accuracy_percent"
        )
        return {"tables_4_2": table, "ranks": _rank(table)}

    def figures(self, results: pd.DataFrame, data_home: str | None) -> dict[str, Any]:
        """Draw critical differences at each level, and the hardness of noisy and clean rows."""
        figures = {}
        table = self.tables(results)["tables_4_2"]
        for percent, scores in _scores(table, "ours").items():
            if len(scores) > 1:
                display = CriticalDifferenceDisplay.from_scores(scores)
                figures[f"critical_difference_{percent}"] = display.figure_
        hardness = _measure_hardness(data_home)
        figures["hardness_by_noise"] = _draw_means(hardness)
        figures["hardness_at_10_percent"] = _draw_boxes(hardness)
        return figures


def _scores(table: pd.DataFrame, column: str) -> dict[int, pd.DataFrame]:
    """Give at each noise level the accuracies of the data sets on which all methods have one."""
    return {
        percent: table[table["noise_percent"] == percent]
        .pivot(index="dataset", columns="method", values=column)
        .reindex(columns=list(METHODS))
        .dropna()
        for percent in sorted(table["noise_percent"].unique().tolist())
    }


def _rank(table: pd.DataFrame) -> pd.DataFrame:
    """Give Friedman's p-value, average ranks and the pairs that differ, published and ours."""
    rows = []
    for column in ("published", "ours"):
        for percent, scores in _scores(table, column).items():
            if len(scores) < 2:
                continue
            test = friedman_test(scores)
            differs = nemenyi_test(scores) < 0.05
            pairs = [
                f"{one} – {other}"
                for one, other in combinations(METHODS, 2)
                if differs.loc[one, other]
            ]
            rows.append(
                {
                    "noise_percent": percent,
                    "of": column,
                    "n_datasets": len(scores),
                    "friedman_pvalue": test.pvalue,
                    **test.average_ranks.round(2).to_dict(),
                    "pairs_that_differ": "; ".join(pairs),
                }
            )
    frame = pd.DataFrame(rows)
    return frame.sort_values("noise_percent", kind="stable", ignore_index=True)


def _measure_hardness(data_home: str | None) -> pd.DataFrame:
    """Measure kDN of flipped and other rows, each in ten draws of the flips."""
    parts = []
    for dataset, percent, draw in product(_IN_FIGURES, _PERCENTS[1:], range(_N_REPEATS)):
        X, y = _load(dataset, data_home)
        seed = make_seed(dataset, percent, draw)
        noisy, is_flipped = flip_labels(y, percent / 100, random_state=seed)
        scaled = MinMaxScaler().fit_transform(X)
        part = pd.DataFrame(
            {
                "hardness": k_disagreeing_neighbors(scaled, noisy, n_neighbors=_N_NEIGHBORS),
                "rows": np.where(is_flipped, "noisy", "clean"),
            }
        )
        parts.append(part.assign(dataset=dataset, noise_percent=percent))
    return pd.concat(parts, ignore_index=True)


def _draw_means(hardness: pd.DataFrame) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6.5), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for ax, dataset in zip(panels.flat, _IN_FIGURES, strict=True):
        for word, marker in (("noisy", "s"), ("clean", "o")):
            chosen = hardness[(hardness["dataset"] == dataset) & (hardness["rows"] == word)]
            grouped = chosen.groupby("noise_percent")["hardness"]
            ax.errorbar(
                list(grouped.groups), grouped.mean(), grouped.std(), label=word, marker=marker,
                capsize=3,
            )  # fmt: skip
        ax.set(title=dataset, ylim=(0, 1.05))
    for ax in panels[1]:
        ax.set_xlabel("flipped labels (%)")
    for ax in panels[:, 0]:
        ax.set_ylabel("kDN, mean ± sd over rows")
    panels[0, 0].legend()
    return figure


def _draw_boxes(hardness: pd.DataFrame) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    panels = figure.subplots(1, len(_IN_FIGURES), sharey=True)
    for ax, dataset in zip(panels, _IN_FIGURES, strict=True):
        chosen = hardness[(hardness["dataset"] == dataset) & (hardness["noise_percent"] == 10)]
        words = ("noisy", "clean")
        ax.boxplot([chosen.loc[chosen["rows"] == word, "hardness"] for word in words])
        ax.set_xticks([1, 2], words)
        ax.set_title(dataset)
    panels[0].set_ylabel("kDN with 10 % flipped labels")
    return figure
