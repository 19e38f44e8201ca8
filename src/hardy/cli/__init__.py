"""The command line: each command is thin, and does nothing that the Python interface can't."""

import platform
from typing import Annotated

import typer

from hardy._versions import optional_versions, used_versions
from hardy.cli._app import Commands
from hardy.cli._estimators import estimator_names, method_names
from hardy.cli._help import end_of_help
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
    epilog="`hardy COMMAND --help` says what a command does, with examples.",
    # Boxes would take the width, and cut long words.
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},
    pretty_exceptions_enable=False,
)
_RATE_ABOVE = "1  --fail-over RATE: the estimated noise rate is above RATE"
app.command(epilog=end_of_help("audit", more_status=_RATE_ABOVE))(audit)
app.command(epilog=end_of_help("clean"))(clean)
app.command(epilog=end_of_help("compare", names=method_names()))(compare)
app.command(epilog=end_of_help("fit", names=estimator_names()))(fit)
app.command(epilog=end_of_help("predict"))(predict)
app.command(epilog=end_of_help("reproduce"))(reproduce)
app.command(epilog=end_of_help("review"))(review)


def _show_version(wanted: bool) -> None:
    if wanted:
        versions = used_versions()
        first = f"hardy {versions.pop('hardy')} (Python {versions.pop('python')}"
        print(", ".join([first, *(f"{name} {number}" for name, number in versions.items())]) + ")")
        optional = optional_versions()
        there = [f"{name} {number}" for name, number in optional.items() if number]
        print(f"Extras: {', '.join(there) or 'none'}")
        if missing := [name for name, number in optional.items() if not number]:
            print(f"Not installed: {', '.join(missing)}")
        print(f"On {platform.platform()}")
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
