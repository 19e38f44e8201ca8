"""Speed beside the libraries that people would use instead, and beside what the machine can do.

Each row is one piece of work with one thread, measured in seconds of the processor, commands and
compilations in those of the clock: the best of several runs, in turns with the peer where that can
be. Audits, searches for neighbours, NR boosting, scikit-learn's AdaBoost and the first compilation
run once. Rows of one kind share a process of their own; the machine's load before it is stored with
them. A ratio is the peer's time over Hardy's; MB are millions of bytes. Data are made, or Reuters'
where the environment variable HARDY_DATA names the folder with the data sets.

    python benchmarks/speed.py                measure all, write results and page
    python benchmarks/speed.py --quick        smaller sizes, printed only
    python benchmarks/speed.py --only NAME    one group, which replaces its stored rows
    python benchmarks/speed.py --page         write the page from the stored results
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd

from _markdown import in_markdown

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results" / "speed.csv"
BAGGED = Path(__file__).parent / "results" / "bagged_perceptrons.csv"
PAGE = ROOT / "docs" / "reference" / "speed.md"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Row(NamedTuple):
    """One line of the table.

    `hardy` and `peer` are in `unit`; `ratio` is what is wanted to be at least `least` (or, where
    `lower` is set, at most).
    """

    work: str
    peer_name: str
    unit: str
    hardy: float
    peer: float
    ratio: float
    least: float
    aim: float
    lower: bool = False
    note: str = ""


def cpu(call: Callable[[], Any], n_runs: int = 3) -> float:
    """Give the fewest seconds of the processor that a call takes."""
    best = np.inf
    for _ in range(n_runs):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def in_turns(calls: dict[str, Callable[[], Any]], n_runs: int) -> dict[str, float]:
    """Give the fewest seconds of each call, called one after the other."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(n_runs):
        for name, call in calls.items():
            best[name] = min(best[name], cpu(call, 1))
    return best


