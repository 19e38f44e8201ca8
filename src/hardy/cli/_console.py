"""What commands say while they work, on standard error."""

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_SECONDS_BETWEEN_LINES = 60


def note(text: str) -> None:
    """Print a line on standard error; names of files can hold control characters, too."""
    print(printable(text), file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print a line on standard output, as `note` does on standard error."""
    print(printable(text))


def show_any_letter() -> None:
    """Print letters that the terminal can't show as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """Replace control characters, which would speak to the terminal and not to the reader."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def literal(text: str) -> str:
    """Give a text in which rich finds no markup, without control characters."""
    from rich.markup import escape

    return escape(printable(text))


def open_closed_streams() -> None:
    """Send nowhere what is written to a standard stream that was closed before the start.

    Early, so that no file takes the stream's number, on which libraries may write.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # A stream of the whole process, as the one that it stands for: nobody closes it.
            # The ignored rules want a block that would.
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115


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

    # A spinner of letters that every terminal can show.
    with Console(stderr=True, emoji=False).status(literal(text), spinner="line"):
        yield


def output_console() -> Any:
    """Give rich's console on standard output; it doesn't end the command when its reader leaves."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            silence_output()

    # A label such as :bomb: is shown as it is.
    return Output(highlight=False, emoji=False)


class _Lines:
    """A line on standard error for what begins, and now and then for how far it is."""

    def __init__(self) -> None:
        self._shown, self._at = "", time.monotonic()

    def show(self, text: str, done: int, total: int) -> None:
        what = text.partition(",")[0]
        if what != self._shown or time.monotonic() > self._at + _SECONDS_BETWEEN_LINES:
            self._shown, self._at = what, time.monotonic()
            note(f"hardy: {text} ({100 * done // max(total, 1)} %)")


@contextmanager
def showing_progress(*, in_lines: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """Show on standard error what is being done: on a terminal, or of long work in lines."""
    if not sys.stderr.isatty():
        yield _Lines().show if in_lines else None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        yield lambda text, done, total: bar.update(
            task, description=printable(text), completed=done, total=total
        )
