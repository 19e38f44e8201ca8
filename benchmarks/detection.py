"""How well wrong labels are found: Hardy against the tools that people would use instead.

Two tables of software defects and one collection of medical sentences whose true labels are known
(and of the sentences as many negatives as positives, drawn with the seed); tables with injected
flips, some of them with a rare class; and stories of Reuters with injected flips. Flips are
uniform, or in one direction: 30 % of the rarest class filed as the largest, or as many rows of the
largest as half of the rarest filed as the rarest. The figure is the average precision with which
the ranking by doubt finds the wrong labels. Every method runs with one thread on the same flips.
Each finished cell is appended to the results at once; a run that was cut goes on.

    python benchmarks/detection.py            run what is missing, then print the tables
    python benchmarks/detection.py --quick    one seed, scikit-learn's tables, nothing is stored
    python benchmarks/detection.py --tables   only print the tables of the stored results

The data folder is named by the environment variable HARDY_DATA. tabaudit is a rival, not a
dependency: ``pip install tabaudit`` for its cells.
"""

import argparse
import csv
import gzip
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from cleanlab.rank import get_label_quality_scores
from lightgbm import LGBMClassifier
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import hardy
from _markdown import in_markdown
from _own_counts import DEFAULT_SEED, tell_own_counts
from hardy.datasets import fetch_reuters
from hardy.noise import flip_labels

RESULTS = Path(__file__).parent / "results" / "detection.csv"
OWN_COUNTS = RESULTS.with_name("own_counts.md")
RATES = (0.05, 0.1, 0.2, 0.3)
SEEDS = range(5)
REAL = ("defects_jruby", "defects_lucene")
TEXT = ("medical_cause",)
BALANCED = "medical_cause_balanced"
TOPICS = ("crude", "grain", "money-fx")
ONE_SIDED = ("wdbc", "pima", "ionosphere", "vertebral", "ilpd", "vehicle", "transfusion", "liver")
RARE = ("ctg", "glass", "satimage", "thyroid")
# Rows, rows of the rare class, and how many standard deviations it lies from the others.
MADE = {"10 of 300 rows": (300, 10, 8.0), "30 of 1,000 rows": (1000, 30, 4.0)}
DIRECTIONS = ("rare to large", "large to rare")
ONE_SIDED_SEEDS = range(2)
QUICK = {"breast_cancer": load_breast_cancer, "wine": load_wine, "iris": load_iris}

Rows = np.ndarray | list[str]
Scores = np.ndarray
Method = Callable[[Rows, np.ndarray, int], Scores]


class Cell(NamedTuple):
    """One ranking of the rows of one table: what is judged, and where its truth comes from."""

    dataset: str
    noise: str
    rate: float
    seed: int
    method: str


def data_folder() -> Path:
    folder = os.environ.get("HARDY_DATA")
    if not folder or not Path(folder).is_dir():
        sys.exit("Set HARDY_DATA to the folder with the data sets.")
    return Path(folder)


def load_table(name: str, seed: int = 0) -> tuple[Rows, np.ndarray, np.ndarray | None]:
    """Read features or texts, given labels (as indices) and, for real errors, true labels."""
    if name == BALANCED:
        texts, given, true = load_table("medical_cause")
        negatives = np.flatnonzero(given == 0)
        rng = np.random.RandomState(seed)
        dropped = rng.choice(negatives, len(negatives) - given.sum(), replace=False)
        kept = np.delete(np.arange(len(given)), dropped)
        return [texts[row] for row in kept], given[kept], true[kept]
    if name in TEXT:
        with gzip.open(data_folder() / "noisy" / f"{name}.jsonl.gz", "rt") as lines:
            frame = pd.DataFrame([json.loads(line) for line in lines])
        given, true = (frame[f"{kind}_label"].to_numpy() == 1 for kind in ("given", "true"))
        return frame["sentence"].tolist(), given.astype(int), true.astype(int)
    if name in TOPICS:
        texts, target = fetch_reuters(name, subset="test", return_X_y=True)
        return texts, np.asarray(target, dtype=int), None
    if name in MADE:
        return *make_rare(*MADE[name], seed), None
    if name in QUICK:
        return *QUICK[name](return_X_y=True), None
    if name in REAL:
        frame = pd.read_csv(data_folder() / "noisy" / f"{name}.csv")
        X = frame.drop(columns=["id", "given_label", "true_label"])
        return X.to_numpy(float), frame["given_label"].to_numpy(), frame["true_label"].to_numpy()
    frame = pd.read_csv(data_folder() / "uci" / f"{name}.csv")
    return (
        frame.drop(columns="target").to_numpy(float),
        np.unique(frame["target"], return_inverse=True)[1],
        None,
    )