def peak_megabytes() -> float:
    """Give the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def make_rows(n_rows: int, n_features: int, n_informative: int, rate: float) -> tuple[Any, ...]:
    """Make rows of two classes of which a share has a wrong label; tell which."""
    from sklearn.datasets import make_classification

    from hardy.noise import flip_labels

    X, y = make_classification(
        n_rows, n_features, n_informative=n_informative, n_redundant=n_informative // 2,
        flip_y=0.0, random_state=0,
    )  # fmt: skip
    noisy, is_flipped = flip_labels(y, rate, random_state=0)
    return X, noisy, is_flipped


def stump_boosting(*, quick: bool) -> Iterator[Row]:
    """AdaBoost and sBoost over stumps, 50 rounds."""
    import lightgbm
    from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost

    import hardy
    from hardy.weighting.selective import noise_degrees
    from hardy.weighting.training_set import TrainingSet

    n_rows = 10_000 if quick else 100_000
    X, y, _ = make_rows(n_rows, 50, 20, 0.1)
    X = X.astype(np.float32)
    size = f"{n_rows:,} × 50 float32"
    ours = hardy.AdaBoostClassifier(random_state=0)
    two_leaves = lightgbm.LGBMClassifier(n_estimators=50, num_leaves=2, n_jobs=1, verbose=-1)
    ours.fit(X[:500], y[:500])
    seconds = in_turns({"hardy": lambda: ours.fit(X, y), "lgb": lambda: two_leaves.fit(X, y)}, 5)
    theirs = cpu(lambda: TheirAdaBoost(n_estimators=50, random_state=0).fit(X, y), 1)
    work = f"`AdaBoostClassifier`, 50 stumps, {size}: fit"
    hardys = seconds["hardy"]
    yield Row(work, "scikit-learn's AdaBoost", "s", hardys, theirs, theirs / hardys, 80, 150)
    peer = "LightGBM, two leaves"
    yield Row(
        work, peer, "s", hardys, seconds["lgb"], seconds["lgb"] / hardys, 4, 7,
        note="a third of the time is spent on histograms and splits, a quarter on bins, the rest "
        "on weights and votes in NumPy: see the profiles",
    )  # fmt: skip
    training = TrainingSet(X, y, 2, np.ones(n_rows), np.arange(n_rows), np.random.RandomState(0))
    start = time.process_time()
    degrees = noise_degrees(training, 5)
    searching = time.process_time() - start
    selective = hardy.SelectiveBoostClassifier(n_estimators=50, random_state=0)
    with patch("hardy.ensembles.selective.noise_degrees", return_value=degrees):
        selective.fit(X, y)
        seconds = in_turns(
            {"hardy": lambda: selective.fit(X, y), "lgb": lambda: two_leaves.fit(X, y)}, 5
        )
    rounds = seconds["hardy"]
    work = f"`SelectiveBoostClassifier`, 50 stumps, {size}: rounds"
    note = (
        f"the search for neighbours before them, see kDN, takes {searching:.0f} s more; the rounds "
        f"take {rounds / hardys - 1:.0%} longer than AdaBoost's: each weighs rows by R(x) too"
    )
    yield Row(
        work, "scikit-learn's AdaBoost", "s", rounds, theirs, theirs / rounds, 80, 150, note=note
    )
    yield Row(work, peer, "s", rounds, seconds["lgb"], seconds["lgb"] / rounds, 4, 7, note=note)


def parallel_perceptron(*, quick: bool) -> Iterator[Row]:
    """Set a pass over the rows beside a compiled sum of the same array."""
    import numba

    import hardy

    @numba.njit(fastmath=True)
    def total(values: Any) -> float:
        result = np.float32(0)
        for i in range(values.shape[0]):
            result += values[i]
        return result

    few, many = 5, 25

    def measure_pass(n_rows: int, n_features: int) -> tuple[float, float]:
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n_rows, n_features), dtype=np.float32)
        y = (X[:, 0] + rng.standard_normal(n_rows, dtype=np.float32) > 0).astype(int)

        def fit(n_epochs: int) -> Any:
            return hardy.ParallelPerceptronClassifier(max_iter=n_epochs, random_state=0).fit(X, y)

        fit(2)
        total(X.ravel())
        seconds = in_turns(
            {
                "few": lambda: fit(few),
                "many": lambda: fit(many),
                "sums": lambda: [total(X.ravel()) for _ in range(many - few)],
            },
            3,
        )
        return (seconds["many"] - seconds["few"]) / (many - few), seconds["sums"] / (many - few)

    for n_features, least, aim in ((50, 0.4, 0.55), (200, 0.55, 0.7), (500, 0.55, 0.7)):
        n_rows = (5_000_000 if quick else 50_000_000) // n_features
        epoch, one_sum = measure_pass(n_rows, n_features)
        yield Row(
            f"`ParallelPerceptronClassifier`, 3 units, {n_rows:,} × {n_features} float32: an epoch",
            "a compiled sum of the array", "ms", 1e3 * epoch, 1e3 * one_sum, one_sum / epoch,
            least, aim,
            note="the sum uses each number once, the pass six times: in the product of each of the "
            "three units, and in the sum, in float64, of what each is to be moved by; what a row "
            "costs besides weighs more where rows are short",
        )  # fmt: skip


def noise_reduction(*, quick: bool) -> Iterator[Row]:
    """Find the epochs' share of ten rounds of NR boosting."""
    import hardy

    n_rows, n_epochs = (50_000, 50) if quick else (1_000_000, 250)
    X, y, _ = make_rows(n_rows, 50, 20, 0.1)
    X = X.astype(np.float32)
    member = hardy.ParallelPerceptronClassifier(max_iter=n_epochs, random_state=0)
    hardy.ParallelPerceptronClassifier(max_iter=2).fit(X[:500], y[:500])
    model = hardy.NoiseReducingBoostClassifier(member, n_estimators=10, random_state=0)
    model.fit(X[:500], y[:500])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = cpu(lambda: model.fit(X, y), 1)
        n_members = len(model.estimators_)
        few = cpu(lambda: hardy.ParallelPerceptronClassifier(max_iter=5).fit(X, y), 2)
        many = cpu(lambda: hardy.ParallelPerceptronClassifier(max_iter=25).fit(X, y), 2)
    epochs = n_members * n_epochs * (many - few) / 20
    yield Row(
        f"`NoiseReducingBoostClassifier`, {n_members} rounds × {n_epochs} epochs, {n_rows:,} × 50 "
        "float32: the epochs' share",
        "the epochs alone", "s", whole, epochs, min(1.0, epochs / whole), 0.9, np.nan,
        note="two cores were to be 1.7 times as fast, and are no faster: an epoch is one thread's "
        "work",
    )  # fmt: skip


