"""``hardy review``: a local page on which people decide about suspects."""

from typing import Annotated

import typer

from hardy.cli._options import Folder, Moved


def review(
    folder: Folder,
    port: Annotated[
        int,
        typer.Option(help="The port; 0 for any that is free.", min=0, max=65535, metavar="N"),
    ] = 8477,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on; others can reach it if you change it.",
            metavar="ADDRESS",
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open no browser.")
    ] = False,
    file: Moved = None,
) -> None:
    """Decide about the suspects of an audit, on a local page.

    Each suspect is kept, relabelled, dropped, skipped or noted, by keys or with the mouse. Every
    decision is on the disk before the page says so. `hardy clean` applies them.
    """
    from hardy.review import serve_review

    def show(address: str) -> None:
        print(f"Review: {address}\nCtrl-C ends it; every decision is saved at once.", flush=True)
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    serve_review(folder, host=host, port=port, file=file, started=show)
