"""Make the pictures of the guides to review and cleaning: ``python docs/make_pictures.py``.

It needs the extra `review`, Selenium, pre-commit, and Debian's packages chromium and
chromium-driver. What is pictured are real runs of the commands on the example file, and on some
messages that are made up here.
"""

import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).parent
IMAGES = HERE / "images"
EXAMPLE = HERE.parent / "examples" / "breast_cancer.csv"
AUDIT = "breast_cancer.csv.audit"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars "
    "--disable-background-networking --disable-component-update --disable-sync"
)
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #fff; }
pre { display: inline-block; box-sizing: border-box; width: 900px; margin: 0; padding: 18px 22px;
  background: #1b1f23; color: #e9ebed; border-radius: 10px; white-space: pre-wrap;
  font: 14px/1.5 "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
b { color: #6fd3a0; font-weight: 600; } i { color: #a4adb6; font-style: normal; }
</style><pre>%s</pre>"""

FOLDS = """\
import pandas as pd
from hardy import LabelErrorCleaner
from imblearn.pipeline import make_pipeline
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

table = pd.read_csv("breast_cancer.csv")
X, y = table.drop(columns="diagnosis"), table["diagnosis"]
tree = DecisionTreeClassifier(random_state=0)
cleaned = make_pipeline(LabelErrorCleaner(random_state=0), tree)
for name, model in {"tree": tree, "cleaned, tree": cleaned}.items():
    print(name, cross_val_score(model, X, y, cv=5).mean().round(3))
"""


def run(command: str, most: int = 40) -> str:
    """Run a command as in a terminal; give it, what it printed, and its status if it isn't 0."""
    # Piped as in a terminal of this width, without colours.
    settings = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=settings, check=False
    )
    printed = re.sub(r"\n?.*━.*", "", done.stdout + done.stderr).strip("\n")
    lines = [line.rstrip() for line in printed.split("\n")]
    if len(lines) > most:
        lines = [*lines[:most], "…"]
    text = f"<b>$ {html.escape(command)}</b>\n{html.escape(chr(10).join(lines))}\n"
    return text + (f"<i># exit status {done.returncode}</i>\n" if done.returncode else "")


class Browser:
    """A window of Chromium."""

    def __init__(self, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in [*FLAGS.split(), f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver"))
        )

    def look(self, address: str, width: int, height: int, scheme: str = "light") -> Image.Image:
        """Open a page in a window of this size, and give what is seen."""
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get(address)
        return self.picture()

    def picture(self) -> Image.Image:
        """Give what is seen."""
        return Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")

    def draw_terminal(self, name: str, text: str) -> None:
        """Write what a terminal shows as a picture."""
        place = Path(tempfile.gettempdir(), f"hardy-terminal-{os.getpid()}.html")
        place.write_text(TERMINAL % text.strip("\n"), encoding="utf-8")
        self.look(place.as_uri(), 900, 800)
        # Only now its height is known.
        height = self.driver.execute_script("return document.querySelector('pre').offsetHeight")
        save(name, self.look(place.as_uri(), 900, height))
        place.unlink()

    def decide(self, *verdicts: str, note: str = "") -> None:
        """Press the buttons of rows, one after the other."""
        for verdict in verdicts:
            before = self.driver.find_element(By.TAG_NAME, "html")
            if note:
                self.driver.find_element(By.NAME, "note").send_keys(note)
            self.driver.find_element(By.CSS_SELECTOR, f"button[value={verdict}]").click()
            self.wait_for_next(before)

    def name(self, person: str) -> None:
        """Tell the page who sits before it."""
        before = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.CSS_SELECTOR, ".who summary").click()
        field = self.driver.find_element(By.NAME, "name")
        field.clear()
        field.send_keys(person)
        self.driver.find_element(By.CSS_SELECTOR, ".who button").click()
        self.wait_for_next(before)

    def wait_for_next(self, before: object) -> None:
        """Wait until another page is there than the one whose root this was."""
        wait = WebDriverWait(self.driver, 60)
        wait.until(lambda page: page.find_element(By.TAG_NAME, "html") != before)
        wait.until(lambda page: page.execute_script("return document.readyState") == "complete")


@contextmanager
def reviewing(folder: str = AUDIT) -> Iterator[str]:
    """Start a review; give the address of its page."""
    command = [sys.executable, "-m", "hardy", "review", folder, "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.wait()


def save(name: str, picture: Image.Image) -> None:
    """Write a picture with so few colours that it stays small."""
    picture.quantize(256, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def draw_review(browser: Browser) -> None:
    """Settle some rows, and picture the pages."""
    with reviewing() as address:
        root = address.partition("?")[0]
        browser.look(address, 1280, 820)
        browser.name("Ada")
        browser.decide(*["label-suggested"] * 9, "keep", *["label-suggested"] * 6)
        browser.name("Bo")
        browser.decide("drop", note="measured twice, see 212")
        browser.decide(*["label-suggested"] * 4)
        # Without the news of the last decision, which fades in.
        here = browser.driver.current_url.partition("?")[0]
        save("review", browser.look(here, 1280, 820))
        save("review_table", browser.look(f"{root}table?state=all", 1280, 820))
        save("review_finish", browser.look(f"{root}finish", 1280, 820))
        phone = [browser.look(here, 360, 800, scheme) for scheme in ("light", "dark")]
        both = Image.new("RGB", (740, 800), "white")
        both.paste(phone[0], (0, 0))
        both.paste(phone[1], (380, 0))
        save("review_narrow", both)
        draw_conflict(browser, root)


def draw_conflict(browser: Browser, root: str) -> None:
    """Decide on a row of which another window has seen less."""
    row = browser.look(f"{root}?state=open", 1280, 480) and browser.driver.current_url
    stale = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.look(row, 1280, 480)
    browser.name("Ada")
    browser.decide("keep")
    browser.name("Bo")
    browser.driver.switch_to.window(stale)
    browser.decide("drop")
    save("review_conflict", browser.picture())


def draw_again(browser: Browser) -> None:
    """Audit again with what is settled, and picture the page meanwhile and after it."""
    with reviewing() as address:
        browser.look(address, 1280, 820)
        before = browser.driver.find_element(By.TAG_NAME, "html")
        browser.driver.find_element(By.CSS_SELECTOR, "form[action='/again'] button").click()
        browser.wait_for_next(before)
        waiting = browser.picture().crop((0, 0, 1280, 330))
        WebDriverWait(browser.driver, 120).until(
            lambda page: page.find_elements(By.CSS_SELECTOR, "button[value=keep]")
        )
        after = browser.picture().crop((0, 0, 1280, 500))
        both = Image.new("RGB", (1280, 840), "white")
        both.paste(waiting, (0, 0))
        both.paste(after, (0, 340))
        save("review_again", both)


def draw_words(browser: Browser) -> None:
    """Picture a row of text with the words that speak for each label."""
    write_messages(Path("messages.csv"))
    run("hardy audit messages.csv --target team --text message")
    with reviewing("messages.csv.audit") as address:
        save("review_words", browser.look(address, 1280, 820))


def write_messages(path: Path) -> None:
    """Make messages to two teams, of which 12 of 300 were filed with the wrong one."""
    rng = np.random.default_rng(0)
    words = {
        "billing": ["invoice", "refund", "card", "charged", "twice", "amount", "tax", "receipt"],
        "shipping": ["parcel", "courier", "delivery", "address", "late", "damaged", "box", "depot"],
    }
    openings = ["Hello,", "Good morning,", "To whom it may concern:", "Hi there,"]
    fillers = ["my", "order", "the", "about", "please", "was", "still", "help", "customer", "again"]
    wrong = set(rng.choice(300, 12, replace=False).tolist())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["message", "team"])
        for number in range(300):
            team, other = sorted(words, reverse=bool(rng.integers(2)))
            parts = [*rng.choice(words[team], 5), *rng.choice(fillers, 9), rng.choice(words[other])]
            rng.shuffle(parts)
            filed = other if number in wrong else team
            writer.writerow([f"{rng.choice(openings)} {' '.join(parts)}.", filed])


def draw_cleaning(browser: Browser) -> None:
    """Picture the commands that clean and check."""
    plain = run(f"hardy clean {AUDIT} --output cleaned.csv")
    log = run("head -4 cleaned.csv.changes.csv")
    changed = run("diff breast_cancer.csv cleaned.csv | grep '^[<>]' | head -4 | cut -d, -f1-3,31")
    browser.draw_terminal("clean", f"{plain}\n{log}\n{changed}")
    auto = run(
        f"hardy clean {AUDIT} --output sure.csv --auto --action relabel --min-precision 0.85"
    )
    weigh = run(f"hardy clean {AUDIT} --output weighed.csv --action weight")
    weights = run("head -4 weighed.csv | cut -d, -f1,2,31-")
    browser.draw_terminal("clean_auto", f"{auto}\n{weigh}\n{weights}")


def draw_checks(browser: Browser) -> None:
    """Picture a check that fails, its summary, and a file that was changed since."""
    shutil.copy(EXAMPLE, "train.csv")
    check = "hardy audit train.csv --target diagnosis --json --fail-over 0.05 > labels.json"
    shown = run(check)
    short = 'import json; s = json.load(open("labels.json")); '
    short += 'print(json.dumps({k: s[k] for k in ("counts", "noise_rate")}, indent=1))'
    summary = run(f"python -c '{short}'")
    browser.draw_terminal("clean_check", f"{shown}\n{summary}")
    mended = EXAMPLE.read_text(encoding="utf-8").replace("malignant", "benign", 1)
    Path("breast_cancer.csv").write_text(mended, encoding="utf-8")
    refused = run(f"hardy clean {AUDIT} --output cleaned.csv")
    shutil.copy(EXAMPLE, ".")
    with reviewing() as address:
        port = address.partition("?")[0].strip("/").rpartition(":")[2]
        used = run(f"hardy review {AUDIT} --port {port}")
    browser.draw_terminal("clean_refused", f"{refused}\n{used}")


def draw_hook(browser: Browser) -> None:
    """Picture a commit that pre-commit stops."""
    hook = HERE.parent / "docs" / "guide" / "cleaning.md"
    settings = re.search(r"```yaml\n(repos:.*?)```", hook.read_text(encoding="utf-8"), re.DOTALL)
    assert settings
    Path("project", "data").mkdir(parents=True)
    place = Path("project")
    place.joinpath(".pre-commit-config.yaml").write_text(
        settings[1].replace("--target label", "--target diagnosis"), encoding="utf-8"
    )
    shutil.copy(EXAMPLE, place / "data" / "train.csv")
    quiet = "git init -q && git add . && pre-commit install >/dev/null"
    subprocess.run(["bash", "-c", quiet], cwd=place, check=True)
    name = "-c user.name=Ada -c user.email=ada@example.org"
    shown = run(f"cd project && git {name} commit -q -m 'New rows'", most=14)
    browser.draw_terminal(
        "clean_hook", shown.replace(f"git {name}", "git").replace("cd project && ", "")
    )


def draw_folds(browser: Browser) -> None:
    """Picture a sampler that cleans within the training folds only."""
    Path("folds.py").write_text(FOLDS, encoding="utf-8")
    browser.draw_terminal("clean_folds", f"{run('cat folds.py')}\n{run('python folds.py')}")


def draw_exports(browser: Browser) -> None:
    """Picture what Label Studio and Argilla get."""
    parts = []
    with reviewing() as address:
        root = address.partition("?")[0]
        browser.look(address, 1280, 820)
        for kind, key in (("label-studio", "data"), ("argilla", "fields")):
            script = f"return fetch('{root}finish/{kind}').then((answer) => answer.text())"
            first = json.loads(browser.driver.execute_script(script))[0]
            values = list(first[key].items())
            first[key] = dict(values[:2]) | dict(v for v in values if v[0].startswith("hardy"))
            lines = [f' "{k}": {json.dumps(v, ensure_ascii=False)}' for k, v in first.items()]
            text = html.escape("{\n" + ",\n".join(lines) + "\n}")
            title = f"<b>breast_cancer.{kind}.json</b><i>: its first item, with 2 of 30 columns</i>"
            parts.append(f"{title}\n{text}\n")
    browser.draw_terminal("clean_exports", "\n".join(parts))


def main() -> None:
    """Make all pictures in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        shutil.copy(EXAMPLE, ".")
        run("hardy audit breast_cancer.csv --target diagnosis")
        browser = Browser(Path(place, "profile"))
        try:
            draw_review(browser)
            draw_cleaning(browser)
            draw_exports(browser)
            draw_checks(browser)
            draw_hook(browser)
            draw_folds(browser)
            draw_words(browser)
            draw_again(browser)
        finally:
            browser.driver.quit()
            os.chdir(HERE)


if __name__ == "__main__":
    main()
