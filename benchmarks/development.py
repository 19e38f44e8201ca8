"""The tables on which Hardy learns how far doubt can be trusted; `precision.py` judges by others.

Tables of UCI and of scikit-learn, generated ones, and stories of Reuters on other topics, with
no flips at all, uniform ones, some in one direction, and some that depend on class or features. No
table that `precision.py` judges is among them, and none that shares rows with one.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.datasets import (
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_moons,
)
from threadpoolctl import threadpool_limits

import hardy
from hardy.audit.error_probability import describe_rows, order_by_doubt
from hardy.datasets import fetch_reuters, make_ringnorm, make_threenorm, make_twonorm
from hardy.noise import flip_labels

SHARES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
# The first rows are what people look at; all of them tell the share of wrong labels.
WEIGHTS = np.array([1, 1, 1, 1, 0.5, 0.5])
FEWEST = 10
PENALTY = 1e-3
FILES = {
    "uci": {"cancer": 700, "ctg": 1200, "ecoli": 400, "glass": 300, "haberman": 400}
    | {"satimage": 1200, "thyroid": 2000, "vowel_990": 1000, "yeast": 1484},
    "extra": {"sonar": 300, "german": 1000, "spambase": 1200, "phoneme": 1500}
    | {"mammography": 2500, "banknote": 800, "page_blocks": 1500, "abalone19": 2500},
}
MADE = {
    "mc1": {"n_samples": 400, "n_features": 8, "n_informative": 4, "class_sep": 0.3}
    | {"weights": [0.6], "random_state": 1},
    "mc2": {"n_samples": 700, "n_features": 12, "n_informative": 5, "class_sep": 0.5}
    | {"weights": [0.75], "random_state": 2},
    "mc3": {"n_samples": 350, "n_features": 6, "n_informative": 3, "class_sep": 0.7}
    | {"flip_y": 0, "random_state": 3},
    "mc4": {"n_samples": 800, "n_features": 20, "n_informative": 8, "n_classes": 4}
    | {"class_sep": 0.8, "flip_y": 0, "random_state": 4},
    "mc5": {"n_samples": 600, "n_features": 10, "n_informative": 6, "class_sep": 1.5}
    | {"weights": [0.65], "flip_y": 0, "random_state": 5},
    "mc6": {"n_samples": 500, "n_features": 5, "n_informative": 2, "n_redundant": 1}
    | {"class_sep": 0.2, "weights": [0.7], "flip_y": 0, "random_state": 6},
}
GENERATED: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "digits": lambda: tuple(part[:900] for part in load_digits(return_X_y=True)),
    "moons": lambda: make_moons(600, noise=0.3, random_state=0),
    "circles": lambda: make_circles(500, noise=0.15, factor=0.5, random_state=0),
    "twonorm": lambda: make_twonorm(400, random_state=0),
    "threenorm": lambda: make_threenorm(600, random_state=0),
    "ringnorm": lambda: make_ringnorm(300, random_state=0),
}
TOPICS = ("earn", "acq", "trade")
N_STORIES = 1000
NOISE = (
    ("clean", 0.0),
    ("uniform", 0.1),
    ("rare to large", 0.3),
    ("large to rare", 0.5),
    ("uniform", 0.05),
    ("uniform", 0.2),
    ("uniform", 0.3),
    ("class_conditional", 0.2),
    ("feature_dependent", 0.1),
    ("rare to large", 0.15),
    ("large to rare", 0.25),
    ("uniform", 0.02),
)
# A second seed for the kinds that weigh most.
KINDS_OF_SEED = (NOISE, NOISE[:7])


class Audited(NamedTuple):
    """What an audit made of a table with known flips; the rows by falling doubt."""

    dataset: str
    noise: str
    rate: float
    seed: int
    doubt: np.ndarray
    terms: np.ndarray
    is_wrong: np.ndarray

    @property
    def cuts(self) -> np.ndarray:
        """The numbers of first rows that are looked at."""
        n_rows = len(self.doubt)
        return np.array([min(n_rows, max(FEWEST, round(share * n_rows))) for share in SHARES])

    @property
    def true(self) -> np.ndarray:
        """The share of each that is wrong."""
        return np.cumsum(self.is_wrong)[self.cuts - 1] / self.cuts


def data_folder() -> Path:
    return Path(os.environ["HARDY_DATA"])


def load(name: str) -> tuple[object, np.ndarray]:
    if name in MADE:
        return make_classification(**MADE[name])
    if name in GENERATED:
        X, y = GENERATED[name]()
        return X, np.unique(y, return_inverse=True)[1]
    if name.removeprefix("reuters_") in TOPICS:
        texts, y = fetch_reuters(name.removeprefix("reuters_"), subset="train", return_X_y=True)
        rows = np.random.RandomState(1).permutation(len(y))[:N_STORIES]
        return [texts[row] for row in rows], np.asarray(y, dtype=int)[rows]
    folder = next(folder for folder, files in FILES.items() if name in files)
    frame = pd.read_csv(data_folder() / folder / f"{name}.csv")
    if len(frame) > FILES[folder][name]:
        frame = frame.sample(FILES[folder][name], random_state=0)
    X = frame.drop(columns="target")
    is_number = all(pd.api.types.is_numeric_dtype(kind) for kind in X.dtypes)
    return X.to_numpy(float) if is_number else X, np.unique(frame["target"], return_inverse=True)[1]


def flip(
    X: object, y: np.ndarray, noise: str, rate: float, seed: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Make some labels wrong; None where this kind of noise needs numbers and there are none."""
    if noise == "clean":
        return y, np.zeros(len(y), dtype=bool)
    if noise == "feature_dependent":
        if not isinstance(X, np.ndarray):
            return None
        return flip_labels(y, rate, kind=noise, X=np.nan_to_num(X), random_state=seed)
    if noise == "class_conditional":
        return flip_labels(y, rate, kind=noise, random_state=seed)
    if noise == "uniform":
        return flip_labels(y, rate, exact=True, random_state=seed)
    sizes = np.bincount(y)
    rare, large = int(np.where(sizes > 0, sizes, sizes.max() + 1).argmin()), int(sizes.argmax())
    if rare == large:
        rare = (large + 1) % len(sizes)
    source, target = (rare, large) if noise == "rare to large" else (large, rare)
    rows = np.flatnonzero(y == source)
    is_wrong = np.zeros(len(y), dtype=bool)
    chosen = np.random.RandomState(seed).choice(rows, round(rate * sizes[rare]), replace=False)
    is_wrong[chosen] = True
    return np.where(is_wrong, target, y), is_wrong


