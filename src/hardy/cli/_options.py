"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[Path, typer.Argument(help="The table: CSV, TSV, Parquet; gzipped or not.")]
Folder = Annotated[Path, typer.Argument(help="The folder of an audit, as `hardy audit` wrote it.")]
Moved = Annotated[Path | None, typer.Option("--file", help="The audited file, if it was moved.")]
Target = Annotated[str, typer.Option(help="The column of labels.")]
Drop = Annotated[list[str] | None, typer.Option(help="A column to leave out; may be repeated.")]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="A column to use though it would be set aside; may be repeated."),
]
Text = Annotated[
    list[str] | None,
    typer.Option(help="A column to use as text whatever it looks like; may be repeated."),
]
Encoding = Annotated[
    str | None, typer.Option(help="The file's encoding; by default it is found out.")
]
RandomState = Annotated[
    int, typer.Option(help="The seed of all random choices.", min=0, max=2**32 - 1)
]
