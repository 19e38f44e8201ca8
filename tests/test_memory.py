"""What a process holds is what it holds now, not what it has held once."""

import numpy as np
import pytest

import hardy
from hardy import _memory
from hardy.audit import audit_file
from hardy.fitting import fit_file

MEGABYTE = 1_000_000


@pytest.fixture
def given_back():
    """Have a process that has held much more than it holds now, and its peak."""
    if not _memory.resident_memory():
        pytest.skip("what a process holds now can't be told here")
    much = np.ones(1000 * MEGABYTE // 8)
    assert _memory.held_memory() > much.nbytes
    del much
    return _memory.peak_memory()


def test_what_was_given_back_is_not_held(given_back):
    assert _memory.held_memory() < given_back - 900 * MEGABYTE


@pytest.mark.filterwarnings("ignore:The estimated noise rate")
def test_a_limit_is_not_refused_for_what_was_given_back(given_back, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "fish.csv"
    rows = [f"{step / 50:.2f},{step % 2}" for step in range(200)]
    path.write_text("\n".join(["size,kind", *rows]))
    stump = hardy.DecisionStumpClassifier()
    fit_file(path, "kind", stump, output=tmp_path / "fish.hardy", memory_limit=given_back)
    audit_file(path, "kind", output=tmp_path / "fish.audit", memory_limit=given_back)


def test_the_peak_stands_in_where_the_present_is_unknown(monkeypatch):
    monkeypatch.setattr(_memory, "resident_memory", lambda: 0)
    assert _memory.held_memory() == _memory.peak_memory()