def names() -> list[str]:
    files = [name for folder in FILES.values() for name in folder]
    return [*files, *MADE, *GENERATED, *(f"reuters_{topic}" for topic in TOPICS)]


def audit_all(folder: Path) -> Iterator[Audited]:
    """Audit what hasn't been yet, and keep what the audits said in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, kinds in enumerate(KINDS_OF_SEED):
        for number, (noise, rate) in enumerate(kinds):
            for dataset in names():
                path = folder / f"{dataset}__{noise.replace(' ', '_')}__{rate}__{seed}.npz"
                if not path.exists():
                    X, y = load(dataset)
                    flipped = flip(X, y, noise, rate, 1000 + 100 * seed + number)
                    if flipped is None:
                        continue
                    save(path, X, *flipped, seed)
                with np.load(path) as kept:
                    yield read(kept, dataset, noise, rate, seed)


def save(path: Path, X: object, given: np.ndarray, is_wrong: np.ndarray, seed: int) -> None:
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        audit = hardy.audit_labels(X, given, random_state=seed, n_jobs=1)
    np.savez(
        path,
        proba=audit.pred_proba.astype(np.float32),
        codes=audit.given_codes,
        wrong=is_wrong,
        doubt=audit.doubt,
        ok=audit.is_assessable,
    )


def read(kept: object, dataset: str, noise: str, rate: float, seed: int) -> Audited:
    rows = np.flatnonzero(kept["ok"])
    rows = rows[np.argsort(-kept["doubt"][rows], kind="stable")]
    doubt, codes = kept["doubt"][rows], kept["codes"][rows]
    terms = describe_rows(doubt, codes, kept["proba"][rows].astype(float))
    return Audited(dataset, noise, rate, seed, doubt, terms, kept["wrong"][rows])


def fit(audits: list[Audited], start: np.ndarray) -> np.ndarray:
    """Find the coefficients whose mean probability of the first rows best tells the share wrong."""
    terms = np.concatenate([audit.terms for audit in audits])
    ends = np.cumsum([len(audit.doubt) for audit in audits])
    first = np.r_[0, ends[:-1]][:, None]
    cuts = np.array([audit.cuts for audit in audits])
    true = np.array([audit.true for audit in audits])
    weights = WEIGHTS / len(audits)

    def means(values: np.ndarray) -> np.ndarray:
        sums = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
        return (sums[first + cuts] - sums[first]) / cuts[..., None]

    def loss(coefficients: np.ndarray) -> tuple[float, np.ndarray]:
        told = expit(terms @ coefficients)
        both = means(np.column_stack([told, (told * (1 - told))[:, None] * terms]))
        expected = np.clip(both[..., 0], 1e-4, 1 - 1e-4)
        deviance = -(true * np.log(expected) + (1 - true) * np.log(1 - expected))
        slope = weights * (expected - true) / (expected * (1 - expected))
        free = np.r_[0, coefficients[1:]]
        gradient = (slope[..., None] * both[..., 1:]).sum(axis=(0, 1)) + 2 * PENALTY * free
        return float((deviance * weights).sum() + PENALTY * free @ free), gradient

    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def tell(audit: Audited, coefficients: np.ndarray) -> np.ndarray:
    """Give the probabilities that an audit would tell, by falling doubt."""
    return order_by_doubt(expit(audit.terms @ coefficients), audit.doubt)


def leave_one_table_out(
    audits: list[Audited], coefficients: np.ndarray
) -> Iterator[tuple[Audited, np.ndarray]]:
    """Give each audit, and what is told of it by coefficients that don't know its table."""
    for name in names():
        others = fit([audit for audit in audits if audit.dataset != name], coefficients)
        for audit in audits:
            if audit.dataset == name:
                yield audit, tell(audit, others)
