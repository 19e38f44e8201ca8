"""Boosted linear perceptrons as text filters (O & Zhang 2000): Tables 2 and 3, Figures 2 and 3."""

from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import precision_recall_fscore_support
from sklearn.naive_bayes import MultinomialNB
from sklearn.neural_network import MLPRegressor
from sklearn.svm import LinearSVC

from hardy._extras import import_extra
from hardy.datasets import fetch_reuters
from hardy.ensembles import HardnessBaggingClassifier, LinearPerceptronBoostClassifier
from hardy.studies.agreement import beside_published, read_published
from hardy.studies.reproduction import Cell, Reproduction, settle
from hardy.text import StemCounter, UnsmoothedTfidfTransformer

_TOPICS = ("earn", "crude", "grain")
_N_REPEATS = 5
# The size of the paper's dictionary.
_N_STEMS = 8754
# The only points of Figures 2 and 3 that the paper's text prints.
_PRINTED_RECALLS = pd.DataFrame(
    {"method": ["blp", "mlp"], "category": ["crude", "crude"], "published": [80.80, 43.60]}
)


class _Stories(NamedTuple):
    """Stories to train on and to test on: counts of stems, and the same weighted."""

    train_counts: Any
    test_counts: Any
    train: Any
    test: Any
    labels: dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]]


@cache
def _load(data_home: str | None) -> _Stories:
    parts = {name: fetch_reuters(subset=name, data_home=data_home) for name in ("train", "test")}
    counter = StemCounter(max_features=_N_STEMS)
    train_counts = counter.fit_transform(parts["train"].data)
    test_counts = counter.transform(parts["test"].data)
    weights = UnsmoothedTfidfTransformer().fit(train_counts)
    train_topics, test_topics = (
        {topic: np.array([topic in some for some in part.topics]) for topic in _TOPICS}
        for part in parts.values()
    )
    return _Stories(
        train_counts,
        test_counts,
        weights.transform(train_counts),
        weights.transform(test_counts),
        {topic: (train_topics[topic], test_topics[topic]) for topic in _TOPICS},
    )


class _Network:
    """The paper's: five tanh units and a linear output, row by row until the error is small."""

    def __init__(self, seed: int) -> None:
        self.network = MLPRegressor(
            hidden_layer_sizes=(5,), activation="tanh", solver="sgd", batch_size=1, alpha=0.0,
            learning_rate_init=0.2, momentum=0.5, nesterovs_momentum=False, random_state=seed,
        )  # fmt: skip

    def fit(self, X: Any, y: NDArray[np.bool_]) -> "_Network":
        targets = np.where(y, 1.0, -1.0)
        for _ in range(500):
            self.network.partial_fit(X, targets)
            if np.mean((self.network.predict(X) - targets) ** 2) < 0.005:
                break
        return self

    def predict(self, X: Any) -> NDArray[np.bool_]:
        return np.asarray(self.network.predict(X) > 0)


def _lightgbm(seed: int) -> Any:
    lightgbm = import_extra("lightgbm", extra="bench", purpose="this rival")
    return lightgbm.LGBMClassifier(n_jobs=1, random_state=seed, verbose=-1)


def _imbalanced(name: str, seed: int) -> Any:
    ensembles = import_extra("imblearn.ensemble", extra="imbalance", purpose="this rival")
    return getattr(ensembles, name)(random_state=seed)


def _blp(seed: int, contradictions: Any = "keep") -> Any:
    return LinearPerceptronBoostClassifier(random_state=seed, contradictions=contradictions)


def _perceptrons(seed: int) -> Any:
    member = Perceptron(max_iter=5, tol=None)
    return HardnessBaggingClassifier(member, hardness=None, random_state=seed)


def _logistic_regression(seed: int) -> Any:
    return LogisticRegression(C=30, class_weight="balanced", max_iter=1000)


# The paper's methods by the names of its table, Hardy's default, which leaves contradictory stories
# out, and what would be used today; each is made of a seed.
METHODS: dict[str, Callable[[int], Any]] = {
    "blp": _blp,
    "blp_dropping_contradictions": partial(_blp, contradictions="drop"),
    "naive_bayes": lambda seed: MultinomialNB(),
    "mlp": _Network,
    "logistic_regression": _logistic_regression,
    "linear_svc": lambda seed: LinearSVC(class_weight="balanced", random_state=seed),
    "bagged_perceptrons": _perceptrons,
    "lightgbm": _lightgbm,
    "rusboost": partial(_imbalanced, "RUSBoostClassifier"),
    "easy_ensemble": partial(_imbalanced, "EasyEnsembleClassifier"),
}
# Without a random choice, or too slow to be done more than once.
_ONCE = ("naive_bayes", "mlp", "logistic_regression", "linear_svc")
_SLOW = ("mlp", "rusboost", "easy_ensemble")