def text_boosting(*, quick: bool) -> Iterator[Row]:
    """Boosted linear perceptrons on the documents of Reuters."""
    if "HARDY_DATA" not in os.environ:
        return
    from sklearn.ensemble import BaggingClassifier
    from sklearn.linear_model import Perceptron, SGDClassifier

    import hardy
    from hardy.datasets import fetch_reuters
    from hardy.text import make_text_filter

    stories = fetch_reuters("crude", data_home=os.environ["HARDY_DATA"])
    X, y = make_text_filter(min_df=3)[:-1].fit_transform(stories.data), stories.target
    if quick:
        X, y = X[:2_000], y[:2_000]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = hardy.LinearPerceptronBoostClassifier(n_estimators=100, random_state=0)
        model.fit(X[:500], y[:500])
        before = peak_megabytes()
        ours = cpu(lambda: model.fit(X, y), 2)
        grown = peak_megabytes() - before
        n_kept = len(model.estimators_)
        n_passes = round(np.mean([member.n_iter_ for member in model.estimators_]))
        peers = {
            "scikit-learn's bagging of `Perceptron(max_iter=25, tol=None)`": BaggingClassifier(
                Perceptron(max_iter=25, tol=None), n_kept, random_state=0
            ),
            "scikit-learn's bagging of perceptrons by default": BaggingClassifier(
                Perceptron(), n_kept, random_state=0
            ),
            "scikit-learn's bagging by the same rule, as many passes": BaggingClassifier(
                SGDClassifier("squared_error", max_iter=n_passes, tol=None), n_kept, random_state=0
            ),
        }
        times = {name: cpu(lambda peer=peer: peer.fit(X, y), 2) for name, peer in peers.items()}
    work = f"`LinearPerceptronBoostClassifier`, {n_kept} rounds kept, Reuters {X.shape[0]:,} × "
    work += f"{X.shape[1]:,} sparse: fit"
    for name, theirs in times.items():
        yield Row(
            work, name, "s", ours, theirs, theirs / ours, 3, 6,
            note="scikit-learn's AdaBoost of perceptrons ends early: its members err on no row; "
            "less than half of Hardy's time goes to passes (see the profiles), the rest to what "
            "bagging has not: all rows are asked about, weighed and drawn anew in each round",
        )  # fmt: skip
    size = (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 1e6
    kept = sum(
        member.coef_.nbytes + rows.nbytes
        for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True)
    )
    yield Row(
        work.replace(": fit", ": memory"), "the matrix", "MB", grown, size, grown / size, 3, 3,
        True,
        note=f"the fitted members and the rows that they saw are {kept / 1e6:.1f} MB of it; the "
        "matrix without the rows that contradict others is as large as the matrix once more",
    )  # fmt: skip


