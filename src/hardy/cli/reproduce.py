"""``hardy reproduce``: the published tables of Hardy's methods, recomputed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hardy.cli._console import literal, output_console, say, showing_progress
from hardy.cli._options import Jobs

if TYPE_CHECKING:
    import pandas as pd

_STUDIES = ("nr-boosting", "pruning", "blp", "ih-bagging", "sboost")
_ALL = "all"


def reproduce(
    study: Annotated[
        str,
        typer.Argument(
            help=f"{', '.join(_STUDIES)}, or {_ALL}.",
            metavar="STUDY",
            autocompletion=lambda: [*_STUDIES, _ALL],
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="A minute's worth of it, not the full protocol.")
    ] = False,
    data_home: Annotated[
        Path | None,
        typer.Option(help="A folder in which data sets are looked for first.", metavar="FOLDER"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="The folder, with all one that gets a folder for each study; by default the "
            "study's name and .reproduction, here.",
            metavar="FOLDER",
        ),
    ] = None,
    n_jobs: Jobs = None,
) -> None:
    """Recompute a paper's tables beside the published ones.

    The folder gets the tables, figures and a page that shows both. A run that was cut goes on where
    it stopped. With --quick it takes about a minute; the full protocol can take hours.
    """
    from hardy.studies.reproducing import count_within, find_study, study_names
    from hardy.studies.reproducing import reproduce as recompute

    names = study_names() if study == _ALL else [study]
    folders: dict[str, Path | None] = dict.fromkeys(names, output)
    if study == _ALL and output is not None:
        _make(output)
        folders = {name: output / name for name in names}
    for name in names:
        title = find_study(name).title
        with showing_progress() as progress:
            done = recompute(
                name,
                folders[name],
                quick=quick,
                data_home=data_home,
                n_jobs=n_jobs,
                progress=progress,
            )
        for part, table in done.tables.items():
            _print(table, f"{title}: {part.replace('_', ' ')}")
            if verdict := count_within(table):
                say(f"{verdict}.")
        failed = done.results["error"].dropna()
        if len(failed):
            say(f"{len(failed)} cells failed, the first one with {failed.iloc[0]}")
        say(f"The page with the figures: {done.page}")


def _make(folder: Path) -> None:
    from hardy._files import writing

    with writing(folder, "Choose another folder with --output."):
        folder.mkdir(exist_ok=True)


def _print(table: "pd.DataFrame", title: str) -> None:
    import pandas as pd
    from rich import box
    from rich.measure import Measurement
    from rich.table import Table

    from hardy.studies.reproducing import show

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    for name in table:
        numeric = pd.api.types.is_numeric_dtype(table[name])
        shown.add_column(str(name).replace("_", " "), justify="right" if numeric else "left")
    for row in table.itertuples(index=False):
        shown.add_row(*(literal(show(value)) for value in row))
    console = output_console()
    # The terminal breaks long lines; cut off ones would be lost.
    widest = console.options.update(max_width=1000)
    console.width = max(console.width, Measurement.get(console, widest, shown).maximum)
    console.print(shown)
