"""Every class of Hardy's beside its peer: time to fit and to predict, memory, accuracy.

The peer is what scikit-learn, imbalanced-learn or skrub has that does the nearest thing, with as
many members and passes; ICS-bagging trains five candidates for each of its 10 members, and its peer
trains 50. Hardness bagging is given no hardness here. Both are measured in one run, one after the
other, each in a process of its own with one thread, after a small fit that compiles and imports
everything; times are the best of three, and the peak is by how much the process needed more
memory than it ever had before, so that small ones are hidden. The data are made: 20,000 rows of
30 features, two classes, 10 % of the labels flipped; accuracy (R² of regressors) is that on
10,000 further rows with true labels. Transformers have tables with columns of every kind, texts of
50 words, or counts of these words; they transform in place of predicting, and the accuracy is that
of a logistic regression behind them. Samplers stand in front of one too, which predicts on both
sides: that isn't compared.

    python benchmarks/family.py             measure all, write the results and the page of the docs
    python benchmarks/family.py --quick     2,000 rows, printed only
    python benchmarks/family.py --checks    run the suite of contracts again for the page as well
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from imblearn.ensemble import BalancedBaggingClassifier
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import make_pipeline
from imblearn.under_sampling import (
    EditedNearestNeighbours,
    InstanceHardnessThreshold,
    OneSidedSelection,
)
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
)
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from skrub import TableVectorizer

from hardy.noise import flip_labels

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results" / "family.csv"
CHECKS = Path(__file__).parent / "results" / "contract.csv"
PAGE = ROOT / "docs" / "reference" / "contract.md"
N_ROWS, N_TEST, QUICK = 20_000, 10_000, 2_000

_COLUMNS = (
    "class",
    "peer",
    "fit (s)",
    "ratio",
    "predict (s)",
    "ratio",
    "peak (MB)",
    "peer's",
    "score",
    "peer's",
)
_WHY = (
    "`StemCounter` also reduces words to stems, and `UnsmoothedTfidfTransformer` also looks for "
    "cells that a matrix names twice. Times below a millisecond differ by a tenth from run to run."
)
_STUMPS = {"n_estimators": 50, "random_state": 0}


def _stumps() -> Any:
    return AdaBoostClassifier(**_STUMPS)


def _perceptron(n_epochs: int) -> Any:
    return Perceptron(max_iter=n_epochs, tol=None, random_state=0)


def _perceptrons(n_members: int, n_epochs: int) -> Any:
    return BaggingClassifier(_perceptron(n_epochs), n_members, random_state=0)


def _edited_stumps() -> Any:
    return make_pipeline(EditedNearestNeighbours(n_neighbors=5), _stumps())


def _stack() -> Any:
    learners = {
        "trees": ExtraTreesClassifier(200, random_state=0),
        "forest": RandomForestClassifier(100, random_state=0),
        "boosting": HistGradientBoostingClassifier(random_state=0),
        "regression": LogisticRegression(),
    }
    return StackingClassifier(list(learners.items()), cv=3)


# Hardy's settings beyond the defaults, and how the peer is made.
PEERS: dict[str, tuple[dict[str, Any], Callable[[], Any]]] = {
    "ParallelPerceptronClassifier": ({}, lambda: _perceptrons(3, 250)),
    "ParallelPerceptronRegressor": (
        {},
        lambda: MLPRegressor(
            hidden_layer_sizes=(20,),
            max_iter=250,
            tol=0.0,
            n_iter_no_change=250,
            random_state=0,
        ),
    ),
    "CommitteeMachineClassifier": (
        {},
        lambda: MLPClassifier(hidden_layer_sizes=(5,), max_iter=100, random_state=0),
    ),
    "LinearPerceptronClassifier": (
        {"tol": 0.0},
        lambda: SGDClassifier("squared_error", max_iter=25, tol=None, random_state=0),
    ),
    "DecisionStumpClassifier": ({}, lambda: DecisionTreeClassifier(max_depth=1)),
    "DecisionStumpRegressor": ({}, lambda: DecisionTreeRegressor(max_depth=1)),
    "AdaBoostClassifier": (_STUMPS, _stumps),
    "RealAdaBoostClassifier": (_STUMPS, _stumps),
    "LogitBoostClassifier": (
        _STUMPS,
        lambda: GradientBoostingClassifier(n_estimators=50, max_depth=1),
    ),
    "MadaBoostClassifier": (_STUMPS, _stumps),
    "SoftMarginBoostClassifier": (_STUMPS, _stumps),
    "RobustBoostClassifier": (_STUMPS, _stumps),
    "NoiseDetectingBoostClassifier": (_STUMPS, _edited_stumps),
    "EditedBoostClassifier": (_STUMPS, _edited_stumps),
    "HardnessBoostClassifier": (_STUMPS, _edited_stumps),
    "SelectiveBoostClassifier": (_STUMPS, _edited_stumps),
    "NoiseReducingBoostClassifier": ({}, lambda: _perceptrons(30, 250)),
    "LinearPerceptronBoostClassifier": (
        {"tol": 0.0},
        lambda: BaggingClassifier(
            SGDClassifier("squared_error", max_iter=25, tol=None, random_state=0),
            100,
            random_state=0,
        ),
    ),
    "HardnessBaggingClassifier": ({"hardness": None}, lambda: _perceptrons(50, 5)),
    "HardyClassifier": ({}, _stack),
    "RandomSubspaceClassifier": (
        {},
        lambda: _perceptrons(50, 5).set_params(max_features=0.5, bootstrap=False),
    ),
    "BalancedVariationClassifier": (
        {"n_estimators": 10},
        lambda: BalancedBaggingClassifier(_perceptron(5), n_estimators=10, random_state=0),
    ),
    "SMOTEBaggingClassifier": (
        {"n_estimators": 10},
        lambda: BalancedBaggingClassifier(
            _perceptron(5), n_estimators=10, sampler=SMOTE(random_state=0), random_state=0
        ),
    ),
    "ICSBaggingClassifier": (
        {"n_estimators": 10},
        lambda: _perceptrons(50, 5),
    ),
    "PrunedParallelPerceptronClassifier": (
        {},
        lambda: make_pipeline(OneSidedSelection(random_state=0), _perceptron(250)),
    ),
    "MarginPruner": ({}, lambda: _before_regression(OneSidedSelection(random_state=0))),
    "BoostingFilter": (
        {},
        lambda: _before_regression(
            InstanceHardnessThreshold(estimator=AdaBoostClassifier(n_estimators=10), random_state=0)
        ),
    ),
    "LabelErrorCleaner": (
        {},
        lambda: _before_regression(InstanceHardnessThreshold(random_state=0)),
    ),
    "TableEncoder": (
        {},
        lambda: make_pipeline(TableVectorizer(), SimpleImputer(strategy="median")),
    ),
    "StemCounter": ({}, lambda: CountVectorizer(stop_words="english")),
    "UnsmoothedTfidfTransformer": ({}, lambda: TfidfTransformer(smooth_idf=False)),
}
# Modules of the classes that aren't among hardy's own names.
_HOMES = {
    "TableEncoder": "hardy.tabular",
    "StemCounter": "hardy.text",
    "UnsmoothedTfidfTransformer": "hardy.text",
}


def _before_regression(sampler: Any) -> Any:
    """Put a sampler in front of a classifier that learns in no time."""
    return make_pipeline(sampler, LogisticRegression())


def _make(name: str, whose: str) -> Any:
    settings, peer = PEERS[name]
    if whose == "peer":
        return peer()
    make = getattr(import_module(_HOMES.get(name, "hardy")), name)
    seed = {"random_state": 0} if "random_state" in make().get_params() else {}
    ours = make(**{**seed, **settings})
    return _before_regression(ours) if hasattr(ours, "fit_resample") else ours


def _data(name: str, n_rows: int) -> tuple[Any, ...]:
    """Make rows that the class is for: X, y, X_test, y_test."""
    X, y = _ROWS.get(name, _numbers)(n_rows)
    if name.endswith("Regressor"):
        y = np.sin(3 * X[:, 0]) + X[:, 1] ** 2 + np.random.default_rng(0).normal(0, 0.1, len(X))
        return X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:]
    noisy, _ = flip_labels(y[:n_rows], 0.1, random_state=1)
    return X[:n_rows], noisy, X[n_rows:], y[n_rows:]


def _numbers(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(
        n_rows + N_TEST, 30, n_informative=10, n_redundant=5, flip_y=0.0, random_state=0
    )
    X = StandardScaler().fit_transform(X)
    # Rows of length about 1, which learners with a fixed step need.
    return X / np.sqrt(X.shape[1]), y


def _labels(n_rows: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2, n_rows + N_TEST)


def _texts(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    y = _labels(n_rows)
    return _write(y, 50), y


def _counts(n_rows: int) -> tuple[Any, np.ndarray]:
    X, y = _texts(n_rows)
    return CountVectorizer().fit(X[:n_rows]).transform(X), y


def _write(y: np.ndarray, n_words: int) -> np.ndarray:
    """Words of a few thousand stems, the rarer the later; each class likes some of them more."""
    rng = np.random.default_rng(1)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    stems = np.unique(["".join(rng.choice(syllables, 3)) for _ in range(5_000)])
    rng.shuffle(stems)
    vocabulary = np.array([stem + ending for stem in stems for ending in ("", "s", "ed", "ing")])
    share = 1 / np.arange(1, len(vocabulary) + 1)
    liked = rng.integers(0, 2, len(stems)).repeat(4)
    texts = np.empty(len(y), dtype=object)
    for label in (0, 1):
        weights = share * np.where(liked == label, 1.0, 0.6)
        rows = np.flatnonzero(y == label)
        words = rng.choice(vocabulary, (len(rows), n_words), p=weights / weights.sum())
        texts[rows] = [" ".join(row) for row in words]
    return texts


def _mixed_table(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, words, moments, yes and no, and texts, with one cell in ten missing."""
    rng = np.random.default_rng(2)
    y = _labels(n_rows)
    n = len(y)
    columns = {f"number {i}": rng.normal(size=n) + 0.3 * y for i in range(8)}
    columns |= {f"word {i}": rng.choice([f"{i}-{j}" for j in range(12)], n) for i in range(3)}
    days = pd.to_timedelta(rng.integers(0, 1_500, n) + 100 * y, "D")
    frame = pd.DataFrame(
        {
            **columns,
            "ripe": np.where(rng.random(n) < 0.4 + 0.2 * y, "yes", "no"),
            "seen": (pd.Timestamp("2020-01-01") + days).strftime("%Y-%m-%d"),
            "remark": _write(y, 6),
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.1), y


_ROWS: dict[str, Callable[[int], tuple[Any, np.ndarray]]] = {
    "TableEncoder": _mixed_table,
    "StemCounter": _texts,
    "UnsmoothedTfidfTransformer": _counts,
}


def measure_here(name: str, whose: str, n_rows: int) -> dict[str, float]:
    """Measure one class in this process."""
    X, y, X_test, y_test = _data(name, n_rows)
    first = _make(name, whose).fit(X[:200], y[:200])
    use = "predict" if hasattr(first, "predict") else "transform"
    getattr(first, use)(X[:200])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fits, predictions = [], []
    for _ in range(3):
        model = _make(name, whose)
        start = time.perf_counter()
        model.fit(X, y)
        fits.append(time.perf_counter() - start)
        start = time.perf_counter()
        getattr(model, use)(X_test)
        predictions.append(time.perf_counter() - start)
        if sum(fits) > 60:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if use == "transform":
        X_test, X = model.transform(X_test), model.transform(X)
        model = make_pipeline(MaxAbsScaler(), LogisticRegression()).fit(X, y)
    return {
        "fit_seconds": min(fits),
        "predict_seconds": min(predictions),
        "peak_megabytes": peak / 1024,
        "score": model.score(X_test, y_test),
    }


def measure(name: str, whose: str, n_rows: int) -> dict[str, Any]:
    """Measure one class in a fresh process with one thread."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    call = [sys.executable, __file__, "--measure", name, whose, "--rows", str(n_rows)]
    done = subprocess.run(call, env={**os.environ, **threads}, capture_output=True, check=True)
    return {"estimator": name, "whose": whose, **json.loads(done.stdout)}


def run_checks() -> pd.DataFrame:
    """Run the suite of contracts, and count for each class what passed."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        call = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/contract"]
        subprocess.run([*call, f"--junitxml={report}"], cwd=ROOT, check=False)
        cases = list(ET.parse(report).iter("testcase"))
    rows = []
    for name in PEERS:
        counts = {"estimator": name, "scikit_learn": 0, "hardy": 0, "on_average": 0, "failed": 0}
        for case in cases:
            label = case.get("name", "")
            if not any(f"{before}{name}" in label for before in "[-"):
                continue
            kinds = {child.tag: child.get("type", "") for child in case}
            theirs = "_learns_checks" in label
            if "failure" in kinds or "error" in kinds:
                counts["failed"] += 1
            elif "xfail" in kinds.get("skipped", ""):
                counts["on_average"] += 1
            elif "skipped" not in kinds:
                counts["scikit_learn" if theirs else "hardy"] += 1
        rows.append(counts)
    return pd.DataFrame(rows)


