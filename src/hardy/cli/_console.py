"""What commands say while they work, on standard error."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def note(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr, flush=True)


def show_any_letter() -> None:
    """Print letters that the terminal can't show as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """Replace control characters, which would speak to the terminal and not to the reader."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def silence_output() -> None:
    """Send the rest of standard output nowhere: its reader left, and a flush at exit would fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show on standard error that something is going on, if it is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape

    # A spinner of letters that every terminal can show.
    with Console(stderr=True).status(escape(text), spinner="line"):
        yield
