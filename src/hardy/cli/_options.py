"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from hardy.exceptions import InputError

COLUMN = "COLUMN"

File = Annotated[
    Path, typer.Argument(help="The table: CSV, TSV, Parquet; gzipped or not.", metavar="FILE")
]
Folder = Annotated[
    Path,
    typer.Argument(help="The folder of an audit, as `hardy audit` wrote it.", metavar="FOLDER"),
]
Moved = Annotated[
    Path | None,
    typer.Option("--file", help="The audited file, if it was moved.", metavar="FILE"),
]
Target = Annotated[str, typer.Option(help="The column of labels.", metavar=COLUMN)]
Drop = Annotated[
    list[str] | None,
    typer.Option(help="A column to leave out; may be repeated.", metavar=COLUMN),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        help="A column to use though it would be set aside; may be repeated.", metavar=COLUMN
    ),
]
Text = Annotated[
    list[str] | None,
    typer.Option(
        help="A column to use as text whatever it looks like; may be repeated.", metavar=COLUMN
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="The file's encoding; by default it is found out.", metavar="NAME"),
]
RandomState = Annotated[
    int,
    typer.Option(help="The seed of all random choices.", min=0, max=2**32 - 1, metavar="SEED"),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        help="How much memory to use at most, such as 500MB or 2GB, Hardy itself included; the "
        "table is then kept on disk.",
        metavar="SIZE",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(help="The number of processes; -1 for all processors.", metavar="N"),
]


def check_share(value: float | None, option: str) -> None:
    """Refuse what is no share; typer's ranges tell who gives nan to give less than 1."""
    if value is not None and not 0 <= value <= 1:
        raise InputError(f"{option} {value:g} must be a share, from 0 to 1.")
