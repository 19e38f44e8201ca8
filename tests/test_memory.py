import sys

import numpy as np
import pytest

from hardy import _memory


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process holds now")
def test_what_was_given_back_is_not_held():
    before = _memory.held_memory()
    rows = np.ones(30_000_000)
    assert _memory.held_memory() - before > 200_000_000
    del rows
    assert abs(_memory.held_memory() - before) < 40_000_000
    assert _memory.peak_memory() - before > 200_000_000


def test_the_peak_stands_in_where_nothing_else_is_known(monkeypatch):
    monkeypatch.setattr(_memory, "resident_memory", lambda: 0)
    assert _memory.held_memory() == _memory.peak_memory()