def page(results: pd.DataFrame, checks: pd.DataFrame) -> str:
    """Write the page of the documentation."""
    lines = [
        "# What each class passes, and its peer",
        "",
        "Made by `python benchmarks/family.py --checks`: how many of scikit-learn's own estimator",
        "checks (of samplers, imbalanced-learn's as well) and of those in `tests/contract` each",
        "class passes, over all of its settings there, and how many of scikit-learn's hold on",
        "average only (`sample_weight` against repetition, where rows are drawn or come in a",
        "random order). scikit-learn has one check only for a class that takes texts.",
        "Below, each is beside what scikit-learn, imbalanced-learn or skrub has that does the",
        "nearest thing.",
        "",
        "| class | scikit-learn's checks | Hardy's | on average | failed |",
        "|---|---|---|---|---|",
    ]
    for row in checks.itertuples():
        link = _link(row.estimator)
        counts = f"{row.scikit_learn} | {row.hardy} | {row.on_average} | {row.failed}"
        lines.append(f"| {link} | {counts} |")
    lines += [
        "",
        "## Beside the peer",
        "",
        *(line.replace("\n", " ") for line in (__doc__ or "").split("\n\n")[1:2]),
        "",
        "Ratios above 1 say how many times faster Hardy is. The data are raw material for times;",
        "how the methods compare under noise is another question.",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        "|---" * len(_COLUMNS) + "|",
    ]
    wide = results.set_index(["estimator", "whose"])
    slower: list[str] = []
    for name in PEERS:
        if (name, "peer") not in wide.index:
            continue
        ours, theirs = wide.loc[(name, "hardy")], wide.loc[(name, "peer")]
        is_sampler = hasattr(_make(name, "hardy"), "steps")
        ratios = {"fit": theirs.fit_seconds / ours.fit_seconds}
        if not is_sampler:
            ratios["predict"] = theirs.predict_seconds / ours.predict_seconds
        cells = [
            _link(name),
            f"`{_name_peer(name)}`",
            f"{ours.fit_seconds:.3f}",
            f"{ratios['fit']:.1f}",
            "–" if is_sampler else f"{ours.predict_seconds:.4f}",
            "–" if is_sampler else f"{ratios['predict']:.1f}",
            f"{ours.peak_megabytes:.0f}",
            f"{theirs.peak_megabytes:.0f}",
            f"{ours.score:.3f}",
            f"{theirs.score:.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
        slower += [
            f"{_link(name)} ({what}: {ratio:.1f})"
            for what, ratio in ratios.items()
            if round(ratio, 1) < 1
        ]
    lines += ["", f"Slower than the peer: {', '.join(slower) or 'none'}. {_WHY}"]
    return "\n".join(lines) + "\n"


def _link(name: str) -> str:
    return f"{{py:obj}}`~{_HOMES.get(name, 'hardy')}.{name}`"


def _name_peer(name: str) -> str:
    peer = _make(name, "peer")
    steps = [step for _, step in peer.steps] if hasattr(peer, "steps") else [peer]
    names = []
    for step in steps:
        member = getattr(step, "estimator", None)
        inner = f"({type(member).__name__})" if member is not None else ""
        names.append(type(step).__name__ + inner)
    return " + ".join(names)


def main() -> None:
    """Measure what the options say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="2,000 rows, printed only")
    parser.add_argument("--checks", action="store_true", help="run the suite of contracts too")
    parser.add_argument("--only", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, default=N_ROWS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            print(json.dumps(measure_here(*options.measure, options.rows)))
        return
    n_rows = QUICK if options.quick else N_ROWS
    rows = []
    for name in options.only:
        for whose in ("hardy", "peer"):
            rows.append(measure(name, whose, n_rows))
            print(rows[-1], flush=True)
    results = pd.DataFrame(rows).round(4)
    if options.quick:
        return
    if RESULTS.exists():
        stored = pd.read_csv(RESULTS)
        results = pd.concat([stored[~stored["estimator"].isin(options.only)], results])
    results.to_csv(RESULTS, index=False)
    if options.checks:
        run_checks().to_csv(CHECKS, index=False)
    PAGE.write_text(page(results, pd.read_csv(CHECKS)), encoding="utf-8")


if __name__ == "__main__":
    main()
