"""Where the work of a run is kept that may be cut off."""

import os

import pytest

from hardy._cut_off import working_place
from hardy.exceptions import InputError


def test_a_link_in_the_place_of_the_lock_is_not_written_through(tmp_path):
    victim = tmp_path / "thesis.tex"
    victim.write_text("mine")
    (tmp_path / ".fruit.audit.part").mkdir()
    (tmp_path / ".fruit.audit.part" / "lock").symlink_to(victim)
    with working_place(tmp_path / "fruit.audit", {}):
        pass
    assert victim.read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_a_pipe_in_the_place_of_the_lock_is_refused_at_once(tmp_path):
    (tmp_path / ".fruit.audit.part").mkdir()
    os.mkfifo(tmp_path / ".fruit.audit.part" / "lock")
    with (
        pytest.raises(InputError, match="lock is no regular file"),
        working_place(tmp_path / "fruit.audit", {}),
    ):
        pass
