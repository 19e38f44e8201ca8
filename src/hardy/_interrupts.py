"""Ctrl-C ends a command soon and with one line, at whatever moment it comes."""

import atexit
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

STATUS = 2
# Seconds that a command has for leaving in order.
_PATIENCE = 1.0
_SHOW_CURSOR = "\x1b[?25h"
_is_told = threading.Event()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the program during the block, and nothing end it twice.

    The interrupt is raised as ever, so that what was begun is cleared away. But compiled code may
    not listen for long, a pool of workers waits for the last of them, and what is raised while an
    object is removed is lost: a program that is still there after a moment is ended from another
    thread. What it leaves behind is what one that crashes would leave.

    Yields
    ------
    None
        To the main thread.
    """
    _is_told.clear()
    before = signal.getsignal(signal.SIGINT)
    # Programs in the background are often started deaf to it.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_once)
        sys.unraisablehook = _report_unraisable
        listener, speaker = socket.socketpair()
        speaker.setblocking(False)
        signal.set_wakeup_fd(speaker.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=_end, args=(listener, speaker), daemon=True).start()
        # The interpreter's own end would take it as a reason to die of.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    except KeyboardInterrupt:
        tell()
        sys.exit(STATUS)
    except Exception:
        # Clearing away may fail after an interrupt: a lock is released that was never taken.
        if signal.getsignal(signal.SIGINT) is not _hear_only:
            raise
        tell()
        sys.exit(STATUS)
    finally:
        # The interpreter is about to leave, and would answer with a traceback.
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, _hear_only)


def tell() -> None:
    """Say that the program was interrupted, once."""
    if not _is_told.is_set():
        _is_told.set()
        print("hardy: interrupted", file=sys.stderr, flush=True)


def _raise_once(signal_number: int, _: object) -> NoReturn:
    # A second one would disturb the clearing away.
    signal.signal(signal_number, _hear_only)
    raise KeyboardInterrupt


def _hear_only(*_: object) -> None:
    """Leave the interrupt to the thread that waits for it."""


def _report_unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """Say what was raised where nothing can catch it, but for the interrupt."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)


def _end(listener: socket.socket, speaker: socket.socket) -> None:
    """End the process a while after the interrupt; `speaker` is only kept open."""
    while listener.recv(1) != bytes([signal.SIGINT]):
        pass
    time.sleep(_PATIENCE)
    if sys.stderr is not None and sys.stderr.isatty():
        # Whatever showed progress had hidden it.
        print(_SHOW_CURSOR, end="", file=sys.stderr)
    tell()
    os._exit(STATUS)
