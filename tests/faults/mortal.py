"""Hardy's command line, killed without warning at the n-th time that it touches a file.

``python mortal.py FOLDER ARGUMENT ...`` reads numbers from standard input. For each one it runs the
command, which dies when it has opened, made, renamed or removed something in FOLDER so many times
(0: never), and prints the exit status and how many times there were.
"""

import os
import signal
import sys
from typing import Any

# Loaded once, so that each run takes a fraction of a second.
import hardy.audit.files
import hardy.saving
import hardy.studies  # noqa: F401
from hardy import AdaBoostClassifier  # noqa: F401
from hardy.cli import main as hardy_main

_EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
_EVENTS |= {"tempfile.mkstemp", "tempfile.mkdtemp", "sqlite3.connect"}


def live(last: int, folder: str, arguments: list[str], told: int) -> None:
    """Run the command in this process, and end it."""
    touched = 0

    def watch(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal touched
        if event in _EVENTS and any(folder in str(fact) for fact in facts):
            touched += 1
            if touched == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.argv = ["hardy", *arguments]
    os.dup2(2, 1)
    sys.addaudithook(watch)
    status: Any = 0
    try:
        hardy_main()
    except SystemExit as error:
        status = error.code
    sys.stderr.flush()
    os.write(told, str(touched).encode())
    os._exit(status or 0)


def main() -> None:
    """Run the command once for each number that comes in."""
    folder, *arguments = sys.argv[1:]
    for line in sys.stdin:
        out, into = os.pipe()
        child = os.fork()
        if not child:
            live(int(line), folder, arguments, into)
        os.close(into)
        _, status = os.waitpid(child, 0)
        touched = os.read(out, 99).decode() or "0"
        os.close(out)
        print(os.waitstatus_to_exitcode(status), touched, flush=True)


if __name__ == "__main__":
    main()
