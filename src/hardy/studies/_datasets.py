"""The data sets of a comparison: named, read, checked, and cut into folds."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from hardy._files import naming
from hardy._labels import encode_labels
from hardy.datasets import fetch_uci
from hardy.exceptions import InputError
from hardy.studies.cells import make_seed
from hardy.tabular import TableEncoder, read_labelled_table, refuse_measurements
from hardy.tabular.targets import refuse_other_labels


class Data(NamedTuple):
    """A data set with its classes, and the folds of every repetition."""

    X: Any
    labels: NDArray[Any]
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    folds: dict[tuple[int, int], tuple[NDArray[np.intp], NDArray[np.intp]]]
    # The table in numbers, where the noise depends on it.
    numbers: NDArray[Any] | None
    digest: str


def is_name(name: Any) -> bool:
    """Whether something can stand in a file as the name of a data set or a method."""
    return isinstance(name, str) and name.encode(errors="ignore").decode() == name != ""


def name_datasets(datasets: Mapping[str, Any] | Sequence[str]) -> dict[str, Any]:
    """Give the data sets by their names; known ones are fetched."""
    if isinstance(datasets, str):
        datasets = [datasets]
    if isinstance(datasets, Mapping):
        named = dict(datasets)
        if nameless := [name for name in named if not is_name(name)]:
            raise InputError(f"The name of a data set must be a word, not {nameless[0]!r}.")
    elif isinstance(datasets, Sequence) and all(isinstance(name, str) for name in datasets):
        if twice := [name for at, name in enumerate(datasets) if name in datasets[:at]]:
            raise InputError(f"The data set {twice[0]!r} is named twice.")
        named = {name: fetch_uci(name, return_X_y=True) for name in datasets}
    else:
        raise InputError("datasets must be a mapping of names to data, or a list of known names.")
    if not named:
        raise InputError("There is no data set to compare on.")
    return named


def prepare(
    name: str, given: Any, *, cv: int, n_repeats: int, seed: int, needs_numbers: bool
) -> Data:
    """Read a data set if it is in a file, check it, and cut it into folds.

    Parameters
    ----------
    name : str
        Its name.
    given : tuple
        (X, y), or (path, target).
    cv : int
        The number of folds.
    n_repeats : int
        How often they are drawn.
    seed : int
        Seeds them, together with the name.
    needs_numbers : bool
        Whether the table is wanted in numbers, too.

    Returns
    -------
    Data
        The rows that have a label.
    """
    if not (isinstance(given, tuple) and len(given) == 2):
        raise InputError(f"The data set {name!r} must be (X, y), or (path, target) of a file.")
    X, y = given
    if isinstance(X, str | os.PathLike):
        table = read_labelled_table(X, y)
        X, y = table.features, table.labels
    with naming(f"The data set {name!r}"):
        X = X.tocsr() if sparse.issparse(X) else X
        classes, codes = encode_labels(y)
        refuse_measurements(classes, int((codes >= 0).sum()), "The target")
        refuse_other_labels(classes, "The target")
        if (n := _count_rows(X)) != len(codes):
            raise InputError(f"There are {n} rows, but {len(codes)} labels.")
        if (codes < 0).any():
            known = np.flatnonzero(codes >= 0)
            X, codes = _safe_indexing(X, known), codes[known]
        _check_classes(classes, codes, cv)
        numbers = _encode(X) if needs_numbers else None
    folds = {}
    for repeat in range(n_repeats):
        splitter = StratifiedKFold(cv, shuffle=True, random_state=make_seed(seed, name, repeat))
        for fold, (train, test) in enumerate(splitter.split(codes, codes)):
            folds[repeat, fold] = train, test
    labels = classes[codes]
    fingerprint = digest(_content(X) + repr(labels.tolist()).encode())
    return Data(X, labels, classes, codes, folds, numbers, fingerprint)


def _count_rows(X: Any) -> int:
    try:
        return int(_num_samples(X))
    except TypeError:
        raise InputError(f"X is of the type {type(X).__name__}; give a table.") from None


def _check_classes(classes: NDArray[Any], codes: NDArray[np.intp], cv: int) -> None:
    if len(classes) < 2:
        raise InputError("It has fewer than two classes.")
    counts = np.bincount(codes, minlength=len(classes))
    if (n := int(counts.min())) < cv:
        rarest = classes.tolist()[int(counts.argmin())]
        raise InputError(
            f"It has {n} row{'s' * (n != 1)} of the class {rarest!r}, fewer than cv={cv} folds; "
            "leave the class out, or take fewer folds."
        )


def _encode(X: Any) -> NDArray[Any]:
    """Give a table in numbers."""
    if sparse.issparse(X):
        raise InputError("feature_dependent noise needs a dense table, not a sparse matrix.")
    try:
        numbers: NDArray[Any] = TableEncoder().fit_transform(X)
    except ValueError as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise InputError(f"feature_dependent noise needs a table: {reason}") from error
    return numbers


def _content(X: Any) -> bytes:
    """Give bytes that tell tables apart."""
    if sparse.issparse(X):
        return b"".join(part.tobytes() for part in (X.data, X.indices, X.indptr))
    if hasattr(X, "columns"):
        return repr([*map(str, X.columns)]).encode() + repr(X.to_numpy().tolist()).encode()
    return repr(np.asarray(X).tolist()).encode()


def digest(content: bytes) -> str:
    """Give a few letters that tell contents apart."""
    return hashlib.sha256(content).hexdigest()[:8]
