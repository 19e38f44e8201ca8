"""The command line: each command is thin, and does nothing that the Python interface can't."""

import platform
from importlib import metadata
from typing import Annotated

import typer

from hardy.cli._app import Commands
from hardy.cli.audit import audit
from hardy.cli.fit import fit
from hardy.cli.predict import predict

_VERSIONS = ("numpy", "scipy", "scikit-learn", "pandas", "numba", "skrub", "skops")

app = typer.Typer(
    name="hardy",
    cls=Commands,
    help="Find wrong labels, and learn in spite of them and of rare classes.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(audit)
app.command()(fit)
app.command()(predict)


def _show_version(wanted: bool) -> None:
    if wanted:
        used = ", ".join(f"{name} {metadata.version(name)}" for name in _VERSIONS)
        print(f"hardy {metadata.version('hardy')} (Python {platform.python_version()}, {used})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show versions and leave."
        ),
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> None:
    """Run the command line."""
    app(prog_name="hardy")
