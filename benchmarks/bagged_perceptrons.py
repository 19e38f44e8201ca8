"""Fifty bagged perceptrons of five epochs: time beside scikit-learn, accuracy beside independence.

Times are of the whole work in one thread, bags drawn by a hardness that is given included; the peer
is scikit-learn's bagging of ``Perceptron(max_iter=5, tol=None)``, measured in turns with Hardy in
one process. The best of the runs counts, in seconds of the clock and of the processor.

Members that share their order of visits are then put beside members on the same bags that each go
their own way, which is what scikit-learn's perceptron does: the accuracy of the vote and of a
member on rows with true labels, and the share of pairs of members that disagree, in percent, as
means over ten seeds with the standard error of the difference. Data are made; where the
environment variable HARDY_DATA names the folder with the data sets, satimage is there as well.

    python benchmarks/bagged_perceptrons.py            measure all and store the results
    python benchmarks/bagged_perceptrons.py --quick    a tenth of the rows, two seeds, printed only
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import Perceptron
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from threadpoolctl import threadpool_limits

from hardy import HardnessBaggingClassifier
from hardy.noise import flip_labels

RESULTS = Path(__file__).parent / "results" / "bagged_perceptrons.csv"
N_MEMBERS, N_EPOCHS = 50, 5
SHAPES = {"2 classes": (100_000, 50, 2), "6 classes": (6_435, 36, 6)}
N_TEST = 10_000
RATES = (0.0, 0.2)


def make_rows(name: str, n_rows: int, seed: int) -> tuple[np.ndarray, ...]:
    """Make rows to learn from and rows with true labels to judge by, of unit variance."""
    _, n_features, n_classes = SHAPES[name]
    X, y = make_classification(
        n_rows + N_TEST, n_features, n_informative=20, n_redundant=10, n_classes=n_classes,
        flip_y=0.0, random_state=seed,
    )  # fmt: skip
    X = StandardScaler().fit_transform(X)
    return X[:n_rows], X[n_rows:], y[:n_rows], y[n_rows:]


def read_satimage(seed: int, scaler: Any) -> tuple[np.ndarray, ...]:
    """Read satimage and set three tenths of its rows aside."""
    table = pd.read_csv(Path(os.environ["HARDY_DATA"], "uci", "satimage.csv"))
    y = pd.factorize(table.pop("target"), sort=True)[0]
    X, X_test, y, y_test = train_test_split(
        table.to_numpy(float), y, test_size=0.3, stratify=y, random_state=seed
    )
    return scaler.fit_transform(X), scaler.transform(X_test), y, y_test


def timed(call: Callable[[], Any]) -> tuple[Any, np.ndarray]:
    """Give what a call gives, and its seconds of the clock and of the processor."""
    start = np.array([time.perf_counter(), time.process_time()])
    result = call()
    return result, np.array([time.perf_counter(), time.process_time()]) - start


def measure_times(name: str, n_rows: int, dtype: Any, n_runs: int) -> Iterator[dict[str, Any]]:
    """Time fits and predictions, Hardy's and the peer's in turns."""
    X, _, y, _ = make_rows(name, n_rows, 0)
    X = X.astype(dtype)
    y = flip_labels(y, 0.2, random_state=0)[0]
    hardness = np.random.default_rng(0).uniform(size=len(y))
    peer = BaggingClassifier(Perceptron(max_iter=N_EPOCHS, tol=None), N_MEMBERS, random_state=0)
    HardnessBaggingClassifier(hardness=hardness[:300]).fit(X[:300], y[:300]).predict(X[:300])
    best = {}
    for seed in range(n_runs):
        ours = HardnessBaggingClassifier(
            n_estimators=N_MEMBERS, hardness=hardness, random_state=seed
        )
        _, fitting = timed(lambda ours=ours: ours.fit(X, y))
        _, predicting = timed(lambda ours=ours: ours.predict(X))
        _, peer_fitting = timed(lambda: peer.fit(X, y))
        _, peer_predicting = timed(lambda: peer.predict(X))
        for key, seconds in {
            ("fit", "hardy"): fitting,
            ("fit", "peer"): peer_fitting,
            ("predict", "hardy"): predicting,
            ("predict", "peer"): peer_predicting,
        }.items():
            best[key] = np.minimum(best.get(key, np.inf), seconds)
    for what in ("fit", "predict"):
        for i, clock in enumerate(("seconds", "processor seconds")):
            hardy, theirs = best[what, "hardy"][i], best[what, "peer"][i]
            yield {
                "data": f"{name}, {n_rows} x {X.shape[1]}, {X.dtype}",
                "quantity": f"{what}, {clock}",
                "hardy": hardy,
                "peer": theirs,
                "ratio": theirs / hardy,
            }


def judge(model: HardnessBaggingClassifier, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Give the accuracy of the vote and of a member, and the disagreement, in percent."""
    votes = N_MEMBERS * model.predict_proba(X)
    agreement = (votes * (votes - 1)).sum(axis=1) / (N_MEMBERS * (N_MEMBERS - 1))
    return 100 * np.array(
        [
            model.score(X, y),
            np.mean([member.score(X, y) for member in model.estimators_]),
            1 - agreement.mean(),
        ]
    )


