"""Methods compared as more and more training labels are wrong."""

import hashlib
import os
import re
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from numbers import Integral
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples

from hardy._labels import encode_labels
from hardy._versions import used_versions
from hardy.datasets import fetch_uci
from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.noise.injection import NoiseKind
from hardy.studies.scores import SCORES, score_predictions
from hardy.studies.store import CellStore
from hardy.tabular import check_target, read_table, refuse_measurements

Progress = Callable[[str, int, int], None]

_KEYS = ("dataset", "kind", "noise_rate", "seed", "cv", "repeat", "fold", "method")
_NUMBERS = (*SCORES, "fit_seconds", "predict_seconds", "peak_megabytes")
_MEASURED = (*_NUMBERS, "error", "versions", "fingerprint")


class _Data(NamedTuple):
    """A data set with its classes, and the folds of every repetition."""

    X: Any
    labels: NDArray[Any]
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    folds: dict[tuple[int, int], tuple[NDArray[np.intp], NDArray[np.intp]]]
    digest: str


def compare_under_noise(
    estimators: Mapping[str, Any] | Sequence[Any],
    datasets: Mapping[str, Any] | Sequence[str],
    noise_rates: Iterable[float] = (0.0, 0.1, 0.2, 0.3),
    *,
    kind: NoiseKind = "uniform",
    cv: int = 5,
    n_repeats: int = 1,
    store: str | os.PathLike[str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Compare classifiers on data sets while noise is injected into the training labels.

    Each data set is cut into stratified folds, the same for all methods. Labels are flipped in the
    training folds only, the same ones for all methods; scores are taken on the true labels of the
    test fold.

    Parameters
    ----------
    estimators : mapping of str to classifier, or sequence of classifiers
        What is compared, by name; a sequence goes by the names of the classes. Parameters named
        ``random_state`` that are None get a seed of the fold.
    datasets : mapping of str to data, or sequence of str
        Data are (X, y), or (path, target) of a file that :func:`hardy.tabular.read_table` reads.
        Names alone are those of :func:`hardy.datasets.fetch_uci`.
    noise_rates : iterable of float, default=(0, 0.1, 0.2, 0.3)
        The rates of :func:`hardy.noise.flip_labels`.
    kind : {"uniform", "class_conditional", "feature_dependent"}, default="uniform"
        Its kind of noise.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=1
        How often the folds are drawn.
    store : path-like, optional
        A CSV file to which each finished fit is written at once. What it holds already isn't done
        again, so that a run that was cut goes on.
    random_state : int, default=0
        Seeds the folds, the noise and the methods.
    n_jobs : int, optional
        The number of jobs, as in joblib. The scores don't depend on it.
    progress : callable, optional
        Called with what was done, the number of fits done, and their total.

    Returns
    -------
    DataFrame
        A row for each fit: ``dataset``, ``kind``, ``noise_rate``, ``seed``, ``cv``, ``repeat``,
        ``fold``, ``method``; the scores of :func:`hardy.studies.score_predictions`;
        ``fit_seconds`` and ``predict_seconds`` of the clock, ``peak_megabytes``, by how much the
        process needed more memory than ever before; ``error``, the message of a method that failed
        (its scores are missing); and ``versions``.

    Raises
    ------
    InputError
        Where names are not unique, a data set is unknown or can't be read, a class has fewer rows
        than there are folds, a parameter is out of range, or the store is damaged or of something
        else.

    See Also
    --------
    rank_methods : Average ranks at each noise rate.
    RobustnessDisplay : The scores as curves.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from hardy.studies import compare_under_noise
    >>> results = compare_under_noise(
    ...     [GaussianNB(), DecisionTreeClassifier()],
    ...     {"wine": load_wine(return_X_y=True)},
    ...     noise_rates=[0, 0.3],
    ... )
    >>> results.groupby(["noise_rate", "method"])["accuracy"].mean().round(2).unstack()
    method      DecisionTreeClassifier  GaussianNB
    noise_rate
    0.0                           0.92        0.97
    0.3                           0.62        0.92
    """
    methods = _name_methods(estimators)
    rates = _check_rates(noise_rates)
    for name, number, least in (("cv", cv, 2), ("n_repeats", n_repeats, 1)):
        if not isinstance(number, Integral) or number < least:
            raise InputError(f"{name}={number!r} must be a whole number, at least {least}.")
    if not isinstance(random_state, Integral) or not 0 <= random_state < 2**32:
        raise InputError(f"random_state={random_state!r} must be a whole number, 0 to 2³² − 1.")
    if n_jobs == 0:
        raise InputError("n_jobs=0 has no meaning: give a number of jobs, or -1 for all.")
    if kind not in get_args(NoiseKind):
        raise InputError(
            f"kind={kind!r} is not a noise model; choose one of {', '.join(get_args(NoiseKind))}."
        )
    data = {
        name: _prepare(name, given, cv, n_repeats, int(random_state))
        for name, given in _name_datasets(datasets).items()
    }
    cells = [
        {
            "dataset": dataset, "kind": kind, "noise_rate": rate, "seed": int(random_state),
            "cv": int(cv), "repeat": repeat, "fold": fold, "method": method,
        }
        for dataset, prepared in data.items()
        for rate in rates
        for repeat, fold in prepared.folds
        for method in methods
    ]  # fmt: skip
    digests = {name: _digest(_describe(method)) for name, method in methods.items()}
    for cell in cells:
        cell["fingerprint"] = data[cell["dataset"]].digest + digests[cell["method"]]
    stored = None
    if store is not None:
        numbers = [name for name in _KEYS if name not in ("dataset", "kind", "method")]
        stored = CellStore(store, _KEYS, [*_KEYS, *_MEASURED], [*numbers, *_NUMBERS])
        _refuse_other_cells(stored, cells)
    waiting = [cell for cell in cells if stored is None or cell not in stored]
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    found = parallel(
        delayed(_evaluate)(cell, methods[cell["method"]], data[cell["dataset"]]) for cell in waiting
    )
    done = len(cells) - len(waiting)
    new = []
    for row in found:
        if stored is not None:
            stored.append(row)
        new.append(row)
        done += 1
        if progress is not None:
            progress(f"{row['method']} on {row['dataset']}", done, len(cells))
    rows = pd.DataFrame(new, columns=[*_KEYS, *_MEASURED]) if stored is None else stored.frame
    wanted = pd.DataFrame(cells)[list(_KEYS)]
    return wanted.merge(rows, on=list(_KEYS), how="left")


def _refuse_other_cells(stored: CellStore, cells: list[dict[str, Any]]) -> None:
    """Refuse a store whose cells of these names are of other data or other settings."""
    frame = stored.frame
    keys = map(tuple, frame[list(_KEYS)].astype(str).to_numpy().tolist())
    known = dict(zip(keys, frame["fingerprint"], strict=True))
    for cell in cells:
        earlier = known.get(tuple(str(cell[key]) for key in _KEYS), cell["fingerprint"])
        if earlier != cell["fingerprint"]:
            what = "data" if earlier[:8] != cell["fingerprint"][:8] else "settings"
            raise InputError(
                f"{stored.path} holds {cell['method']!r} on {cell['dataset']!r} with other {what}; "
                "name another file, or give them another name."
            )


def _describe(estimator: Any) -> bytes:
    """Tell an estimator's settings; where functions are kept in memory says nothing."""
    parameters = (
        sorted(estimator.get_params(deep=True).items()) if hasattr(estimator, "get_params") else []
    )
    return re.sub(r" at 0x[0-9a-f]+", "", f"{type(estimator).__name__} {parameters!r}").encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


def _name_methods(estimators: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if not isinstance(estimators, Mapping | Sequence):
        raise InputError(
            f"estimators is a {type(estimators).__name__}; give a list of estimators, or a mapping "
            "with their names."
        )
    if isinstance(estimators, Mapping):
        methods = dict(estimators)
    else:
        names = [type(estimator).__name__ for estimator in estimators]
        twice = [name for at, name in enumerate(names) if name in names[:at]]
        if twice:
            raise InputError(f"Two estimators are {twice[0]}; give a mapping with a name for each.")
        methods = dict(zip(names, estimators, strict=True))
    for name, estimator in methods.items():
        if not (isinstance(name, str) and name and hasattr(estimator, "fit")):
            raise InputError(f"{name!r}: {estimator!r} is no name with an estimator.")
    if not methods:
        raise InputError("There is no estimator to compare.")
    return methods


def _check_rates(noise_rates: Iterable[float]) -> list[float]:
    try:
        rates = [float(rate) for rate in noise_rates]
    except (TypeError, ValueError):
        raise InputError(f"noise_rates={noise_rates!r} must be numbers from 0 to 1.") from None
    bad = [rate for rate in rates if not 0 <= rate <= 1]
    if bad or not rates or len(set(rates)) < len(rates):
        raise InputError(
            f"noise_rates={rates!r} must be numbers from 0 to 1, each once, at least one."
        )
    return rates


def _name_datasets(datasets: Mapping[str, Any] | Sequence[str]) -> dict[str, Any]:
    if isinstance(datasets, str):
        datasets = [datasets]
    if not datasets:
        raise InputError("There is no data set to compare on.")
    if isinstance(datasets, Mapping):
        nameless = [name for name in datasets if not (isinstance(name, str) and name)]
        if nameless:
            raise InputError(f"The name of a data set must be a word, not {nameless[0]!r}.")
        return dict(datasets)
    if not all(isinstance(name, str) for name in datasets):
        raise InputError("datasets must be a mapping of names to data, or a list of known names.")
    return {name: fetch_uci(name, return_X_y=True) for name in datasets}


def _prepare(name: str, given: Any, cv: int, n_repeats: int, seed: int) -> _Data:
    if not (isinstance(given, tuple) and len(given) == 2):
        raise InputError(f"The data set {name!r} must be (X, y), or (path, target) of a file.")
    X, y = given
    if isinstance(X, str | os.PathLike):
        table = read_table(X, target=y)
        check_target(table.frame[y], y)
        X, y = table.frame.drop(columns=y), table.frame[y]
    if sparse.issparse(X):
        X = X.tocsr()
    classes, codes = encode_labels(y)
    refuse_measurements(classes, int((codes >= 0).sum()), f"The target of {name!r}")
    if _num_samples(X) != len(codes):
        raise InputError(
            f"The data set {name!r} has {_num_samples(X)} rows, but {len(codes)} labels."
        )
    if (codes < 0).any():
        known = codes >= 0
        X, y = _safe_indexing(X, np.flatnonzero(known)), _safe_indexing(y, np.flatnonzero(known))
        codes = codes[known]
    counts = np.bincount(codes, minlength=len(classes))
    if len(classes) < 2:
        raise InputError(f"The data set {name!r} has fewer than two classes.")
    if counts.min() < cv:
        raise InputError(
            f"The data set {name!r} has {counts.min()} rows of the class "
            f"{classes.tolist()[int(counts.argmin())]!r}, fewer than cv={cv} folds; leave the "
            "class out, or take fewer folds."
        )
    folds = {}
    for repeat in range(n_repeats):
        splitter = StratifiedKFold(cv, shuffle=True, random_state=_seed(seed, name, repeat))
        for fold, (train, test) in enumerate(splitter.split(codes, codes)):
            folds[repeat, fold] = train, test
    digest = _digest(_content(X) + repr(classes[codes].tolist()).encode())
    return _Data(X, classes[codes], classes, codes, folds, digest)


def _content(X: Any) -> bytes:
    """Give bytes that tell tables apart."""
    if sparse.issparse(X):
        return b"".join(part.tobytes() for part in (X.data, X.indices, X.indptr))
    if hasattr(X, "columns"):
        return repr([*map(str, X.columns)]).encode() + repr(X.to_numpy().tolist()).encode()
    return repr(np.asarray(X).tolist()).encode()


def _seed(*parts: Any) -> int:
    """Make a seed of what tells draws apart, the same on every machine."""
    return zlib.crc32(repr(parts).encode()) & 0x7FFFFFFF


def _evaluate(cell: Mapping[str, Any], estimator: Any, data: _Data) -> dict[str, Any]:
    """Fit one method on one training fold, and score it on the test fold."""
    place = tuple(cell[key] for key in ("seed", "dataset", "kind", "noise_rate", "repeat", "fold"))
    train, test = data.folds[cell["repeat"], cell["fold"]]
    X_train, X_test = _safe_indexing(data.X, train), _safe_indexing(data.X, test)
    row: dict[str, Any] = {**dict.fromkeys(_MEASURED), **cell, "versions": _versions()}
    noisy, _ = flip_labels(
        data.labels[train],
        cell["noise_rate"],
        kind=cell["kind"],
        X=X_train if cell["kind"] == "feature_dependent" else None,
        random_state=_seed(*place),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row |= _measure(estimator, X_train, noisy, X_test, data, test, _seed(*place, "fit"))
    except Exception as error:  # Whatever a method may raise is its result.
        message = " ".join(f"{type(error).__name__}: {error}".split())
        row |= {**dict.fromkeys(SCORES), "error": message}
    return row


def _measure(
    estimator: Any,
    X_train: Any,
    y_train: NDArray[Any],
    X_test: Any,
    data: _Data,
    test: NDArray[np.intp],
    seed: int,
) -> dict[str, Any]:
    model = clone(estimator)
    unset = [
        name
        for name, value in model.get_params(deep=True).items()
        if name.split("__")[-1] == "random_state" and value is None
    ]
    model.set_params(**dict.fromkeys(unset, seed))
    before, start = _peak_memory(), time.perf_counter()
    model.fit(X_train, y_train)
    fitted = time.perf_counter()
    peak = _peak_memory()
    predicted = encode_labels(model.predict(X_test), data.classes).codes
    predicted_at = time.perf_counter()
    proba = None
    if hasattr(model, "predict_proba"):
        proba = np.zeros((len(test), len(data.classes)))
        proba[:, encode_labels(model.classes_, data.classes).codes] = model.predict_proba(X_test)
    return {
        **score_predictions(
            data.codes[test],
            predicted,
            proba,
            n_classes=len(data.classes),
            positive=int(np.bincount(data.codes).argmin()),
        ),
        "fit_seconds": fitted - start,
        "predict_seconds": predicted_at - fitted,
        "peak_megabytes": peak - before,
    }


def _peak_memory() -> float:
    """Give the most memory that the process has needed, in MB; NaN where nobody tells."""
    try:
        import resource
    except ImportError:  # Windows has no such module.
        return float("nan")
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


@cache
def _versions() -> str:
    return " ".join(f"{name}={version}" for name, version in used_versions().items())