def make_rare(
    n_rows: int, n_rare: int, distance: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a rare class beside another, both normal in six columns, two of which differ."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n_rows, 6)), (np.arange(n_rows) < n_rare).astype(int)
    X[y == 1, :2] += distance / np.sqrt(2)
    order = rng.permutation(n_rows)
    return X[order], y[order]


def flip(y: np.ndarray, cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """Make some labels wrong; give them all, and which are wrong."""
    if cell.noise == "uniform":
        return flip_labels(y, cell.rate, exact=True, random_state=cell.seed)
    sizes = np.bincount(y)
    rare, large = int(np.where(sizes > 0, sizes, sizes.max() + 1).argmin()), int(sizes.argmax())
    source, target, n_wrong = rare, large, round(0.3 * sizes[rare])
    if cell.noise == "large to rare":
        source, target, n_wrong = large, rare, round(0.5 * sizes[rare])
    rng = np.random.RandomState(cell.seed)
    is_wrong = np.zeros(len(y), dtype=bool)
    is_wrong[rng.choice(np.flatnonzero(y == source), n_wrong, replace=False)] = True
    return np.where(is_wrong, target, y), is_wrong


def out_of_fold(
    make: Callable[[int], ClassifierMixin], X: np.ndarray, y: np.ndarray, seed: int
) -> np.ndarray:
    """Class probabilities from five folds, full width where a fold lacks a class."""
    proba = np.zeros((len(y), y.max() + 1))
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    for train, test in folds.split(X, y):
        model = make(seed).fit(X[train], y[train])
        proba[np.ix_(test, model.classes_)] = model.predict_proba(X[test])
    return proba


def confident_learning(make: Callable[[int], ClassifierMixin]) -> Method:
    """Rank by cleanlab's self-confidence over a model's out-of-fold probabilities."""

    def score(X: Rows, y: np.ndarray, seed: int) -> Scores:
        if isinstance(X, list):
            X = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2).fit_transform(X)
        proba = out_of_fold(make, X, y, seed)
        return 1 - get_label_quality_scores(y, proba, method="self_confidence")

    return score


def logistic_regression(seed: int) -> ClassifierMixin:
    return make_pipeline(
        SimpleImputer(), StandardScaler(with_mean=False), LogisticRegression(max_iter=2000)
    )


def logistic_regression_on_words(seed: int) -> ClassifierMixin:
    return LogisticRegression(max_iter=2000)


def random_forest(seed: int) -> ClassifierMixin:
    return make_pipeline(
        SimpleImputer(), RandomForestClassifier(300, min_samples_leaf=2, random_state=seed)
    )


def lightgbm(seed: int) -> ClassifierMixin:
    return LGBMClassifier(random_state=seed, n_jobs=1, verbosity=-1)


def tabaudit(X: Rows, y: np.ndarray, seed: int) -> Scores:
    """Rank by the probabilities behind tabaudit's check for label noise, from its own encoding."""
    from tabaudit.checks.label_noise import out_of_fold_probs
    from tabaudit.context import AuditContext

    frame = pd.DataFrame({"text": X} if isinstance(X, list) else X).rename(columns=str)
    frame["label"] = [f"class {code}" for code in y]
    found = out_of_fold_probs(AuditContext(frame, "label", "classification", random_state=seed))
    scores = np.zeros(len(y))
    if found is not None:
        rows, codes, _, proba = found
        scores[rows] = 1 - proba[np.arange(len(codes)), codes]
    return scores


def hardy_doubt(X: Rows, y: np.ndarray, seed: int) -> Scores:
    return hardy.audit_labels(X, y, random_state=seed, n_jobs=1).doubt


METHODS: dict[str, Method] = {
    "hardy": hardy_doubt,
    "cleanlab, logistic regression": confident_learning(logistic_regression),
    "cleanlab, random forest": confident_learning(random_forest),
    "cleanlab, LightGBM": confident_learning(lightgbm),
    "tabaudit": tabaudit,
}
WORDS = {"cleanlab, logistic regression": confident_learning(logistic_regression_on_words)}
# Average precision is blind to a tool that shows few rows: tabaudit's own numbers of rows, by the
# seed that it takes by default.
CUTS = {"defects_jruby": 59, "defects_lucene": 65}


def all_cells(methods: list[str], seeds: range, datasets: list[str]) -> Iterator[Cell]:
    for seed in seeds:
        for dataset in datasets:
            for noise, rate in kinds_of_noise(dataset, seed):
                for method in methods:
                    yield Cell(dataset, noise, rate, seed, method)
    if "tabaudit" in methods:
        for dataset in CUTS:
            if dataset in datasets:
                yield Cell(dataset, "real", float("nan"), DEFAULT_SEED, "tabaudit")


def kinds_of_noise(dataset: str, seed: int) -> list[tuple[str, float]]:
    if dataset in (*REAL, *TEXT, BALANCED):
        return [("real", float("nan"))]
    directed = [(direction, float("nan")) for direction in DIRECTIONS]
    if dataset in MADE:
        return directed
    if dataset in TOPICS:
        return [("uniform", 0.1), *directed] if seed in ONE_SIDED_SEEDS else []
    uniform = [("uniform", rate) for rate in RATES]
    return uniform + (
        directed if dataset in (*ONE_SIDED, *RARE) and seed in ONE_SIDED_SEEDS else []
    )


def measure(cell: Cell) -> dict[str, object]:
    X, given, true = load_table(cell.dataset, cell.seed)
    if true is None:
        given, is_wrong = flip(given, cell)
    else:
        is_wrong = given != true
    wall, cpu = time.perf_counter(), time.process_time()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        method = WORDS.get(cell.method) if isinstance(X, list) else None
        doubt = (method or METHODS[cell.method])(X, given, cell.seed)
    first = np.argsort(-doubt, kind="stable")[: CUTS.get(cell.dataset, int(is_wrong.sum()))]
    return cell._asdict() | {
        "average_precision": round(average_precision_score(is_wrong, doubt), 5),
        "first_rows": len(first),
        "precision": round(float(is_wrong[first].mean()), 5),
        "cpu_seconds": round(time.process_time() - cpu, 3),
        "wall_seconds": round(time.perf_counter() - wall, 3),
    }


def read_results() -> pd.DataFrame:
    measured = ["average_precision", "first_rows", "precision", "cpu_seconds", "wall_seconds"]
    columns = [*Cell._fields, *measured]
    return pd.read_csv(RESULTS) if RESULTS.exists() else pd.DataFrame(columns=columns)


def key(cell: Cell) -> tuple[str, str, str, int, str]:
    return cell.dataset, cell.noise, f"{cell.rate:g}", cell.seed, cell.method


def run(methods: list[str], datasets: list[str]) -> None:
    done = {key(Cell(*row)) for row in read_results()[list(Cell._fields)].itertuples(index=False)}
    missing = [c for c in all_cells(methods, SEEDS, datasets) if key(c) not in done]
    for number, cell in enumerate(missing, 1):
        row = measure(cell)
        is_new = not RESULTS.exists()
        with RESULTS.open("a", newline="") as file:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        print(f"{number}/{len(missing)} {cell} {row['average_precision']:.3f}", file=sys.stderr)


def print_tables(results: pd.DataFrame) -> None:
    """Print the tables of the page on detection, the best of each row in bold type."""
    results = results[results["seed"] != DEFAULT_SEED]
    is_text = results["dataset"].isin((*TEXT, BALANCED, *TOPICS))
    is_real, is_uniform = (results["noise"] == kind for kind in ("real", "uniform"))
    is_directed = ~(is_real | is_uniform)
    real, uniform = results[is_real], results[is_uniform & ~is_text]
    is_rare = is_directed & results["dataset"].isin((*RARE, *MADE))
    directed, stories = results[is_directed & ~is_text & ~is_rare], results[~is_real & is_text]
    all_directed = directed.assign(dataset=f"{directed['dataset'].nunique()} tables")
    all_uniform = uniform.assign(dataset="all")
    by_set = _means(uniform, ["dataset"])
    sections = {
        "Real errors": _means(real, ["dataset"]),
        "Real errors, standard deviation between seeds": _spreads(real, ["dataset"]),
        "Precision of the first rows": _means(
            real.astype({"first_rows": "Int64"}), ["dataset", "first_rows"], "precision"
        ),
        "Uniform flips by rate": _means(uniform, ["rate"]),
        "Uniform flips by table": by_set,
        "Uniform flips, all": _means(all_uniform, ["dataset"]),
        "Uniform flips, standard deviation between seeds": _spreads(all_uniform, ["dataset"]),
        "One direction": _means(pd.concat([all_directed, directed]), ["noise", "dataset"]),
        "Rare classes": _means(results[is_rare], ["noise", "dataset"]),
        "Stories": _means(stories, ["dataset", "noise"]),
    }
    for title, table in sections.items():
        shown = table[[method for method in METHODS if method in table]].round(3)
        is_best = shown.eq(shown.max(axis=1), axis=0)
        bold = None if "deviation" in title else is_best
        print(f"{title}\n\n{in_markdown(shown, '{:.3f}', bold, 'data')}\n")
    families = {
        **dict(list(real.groupby("dataset"))),
        "tables, uniform": uniform,
        **{f"tables, {noise}": rows for noise, rows in directed.groupby("noise")},
        **{f"stories, {noise}": rows for noise, rows in stories.groupby("noise")},
    }
    print(f"What was aimed at\n\n{in_markdown(_leads(families), '{:+.3f}', first='family')}\n")
    rivals = by_set.drop(columns="hardy").max(axis=1)
    if len(by_set):
        print(f"Best rival of each table, mean: {rivals.mean():.3f}")
        print("Where it is ahead:", (by_set["hardy"] - rivals).nsmallest(5).round(3).to_dict())
    seconds = results[is_real & ~is_text | is_uniform & ~is_text].groupby("method")["cpu_seconds"]
    print("Processor seconds of one seed of the tables, real errors and uniform flips:")
    print((seconds.sum() / results["seed"].nunique()).round(1).to_dict())


def _leads(families: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Tell how far Hardy is above the best of cleanlab's models and above tabaudit, by family.

    Beside it, how far above cleanlab a perfect ranking would be.
    """
    leads = {}
    for name, rows in families.items():
        # Each table and noise counts once, whatever it has of seeds.
        means = _means(rows.fillna({"rate": 0}), ["dataset", "noise", "rate"]).mean()
        best = means.filter(like="cleanlab").max()
        leads[name] = {
            "above cleanlab's best model": means["hardy"] - best,
            "above tabaudit": means["hardy"] - means.get("tabaudit", np.nan),
            "a perfect ranking above cleanlab": 1 - best,
        }
    return pd.DataFrame(leads).T


def _means(
    results: pd.DataFrame, by: list[str], measure: str = "average_precision"
) -> pd.DataFrame:
    return results.groupby([*by, "method"])[measure].mean().unstack()


def _spreads(results: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Give the deviation between seeds, of the means over everything else."""
    seeds = results.groupby([*by, "method", "seed"])["average_precision"].mean()
    return seeds.groupby([*by, "method"]).std().unstack()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one seed, small tables, not stored")
    parser.add_argument("--tables", action="store_true", help="print the stored results only")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--datasets", nargs="*", help="some of the tables; all by default")
    options = parser.parse_args()
    if options.quick:
        cells = list(all_cells(options.methods, range(1), list(QUICK)))
        print_tables(pd.DataFrame([measure(cell) for cell in cells]))
        return
    if not options.tables:
        uci = sorted(path.stem for path in (data_folder() / "uci").glob("*.csv"))
        run(options.methods, options.datasets or [*TEXT, BALANCED, *REAL, *TOPICS, *uci, *MADE])
    results = read_results()
    print_tables(results)
    if DEFAULT_SEED in results["seed"].to_numpy():
        OWN_COUNTS.write_text(tell_own_counts(results, CUTS), encoding="utf-8")


if __name__ == "__main__":
    main()
