"""``hardy compare``: which method holds up on a table when training labels are wrong."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hardy.cli._console import output_console, printable, showing_progress
from hardy.cli._estimators import make_method, method_names
from hardy.exceptions import InputError

if TYPE_CHECKING:
    import pandas as pd

_USUAL = "noise-reducing-boost,hardness-bagging,robust-boost,random-forest,logistic-regression"
_SCORES = "accuracy, balanced_accuracy, geometric_mean, f1, log_loss, brier or auc"


def compare(
    files: Annotated[list[Path], typer.Argument(help="Tables: CSV, TSV, Parquet; gzipped or not.")],
    target: Annotated[str, typer.Option(help="The column of labels, of that name in every table.")],
    noise: Annotated[
        str, typer.Option(help="The shares of training labels to flip, commas between.")
    ] = "0,0.1,0.2,0.3",
    kind: Annotated[
        str, typer.Option(help="uniform, class_conditional or feature_dependent noise.")
    ] = "uniform",
    estimators: Annotated[
        str, typer.Option(help=f"Commas between; some of {', '.join(method_names())}.")
    ] = _USUAL,
    folds: Annotated[int, typer.Option(help="The number of folds.", min=2)] = 5,
    repeats: Annotated[int, typer.Option(help="How often folds are drawn.", min=1)] = 1,
    score: Annotated[str, typer.Option(help=f"What is shown: {_SCORES}.")] = "accuracy",
    output: Annotated[
        Path | None,
        typer.Option(help="The folder; by default the first file's name and .comparison, here."),
    ] = None,
    random_state: Annotated[
        int, typer.Option(help="The seed of all random choices.", min=0, max=2**32 - 1)
    ] = 0,
    n_jobs: Annotated[
        int | None, typer.Option(help="The number of processes; all processors with -1.")
    ] = None,
) -> None:
    """Compare classifiers while labels are flipped on purpose; a run that was cut goes on."""
    names = [name.strip() for name in estimators.split(",") if name.strip()]
    if len(set(names)) < len(names):
        raise InputError(f"--estimators {estimators} names a method twice.")
    if len({path.name for path in files}) < len(files):
        raise InputError("Two files have the same name; rename one of them.")
    rates = _read_rates(noise)
    methods = {name: make_method(name) for name in names}

    from hardy.studies import compare_under_noise, mean_scores
    from hardy.studies.scores import SCORES
    from hardy.tabular import make_table_classifier

    if score not in SCORES:
        raise InputError(f"--score {score} is unknown; choose {_SCORES}.")
    folder = Path(f"{files[0].name}.comparison") if output is None else output
    store = folder / "results.csv"
    with _made(folder), showing_progress() as progress:
        results = compare_under_noise(
            {name: make_table_classifier(method) for name, method in methods.items()},
            # Half a character in a name is written as an escape.
            {
                path.name.encode(errors="backslashreplace").decode(): (path, target)
                for path in files
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
        raise InputError(f"Every fit failed, the first one with {results['error'].iloc[0]}")
    means = {rate: mean_scores(results, rate, score) for rate in rates}
    _print_scores(means, score, len(files))
    failures = results.loc[results["error"].notna(), ["method", "error"]].drop_duplicates()
    for method, error in failures.itertuples(index=False):
        print(f"{method} failed: {printable(str(error))}")
    pictures = _draw(results, means, score, folder)
    print(f"Every fit is in {store}; pictures: {', '.join(map(str, pictures))}")


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


def _read_rates(noise: str) -> list[float]:
    try:
        rates = [float(part) for part in noise.split(",")]
    except ValueError:
        raise InputError(
            f"--noise {noise} must be numbers from 0 to 1 with commas between, such as 0,0.1,0.2."
        ) from None
    if len(set(rates)) < len(rates) or not all(0 <= rate <= 1 for rate in rates):
        raise InputError(f"--noise {noise} must be numbers from 0 to 1, each once.")
    return rates


def _print_scores(means: dict[float, "pd.DataFrame"], score: str, n_files: int) -> None:
    from rich import box
    from rich.table import Table

    console = output_console()
    over = f", mean over {n_files} tables" if n_files > 1 else ""
    console.print(f"[bold]{score.replace('_', ' ')}[/bold] on true labels{over}")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("wrong labels in training")
    for rate in means:
        table.add_column(f"{100 * rate:g} %", justify="right")
    for method in next(iter(means.values())).columns:
        values = [frame[method].mean(skipna=False) for frame in means.values()]
        table.add_row(str(method), *("–" if math.isnan(v) else f"{v:.3f}" for v in values))
    console.print(table)


def _draw(
    results: "pd.DataFrame", means: dict[float, "pd.DataFrame"], score: str, folder: Path
) -> list[Path]:
    """Draw the curves, and for two tables or more the ranks at each rate."""
    import matplotlib as mpl

    mpl.use("Agg")
    from hardy.stats import CriticalDifferenceDisplay
    from hardy.studies import RobustnessDisplay
    from hardy.studies.scores import LOWER_IS_BETTER

    displays: dict[str, Any] = {
        "robustness.png": RobustnessDisplay.from_results(results, score=score)
    }
    for rate, frame in means.items():
        complete = frame.dropna(axis=1)
        if len(complete) > 1 and complete.shape[1] > 1:
            displays[f"ranks_{rate:g}.png"] = CriticalDifferenceDisplay.from_scores(
                complete, higher_is_better=score not in LOWER_IS_BETTER
            )
    return [_save(display, folder / name) for name, display in displays.items()]


def _save(display: Any, path: Path) -> Path:
    from hardy._files import atomic_write

    with atomic_write(path, "wb") as file:
        display.figure_.savefig(file, format="png", dpi=150)
    return path
