"""The time of day jumps by decades, back and forth: nothing is found, kept or told otherwise."""

import re
from datetime import UTC, datetime

import pytest

from audit.conftest import build_audit
from faults.conftest import COMMANDS, TIMES, contents, remove_output
from hardy.audit import Decisions, decisions

# When it was made, how long it took and how much memory: different in any two runs.
PASSING = re.compile(
    rb'"created": "[^"]*"|[^"<>]*\d\d:\d\d:\d\d[^"<>]*|\d\d\d\d-\d\d-\d\d \d\d:\d\d'
)


def results(folder):
    """Give what a command has written, but for times and the folder's name."""
    found = {}
    for path in sorted(folder.glob("out*")):
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            found[file.name] = PASSING.sub(b"", file.read_bytes()).replace(bytes(folder), b"")
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_do_the_same_whatever_the_time_of_day(here, run_unlucky, undisturbed, name):
    command, before = COMMANDS[name], contents(here)
    steady, folder = undisturbed(name)
    expected = results(folder)
    for seed in range(max(1, TIMES // 4)):
        remove_output(here)
        jumpy = run_unlucky(here, command.arguments, "jump", at=seed)
        assert (jumpy.status, jumpy.said) == (0, steady.said)
        assert contents(here) == before
        command.check(here / "out")
        found = results(here)
        assert found.keys() == expected.keys()
        if name in ("audit", "audit-on-disk", "predict", "clean"):
            assert found == expected


def test_decisions_keep_their_order_when_the_clock_is_put_back(tmp_path, monkeypatch):
    moments = iter(datetime(year, 1, 1, tzinfo=UTC) for year in (2030, 1999, 2050, 1980))

    class Clock:
        @staticmethod
        def now(zone):
            assert zone is UTC
            return next(moments)

    monkeypatch.setattr(decisions, "datetime", Clock)
    made = Decisions(tmp_path, build_audit())
    made.record(0, "drop", person="Ada")
    made.record(0, "keep", person="Ada")
    made.record(1, "skip", person="Bo")
    assert made.latest()[0].verdict == "keep"
    assert [d.made[:4] for d in made.history()] == ["2030", "1999", "2050"]
    assert made.undo("Ada").verdict == "drop"
    assert made.latest()[0].verdict == "drop"
