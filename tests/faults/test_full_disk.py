"""A disk that is full, at any moment: one line that says so, and nothing half-written."""

import re
import subprocess

import pytest

from faults.conftest import COMMANDS, TIMES, contents, remove_output

# Where each command may be out of room, from the first bytes to the last file but one.
MOST = {"predict": 400, "clean": 900, "reproduce": 9_000, "compare": 9_000, "fit": 3_000}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_costs_one_line_and_leaves_no_half_of_a_file(here, run_unlucky, draw, name):
    command, before = COMMANDS[name], contents(here)
    for attempt in range(TIMES):
        remove_output(here)
        room = draw.randint(1, MOST.get(name, 9_000)) if attempt else 100
        full = run_unlucky(here, command.arguments, "fill", at=room)
        assert full.status == 2, full.said
        assert len(full.lines) == 1, full.said
        assert re.search("File too large|disk is full|disk I/O error", full.said), full.said
        assert contents(here) == before
        command.check(here / "out")
    assert run_unlucky(here, command.arguments, "none").status == 0
    command.check(here / "out")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KiB, where this process may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    call = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    try:
        done = subprocess.run(call, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("only who may mount a disk can fill one")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("name", ["audit", "audit-on-disk", "fit", "compare"])
def test_a_small_disk_costs_one_line_and_is_as_empty_as_before(here, run_unlucky, small_disk, name):
    (small_disk / "taken").write_bytes(bytes(60 * 1024))
    arguments = [str(small_disk / "out") if x == "out" else x for x in COMMANDS[name].arguments]
    full = run_unlucky(here, arguments, "none")
    assert (full.status, len(full.lines)) == (2, 1), full.said
    assert "No space left on device" in full.said
    assert {path.name for path in small_disk.iterdir()} <= {"taken", "out"}
    COMMANDS[name].check(small_disk / "out")
    (small_disk / "taken").unlink()
