"""The data sets of the UCI repository that the papers and Hardy's studies use."""

import csv
import difflib
import hashlib
import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

import pandas as pd
from sklearn import datasets
from sklearn.utils import Bunch

from hardy.datasets._homes import data_homes
from hardy.exceptions import InputError


@dataclass(frozen=True)
class UCISet:
    """What is known of a data set before it is there.

    Attributes
    ----------
    name : str
        Its name.
    folder : str
        The folder of its file, ``<folder>/<name>.csv``.
    n_rows, n_features : int
        Its size.
    counts : dict
        The number of rows of each class, by its label.
    positive : tuple of str
        The labels that the papers take for the positive class; empty where they name none.
    openml_id : int or None
        The number of the same data on OpenML.
    sha256 : str
        The digest of the file.
    licence : str
        As it is commonly given.
    description : str
        What it is about, and what to know of its rows.

    Examples
    --------
    >>> from hardy.datasets import UCISet
    >>> row = {"name": "fruit", "folder": "uci", "rows": "3", "features": "2"}
    >>> row |= {"counts": "apple: 2, plum: 1", "positive": "plum", "openml_id": "", "sha256": ""}
    >>> UCISet.of(row | {"licence": "CC0", "description": "Made up."}).counts
    {'apple': 2, 'plum': 1}
    """

    name: str
    folder: str
    n_rows: int
    n_features: int
    counts: dict[str, int]
    positive: tuple[str, ...]
    openml_id: int | None
    sha256: str
    licence: str
    description: str

    @classmethod
    def of(cls, row: dict[str, str]) -> Self:
        """Read a row of the catalogue."""
        pairs = (pair.split(": ") for pair in row["counts"].split(", "))
        return cls(
            name=row["name"],
            folder=row["folder"],
            n_rows=int(row["rows"]),
            n_features=int(row["features"]),
            counts={label: int(count) for label, count in pairs},
            positive=tuple(row["positive"].split()),
            openml_id=int(row["openml_id"]) if row["openml_id"] else None,
            sha256=row["sha256"],
            licence=row["licence"],
            description=row["description"],
        )


@cache
def uci_sets() -> dict[str, UCISet]:
    """List the data sets that :func:`fetch_uci` knows.

    Returns
    -------
    dict of str to UCISet
        By name.

    Examples
    --------
    >>> from hardy.datasets import uci_sets
    >>> uci_sets()["vehicle"].counts, uci_sets()["vehicle"].positive
    ({'bus': 218, 'opel': 212, 'saab': 217, 'van': 199}, ('saab',))
    """
    text = resources.files("hardy.datasets").joinpath("uci_sets.csv").read_text("utf-8")
    return {row["name"]: UCISet.of(row) for row in csv.DictReader(text.splitlines())}


def fetch_uci(
    name: str,
    *,
    data_home: str | os.PathLike[str] | None = None,
    return_X_y: bool = False,
    as_frame: bool = True,
) -> Any:
    """Load a data set of the UCI repository by its name.

    It is looked for as ``uci/<name>.csv`` (for some sets ``extra/<name>.csv``, see `uci_sets`) or
    ``<name>.csv`` in `data_home`, then in the folder that the environment variable ``HARDY_DATA``
    names, then among scikit-learn's data (``hardy`` in ``sklearn.datasets.get_data_home()``), and
    at last fetched from OpenML, of which scikit-learn keeps a copy. What is found is checked: the
    file by its SHA-256, any data by the numbers of rows, features and rows of each class.

    Parameters
    ----------
    name : str
        One of `uci_sets`.
    data_home : path-like, optional
        A folder of your own to look in first.
    return_X_y : bool, default=False
        Whether to give (data, target) only.
    as_frame : bool, default=True
        Whether data and target are pandas objects, or arrays.

    Returns
    -------
    Bunch
        ``data``, ``target``, ``frame`` (both, with `as_frame`), ``feature_names``,
        ``positive`` (the labels that the papers take for the positive class, in the type of the
        target; empty where they name none), ``source`` (the file, or OpenML's number) and
        ``DESCR``. With `return_X_y` (data, target).

    Raises
    ------
    InputError
        Where the name is unknown (the message names the nearest), the data can't be found or
        fetched (it says where to put the file), or aren't those that were expected.

    Examples
    --------
    >>> from hardy.datasets import fetch_uci
    >>> fetch_uci("pirma")
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: There is no data set 'pirma'; did you mean 'pima'? ...
    """
    known = uci_sets()
    if not isinstance(name, str) or name not in known:
        near = difflib.get_close_matches(str(name).lower(), known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise InputError(f"There is no data set {name!r}{hint} There are {', '.join(known)}.")
    wanted = known[name]
    path = _find_file(wanted, data_home)
    if path is None:
        frame, source = _from_openml(wanted), f"OpenML {wanted.openml_id}"
    else:
        frame, source = _from_file(path, wanted), str(path)
    data: Any = frame.drop(columns="target")
    target: Any = frame["target"]
    if not as_frame:
        data, target = data.to_numpy(), target.to_numpy()
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame if as_frame else None,
        feature_names=frame.columns[:-1].tolist(),
        positive=[label for label in frame["target"].unique() if str(label) in wanted.positive],
        source=source,
        DESCR=f"{wanted.description} Licence: {wanted.licence}.",
    )