def neighbors(*, quick: bool) -> Iterator[Row]:
    """Find kDN by the exact search and by an approximate index."""
    from sklearn.neighbors import NearestNeighbors

    from hardy.hardness import k_disagreeing_neighbors, nearest_neighbors

    n_rows = 5_000 if quick else 50_000
    X, y, _ = make_rows(n_rows, 20, 10, 0.1)
    k_disagreeing_neighbors(X[:300], y[:300])

    def theirs() -> Any:
        found = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(X)
        return found.kneighbors(X, return_distance=False)

    seconds = in_turns({"hardy": lambda: k_disagreeing_neighbors(X, y), "peer": theirs}, 1)
    yield Row(
        f"`k_disagreeing_neighbors`, {n_rows:,} × 20: exact, ties by position",
        "scikit-learn's brute search", "s", seconds["hardy"], seconds["peer"],
        seconds["peer"] / seconds["hardy"], 0, 0,
        note="scikit-learn's search leaves ties and duplicates to chance; Hardy's doesn't",
    )  # fmt: skip
    n_rows = 20_000 if quick else 1_000_000
    X, y, _ = make_rows(n_rows, 20, 10, 0.1)
    found: list[Any] = []
    minutes = (
        cpu(lambda: found.append(nearest_neighbors(X, search="approximate", n_jobs=1)), 1) / 60
    )
    some = np.random.default_rng(0).choice(n_rows, 1000, replace=False)
    index = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(X)
    exact = index.kneighbors(X[some], return_distance=False)
    exact = np.array([row[row != own][:5] for row, own in zip(exact, some, strict=True)])
    near = found[0][0][some]
    recall = np.mean([len(set(a) & set(b)) / 5 for a, b in zip(exact, near, strict=True)])
    kdn, about = ((y[rows] != y[some][:, None]).mean(axis=1) for rows in (exact, near))
    error = float(np.abs(kdn - about).mean())
    work = f'`nearest_neighbors(search="approximate")`, {n_rows:,} × 20'
    yield Row(f"{work}: time of one thread", "", "min", minutes, np.nan, minutes, 6, 3, True)
    yield Row(
        f"{work}: mean error of kDN", "", "", error, np.nan, error, 0.01, 0.01, True,
        note=f"recall {recall:.3f}, of 1,000 rows compared with all others",
    )  # fmt: skip


def audit(*, quick: bool) -> Iterator[Row]:
    """Audit labels, beside cleanlab with LightGBM out of five folds."""
    import lightgbm
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores
    from sklearn.metrics import average_precision_score
    from sklearn.model_selection import cross_val_predict

    import hardy

    times, sizes = [], (10_000, 30_000) if quick else (10_000, 100_000, 1_000_000)
    for n_rows in sizes:
        X, y, is_flipped = make_rows(n_rows, 20, 10, 0.1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            hardy.audit_labels(X[:300], y[:300], random_state=0)
            start = time.process_time()
            doubt = hardy.audit_labels(X, y, random_state=0, n_jobs=1).doubt
            ours = time.process_time() - start
            start = time.process_time()
            model = lightgbm.LGBMClassifier(n_jobs=1, verbose=-1)
            proba = cross_val_predict(model, X, y, cv=5, method="predict_proba")
            find_label_issues(y, proba, n_jobs=1)
            theirs = time.process_time() - start
        times.append(ours)
        found = average_precision_score(is_flipped, doubt)
        their_found = average_precision_score(is_flipped, -get_label_quality_scores(y, proba))
        work = f"`audit_labels`, {n_rows:,} × 20, 10 % flips"
        peer = "cleanlab, LightGBM in 5 folds"
        least, aim = (2, 4) if n_rows >= 100_000 else (0, 0)
        note = (
            "up to 10,000 rows are judged in ten folds, not two, and by more members, 600 trees "
            "that are grown on all rows among them: see the profiles"
        )
        yield Row(
            f"{work}: time", peer, "s", ours, theirs, theirs / ours, least, aim,
            note=note if n_rows <= 10_000 else "",
        )  # fmt: skip
        yield Row(
            f"{work}: average precision", peer, "", found, their_found, found - their_found,
            -0.005, 0.0, note="a difference",
        )  # fmt: skip
    # Few rows are looked at by more detectors, in more folds.
    growth = np.log(times[-1] / times[-2]) / np.log(sizes[-1] / sizes[-2])
    yield Row(
        f"`audit_labels`: exponent of growth from {sizes[-2]:,} to {sizes[-1]:,} rows", "", "",
        growth, np.nan, growth, 1.15, 1, True,
    )  # fmt: skip


def audit_memory(*, quick: bool) -> Iterator[Row]:
    """Find the memory of an audit of a million rows, the rows included."""
    import hardy
    from hardy._memory import held_memory

    before = held_memory() / 1e6
    n_rows = 50_000 if quick else 1_000_000
    for dtype in (np.float32, np.float64):
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n_rows, 20), dtype=dtype)
        y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
        y[rng.random(n_rows) < 0.1] ^= 1
        hardy.audit_labels(X, y, random_state=0, n_jobs=1)
        peak = peak_megabytes()
        yield Row(
            f"`audit_labels`, {n_rows:,} × 20 {np.dtype(dtype).name}: peak of the process", "",
            "MB", peak, np.nan, peak, 600, 400, True,
            note=f"{before:.0f} MB of it were held before there were rows, "
            f"{X.nbytes / 1e6:.0f} are the rows; the command, which reads a file and writes a "
            "folder, needs more: see [large files](../guide/large_files.md)",
        )  # fmt: skip
        del X, y


