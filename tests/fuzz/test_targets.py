"""Changed files are taken, or refused in one line; `make fuzz` tries far more of them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.mutations import changed
from fuzz.targets import FOUND, TARGETS, attempt


@pytest.mark.parametrize("target", TARGETS)
def test_whole_files_are_taken(target):
    assert sum(attempt(target, data) for data in TARGETS[target][1]()) >= 1


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_changed_files_are_taken_or_refused_in_one_line(target, data):
    attempt(target, data.draw(changed(TARGETS[target][1]())))


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.*")), ids=lambda path: path.name)
def test_what_was_found_once_does_no_harm(path):
    attempt(path.name.partition(".")[0], path.read_bytes())
