"""Commands that are killed: files are whole, what was finished is there, the next run goes on."""

import shutil
import signal

import pytest

from faults.conftest import COMMANDS, OUTPUTS, TIMES, contents, remove_output

# A finished output is renewed when all else is done.
LAST_TOUCHES = 20


@pytest.fixture
def kill(here, run_unlucky):
    """Kill a command when it has touched the folder so often; say whether that was in time."""
    before = contents(here)

    def kill(command, at):
        killed = run_unlucky(here, command.arguments, "kill", at=at)
        # A run that finds a finished one does less, and may end before its time.
        assert killed.status in (-signal.SIGKILL, 0), killed.said
        assert contents(here) == before
        command.check(here / "out")
        return killed.status != 0

    return kill


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_leaves_whole_files_and_the_next_run_goes_on(
    here, kill, run_unlucky, undisturbed, draw, name
):
    command = COMMANDS[name]
    done, _ = undisturbed(name)
    in_time = 0
    for attempt in range(TIMES):
        # Every other time there is nothing yet.
        if attempt % 2 == 0:
            remove_output(here)
        in_time += kill(command, draw.randint(2, done.touched))
    assert in_time
    again = run_unlucky(here, command.arguments, "none")
    assert again.status == 0, again.said
    command.check(here / "out")
    assert (here / "out").exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_finished_stays_whole_while_a_command_that_renews_it_is_killed(
    here, kill, run_unlucky, undisturbed, draw, name
):
    command = COMMANDS[name]
    _, finished = undisturbed(name)

    def finish():
        remove_output(here)
        for output in filter(lambda path: path.exists(), map(finished.joinpath, OUTPUTS)):
            (shutil.copytree if output.is_dir() else shutil.copy)(output, here / output.name)

    finish()
    touched = run_unlucky(here, command.arguments, "none").touched
    in_time = 0
    for _ in range(TIMES):
        finish()
        in_time += kill(command, draw.randint(max(2, touched - LAST_TOUCHES), touched))
        assert (here / "out").exists()
    assert in_time
