"""Commands that are killed: files are whole, what was finished is there, the next run goes on."""

import signal

import pytest

from faults.conftest import COMMANDS, TIMES, contents, remove_output


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_leaves_whole_files_and_the_next_run_goes_on(
    here, run_unlucky, undisturbed, draw, name
):
    command, before = COMMANDS[name], contents(here)
    done, _ = undisturbed(name)
    ended = []
    for attempt in range(TIMES):
        # Every other time there is nothing yet.
        if attempt % 2 == 0:
            remove_output(here)
        at = draw.randint(2, done.touched)
        killed = run_unlucky(here, command.arguments, "kill", at=at)
        # A run that finds a finished one does less, and may end before its time.
        assert killed.status in (-signal.SIGKILL, 0), killed.said
        ended.append(killed.status)
        assert contents(here) == before
        command.check(here / "out")
    assert -signal.SIGKILL in ended
    again = run_unlucky(here, command.arguments, "none")
    assert again.status == 0, again.said
    command.check(here / "out")
    assert (here / "out").exists()
