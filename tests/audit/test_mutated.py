"""The document of an audit, each part of which somebody has changed."""

import json
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest

from hardy.audit import audit_file, clean_file
from hardy.audit.storage import claim_folder
from hardy.exceptions import InputError

MARK = "the place of what is put in"
PIECES = [
    "null", "true", "-1", "1.5", "1e308", "Infinity", "NaN", "-" + "9" * 4000, "9" * 5000,
    '"x"', '"\\ud800"', '"a\\u0000b"', '"<script>"', '"../../../etc/passwd"', f'"{"x" * 100_000}"',
    "[]", "{}", "[[1], {}]", "[" * 900 + "]" * 900, "[" * 50_000, '1, "format": 2, "source": {}',
]  # fmt: skip
STEPS = 3


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    place = tmp_path_factory.mktemp("fish")
    kind, rng = np.arange(60) % 2, np.random.default_rng(0)
    names = np.array(["minnow", "shark"])
    frame = pd.DataFrame(
        {
            "case": [f"F{number:02d}" for number in range(60)],
            "size": (5 * kind + rng.normal(size=60)).round(3),
            "pond": [f"pond {number // 10}" for number in range(60)],
            "kind": names[kind],
            **{one: names[kind ^ (rng.random(60) < 0.2)] for one in ("ann", "bob")},
        }
    )
    frame.loc[[3, 8, *range(20, 30)], "kind"] = "shark"
    frame.to_csv(place / "fish.csv", index=False)
    audit_file(
        place / "fish.csv",
        "kind",
        id="case",
        group="pond",
        annotators=["ann", "bob"],
        output=place / "audit",
    )
    return place


def places(part, before=()):
    """Give the place of each part of a document; of a list, the first two."""
    parts = part.items() if isinstance(part, dict) else ()
    for name, inner in list(enumerate(part))[:2] if isinstance(part, list) else parts:
        yield (*before, name)
        yield from places(inner, (*before, name))


def put(document, place, text):
    """Put JSON, or what is none, into a document; or take a part away."""
    document = deepcopy(document)
    part = document
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = MARK
    if text is None:
        del part[place[-1]]
    return json.dumps(document).replace(json.dumps(MARK), str(text))


@pytest.mark.parametrize("step", range(STEPS + 1))
def test_no_change_of_the_document_is_more_than_one_line(audited, tmp_path, step, monkeypatch):
    # Hundreds of files needn't outlive a loss of power.
    monkeypatch.setattr("hardy._files.os.fsync", lambda _: None)
    document = json.loads((audited / "audit" / "audit.json").read_text(encoding="utf-8"))
    source = {"path": "/other.csv", "sha256": "0" * 64, "target": "kind"}
    for file in (audited / "audit").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    refused = 0
    for number, place in enumerate(places(document)):
        piece = PIECES[(number + step * len(PIECES) // STEPS) % len(PIECES)]
        changed = put(document, place, None if step == STEPS else piece)
        (tmp_path / "audit.json").write_text(changed, encoding="utf-8")
        for use in (
            lambda: clean_file(tmp_path, tmp_path / "clean.csv"),
            lambda: claim_folder(tmp_path, source),
        ):
            try:
                use()
            except InputError as error:
                refused += 1
                assert "\n" not in str(error)  # noqa: PT017 (some changes do no harm)
    assert refused > 20