def one_row(*, quick: bool) -> Iterator[Row]:
    """Predictions for one row by every ensemble of Hardy's own members."""
    from sklearn.datasets import make_classification

    import hardy

    for n_classes in (2, 3):
        X, y = make_classification(
            2_000, 20, n_informative=10, n_redundant=5, n_classes=n_classes, flip_y=0.1,
            random_state=0,
        )  # fmt: skip
        for name in ("AdaBoost", "RealAdaBoost", "LogitBoost", "MadaBoost", "SoftMarginBoost",
                     "NoiseDetectingBoost", "EditedBoost", "RobustBoost", "HardnessBoost",
                     "SelectiveBoost", "NoiseReducingBoost", "LinearPerceptronBoost",
                     "HardnessBagging", "RandomSubspace", "BalancedVariation"):  # fmt: skip
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = getattr(hardy, f"{name}Classifier")(random_state=0).fit(X, y)
            row = X[:1]
            model.predict(row)
            took = 1e3 * cpu(lambda m=model, r=row: [m.predict(r) for _ in range(50)], 5) / 50
            yield Row(
                f"`{name}Classifier`, {len(model.estimators_)} members, {n_classes} classes: "
                "`predict` of one row",
                "", "ms", took, np.nan, took, 1, 0.2, True,
            )  # fmt: skip


def starting(*, quick: bool) -> Iterator[Row]:
    """Start the command line: help, a second audit, the first compilation of every kernel."""
    command = [sys.executable, "-m", "hardy"]

    def wall(call: list[str], n_runs: int, **options: Any) -> float:
        best = np.inf
        for _ in range(n_runs):
            start = time.perf_counter()
            subprocess.run(call, check=True, capture_output=True, **options)
            best = min(best, time.perf_counter() - start)
        return best

    helping = wall([*command, "--help"], 5)
    yield Row("`hardy --help`", "", "s", helping, np.nan, helping, 0.7, 0.4, True)
    with TemporaryDirectory() as folder:
        X, y, _ = make_rows(1_000, 10, 6, 0.1)
        frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(10)]).assign(kind=y)
        frame.to_csv(Path(folder, "table.csv"), index=False)
        call = [*command, "audit", "table.csv", "--target", "kind"]
        wall(call, 1, cwd=folder)
        second = wall(call, 2, cwd=folder)
    yield Row("second `hardy audit` of 1,000 × 10", "", "s", second, np.nan, second, 5, 3, True)
    if quick:
        return
    with TemporaryDirectory() as folder:
        options = {"env": {**os.environ, "NUMBA_CACHE_DIR": folder}}
        seconds = {}
        # All that are compiled for dense rows are there when the others are.
        for kernels in ("dense", "all"):
            call = [sys.executable, "-c", _COMPILE, kernels]
            cold, warm = wall(call, 1, **options), wall(call, 1, **options)
            seconds[kernels] = cold - warm
    dense, every = seconds["dense"], sum(seconds.values())
    yield Row(
        "first compilation of the kernels for dense rows in float64", "", "s", dense, np.nan,
        dense, 0, 0,
    )  # fmt: skip
    yield Row(
        "first compilation of all kernels: also for float32, sparse rows, row by row, independent "
        "perceptrons and regression",
        "", "s", every, np.nan, every, 15, 8, True,
        note="each type of rows has kernels of its own, which are compiled one after the other; "
        "who fits one model on rows of one type waits for its own only",
    )  # fmt: skip


