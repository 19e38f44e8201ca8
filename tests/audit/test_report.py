import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.audit import Finding
from hardy.audit.report import percent, render_report, write_report
from hardy.exceptions import InputError

EVIL = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!--<script>",
    "{{ 7 * 7 }}",
    "a & b",
    "\u2028line",
]


class Page(HTMLParser):
    """The elements of a page with their attributes and text."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.open = []
        self.feed(html)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        is_void = tag in self.VOID
        # The text of what is open is a list of its pieces.
        text = "" if is_void else []
        element = {"tag": tag, "attrs": dict(attrs), "text": text, "inside": [*self.open]}
        self.elements.append(element)
        if not is_void:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append({"tag": tag, "attrs": dict(attrs), "text": "", "inside": [*self.open]})

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        element = self.open.pop()
        assert element["tag"] == tag
        element["text"] = "".join(element["text"])

    def handle_data(self, data):
        for element in self.open:
            element["text"].append(data)

    def find(self, tag, **attrs):
        return [
            element
            for element in self.elements
            if element["tag"] == tag
            and all(element["attrs"].get(name) == value for name, value in attrs.items())
        ]

    def one(self, tag, **attrs):
        (element,) = self.find(tag, **attrs)
        return element

    def within(self, element, tag):
        return [
            one
            for one in self.elements
            if one["tag"] == tag and any(outer is element for outer in one["inside"])
        ]

    def suspect_rows(self):
        return [e for e in self.find("tr") if e["attrs"].get("id", "").startswith("row-")]

    def details(self):
        return json.loads(self.one("script", id="details")["text"])


def evil_audit(make_audit, **changes):
    n = 40
    words = [EVIL[row % len(EVIL)] for row in range(n)]
    return make_audit(
        n=n,
        classes=(EVIL[0], EVIL[1], "plain"),
        values=pd.DataFrame({EVIL[1]: words, "b": words}),
        index=pd.Index(words, name=EVIL[0]),
        source={
            "file": EVIL[1],
            "target": EVIL[0],
            "set_aside": {EVIL[0]: EVIL[1]},
            "command": f"hardy audit {EVIL[0]}",
        },
        **changes,
    )


def test_page_lists_each_suspect_with_its_labels_lines_and_reasons(make_audit):
    audit = make_audit(n_suspects=3)
    page = Page(render_report(audit))
    rows = page.suspect_rows()
    assert [row["attrs"]["id"] for row in rows] == ["row-1", "row-2", "row-3"]
    first = {cell["attrs"].get("class"): cell for cell in page.within(rows[0], "td")}
    assert first["line"]["text"].split() == ["line", "2"]
    assert first["given"]["text"].split() == ["given", "ham"]
    assert first["suggested"]["text"].split() == ["suggested", "spam"]
    assert first["doubt"]["text"].split() == ["doubt", "0.95"]
    for reason in audit.explain(0):
        assert reason.replace("`", "") in first["why"]["text"]
    assert page.within(first["why"], "b")[0]["text"] == "spam"
    assert "3 of 38 labels look wrong" in " ".join(page.one("h1")["text"].split())


def test_details_hold_the_values_of_a_suspect_and_of_its_nearest_rows(make_audit):
    audit = make_audit()
    details = Page(render_report(audit)).details()
    assert details["columns"] == ["size", "word"]
    assert details["near"]["2"] == [3, 4, 5, 6, 7]
    size = audit.values["size"].iloc[4]
    assert details["rows"]["4"] == [5, "ham", f"{size:.6g}", "word 4"]


def test_rows_whose_values_were_not_kept_are_left_out_of_the_details(make_audit):
    audit = make_audit()
    details = Page(render_report(make_audit(values=audit.values.iloc[:5]))).details()
    assert set(details["rows"]) == {"0", "1", "2", "3", "4"}
    assert details["near"]["2"] == [3, 4]


def test_page_asks_for_nothing_from_outside(make_audit):
    html = render_report(make_audit(source={"file": "a.csv", "target": "kind"}))
    page = Page(html)
    for element in page.elements:
        for name in ("src", "href", "xlink:href", "action", "srcset", "data", "poster"):
            value = element["attrs"].get(name, "#")
            assert value.startswith("#") or value == "data:,", (element["tag"], name, value)
        assert "style" not in element["attrs"]
        assert not [name for name in element["attrs"] if name.startswith("on")]
    style = page.one("style")["text"]
    assert "url(" not in style
    assert "@import" not in style
    assert not re.search(r"https?:|(?<![:\w])//\w", html)
    script = next(e for e in page.find("script") if "type" not in e["attrs"])["text"]
    for word in ("fetch", "XMLHttpRequest", "WebSocket", "import(", "sendBeacon", "innerHTML"):
        assert word not in script


def test_policy_lets_only_the_pages_own_script_and_style_run(make_audit):
    page = Page(render_report(evil_audit(make_audit)))
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"})["attrs"]["content"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    scripts = [e for e in page.find("script") if "type" not in e["attrs"]]
    assert len(scripts) == 1
    for element in (scripts[0], page.one("style")):
        digest = base64.b64encode(hashlib.sha256(element["text"].encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_values_cannot_break_out_of_their_cells(make_audit):
    html = render_report(evil_audit(make_audit))
    page = Page(html)
    assert not page.find("img")
    assert len(page.find("script")) == 2
    assert "<script>alert" not in html
    assert "<!--" not in html
    assert "\u2028" not in page.one("script", id="details")["text"]
    rows = page.suspect_rows()
    given = [cell for cell in page.within(rows[0], "td") if cell["attrs"]["class"] == "given"]
    assert EVIL[0] in given[0]["text"]
    assert page.details()["rows"]["4"][2:] == [EVIL[4], EVIL[4]]
    aside = page.one("section", **{"aria-labelledby": "aside-title"})
    assert [cell["text"] for cell in page.within(aside, "td")] == [EVIL[1]]


def words_audit(build, words):
    return build(
        n=12,
        n_suspects=4,
        values=pd.DataFrame({"a": words * 4, "b": words * 4}),
        index=pd.Index(words * 4, name="c"),
        source={"set_aside": dict.fromkeys(["d"], words[0]), "command": words[1]},
    )


def shape_of(page):
    return [(element["tag"], set(element["attrs"])) for element in page.elements]


@pytest.fixture(scope="module")
def plain_shape(build):
    return shape_of(Page(render_report(words_audit(build, ["x", "y", "z"]))))


@given(st.lists(st.text(min_size=1, max_size=30), min_size=3, max_size=3))
def test_shape_of_the_page_does_not_depend_on_the_values(build, plain_shape, words):
    page = Page(render_report(words_audit(build, words)))
    assert shape_of(page) == plain_shape
    assert page.details()["rows"]["1"][2:] == [words[1], words[1]]


def test_other_findings_are_told_with_their_rows(make_audit):
    evil = Finding("label_spelling", f"`{EVIL[0]}` is {EVIL[1]}", np.array([0, 30]), (EVIL[0], "b"))
    many = Finding("label_drift", "From here on.", np.arange(5, 40))
    html = render_report(make_audit(findings=(evil, many)), whole_list="suspects.csv")
    page = Page(html)
    assert not page.find("img")
    assert "<script>alert" not in html
    section = page.one("section", id="findings")
    assert [e["text"] for e in page.within(section, "h3")] == ["Label spelling", "Label drift"]
    assert EVIL[0] in section["text"]
    assert "The first 20 of 35 rows." in section["text"]
    assert "findings.csv" in section["text"]
    first, second = page.within(section, "tbody")
    # Row 1 is a suspect, and linked to.
    assert [e["attrs"]["href"] for e in page.within(first, "a")] == ["#row-1"]
    assert [e["text"] for e in page.within(first, "td")] == ["2", "ham", EVIL[0], "32", "ham", "b"]
    assert len(page.within(second, "tr")) == 20
    following = page.one("section", **{"aria-labelledby": "next-title"})
    assert page.within(following, "a")[0]["attrs"]["href"] == "#findings"
    assert "run hardy review with the folder of this page" in following["text"]


def test_page_with_many_suspects_shows_the_most_doubtful_and_names_the_rest(make_audit):
    audit = make_audit(n=2500, n_suspects=2100)
    page = Page(render_report(audit, whole_list="suspects.csv"))
    assert len(page.suspect_rows()) == 2000
    hint = page.one("p", id="shown")["text"]
    assert hint == ("The 2,000 most doubtful of 2,100 suspects; all of them are in suspects.csv.")
    picture = page.one("svg", id="picture")
    marks = [e for e in page.within(picture, "g") if "data-at" in e["attrs"]]
    assert sorted(int(mark["attrs"]["data-at"]) for mark in marks) == list(range(1000))


def test_picture_draws_every_suspect_and_a_sample_of_the_rest(make_audit):
    page = Page(render_report(make_audit(n=5000, n_suspects=7)))
    picture = page.one("svg", id="picture")
    marks = [e for e in page.within(picture, "g") if "data-at" in e["attrs"]]
    assert len(marks) == 7
    others = page.within(page.one("g", **{"class": "others"}), "use")
    assert len(others) == 2000
    assert [mark["attrs"]["tabindex"] for mark in marks] == ["-1"] * 6 + ["0"]
    assert marks[-1]["attrs"]["aria-label"] == "Row 1: given ham, suggested spam, doubt 0.95"
    for point in others:
        assert 0 <= float(point["attrs"]["x"]) <= 760
        assert 0 <= float(point["attrs"]["y"]) <= 460


def test_picture_is_left_out_where_there_are_no_coordinates(make_audit):
    audit = make_audit(coordinates=np.full((40, 2), np.nan))
    assert not Page(render_report(audit)).find("svg", id="picture")


def test_picture_stands_where_all_rows_are_alike(make_audit):
    page = Page(render_report(make_audit(coordinates=np.ones((40, 2)))))
    others = page.within(page.one("g", **{"class": "others"}), "use")
    assert {(e["attrs"]["x"], e["attrs"]["y"]) for e in others} == {("380.0", "230.0")}


def test_more_classes_than_marks_share_the_last_mark(make_audit):
    audit = make_audit(n=200, classes=tuple(range(20)))
    page = Page(render_report(audit))
    legend = page.one("ul", **{"class": "legend"})
    entries = [" ".join(e["text"].split()) for e in page.within(legend, "li")]
    assert len(entries) == 7 + 1 + 2
    assert entries[7].startswith("13 other classes")


def test_matrix_has_true_classes_down_and_given_classes_across(make_audit):
    matrix = pd.DataFrame([[0.75, 0.25], [0.04, 0.96]])
    page = Page(render_report(make_audit(transition_matrix=matrix)))
    table = page.one("table", **{"class": "matrix"})
    cells = [cell["text"] for cell in page.within(table, "td")]
    assert cells == ["", "75 %", "25 %", "4.0 %", "96 %"]
    axes = [e["text"] for e in page.within(table, "th") if e["attrs"].get("class") == "axis"]
    assert axes == ["given", "true"]


def test_histogram_counts_rows_and_suspects_by_doubt(make_audit):
    # 34 labelled rows at .1; suspects at .95, .90, .85, .80, which begin the bins.
    page = Page(render_report(make_audit()))
    text = page.one("desc")["text"]
    assert "0.10 to 0.15: 34 rows, 0 suspects." in text
    assert sum(int(number) for number in re.findall(r"(\d+) suspects", text)) == 4
    assert "suspects from 0.80" in page.one("text", **{"class": "threshold-name"})["text"]


def test_page_says_so_where_nothing_is_suspect(make_audit):
    page = Page(render_report(make_audit(n_suspects=0, n_unlabelled=0)))
    assert "None of 40 labels looks wrong" in page.one("h1")["text"]
    assert not page.suspect_rows()
    assert not page.find("section", id="unlabelled")
    assert not page.find("line", **{"class": "threshold"})


def test_page_says_why_where_nothing_was_assessed(make_audit):
    audit = make_audit(
        n_suspects=0,
        is_assessable=np.zeros(40, dtype=bool),
        noise_rate=np.nan,
        coordinates=np.empty((0, 2)),
        nearest_rows=np.empty((40, 0), dtype=np.intp),
        opinions={},
        detector_weights=pd.Series(dtype=float),
        note="Fewer than two classes have 3 rows or more.",
    )
    page = Page(render_report(audit))
    assert "No label could be assessed" in page.one("h1")["text"]
    following = page.one("section", **{"aria-labelledby": "next-title"})["text"]
    assert "Fewer than two classes have 3 rows or more." in following


def test_rows_without_a_label_are_listed_with_a_suggestion(make_audit):
    page = Page(render_report(make_audit()))
    section = page.one("section", id="unlabelled")
    cells = [" ".join(cell["text"].split()) for cell in page.within(section, "td")]
    assert cells == ["40", "ham", "90 %", "41", "spam", "90 %"]


def test_classes_that_could_not_be_assessed_are_named(make_audit):
    audit = make_audit(classes=("a", "b", "rare"), n_unlabelled=0)
    is_assessable = audit.given_labels != "rare"
    page = Page(render_report(make_audit(classes=("a", "b", "rare"), n_unlabelled=0,
                                         is_assessable=is_assessable)))  # fmt: skip
    section = page.one("section", **{"aria-labelledby": "classes-title"})
    assert "13 of 13 rows of rare" in section["text"]


def test_page_of_data_in_memory_has_no_lines_and_counts_from_its_first_row(make_audit):
    audit = make_audit(lines=None, first_row=0, index=pd.RangeIndex(40))
    page = Page(render_report(audit))
    headings = [e["attrs"].get("data-key") for e in page.find("th", scope="col")]
    assert "line" not in headings
    assert "id" not in headings
    assert page.suspect_rows()[0]["attrs"]["id"] == "row-0"
    assert "Rows are counted from 0." in page.one("p", id="shown")["text"]


def test_every_table_has_a_caption_and_every_control_a_label(make_audit):
    page = Page(render_report(make_audit()))
    for table in page.find("table"):
        assert page.within(table, "caption")[0]["text"].strip()
    for tag in ("input", "select"):
        for control in page.find(tag):
            assert any(outer["tag"] == "label" for outer in control["inside"])
    ids = [e["attrs"]["id"] for e in page.elements if "id" in e["attrs"]]
    assert len(ids) == len(set(ids))
    for element in page.elements:
        for reference in element["attrs"].get("aria-labelledby", "").split():
            assert reference in ids


def test_audit_writes_its_report(make_audit, tmp_path):
    make_audit().report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == render_report(make_audit())


def test_report_is_not_written_by_halves(make_audit, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("earlier")

    def fail(*_, **__):
        raise RuntimeError("no page")

    monkeypatch.setattr("hardy.audit.report.draw_histogram", fail)
    with pytest.raises(RuntimeError):
        write_report(make_audit(), path)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "earlier"


@pytest.mark.parametrize(
    ("rate", "text"), [(0.1049, "10.5 %"), (0.104, "10.4 %"), (0.0123, "1.2 %"), (0.0, "0 %")]
)
def test_the_noise_rate_has_a_digit_after_the_point(make_audit, rate, text):
    page = Page(render_report(make_audit(noise_rate=rate)))
    figures = [e["text"] for e in page.find("p", **{"class": "figure"})]
    assert figures[1] == text == percent(rate, 1)


def test_the_report_of_data_in_memory_says_what_was_set_aside(make_audit):
    page = Page(render_report(make_audit(source={"set_aside": {"unit": "every value is 1"}})))
    words = page.one("main")["text"]
    assert "unitevery value is 1" in words
    assert "keep=[column] uses one" in words
    assert "--keep" not in words


def test_many_columns_that_were_set_aside_are_one_line_of_the_report(make_audit):
    aside = {"unit": "every value is missing", **{f"e{n}": f"every value is {n}" for n in range(9)}}
    page = Page(render_report(make_audit(source={"set_aside": aside})))
    words = page.one("main")["text"]
    assert "unitevery value is missing" in words
    assert "9 columns: e0, e1, e2 and 6 morethey are constant" in words
    assert "every value is 0" not in words


@pytest.mark.parametrize("place", ["missing/report.html", "file/report.html"])
def test_a_report_needs_a_folder_that_exists(make_audit, tmp_path, place):
    (tmp_path / "file").write_text("")
    path = tmp_path / place
    message = f"{path} can't be made: {path.parent} is no folder. Name a file in a folder"
    with pytest.raises(InputError, match=re.escape(message)):
        make_audit().report(path)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_report_that_cannot_be_written_is_named(make_audit, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "/some/.temporary.part")

    with pytest.raises(InputError, match=r"can't be written \(File name too long\)"):
        make_audit().report(tmp_path / ("long" * 100))
    monkeypatch.setattr("hardy._files.tempfile.mkstemp", refuse)
    with pytest.raises(
        InputError, match=r"a\.html can't be written \(Permission denied\)"
    ) as caught:
        make_audit().report(tmp_path / "a.html")
    assert "temporary" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
