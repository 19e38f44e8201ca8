"""What an audit says of its file, where somebody has changed it."""

import json

import numpy as np
import pandas as pd
import pytest

from hardy.audit import audit_file, clean_file
from hardy.audit.cleaned import NoSourceError
from hardy.exceptions import InputError

GONE = object()
SEPARATORS = [None, True, 5, 1.5, [], {}, "", "ab", '"', "\n", "\0", "é"]
ENCODINGS = [None, True, 5, [], "", "no such encoding", "utf-8\0", "\ud800", "x" * 10_000, GONE]


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    place = tmp_path_factory.mktemp("fish")
    kind = np.arange(40) % 2
    size = (5 * kind + np.random.default_rng(0).normal(size=40)).round(3)
    frame = pd.DataFrame({"size": size, "kind": np.array(["minnow", "shark"])[kind]})
    frame.to_csv(place / "fish.csv", index=False)
    audit_file(place / "fish.csv", "kind", output=place / "audit")
    return place


@pytest.fixture
def say(audited, tmp_path):
    """Let the audit say something else of its file, and give its folder."""

    def say(value, *names):
        document = json.loads((audited / "audit" / "audit.json").read_text(encoding="utf-8"))
        part = document["source"]
        for name in names[:-1]:
            part = part[name]
        part[names[-1]] = value
        if value is GONE:
            del part[names[-1]]
        for file in (audited / "audit").iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / "audit.json").write_text(json.dumps(document), encoding="utf-8")
        return tmp_path

    return say


@pytest.mark.parametrize(
    ("names", "value"),
    [
        *((["reading", "separator"], value) for value in SEPARATORS),
        *((["reading", "encoding"], value) for value in ENCODINGS),
        *((["reading", "decimal"], value) for value in (None, "", "5", GONE)),
        *((["reading", "format"], value) for value in (None, "pickle", [], GONE)),
        (["reading"], {}),
        *(([name], GONE) for name in ("reading", "target", "id", "set_aside")),
        (["annotations"], {}),
        (["annotations"], {"file": "a.csv", "columns": ["row"]}),
    ],
)
def test_facts_by_which_no_file_was_read_are_damage(say, names, value):
    folder = say(value, *names)
    with pytest.raises(InputError, match=r"^The audit is damaged: what it says of its file lacks"):
        clean_file(folder, folder / "clean.csv")
    assert not (folder / "clean.csv").exists()


@pytest.mark.parametrize("path", ["x" * 100_000, "\ud800", "no/such/file"])
def test_paths_that_no_file_has(say, path):
    folder = say(path, "path")
    with pytest.raises(InputError, match=r"can't be read: File name too long|isn't there") as told:
        clean_file(folder, folder / "clean.csv")
    assert isinstance(told.value, NoSourceError) == (len(path) < 100)
