"""What the page of what was tried says of tests and versions."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def trust():
    path = Path(__file__).parents[1] / "benchmarks" / "trust.py"
    spec = spec_from_file_location("trust", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("last", "status", "told"),
    [
        ("7 passed in 2.14s", 0, "7 passed"),
        ("7 passed, 3 skipped, 1 warning in 125.30s (0:02:05)", 0, "7 passed, 3 skipped"),
        ("3 skipped in 0.10s", 0, "**3 skipped**"),
        ("1 failed, 6 passed in 2.14s", 1, "**1 failed, 6 passed**"),
        ("6 passed, 2 errors in 2.14s", 1, "**6 passed, 2 error**"),
        ("no tests ran in 0.01s", 5, "**1 error**"),
        ("6 passed in 2.14s", 2, "**6 passed, 1 error**"),
    ],
)
def test_tests_that_were_skipped_are_no_success(trust, last, status, told):
    ends = trust.count_ends(f"......s\n{last}\n", status)
    assert trust.tell_ends(ends) == told


def test_versions_are_those_of_each_part(trust):
    old, new = {"versions": {"numpy": "2.3.0"}}, {"versions": {"numpy": "2.4.6"}}
    assert trust.tell_versions({"fuzz": new, "review": new}) == "numpy 2.4.6"
    told = trust.tell_versions({"review": old, "fuzz": new, "test_kills": new, "test_load": old,
                                "test_review": new})  # fmt: skip
    assert told == "numpy 2.4.6; `review`, `test_load` with numpy 2.3.0"


def test_the_page_is_kept_back_until_every_part_was_tried(trust, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(trust, "TRUST", tmp_path / "trust.json")
    monkeypatch.setattr(trust, "PAGE", tmp_path / "trust.md")
    monkeypatch.setattr(trust, "opened", lambda: {"first_page": 0.7, "imports": 1.3})
    monkeypatch.setattr(sys, "argv", ["trust.py", "--only", "review"])
    trust.main()
    assert "waits for fuzz, test_kills" in capsys.readouterr().out
    assert not trust.PAGE.exists()
    ends = {"what": "a kill", "test": "tests/a.py", "ended": {"passed": 2, "skipped": 1}}
    monkeypatch.setattr(trust, "endured", lambda *_: {**ends})
    monkeypatch.setattr(
        trust,
        "fuzzed",
        lambda _: {"seconds": 1, "guide": "None", "targets": {"csv": ["1", "1", 0]}},
    )
    monkeypatch.setattr(sys, "argv", ["trust.py"])
    trust.main()
    page = trust.PAGE.read_text(encoding="utf-8")
    assert "| a kill | `tests/a.py` | 2 passed, 1 skipped |" in page
    assert f"Made by `make trust`; python {sys.version.split()[0]}, numpy" in page
