"""A whole review in a real browser, by keyboard and by mouse."""

import os
import shutil
from itertools import pairwise

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium isn't installed")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
TOKEN = "key-of-the-tests"
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="chromium and chromedriver aren't installed"
)
_FLAGS = (
    "--headless --window-size=1280,900 --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
# The contrast of text, by WCAG 2: the ratio of every element that holds text, where its own
# background or that of the nearest element that has one is opaque.
_CONTRASTS = """
const parse = (c) => { const d = document.createElement("canvas").getContext("2d");
  d.fillStyle = c; d.fillRect(0, 0, 1, 1); return [...d.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
return [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() &&
  !e.closest("[disabled]") && !e.closest("svg") &&
  [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => {
    let back = [0, 0, 0, 0];
    for (let box = e; box && back[3] < 255; box = box.parentElement) {
      back = parse(getComputedStyle(box).backgroundColor);
    }
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return [ratio, e.tagName + " " + e.textContent.trim().slice(0, 30)];
  });
"""
_UNNAMED = """
return [...document.querySelectorAll("button, a, input:not([type=hidden]), select, textarea")]
  .filter((e) => !(e.textContent.trim() && !e.matches("select, textarea")) && !e.labels?.length
    && !e.ariaLabel).map((e) => e.outerHTML);
"""


@pytest.fixture
def browser(tmp_path):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in [*_FLAGS.split(), f"--user-data-dir={tmp_path / 'profile'}"]:
        options.add_argument(flag)
    folder = str(tmp_path / "downloads")
    options.add_experimental_option("prefs", {"download.default_directory": folder})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.implicitly_wait(20)
    yield driver
    driver.quit()


@pytest.fixture
def page(browser, server):
    browser.get(f"{server.address}/?token={TOKEN}")
    return browser


def press(page, keys):
    """Press keys, and wait for the page to which they lead."""
    before = page.find_element(By.TAG_NAME, "html")
    page.find_element(By.TAG_NAME, "body").send_keys(keys)
    _wait_for_next(page, before)


def click(page, selector):
    before = page.find_element(By.TAG_NAME, "html")
    page.find_element(By.CSS_SELECTOR, selector).click()
    _wait_for_next(page, before)


def _wait_for_next(page, before):
    WebDriverWait(page, 60).until(lambda p: p.find_element(By.TAG_NAME, "html") != before)
    WebDriverWait(page, 60).until(
        lambda p: p.execute_script("return document.readyState") == "complete"
    )


def title(page):
    return page.find_element(By.TAG_NAME, "h1").text


def progress(page):
    return page.find_element(By.ID, "progress-text").text


def set_screen(page, width, scheme):
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def test_a_key_right_after_a_decision_does_not_lose_it(page, server, wait_for):
    for keys in "kf", "kd":
        webdriver.ActionChains(page, duration=0).send_keys(keys[0]).send_keys(keys[1]).perform()
        wait_for(lambda: "saved=" in page.current_url or page.current_url.endswith("/finish"))
        page.get(server.address)
    row = server.session.state().audit.suspects[0]
    assert server.session.state().decisions.latest()[row].verdict == "keep"


def test_a_whole_review_by_keyboard(page, server, fish, wait_for):
    rows = (server.session.state().audit.suspects + 1).tolist()
    assert "token" not in page.current_url
    assert title(page) == f"Row {rows[0]}"
    press(page, Keys.ARROW_RIGHT)
    assert title(page) == f"Row {rows[1]}"
    press(page, Keys.ARROW_LEFT)
    # A note is typed, in which keys are letters, and then the row is relabelled.
    page.find_element(By.TAG_NAME, "body").send_keys("n")
    page.switch_to.active_element.send_keys("skdr says so", Keys.ESCAPE)
    press(page, "r")
    assert title(page) == f"Row {rows[1]}"
    press(page, "d")
    press(page, "u")
    assert title(page) == f"Row {rows[1]}"
    press(page, "k")
    press(page, "s")
    while "/row/" in page.current_url:
        press(page, "d")
    found = {row + 1: d for row, d in server.session.state().decisions.latest().items()}
    assert [found[row].verdict for row in rows[:3]] == ["relabel", "keep", "skip"]
    assert {found[row].verdict for row in rows[3:]} == {"drop"}
    assert found[rows[0]].note == "skdr says so"
    assert progress(page).startswith(f"{len(rows) - 1} of {len(rows)}; estimated errors left: ")
    page.find_element(By.CSS_SELECTOR, "a[href='/finish/table']").click()
    cleaned = fish.parent / "downloads" / "fish.cleaned.csv"
    wait_for(cleaned.exists)
    wait_for(lambda: cleaned.read_text().count("\n") > 1)
    lines = (fish / "fish.csv").read_text().splitlines(keepends=True)
    dropped = {row for row in rows if found[row].verdict == "drop"}
    expected = [line for at, line in enumerate(lines) if at not in dropped]
    changed = lines[rows[0]]
    swap = {"minnow\n": "shark\n", "shark\n": "minnow\n"}
    label = changed.rpartition(",")[2]
    expected[expected.index(changed)] = changed.removesuffix(label) + swap[label]
    assert cleaned.read_text() == "".join(expected)
    assert page.get_log("browser") == []


def test_a_review_by_mouse_with_search_undo_and_another_audit(page, server):
    rows = (server.session.state().audit.suspects + 1).tolist()
    click(page, "button[value=label-suggested]")
    click(page, ".move form button")
    assert title(page) == f"Row {rows[0]}"
    click(page, "button[value=drop]")
    click(page, "nav a[href^='/table']")
    assert title(page) == f"{len(rows) - 1} rows"
    page.find_element(By.NAME, "search").send_keys(f"F{rows[1] - 1:02d}")
    Select(page.find_element(By.NAME, "state")).select_by_visible_text("All")
    click(page, ".filters button")
    assert title(page) == "1 row"
    click(page, "tbody a")
    assert title(page) == f"Row {rows[1]}"
    click(page, "button[value=keep]")
    click(page, "nav a[href='/finish']")
    assert "1 dropped, 1 kept" in page.find_element(By.CLASS_NAME, "hint").text
    click(page, "form[action='/again'] button")
    WebDriverWait(page, 120).until(lambda p: "/again" not in p.current_url)
    after = server.session.state().audit
    assert not {rows[0] - 1, rows[1] - 1} & set(after.suspects.tolist())
    assert page.get_log("browser") == []


def read_aloud(page):
    """Give what a screen reader has of a page: role, name and properties of each node."""
    page.execute_cdp_cmd("Accessibility.enable", {})
    nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {p["name"]: p["value"].get("value") for p in node.get("properties", ())},
        )
        for node in nodes
        if not node["ignored"]
    ]


