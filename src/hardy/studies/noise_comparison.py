"""Methods compared as more and more training labels are wrong."""

import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import delayed

from hardy._files import naming
from hardy._labels import encode_labels
from hardy._steps import Progress
from hardy._validation import refuse_no_jobs
from hardy._versions import versions_in_words
from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.noise.injection import NoiseKind
from hardy.studies._datasets import Data, digest, is_name, name_datasets, prepare
from hardy.studies.cells import error_in_words, make_seed, run_cells
from hardy.studies.scores import SCORES, score_predictions
from hardy.studies.store import CellStore

_KEYS = ("dataset", "kind", "noise_rate", "seed", "cv", "repeat", "fold", "method")
_NUMBERS = (*SCORES, "fit_seconds", "predict_seconds", "peak_megabytes")
_MEASURED = (*_NUMBERS, "error", "versions", "fingerprint")


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
    refuse_no_jobs(n_jobs)
    if kind not in get_args(NoiseKind):
        raise InputError(
            f"kind={kind!r} is not a noise model; choose one of {', '.join(get_args(NoiseKind))}."
        )
    data = {
        name: prepare(
            name,
            given,
            cv=int(cv),
            n_repeats=int(n_repeats),
            seed=int(random_state),
            needs_numbers=kind == "feature_dependent",
        )
        for name, given in name_datasets(datasets).items()
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
    digests = {name: digest(_describe(method)) for name, method in methods.items()}
    for cell in cells:
        cell["fingerprint"] = data[cell["dataset"]].digest + digests[cell["method"]]
    stored = None
    if store is not None:
        numbers = [name for name in _KEYS if name not in ("dataset", "kind", "method")]
        stored = CellStore(store, _KEYS, [*_KEYS, *_MEASURED], [*numbers, *_NUMBERS])
        _refuse_other_cells(stored, cells)
    waiting = [cell for cell in cells if stored is None or cell not in stored]
    rows = run_cells(
        [
            delayed(_evaluate)(cell, methods[cell["method"]], data[cell["dataset"]])
            for cell in waiting
        ],
        lambda row: f"{row['method']} on {row['dataset']}",
        stored=stored,
        n_done=len(cells) - len(waiting),
        n_jobs=n_jobs,
        progress=progress,
    )
    new = {_key(row): row for row in rows}
    if stored is not None:
        return stored.select(cells)
    found = pd.DataFrame([new[_key(cell)] for cell in cells], columns=[*_KEYS, *_MEASURED])
    return found.astype(dict.fromkeys(_NUMBERS, np.float64))


def _key(cell: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(cell[key] for key in _KEYS)


def _refuse_other_cells(stored: CellStore, cells: list[dict[str, Any]]) -> None:
    """Refuse a store whose cells of these names are of other data or other settings."""
    held = [cell for cell in cells if cell in stored]
    for cell, earlier in zip(held, stored.select(held)["fingerprint"].fillna(""), strict=True):
        if earlier != cell["fingerprint"]:
            what = "data" if earlier[:8] != cell["fingerprint"][:8] else "settings"
            raise InputError(
                f"{stored.path} holds {cell['method']!r} on {cell['dataset']!r} with other {what}; "
                "have the results written elsewhere, or remove the file."
            )


def _describe(estimator: Any) -> bytes:
    """Tell an estimator's settings; where functions are kept in memory says nothing."""
    parameters = (
        sorted(estimator.get_params(deep=True).items()) if hasattr(estimator, "get_params") else []
    )
    return re.sub(r" at 0x[0-9a-f]+", "", f"{type(estimator).__name__} {parameters!r}").encode()


def _name_methods(estimators: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(estimators, str) or not isinstance(estimators, Mapping | Sequence):
        raise InputError(
            f"estimators is a {type(estimators).__name__}; give a list of estimators, or a mapping "
            "with their names."
        )
    if isinstance(estimators, Mapping):
        methods = dict(estimators)
    else:
        names = [type(estimator).__name__ for estimator in estimators]
        if twice := [name for at, name in enumerate(names) if name in names[:at]]:
            raise InputError(f"Two estimators are {twice[0]}; give a mapping with a name for each.")
        methods = dict(zip(names, estimators, strict=True))
    for name, estimator in methods.items():
        if isinstance(estimator, type):
            raise InputError(
                f"{estimator.__name__} is a class; give an estimator, such as "
                f"{estimator.__name__}()."
            )
        if not (is_name(name) and hasattr(estimator, "fit")):
            raise InputError(f"{name!r}: {estimator!r} is no name with an estimator.")
    if not methods:
        raise InputError("There is no estimator to compare.")
    return methods


def _check_rates(noise_rates: Iterable[float]) -> list[float]:
    try:
        rates = [float(rate) for rate in noise_rates]
    except (TypeError, ValueError):
        rates = []
    if not rates or len(set(rates)) < len(rates) or not all(0 <= rate <= 1 for rate in rates):
        raise InputError(
            f"The noise rates must be numbers from 0 to 1, each once, at least one; this is "
            f"{noise_rates!r}."
        )
    return rates


def _evaluate(cell: Mapping[str, Any], estimator: Any, data: Data) -> dict[str, Any]:
    """Fit one method on one training fold, and score it on the test fold."""
    place = tuple(cell[key] for key in ("seed", "dataset", "kind", "noise_rate", "repeat", "fold"))
    train, test = data.folds[cell["repeat"], cell["fold"]]
    row: dict[str, Any] = {
        **dict.fromkeys(_MEASURED),
        **cell,
        "versions": versions_in_words(),
    }
    with naming(f"The data set {cell['dataset']!r}"):
        noisy, _ = flip_labels(
            data.labels[train],
            cell["noise_rate"],
            kind=cell["kind"],
            X=None if data.numbers is None else data.numbers[train],
            random_state=make_seed(*place),
        )
    try:
        for found in _measure(estimator, data, train, noisy, test, make_seed(*place, "fit")):
            row |= found
    except Exception as error:  # Whatever a method may raise is its result.
        row["error"] = error_in_words(error)
    return row


def _measure(
    estimator: Any,
    data: Data,
    train: NDArray[np.intp],
    y_train: NDArray[Any],
    test: NDArray[np.intp],
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Give what is found, as soon as it is: a method may fail later."""
    X_train, X_test = _safe_indexing(data.X, train), _safe_indexing(data.X, test)
    model = clone(estimator)
    unset = [
        name
        for name, value in model.get_params(deep=True).items()
        if name.split("__")[-1] == "random_state" and value is None
    ]
    model.set_params(**dict.fromkeys(unset, seed))
    before, start = _peak_memory(), time.perf_counter()
    model.fit(X_train, y_train)
    yield {
        "fit_seconds": time.perf_counter() - start,
        "peak_megabytes": _peak_memory() - before,
    }
    start = time.perf_counter()
    labels = model.predict(X_test)
    yield {"predict_seconds": time.perf_counter() - start}
    predicted = encode_labels(labels, data.classes).codes
    if n := int((predicted < 0).sum()):
        raise InputError(f"It predicts no label for {n} of {len(test)} rows.")
    proba = None
    if hasattr(model, "predict_proba"):
        proba = np.zeros((len(test), len(data.classes)))
        proba[:, encode_labels(model.classes_, data.classes).codes] = model.predict_proba(X_test)
    yield score_predictions(
        data.codes[test],
        predicted,
        proba,
        n_classes=len(data.classes),
        positive=int(np.bincount(data.codes).argmin()),
    )


def _peak_memory() -> float:
    """Give the most memory that the process has needed, in MB; NaN where nobody tells."""
    try:
        import resource
    except ImportError:  # Windows has no such module.
        return float("nan")
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
