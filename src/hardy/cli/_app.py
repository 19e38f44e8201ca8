"""How every command ends: an exit status, and one line where the input or the call was wrong."""

import sys
import warnings
from concurrent.futures import BrokenExecutor
from typing import Any

import typer
from typer.core import TyperGroup

from hardy._interrupts import STATUS, tell
from hardy.cli._console import note, open_closed_streams, show_any_letter, silence_output
from hardy.exceptions import InputError, MissingExtraError

_WRONG = 2
_LONGEST = 4000
# What typer makes of Ctrl-C while it reads the call; older versions abort.
_INTERRUPTED = 130
_UsageError: Any = typer.BadParameter.__base__


class Commands(TyperGroup):
    """The group of all commands; a user's mistake costs one line, not a traceback."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command that the arguments name, and leave with its exit status."""
        options["standalone_mode"] = False
        open_closed_streams()
        show_any_letter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("default", UserWarning)
                warnings.showwarning = _show_warning
                status = super().main(*args, **options)
                if status == _INTERRUPTED:
                    status = _interrupted()
        except typer.Abort:
            status = _interrupted()
        except _UsageError as error:
            command = error.ctx.command_path if error.ctx else "hardy"
            status = _complain(f"{error.format_message()} (see {command} --help)")
        except (InputError, MissingExtraError) as error:
            status = _complain(error)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            status = _complain(f"{place}{error.strerror or error}")
        except MemoryError:
            status = _complain("there is not enough memory for this.")
        except BrokenExecutor:
            status = _complain(
                "a process was killed, perhaps because memory ran short; try fewer with --n-jobs."
            )
        sys.exit(status or 0)

    def invoke(self, ctx: Any) -> None:
        """Run the command; Ctrl-C ends it with one line, and a closed pipe without a word."""
        try:
            super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            silence_output()
        except KeyboardInterrupt:
            raise typer.Exit(_interrupted()) from None


def _interrupted() -> int:
    tell()
    return STATUS


def _complain(message: object) -> int:
    note(f"hardy: {_in_one_line(message)}")
    return _WRONG


def _in_one_line(message: object) -> str:
    """Give a message without line ends, and only both ends of what fills a terminal."""
    line = " ".join(str(message).split())
    half = _LONGEST // 2
    return line if len(line) <= _LONGEST else f"{line[:half]} … {line[-half:]}"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    note(f"hardy: warning: {_in_one_line(message)}")
