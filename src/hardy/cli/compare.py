"""``hardy compare``: which method holds up on a table when training labels are wrong."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hardy.cli._console import literal, output_console, say, showing_progress, working
from hardy.cli._estimators import make_method, method_names
from hardy.cli._options import COLUMN, Drop, Encoding, Jobs, Keep, RandomState, Text
from hardy.exceptions import InputError

if TYPE_CHECKING:
    import pandas as pd

    from hardy.tabular import LabelledTable

_USUAL = "noise-reducing-boost,hardness-bagging,robust-boost,random-forest,logistic-regression"
_KINDS = ("uniform", "class_conditional", "feature_dependent")
_SCORES = ("accuracy", "balanced_accuracy", "geometric_mean", "f1", "log_loss", "brier", "auc")


def _complete_names(incomplete: str) -> list[str]:
    """Complete the last of several names."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in method_names() if name.startswith(last)]


def compare(
    files: Annotated[
        list[Path],
        typer.Argument(help="Tables: CSV, TSV, Parquet; gzipped or not.", metavar="FILE"),
    ],
    target: Annotated[
        str,
        typer.Option(help="The column of labels, of that name in every table.", metavar=COLUMN),
    ],
    drop: Drop = None,
    keep: Keep = None,
    text: Text = None,
    encoding: Encoding = None,
    noise: Annotated[
        str,
        typer.Option(
            help="The shares of training labels to flip, commas between.", metavar="RATES"
        ),
    ] = "0,0.1,0.2,0.3",
    kind: Annotated[
        str,
        typer.Option(
            help=f"The kind of noise: {', '.join(_KINDS[:-1])} or {_KINDS[-1]}.",
            metavar="KIND",
            autocompletion=lambda: list(_KINDS),
        ),
    ] = "uniform",
    estimators: Annotated[
        str,
        typer.Option(
            help="What is compared: some of the estimators below, commas between; by default "
            f"{_USUAL.replace(',', ', ')}.",
            metavar="NAMES",
            show_default=False,
            autocompletion=_complete_names,
        ),
    ] = _USUAL,
    folds: Annotated[int, typer.Option(help="The number of folds.", min=2, metavar="N")] = 5,
    repeats: Annotated[
        int, typer.Option(help="How often folds are drawn.", min=1, metavar="N")
    ] = 1,
    score: Annotated[
        str,
        typer.Option(
            help=f"What is shown: {', '.join(_SCORES[:-1])} or {_SCORES[-1]}.",
            metavar="SCORE",
            autocompletion=lambda: list(_SCORES),
        ),
    ] = "accuracy",
    output: Annotated[
        Path | None,
        typer.Option(
            help="The folder; by default the first file's name and .comparison, here.",
            metavar="FOLDER",
        ),
    ] = None,
    random_state: RandomState = 0,
    n_jobs: Jobs = None,
) -> None:
    """Compare classifiers while labels are flipped on purpose.

    In each fold, labels of the training part are flipped, and the score is taken on the labels of
    the other part as they are. Every fit is kept as soon as it is done: a run that was cut goes on
    where it stopped.
    """
    names = [name.strip() for name in estimators.split(",") if name.strip()]
    if len(set(names)) < len(names):
        raise InputError(f"--estimators {estimators} names a method twice.")
    rates = _read_rates(noise)
    methods = {name: make_method(name) for name in names}

    import pandas as pd

    from hardy.studies import compare_under_noise, mean_scores, rank_methods
    from hardy.studies.scores import check_score
    from hardy.tabular import make_table_classifier

    check_score(score)
    options = {"keep": keep or (), "text": text or ()}
    tables = _read(files, target, drop=drop or (), encoding=encoding, **options)
    folder = Path(f"{files[0].name}.comparison") if output is None else output
    store = folder / "results.csv"
    with _made(folder), showing_progress() as progress:
        results = compare_under_noise(
            {name: make_table_classifier(method, **options) for name, method in methods.items()},
            {
                name: (table.features.drop(columns=[*table.set_aside]), table.labels)
                for name, table in tables.items()
            },
            rates,
            # The ignored type: a word of the user's, which the comparison checks.
            kind=kind,  # type: ignore[arg-type]
            cv=folds,
            n_repeats=repeats,
            store=store,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )
    if results["error"].notna().all():
        raise InputError(
            f"Every fit failed, the first one with {results['error'].iloc[0]} "
            f"Remove {store} to try again."
        )
    means = {rate: mean_scores(results, rate, score) for rate in rates}
    over = f", mean over {len(tables)} tables" if len(tables) > 1 else ""
    _print(
        f"{score.replace('_', ' ')} on true labels{over}",
        pd.DataFrame({rate: frame.mean(skipna=False) for rate, frame in means.items()}),
        digits=3,
    )
    if len(tables) > 1:
        _print("average rank", rank_methods(results, score).T, digits=2)
    _print_what_is_missing(results, means, score)
    _print_what_is_left_out(tables)
    pictures = _draw(results, means, score, folder)
    say(f"Every fit is in {store}; pictures: {', '.join(map(str, pictures))}")