class BoostedLinearPerceptrons(Reproduction):
    """Tables 2 and 3: filters for three topics of Reuters-21578, and today's opponents.

    ModApte split; the 8,754 most frequent stems without stop words, tf · ln(N/df), rows of length
    1. Naive Bayes sees the counts of the same stems.
    """

    name = "blp"
    title = "Boosted linear perceptrons as text filters"
    reference = (
        "J.-M. O, B.-T. Zhang, “Text Filtering by Boosting Linear Perceptrons”, Journal of Fuzzy "
        "Logic and Intelligent Systems 10 (2000), Tables 2 and 3, Figures 2 and 3."
    )
    keys = ("category", "method", "repeat")
    seeded_by = ("category", "repeat")
    measures = (
        "f1_percent", "precision_percent", "recall_percent", "train_positives", "test_positives",
        "stems",
    )  # fmt: skip

    def cells(self, *, quick: bool) -> list[Cell]:
        """List them, repetition after repetition; quick is the first, of what isn't slow."""
        cells = [
            {"category": topic, "method": method, "repeat": repeat}
            for repeat, topic, method in product(range(_N_REPEATS), _TOPICS, METHODS)
            if repeat == 0 or method not in _ONCE
        ]
        return settle(
            cells, lambda cell: cell["repeat"] == 0 and cell["method"] not in _SLOW, quick=quick
        )

    def load(self, cell: Cell, data_home: str | None) -> Any:
        """Give the stories, counted and weighted."""
        return _load(data_home)

    def evaluate(self, cell: Cell, data: Any) -> dict[str, float]:
        """Train one filter and score it on the test stories."""
        stories: _Stories = data
        y_train, y_test = stories.labels[cell["category"]]
        counts = cell["method"] == "naive_bayes"
        X_train, X_test = (
            (stories.train_counts, stories.test_counts) if counts else (stories.train, stories.test)
        )
        model = METHODS[cell["method"]](self.seed(cell))
        predicted = model.fit(X_train, y_train).predict(X_test)
        precision, recall, f1, _ = precision_recall_fscore_support(
            y_test, predicted, average="binary", zero_division=0.0
        )
        return {
            "f1_percent": 100 * float(f1),
            "precision_percent": 100 * float(precision),
            "recall_percent": 100 * float(recall),
            "train_positives": int(y_train.sum()),
            "test_positives": int(y_test.sum()),
            "stems": stories.train.shape[1],
        }

    def tables(self, results: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Put Table 3 and the printed recalls beside what was computed; s_o is over five seeds.

        The counts are what Table 2 tells as shares.
        """
        published = read_published("o_zhang_blp_table3")
        published = published.rename(columns={"f1_percent": "published"})
        by = ["method", "category"]
        counted = ["category", "train_positives", "test_positives", "stems"]
        return {
            "table_3": beside_published(
                results, published, by=by, unit="repeat", measure="f1_percent"
            ),
            "recall": beside_published(
                results, _PRINTED_RECALLS, by=by, unit="repeat", measure="recall_percent"
            ),
            "precision": beside_published(
                results,
                _PRINTED_RECALLS.iloc[:0],
                by=by,
                unit="repeat",
                measure="precision_percent",
            ),
            "table_2": results[counted].dropna().drop_duplicates(ignore_index=True),
        }

    def figures(self, results: pd.DataFrame, data_home: str | None) -> dict[str, Any]:
        """Draw precision and recall by topic, as Figures 2 and 3 do."""
        tables = self.tables(results)
        return {
            "figure_2": _draw(tables["precision"], "precision"),
            "figure_3": _draw(tables["recall"], "recall"),
        }


def _draw(table: pd.DataFrame, word: str) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    ax = figure.subplots()
    methods = list(METHODS)
    for place, (method, rows) in enumerate(table.groupby("method", sort=False)):
        at = rows["category"].map(_TOPICS.index) + 0.08 * (place - len(methods) / 2)
        ax.bar(at, rows["ours"], width=0.07, yerr=rows["ours_sd"], label=method, color=f"C{place}")
        ax.plot(at, rows["published"], "k_", markersize=9)
    ax.set_xticks(range(len(_TOPICS)), _TOPICS)
    ax.set_ylabel(f"{word} (%); black: published")
    figure.legend(loc="outside lower center", ncols=5)
    return figure
