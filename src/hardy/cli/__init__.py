"""The command line: each command is thin, and does nothing that the Python interface can't."""

from typing import Annotated

import typer

from hardy._versions import used_versions
from hardy.cli._app import Commands
from hardy.cli.audit import audit
from hardy.cli.clean import clean
from hardy.cli.compare import compare
from hardy.cli.fit import fit
from hardy.cli.predict import predict
from hardy.cli.reproduce import reproduce
from hardy.cli.review import review

app = typer.Typer(
    name="hardy",
    cls=Commands,
    help="Find wrong labels, and learn in spite of them and of rare classes.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(audit)
app.command()(clean)
app.command()(compare)
app.command()(fit)
app.command()(predict)
app.command()(reproduce)
app.command()(review)


def _show_version(wanted: bool) -> None:
    if wanted:
        versions = used_versions()
        first = f"hardy {versions.pop('hardy')} (Python {versions.pop('python')}"
        print(", ".join([first, *(f"{name} {number}" for name, number in versions.items())]) + ")")
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