def measure_accuracy(
    name: str, load: Callable[[int], tuple[np.ndarray, ...]], n_seeds: int
) -> Iterator[dict[str, Any]]:
    """Put the shared order beside the independent one, on the same bags."""
    for rate in RATES:
        found: dict[str, list[np.ndarray]] = {"shared": [], "independent": []}
        for seed in range(n_seeds):
            X, X_test, y, y_test = load(seed)
            noisy = flip_labels(y, rate, random_state=seed)[0]
            for order, judged in found.items():
                model = HardnessBaggingClassifier(
                    n_estimators=N_MEMBERS, hardness=None, row_order=order, random_state=seed
                )
                judged.append(judge(model.fit(X, noisy), X_test, y_test))
        shared, independent = np.array(found["shared"]), np.array(found["independent"])
        difference = shared - independent
        for i, quantity in enumerate(("vote", "member", "disagreement")):
            yield {
                "data": f"{name}, {rate:.0%} flips",
                "quantity": f"{quantity}, percent",
                "hardy": shared[:, i].mean(),
                "peer": independent[:, i].mean(),
                "difference": difference[:, i].mean(),
                "standard_error": difference[:, i].std(ddof=1) / np.sqrt(n_seeds),
            }


def measure(*, quick: bool) -> Iterator[dict[str, Any]]:
    """Measure all."""
    n_seeds = 2 if quick else 10
    for name, (n_rows, _, n_classes) in SHAPES.items():
        n_rows = n_rows // 10 if quick else n_rows
        for dtype in (np.float32, np.float64):
            yield from measure_times(name, n_rows, dtype, 3 if n_classes == 2 else 7)

        def load(seed: int, name: str = name, n_rows: int = n_rows) -> tuple[np.ndarray, ...]:
            return make_rows(name, n_rows, seed)

        yield from measure_accuracy(f"{name}, {n_rows} rows", load, n_seeds)
    if "HARDY_DATA" in os.environ and not quick:
        for scaler in (MinMaxScaler(), StandardScaler()):
            yield from measure_accuracy(
                f"satimage, {type(scaler).__name__}",
                lambda seed, scaler=scaler: read_satimage(seed, scaler),
                n_seeds,
            )


def main() -> None:
    """Measure what the options say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="less of it, printed only")
    options = parser.parse_args()
    rows = []
    with threadpool_limits(1):
        for row in measure(quick=options.quick):
            rows.append(row)
            print(*(f"{v:.4g}" if isinstance(v, float) else v for v in row.values()), sep="; ")
    if not options.quick:
        pd.DataFrame(rows).round(4).to_csv(RESULTS, index=False)


if __name__ == "__main__":
    main()
