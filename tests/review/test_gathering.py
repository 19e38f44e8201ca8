"""Evidence of large files: known by the checksum at once, read while people look."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from hardy.audit import load_audit
from hardy.exceptions import InputError
from hardy.review import gathering
from hardy.review.gathering import Gathering

STILL = "the audit has kept, because the file is still being read"


@pytest.fixture
def gate(monkeypatch):
    """Any file is large, and is read when the gate is opened; `read` counts how often."""
    monkeypatch.setattr(gathering, "READ_AT_ONCE", 0)
    opened = threading.Event()
    opened.read = 0
    read = gathering.read_labelled_table

    def wait(*args, **options):
        opened.read += 1
        assert opened.wait(60)
        return read(*args, **options)

    monkeypatch.setattr(gathering, "read_labelled_table", wait)
    yield opened
    opened.set()


def test_rows_are_shown_and_decided_while_the_file_is_read(serve, fish, gate):
    server = serve(fish / "fish.audit")
    state = server.session.state()
    number = int(state.audit.suspects[0]) + 1
    status, _, text = server.ask(f"/row/{number}")
    assert (status, STILL in text) == (200, True)
    assert "<polygon" in text
    assert server.decide(number, "drop")[0] == 303
    assert len(state.evidence.values) == len(state.audit.values) < 80
    gate.set()
    assert len(state.whole_evidence.values) == 80
    assert STILL not in server.ask(f"/row/{number}")[2]


def test_what_is_read_later_is_what_is_read_at_once(fish, monkeypatch):
    audit = load_audit(fish / "fish.audit")
    at_once = Gathering(audit).now()
    monkeypatch.setattr(gathering, "READ_AT_ONCE", 0)
    later = Gathering(audit).whole()
    pd.testing.assert_frame_equal(at_once.values, later.values)
    assert at_once.missing == later.missing == ""
    row = int(audit.suspects[0])
    assert at_once.pictures(row, 0, 1) == later.pictures(row, 0, 1)


def test_it_is_read_once_whoever_asks(fish, gate):
    gathered = Gathering(load_audit(fish / "fish.audit"))
    assert gate.read == 0
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: gathered.now(), range(40)))
    assert all(evidence.missing for evidence in seen)
    gate.set()
    with ThreadPoolExecutor(8) as pool:
        whole = set(pool.map(lambda _: gathered.whole(), range(40)))
    assert (len(whole), gate.read) == (1, 1)
    assert gathered.now() in whole


def test_a_changed_file_is_refused_before_anything_is_shown(fish, gate):
    with (fish / "fish.csv").open("a") as file:
        file.write("F80,1.0,East,small,minnow\n")
    with pytest.raises(InputError, match="checksum differs"):
        Gathering(load_audit(fish / "fish.audit"))
    assert gate.read == 0


@pytest.mark.parametrize("change", ["gone", "longer", "another"])
def test_a_file_that_changes_before_it_is_read_is_not_shown(serve, fish, gate, change):
    server = serve(fish / "fish.audit")
    path = fish / "fish.csv"
    if change == "gone":
        path.unlink()
    elif change == "longer":
        path.write_text(path.read_text() + "F80,1.0,East,small,minnow\n")
    else:
        path.write_bytes(b"\0")
    gate.set()
    state = server.session.state()
    assert state.whole_evidence.values is state.evidence.values
    number = int(state.audit.suspects[0]) + 1
    text = server.ask(f"/row/{number}")[2]
    assert "has kept, because the file can’t be read any more" in text
    assert server.decide(number, "drop")[0] == 303
    assert server.ask("/finish/table")[0] == 400
    assert len(json.loads(server.ask("/finish/label-studio")[2])) == len(state.audit.suspects)
