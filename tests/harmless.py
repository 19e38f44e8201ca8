"""Values that elsewhere would be formulas, pages or orders, and those who would follow them."""

import csv
import io
from html.parser import HTMLParser

HTML = "<img src=x onerror=alert(1)> \"&'<script>alert(1)</script>"
# The last one is none before its line end is taken for that of a row.
FORMULAS = (
    '=HYPERLINK("http://evil.example")',
    "+1+1<script>alert(1)</script>",
    "-cmd|'/C calc'!A0",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "a\r=1+1",
)
# May be the name of a file, too.
TERMINAL = "\x1b]0;owned\x07\x1b[31m[red]:bomb:\u202e"


class Tags(HTMLParser):
    """The names of the elements of a page, and of all of their attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def assert_harmless_page(text):
    """Nothing of a page comes from values."""
    page = Tags(text)
    assert not page.tags & {"img", "evil", "b-evil"}
    assert not any(name.startswith("on") for name in page.attributes)
    assert "<script>alert" not in text


def assert_harmless_csv(text):
    """No cell is a formula, wherever rows may be thought to end; gives the rows."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for row in rows:
        assert len(row) == len(rows[0])
        for cell in row:
            if cell[:1] in set("=+-@\t\r"):
                float(cell)
    return rows


def assert_harmless_lines(text):
    """A terminal shows all of it and does nothing."""
    assert all(line.isprintable() for line in text.split("\n"))