# Fits every learner that has kernels of its own, on one type of rows or on all.
_COMPILE = """
import sys, warnings; warnings.simplefilter("ignore")
import numpy as np, hardy
from scipy.sparse import csr_array
X = np.random.default_rng(0).normal(size=(60, 3)); y = (X[:, 0] > 0).astype(int)
is_all = sys.argv[1] == "all"
single = X.astype(np.float32)
for rows in (X, single, csr_array(X), csr_array(single)) if is_all else (X,):
    for name in ("ParallelPerceptron", "CommitteeMachine", "LinearPerceptron", "DecisionStump",
                 "HardnessBagging", "AdaBoost"):
        getattr(hardy, name + "Classifier")().fit(rows, y).predict(rows)
    if not hasattr(rows, "tocsr"):
        hardy.hardness.instance_hardness(rows, y)
    if is_all:
        hardy.ParallelPerceptronClassifier(mode="online").fit(rows, y)
        hardy.HardnessBaggingClassifier(row_order="independent").fit(rows, y)
        for name in ("ParallelPerceptron", "DecisionStump"):
            getattr(hardy, name + "Regressor")().fit(rows, X[:, 0]).predict(rows)
        hardy.LinearPerceptronBoostClassifier(n_estimators=2).fit(rows, y).predict(rows)
"""

GROUPS: dict[str, Callable[..., Iterator[Row]]] = {
    call.__name__: call
    for call in (
        stump_boosting, parallel_perceptron, noise_reduction, text_boosting, neighbors, audit,
        audit_memory, one_row, starting,
    )
}  # fmt: skip