def test_a_screen_reader_is_told_what_was_done_and_what_pictures_show(page, server):
    row = int(server.session.state().audit.suspects[0]) + 1
    pictures = page.find_elements(By.CSS_SELECTOR, "svg.outline")
    shown = [name for role, name, _ in read_aloud(page) if role == "image"]
    # The row's label is wrong, so its size is that of the other kind.
    assert shown == ["more usual for the suggested label"] * len(pictures) != []
    press(page, "d")
    saved = f"Saved: row {row} is dropped"
    WebDriverWait(page, 60).until(lambda p: p.find_element(By.ID, "saved").text == saved)
    told = read_aloud(page)
    assert next(has for role, _, has in told if role == "status")["live"] == "polite"
    assert ("link", f"row {row}") in [(role, name) for role, name, _ in told]
    press(page, "f")
    assert title(page).endswith("left to settle")
    assert page.find_element(By.CSS_SELECTOR, "[data-key=c]").text.split()[-1] == "C"


def test_two_windows_do_not_overwrite_each_other(page, server):
    first, address = page.current_window_handle, page.current_url
    page.switch_to.new_window("window")
    page.get(address)
    click(page, "button[value=drop]")
    page.switch_to.window(first)
    click(page, "button[value=keep]")
    assert (
        "dropped this row while you were looking at it"
        in page.find_element(By.CSS_SELECTOR, "[role=alert]").text
    )
    assert [d.verdict for d in server.session.state().decisions.history()] == ["drop"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_every_page_fits_can_be_read_and_names_what_it_holds(page, server, width, scheme):
    rows = (server.session.state().audit.suspects + 1).tolist()
    server.decide(rows[0], "drop", note="a note")
    set_screen(page, width, scheme)
    for path in (f"/row/{rows[0]}", f"/row/{rows[1]}", "/table?state=all", "/finish"):
        page.get(server.address + path)
        if place := os.environ.get("HARDY_SCREENSHOTS"):
            name = path.strip("/").replace("/", "-").partition("?")[0]
            page.save_screenshot(f"{place}/{name}-{width}-{scheme}.png")
        box = "document.documentElement"
        assert page.execute_script(f"return {box}.scrollWidth - {box}.clientWidth") == 0
        poor = [(round(r, 1), what) for r, what in page.execute_script(_CONTRASTS) if r < 4.5]
        assert not poor
        assert page.execute_script(_UNNAMED) == []
        headings = page.execute_script(
            "return [...document.querySelectorAll('h1, h2, h3')].map((h) => +h.tagName[1])"
        )
        assert headings.count(1) == 1
        assert all(b - a <= 1 for a, b in pairwise(headings))
        assert page.get_log("browser") == []


def test_the_keyboard_shows_where_it_is(page):
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert page.switch_to.active_element.text == "Go to the content"
    seen = set()
    for _ in range(40):
        page.switch_to.active_element.send_keys(Keys.TAB)
        focused = page.switch_to.active_element
        seen.add(focused.get_attribute("value"))
        if focused.tag_name != "body":
            outline = "return getComputedStyle(arguments[0]).outlineStyle"
            assert page.execute_script(outline, focused) != "none"
    assert {"keep", "label-suggested", "drop", "skip"} <= seen
