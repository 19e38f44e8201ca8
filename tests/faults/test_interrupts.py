"""Ctrl-C at any moment: one line, soon, and what was finished is there."""

import subprocess
import sys

import pytest

from faults.conftest import AT_MOST, COMMANDS, TIMES, contents, remove_output


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_interrupted_ends_with_one_line(
    here, run_unlucky, undisturbed, draw, name
):
    command, before = COMMANDS[name], contents(here)
    whole, _ = undisturbed(name)
    # One at least lands while work is under way, however fast the machine is.
    under_way = run_unlucky(here, command.arguments, "interrupt_at_touch", at=whole.touched // 2)
    assert (under_way.status, under_way.lines) == (2, ["hardy: interrupted"]), under_way.said
    assert contents(here) == before
    command.check(here / "out")
    for _ in range(TIMES):
        remove_output(here)
        # Not before the first line of the program runs.
        at = draw.uniform(0.01, whole.seconds)
        ended = run_unlucky(here, command.arguments, "interrupt", at=at)
        if ended.status == 0:
            # It came too late, and the command was done.
            assert "interrupted" not in ended.said
        else:
            assert (ended.status, ended.lines) == (2, ["hardy: interrupted"]), ended.said
        assert ended.seconds < AT_MOST
        assert contents(here) == before
        command.check(here / "out")
    assert run_unlucky(here, command.arguments, "none").status == 0
    command.check(here / "out")


DEAF = """
import hashlib, sys, time
from concurrent.futures import ThreadPoolExecutor
import hardy.cli

def say():
    print("working", flush=True)

def work():
    {work}

hardy.cli.main = work
from hardy.__main__ import main
main()
"""
BUSY = {
    "compiled code that lets others run": """
    say()
    hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 10**9)""",
    "interrupts that are lost": """
    class Lost:
        def __del__(self):
            say()
            time.sleep(600)
    Lost()
    time.sleep(600)""",
    "workers that are waited for": """
    def wait():
        say()
        time.sleep(600)
    with ThreadPoolExecutor() as pool:
        pool.submit(wait)
        time.sleep(600)""",
}


@pytest.mark.parametrize("work", BUSY)
def test_what_does_not_listen_is_ended_from_outside(work):
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF.format(work=BUSY[work])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "working\n"
        process.send_signal(2)
        _, said = process.communicate(timeout=AT_MOST)
    finally:
        process.kill()
    assert process.returncode == 2
    assert said == "hardy: interrupted\n"


def test_what_fails_for_an_interrupt_is_no_fault_of_its_own():
    """As :func:`logging.shutdown` releases a lock that the interrupt kept it from taking."""
    code = """
import os, signal
import hardy.cli
def work():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        raise RuntimeError("cannot release un-acquired lock")
hardy.cli.main = work
from hardy.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "hardy: interrupted\n")


def test_one_that_comes_when_all_is_done_is_too_late():
    """Sent by what ends last but one: the interpreter ends of itself."""
    code = """
import atexit, os, signal
import hardy.cli
atexit.register(os.kill, os.getpid(), signal.SIGINT)
class Last:
    def __del__(self, kill=os.kill, me=os.getpid(), interrupt=signal.SIGINT):
        kill(me, interrupt)
last = Last()
hardy.cli.main = lambda: None
from hardy.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_started_deaf_to_ctrl_c_stays_so():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, signal, sys\n"
            "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
            "import hardy.cli\n"
            "hardy.cli.main = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
            "from hardy.__main__ import main\n"
            "main()",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