def measure(group: str, *, quick: bool) -> list[dict[str, Any]]:
    """Measure a group in a fresh process with one thread."""
    load = os.getloadavg()[0]
    call = [sys.executable, __file__, "--here", group, *(["--quick"] if quick else [])]
    threads = dict.fromkeys(_THREADS, "1")
    done = subprocess.run(
        call, env={**os.environ, **threads}, stdout=subprocess.PIPE, check=True, text=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [{"group": group, **row, "load": round(load, 2)} for row in rows]


def verdict(row: Any) -> str:
    """Tell whether a row reaches what was wanted."""
    if not row.least and not row.lower:
        return "–"
    reached = row.ratio <= row.least if row.lower else row.ratio >= row.least
    aimed = row.ratio <= row.aim if row.lower else row.ratio >= row.aim
    return "aim" if aimed else "yes" if reached else "**no**"


def bagged_rows() -> pd.DataFrame:
    """Give what the benchmark of bagged perceptrons found, as lines of the table."""
    found = pd.read_csv(BAGGED).set_index(["data", "quantity"])
    wanted = {
        "2 classes, 100000 x 50, float32": {"fit": (15, 24), "predict": (80, 150)},
        "2 classes, 100000 x 50, float64": {"fit": (10, 18), "predict": (50, 85)},
        "6 classes, 6435 x 36, float32": {"fit": (8, 15), "predict": (6, 12)},
        "6 classes, 6435 x 36, float64": {"fit": (8, 15), "predict": (6, 12)},
    }
    rows = []
    for data, limits in wanted.items():
        for method, (least, aim) in limits.items():
            line = found.loc[(data, f"{method}, processor seconds")]
            rows.append(
                Row(
                    f"`HardnessBaggingClassifier`, 50 perceptrons, {data}: {method}",
                    "scikit-learn's bagging of perceptrons", "s", line.hardy, line.peer,
                    line.ratio, least, aim,
                    note="by `python benchmarks/bagged_perceptrons.py`; a register holds half as "
                    "many members in float64",
                )
            )  # fmt: skip
    for rate in (0, 20):
        line = found.loc[(f"2 classes, 100000 rows, {rate}% flips", "vote, percent")]
        rows.append(
            Row(
                f"`HardnessBaggingClassifier`, as above, {rate} % flips: accuracy in percent",
                "independent members, 10 seeds", "", line.hardy, line.peer, line.difference,
                -0.5, -0.3, note="a difference",
            )
        )  # fmt: skip
    return pd.DataFrame(rows)


def shared_streams() -> list[str]:
    """Write how members of one stream differ from independent ones."""
    found = pd.read_csv(BAGGED).dropna(subset="standard_error")
    told = found["difference"].map("{:+.2f}".format) + found["standard_error"].map(
        " ± {:.2f}".format
    )
    names = {"vote, percent": "the vote", "member, percent": "a member"}
    names["disagreement, percent"] = "disagreement"
    kinds = found["quantity"].map(names)
    table = pd.DataFrame({"data": found["data"], "quantity": kinds, "told": told})
    wide = table.pivot(index="data", columns="quantity", values="told")[list(names.values())]
    return [
        "## Members of one stream and independent ones",
        "",
        'Accuracy, and how often two members disagree, with `row_order="shared"` less with',
        '`"independent"`, in points: means of 10 seeds ± standard error, by',
        "`python benchmarks/bagged_perceptrons.py`. The vote was to be within .5 points. On made",
        "data members are as good and as different, within two or three standard errors; on",
        "satimage those of one stream are weaker and disagree more, while the vote stays near. Why",
        "wasn't found out.",
        "",
        in_markdown(wide, "{}", first="data"),
        "",
    ]


def page(results: pd.DataFrame) -> str:
    """Write the page of the documentation."""
    lines = [
        "# Speed",
        "",
        "Made by `python benchmarks/speed.py`. "
        + " ".join((__doc__ or "").split("\n\n")[1].split()),
        "",
        "`least` and `aim` are what was set out for before the work: a ratio of at least so much,",
        "or a time or a size of at most so much. Rows that fall short stay in the table.",
        "",
        "| work | Hardy | peer | its figure | ratio | least | aim | reached | load |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    notes: list[str] = []
    for row in pd.concat([bagged_rows(), results]).itertuples():
        mark = ""
        if isinstance(row.note, str) and row.note:
            if row.note not in notes:
                notes.append(row.note)
            mark = f" ({notes.index(row.note) + 1})"
        unit = f" {row.unit}" if isinstance(row.unit, str) and row.unit else ""
        has_peer = pd.notna(row.peer)
        at_most = "≤ " if row.lower else ""
        cells = [
            f"{row.work}{mark}",
            f"{row.hardy:.3g}{unit}",
            row.peer_name if isinstance(row.peer_name, str) else "",
            f"{row.peer:.3g}{unit}" if has_peer else "",
            f"{row.ratio:.3g}" if has_peer else "",
            f"{at_most}{row.least:g}" if row.least or row.lower else "",
            f"{at_most}{row.aim:g}" if pd.notna(row.aim) and (row.least or row.lower) else "",
            verdict(row),
            f"{row.load:g}" if pd.notna(row.load) else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    for number, note in enumerate(notes, start=1):
        lines += ["", f"({number}) {note[0].upper()}{note[1:]}."]
    lines += [
        "",
        *shared_streams(),
        "Where the time goes is in `benchmarks/results/profiles.md`, made by",
        "`python benchmarks/profiles.py`.",
    ]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Measure what the options say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="smaller sizes, printed only")
    parser.add_argument("--only", choices=GROUPS, action="append", help="one group")
    parser.add_argument("--page", action="store_true", help="write the page from stored results")
    parser.add_argument("--here", choices=GROUPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        for row in GROUPS[options.here](quick=options.quick):
            print(json.dumps(row._asdict()), flush=True)
        return
    stored = pd.read_csv(RESULTS) if RESULTS.exists() else pd.DataFrame()
    if not options.page:
        for group in options.only or GROUPS:
            rows = measure(group, quick=options.quick)
            for row in rows:
                kept = Row(**{name: row[name] for name in Row._fields})
                print(f"{kept.work}: {kept.ratio:.3g} {verdict(kept)}", flush=True)
            if options.quick:
                continue
            others = stored[stored["group"] != group] if len(stored) else stored
            stored = pd.concat([others, pd.DataFrame(rows)], ignore_index=True)
            place = stored["group"].map(list(GROUPS).index)
            stored = stored.iloc[place.argsort(kind="stable")]
            stored.round(4).to_csv(RESULTS, index=False)
    if not options.quick:
        PAGE.write_text(page(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
