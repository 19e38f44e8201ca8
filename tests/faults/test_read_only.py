"""Folders that can't be written to, and files that can't be read: one line, nothing changed."""

import re

import pytest

from faults.conftest import COMMANDS, contents

REVIEW = ["review", "fruit.audit", "--file", "fruit.csv", "--no-browser", "--port", "0"]


@pytest.fixture
def barred(here):
    """A folder that may only be read."""
    for path in (here / "fruit.audit", here):
        path.chmod(0o555)
    yield here
    for path in (here, here / "fruit.audit"):
        path.chmod(0o755)


@pytest.mark.parametrize("name", [*COMMANDS, "review"])
def test_a_read_only_folder_costs_one_line(barred, run_unlucky, name):
    before = contents(barred)
    arguments = REVIEW if name == "review" else COMMANDS[name].arguments
    refused = run_unlucky(barred, arguments, "bar")
    assert (refused.status, len(refused.lines)) == (2, 1), refused.said
    assert "Permission denied" in refused.said or "can't take decisions" in refused.said
    assert contents(barred) == before
    assert not (barred / "out").exists()


@pytest.mark.parametrize("name", ["audit", "audit-on-disk", "fit", "predict", "clean", "compare"])
def test_a_table_that_may_not_be_read_is_named(here, run_unlucky, name):
    (here / "fruit.csv").chmod(0)
    refused = run_unlucky(here, COMMANDS[name].arguments, "bar")
    assert not (here / "out").exists()
    assert (refused.status, len(refused.lines)) == (2, 1), refused.said
    assert re.search("fruit.csv.* (is not readable|can't be read: Permission denied)", refused.said)