def _find_file(wanted: UCISet, data_home: str | os.PathLike[str] | None) -> Path | None:
    file = f"{wanted.name}.csv"
    homes = data_homes(data_home)
    places = [place for home in homes for place in (home / wanted.folder / file, home / file)]
    return next((place for place in places if place.is_file()), None)


def _from_file(path: Path, wanted: UCISet) -> pd.DataFrame:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != wanted.sha256:
        raise InputError(
            f"{path} isn't the file of the data set {wanted.name!r} that Hardy knows: its SHA-256 "
            "differs. Remove or rename it to have the data fetched."
        )
    frame = pd.read_csv(path, na_values=[""], keep_default_na=False)
    _check_counts(frame, wanted, path)
    return frame


def _from_openml(wanted: UCISet) -> pd.DataFrame:
    put = (
        f"Put the file {wanted.folder}/{wanted.name}.csv into a folder, and name the folder by "
        "data_home or the environment variable HARDY_DATA."
    )
    if wanted.openml_id is None:
        raise InputError(
            f"The data set {wanted.name!r} isn't here, and OpenML hasn't the same rows. {put}"
        )
    try:
        bunch = datasets.fetch_openml(data_id=wanted.openml_id, as_frame=True, parser="auto")
    except Exception as error:  # Whatever a network may raise.
        raise InputError(
            f"The data set {wanted.name!r} isn't here and can't be fetched from OpenML "
            f"({type(error).__name__}: {error}). Try again with a network. {put}"
        ) from error
    frame: pd.DataFrame = bunch.data.copy()
    frame["target"] = _rename(bunch.target.astype(str), wanted)
    _check_counts(frame, wanted, f"OpenML's {wanted.openml_id}")
    return frame


def _rename(labels: "pd.Series[str]", wanted: UCISet) -> "pd.Series[Any]":
    """Give the classes the labels that the sets of the papers have: they are told by their size."""
    sizes = Counter(wanted.counts.values())
    by_size = {size: label for label, size in wanted.counts.items() if sizes[size] == 1}
    found = labels.value_counts()
    names = {label: by_size.get(size, label) for label, size in found.items()}
    renamed = labels.map(names)
    return renamed.astype(int) if all(map(_is_integer, set(renamed))) else renamed


def _is_integer(label: str) -> bool:
    return label.removeprefix("-").isdigit()


def _check_counts(frame: pd.DataFrame, wanted: UCISet, place: Any) -> None:
    counts = {str(label): int(n) for label, n in frame["target"].value_counts().items()}
    found = {"rows": len(frame), "features": frame.shape[1] - 1, "rows of each class": counts}
    expected = {
        "rows": wanted.n_rows,
        "features": wanted.n_features,
        "rows of each class": wanted.counts,
    }
    for what, number in expected.items():
        if found[what] != number:
            raise InputError(
                f"{place} isn't the data set {wanted.name!r}: {what}: {found[what]}, not {number}."
            )
