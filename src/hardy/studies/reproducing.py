"""The published studies by name, and the folder that a recomputed one leaves."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from hardy._files import as_path, atomic_write, writing
from hardy._names import say_known
from hardy._steps import Progress
from hardy._validation import refuse_no_jobs
from hardy.exceptions import InputError
from hardy.studies.reproduction import Reproduction

# Each study by the name of the command line: its module and class.
_STUDIES = {
    "nr-boosting": ("nr_boosting", "NoiseReducingBoosting"),
    "pruning": ("pruning", "Pruning"),
    "blp": ("blp", "BoostedLinearPerceptrons"),
    "ih-bagging": ("ih_bagging", "HardnessBagging"),
    "sboost": ("sboost", "SelectiveBoosting"),
}


class Reproduced(NamedTuple):
    """What was computed of a study.

    Attributes
    ----------
    tables : dict of str to DataFrame
        The tables by name, the main one first.
    results : DataFrame
        The finished cells, a row for each.
    page : Path
        The page with the figures.

    Examples
    --------
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> from hardy.studies import Reproduced
    >>> table = pd.DataFrame({"accuracy": [0.97]}, index=["twonorm"])
    >>> made = Reproduced({"table_1": table}, table, Path("index.html"))
    >>> next(iter(made.tables)), made.page.name
    ('table_1', 'index.html')
    """

    tables: dict[str, pd.DataFrame]
    results: pd.DataFrame
    page: Path


def study_names() -> list[str]:
    """List the studies that can be recomputed.

    Returns
    -------
    list of str
        Their names.

    Examples
    --------
    >>> from hardy.studies import study_names
    >>> study_names()
    ['nr-boosting', 'pruning', 'blp', 'ih-bagging', 'sboost']
    """
    return list(_STUDIES)


def find_study(name: str) -> Reproduction:
    """Give a study by its name, or say which are known."""
    if name not in _STUDIES:
        raise InputError(f"There is no study {name!r}; {say_known(name, _STUDIES)}")
    module, study = _STUDIES[name]
    found: Reproduction = getattr(import_module(f"hardy.studies.{module}"), study)()
    return found


def reproduce(
    name: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    data_home: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Reproduced:
    """Recompute the tables and figures of a paper, and put them beside what was published.

    The work is cut into cells, each with a seed of its own. A finished cell is stored at once, so
    that a run that was cut goes on where it was, and a full run goes on from a quick one.

    Parameters
    ----------
    name : {"nr-boosting", "pruning", "blp", "ih-bagging", "sboost"}
        The study.
    folder : path-like, optional
        Where its files are to be: ``cells.csv`` with every finished cell, a CSV file for each
        table, a picture for each figure, and ``index.html`` with all of it. By default the name and
        ``.reproduction``, in the current folder.
    quick : bool, default=False
        Whether to do a small part, of a minute or so, rather than the published protocol.
    data_home : path-like, optional
        A folder in which data sets are looked for first.
    n_jobs : int, optional
        The number of jobs, as in joblib. The tables don't depend on it.
    progress : callable, optional
        Called with what was done, the number of cells done, and their total.

    Returns
    -------
    Reproduced
        The tables, of all cells that are finished, the finished cells, and where the page is.

    Raises
    ------
    InputError
        Where there is no such study, a data set can't be found, the file of finished cells is
        damaged, or the folder can't be written.

    See Also
    --------
    compare_under_noise : Compare methods on data of your own.

    Examples
    --------
    >>> from hardy.studies import reproduce
    >>> reproduce("nr-bosting")
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: There is no study 'nr-bosting'; did you mean 'nr-boosting'? There
    are nr-boosting, pruning, blp, ih-bagging, sboost.
    """
    study = find_study(name)
    refuse_no_jobs(n_jobs)
    place = Path(f"{name}.reproduction") if folder is None else as_path(folder)
    with writing(place, "Choose another folder."):
        place.mkdir(exist_ok=True)
    home = None if data_home is None else str(as_path(data_home))
    store = study.open_store(place / "cells.csv")
    study.run(store, quick=quick, data_home=home, n_jobs=n_jobs, progress=progress)
    finished = [cell for cell in study.cells(quick=False) if cell in store]
    # In the order of the protocol, not that in which they happened to be finished.
    return _write(study, store.select(finished), place, home)


def _write(
    study: Reproduction,
    results: pd.DataFrame,
    folder: Path,
    data_home: str | None,
) -> Reproduced:
    """Write tables, figures and the page; what failed counts for nothing in them."""
    good = results[results["error"].isna()]
    if good.empty:
        raise InputError(f"Every cell failed, the first one with {results['error'].iloc[0]}")
    tables = {
        name: table.round({column: 3 for column in table if "pvalue" not in str(column)})
        for name, table in study.tables(good).items()
    }
    for name, table in tables.items():
        with atomic_write(folder / f"{name}.csv") as file:
            table.to_csv(file, index=False, lineterminator="\n", float_format="%.6g")
    figures = study.figures(good, data_home)
    for name, figure in figures.items():
        with atomic_write(folder / f"{name}.png", "wb") as file:
            figure.savefig(file, format="png", dpi=110)
    page = folder / "index.html"
    environment = Environment(
        loader=PackageLoader("hardy.studies", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    text = environment.get_template("reproduction.html").render(
        study=study,
        about=" ".join((type(study).__doc__ or "").split("\n\n", 1)[-1].split()),
        command=f"hardy reproduce {study.name}",
        versions="; ".join(good["versions"].unique()),
        n_finished=len(results),
        n_cells=len(study.cells(quick=False)),
        n_failed=len(results) - len(good),
        figures=list(figures),
        tables={name: _render(table) for name, table in tables.items()},
    )
    with atomic_write(page) as file:
        file.write(text)
    return Reproduced(tables, results, page)


def count_within(table: pd.DataFrame) -> str:
    """Say in words how many figures agree with the published ones; nothing without such."""
    if "within" not in table or not (table["within"] != "").any():
        return ""
    known = table["within"] != ""
    agree = (table["within"] == "yes").sum()
    return f"{agree} of {known.sum()} figures are within two standard errors of the published ones"


def show(value: Any) -> str:
    """Write a cell of a table for people."""
    if pd.isna(value):
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) >= 0.005 or value == 0 else f"{value:.1e}"
    return str(value)


def _render(table: pd.DataFrame) -> dict[str, Any]:
    return {
        "verdict": count_within(table),
        "columns": [
            {"name": str(name), "is_number": pd.api.types.is_numeric_dtype(table[name])}
            for name in table
        ],
        "rows": [[show(value) for value in row] for row in table.itertuples(index=False)],
    }
