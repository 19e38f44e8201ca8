"""The page of threats names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_page_of_threats_names_is_there():
    page = (ROOT / "docs" / "reference" / "threats.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", page)
    named = [(file, name) for file, name in named if file or name]
    assert len(named) > 20
    last = ""
    for file, name in named:
        last = file or last
        source = (ROOT / last).read_text(encoding="utf-8")
        assert not name or re.search(rf"\b(def|class) {name}\b", source), (last, name)
