"""What commands say while they work, on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


def note(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show on standard error that something is going on, if it is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(f"{escape(text)} …"):
        yield