def _read_rates(noise: str) -> list[float]:
    try:
        return [float(part) for part in noise.split(",")]
    except ValueError:
        raise InputError(
            f"--noise {noise} must be numbers with commas between, such as 0,0.1,0.2."
        ) from None


def _read(files: list[Path], target: str, **options: Any) -> dict[str, "LabelledTable"]:
    """Read the tables, by the names of their files."""
    from hardy.datasets import uci_sets
    from hardy.tabular import read_labelled_table

    tables: dict[str, LabelledTable] = {}
    for path in files:
        # Half a character in a name is written as an escape.
        name = path.name.encode(errors="backslashreplace").decode()
        if name in tables:
            raise InputError(f"Two files have the name {name}; rename one of them.")
        if str(path) in uci_sets() and not path.exists():
            raise InputError(
                f"There is no file {path}. In Python, compare_under_noise of hardy.studies takes "
                "the data set of that name."
            )
        with working(f"Reading {path}"):
            tables[name] = read_labelled_table(path, target, **options)
    return tables


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder, and remove it again where nothing came into it."""
    from hardy._files import writing

    with writing(folder, "Choose another folder with --output."):
        folder.mkdir(exist_ok=True)
    try:
        yield
    finally:
        if not any(folder.iterdir()):
            folder.rmdir()


def _print(title: str, numbers: "pd.DataFrame", *, digits: int) -> None:
    """Print a number for each method and noise rate."""
    from rich import box
    from rich.table import Table

    console = output_console()
    console.print(f"[bold]{literal(title)}[/bold]")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("wrong labels in training")
    for rate in numbers:
        table.add_column(f"{100 * float(str(rate)):g} %", justify="right")
    for method, values in numbers.iterrows():
        table.add_row(
            literal(str(method)), *("–" if math.isnan(v) else f"{v:.{digits}f}" for v in values)
        )
    console.print(table)


def _print_what_is_missing(
    results: "pd.DataFrame", means: dict[float, "pd.DataFrame"], score: str
) -> None:
    """Say which methods failed or have no such score, and how that counts."""
    failed = results["error"].notna()
    for (method, name), fits in results[failed].groupby(["method", "dataset"], sort=False):
        n = ((results["method"] == method) & (results["dataset"] == name)).sum()
        error = fits["error"].iloc[0]
        told = f"{method} failed on {name} in {len(fits)} of {n} fits, the first with {error}"
        say(told)
    counts = results[~failed].groupby("method", sort=False)[score].count()
    for method in counts.index[counts == 0]:
        say(f"{method} gives no probabilities, so that it has no {score}.")
    some = next(iter(means.values()))
    if len(some) > 1 and any(frame.isna().any(axis=None) for frame in means.values()):
        print(
            "In the ranks a method is last on the tables on which it failed or has no such score; "
            "its curve is over the others."
        )


def _print_what_is_left_out(tables: dict[str, "LabelledTable"]) -> None:
    from hardy.tabular.aside import tell_set_aside

    for name, table in tables.items():
        if n := table.facts.n_missing:
            rows, were = ("row", "was") if n == 1 else ("rows", "were")
            say(f"{n} {rows} of {name} without a label {were} left out.")
        for sentence in tell_set_aside(table.set_aside, name):
            say(sentence)


def _draw(
    results: "pd.DataFrame", means: dict[float, "pd.DataFrame"], score: str, folder: Path
) -> list[Path]:
    """Draw the curves, and for two tables or more the ranks at each rate."""
    import matplotlib as mpl

    mpl.use("Agg")
    from hardy.studies import RobustnessDisplay, draw_ranks

    displays: dict[str, Any] = {
        "robustness.png": RobustnessDisplay.from_results(results, score=score)
    }
    for rate, frame in means.items():
        if min(frame.dropna(how="all").shape) > 1:
            displays[f"ranks_{rate:g}.png"] = draw_ranks(results, rate, score)
    return [_save(display, folder / name) for name, display in displays.items()]


def _save(display: Any, path: Path) -> Path:
    from hardy._files import atomic_write

    with atomic_write(path, "wb") as file:
        display.figure_.savefig(file, format="png", dpi=150)
    return path
