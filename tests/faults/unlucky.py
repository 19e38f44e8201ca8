"""Hardy's command line, run again and again, each time with another misfortune.

Reads lines of JSON from standard input, such as ``{"folder": "/tmp/here", "arguments": ["audit",
"a.csv"], "fault": "kill", "at": 5}``. For each one it runs the command in a process of its own, in
the folder, and prints a line of JSON: the exit status, how often something in the folder was
touched, what was said on standard error, and the seconds from Ctrl-C, or the start, to the end.

none: nothing happens
kill: without warning, when something in the folder is touched for the `at`-th time
interrupt: Ctrl-C, after `at` seconds
interrupt_at_touch: Ctrl-C, when something in the folder is touched for the `at`-th time
fill: no file may grow beyond `at` bytes, as on a full disk
remove: the file `path` vanishes when something in the folder is touched for the `at`-th time
bar: what its mode forbids is forbidden to the administrator too
jump: the time of day is another one, years before or after, whenever it is asked for
"""

import ctypes
import json
import mmap
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

# Loaded once, so that each run takes a fraction of a second.
import matplotlib.pyplot  # noqa: F401
import skrub  # noqa: F401
import uvicorn  # noqa: F401

import hardy.audit._asking
import hardy.audit.cleaned
import hardy.audit.files
import hardy.cli
import hardy.onnx
import hardy.review.app
import hardy.review.session
import hardy.saving
import hardy.studies
from hardy import AdaBoostClassifier  # noqa: F401
from hardy.__main__ import main as hardy_main
from hardy.panel import TreesOpinion
from hardy.studies.nr_boosting import NoiseReducingBoosting

_EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
_EVENTS |= {"tempfile.mkstemp", "tempfile.mkdtemp", "sqlite3.connect"}
# Linux's numbers: the version of its structures, and reading and writing whatever the mode says.
_CAPABILITIES, _WHATEVER_THE_MODE = 0x20080522, 0b110
_DECADES = 10**9


def make_small() -> None:
    """Leave two cells of the studies, and of the panel a few trees unless much was asked for."""
    if "HARDY_KILLS" not in os.environ:
        hardy.audit._asking.members_for = lambda views: [TreesOpinion(3, n_estimators=10)]
    cells = [
        cell
        for cell in NoiseReducingBoosting().cells(quick=True)
        if cell["method"] == "pp_boosting" and cell["dataset"] == "twonorm"
    ][:2]
    NoiseReducingBoosting.cells = lambda self, quick: cells


def arrange(asked: dict[str, Any], told: mmap.mmap) -> None:
    """Prepare the misfortune in the process of the command."""
    kind, at, touched = asked["fault"], asked.get("at"), 0

    def watch(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal touched
        if event not in _EVENTS or not any(asked["folder"] in str(fact) for fact in facts):
            return
        touched += 1
        told[1:] = touched.to_bytes(len(told) - 1)
        if touched == at and kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if touched == at and kind == "interrupt_at_touch":
            os.kill(os.getpid(), signal.SIGINT)
        if touched == at and kind == "remove":
            with suppress(FileNotFoundError):
                Path(asked["path"]).unlink()

    sys.addaudithook(watch)
    if kind == "fill":
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (at, at))
    if kind == "bar" and os.getuid() == 0:
        obey_modes()
    if kind == "jump":
        now, draw = time.time, random.Random(at)
        time.time = lambda: now() + draw.uniform(-_DECADES, _DECADES)
        time.time_ns = lambda: int(1e9 * time.time())


def obey_modes() -> None:
    """Take from this process what only an administrator may do with files."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    # Effective, permitted and inheritable: the lower halves first.
    held = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, held) == 0
    for place in range(3):
        held[place] &= ~_WHATEVER_THE_MODE
    assert libc.capset(header, held) == 0


def live(asked: dict[str, Any], said: int, told: mmap.mmap) -> None:
    """Run the command in this process, and end it."""
    status: Any = 1
    try:
        os.chdir(asked["folder"])
        sys.argv = ["hardy", *asked["arguments"]]
        os.dup2(said, 2)
        # The one that is there remembers what kind of file it was.
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        arrange(asked, told)
        told[0] = 1
        hardy_main()
        status = 0
    except SystemExit as error:
        status = error.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status or 0)


def run(asked: dict[str, Any]) -> dict[str, Any]:
    """Run the command in a process of its own, and say what came of it."""
    # A pipe, and memory in common: no limit of files is theirs.
    said, saying = os.pipe()
    told = mmap.mmap(-1, 9)
    child = os.fork()
    if not child:
        live(asked, saying, told)
    os.close(saying)
    begun = time.monotonic()
    if asked["fault"] == "interrupt":
        while not told[0]:
            time.sleep(0.001)
        time.sleep(asked["at"])
        begun = time.monotonic()
        # Its number is its own even where it has ended: nobody has waited for it yet.
        os.kill(child, signal.SIGINT)
    with open(said, errors="replace") as reader:  # noqa: PTH123
        words = reader.read()
    _, status = os.waitpid(child, 0)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "touched": int.from_bytes(told[1:]),
        "said": words,
        "seconds": time.monotonic() - begun,
    }


def main() -> None:
    """Run a command for each line that comes in."""
    make_small()
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
