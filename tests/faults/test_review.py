"""A review that is killed or interrupted: what it has confirmed is there, once."""

import http.client
import multiprocessing
import re
import signal
import subprocess
import sys
from collections import Counter
from threading import Timer
from urllib.parse import urlencode

import pytest

from faults.conftest import AT_MOST, N_ROWS, TIMES
from hardy.audit import Decisions, load_audit
from hardy.review import serve_review

VERDICTS = ("keep", "drop", "skip")


def serve(folder, file, pipe):
    serve_review(folder, file=file, port=0, started=pipe.send)


class Client:
    """Decides on one row after the other until the server is gone."""

    def __init__(self, address, folder, name):
        self.port, self.token = re.search(r":(\d+)/\?token=(.*)", address).groups()
        self.folder, self.name = folder, name
        self.sent, self.confirmed = [], []

    def decide(self):
        decisions = Decisions(self.folder, load_audit(self.folder))
        for number in range(10_000):
            row, note = number % N_ROWS, f"{self.name}/{number}"
            seen = decisions.latest().get(row)
            form = {"verdict": VERDICTS[number % 3], "note": note}
            form["version"] = 0 if seen is None else seen.number
            self.sent.append(note)
            try:
                if self.post(f"/row/{row + 1}", form) == 303:
                    self.confirmed.append(note)
            except (OSError, http.client.HTTPException):
                return

    def post(self, path, form):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        headers = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Cookie": f"hardy-{self.port}={self.token}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request("POST", path, urlencode(form), headers)
        status = connection.getresponse().status
        connection.close()
        return status


def test_a_review_that_is_killed_at_any_moment_has_what_it_confirmed(here, draw):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["hardy.review.app", "hardy.review.session", "uvicorn"])
    folder, sent, confirmed = here / "fruit.audit", set(), set()
    for attempt in range(TIMES):
        mine, theirs = context.Pipe()
        server = context.Process(target=serve, args=(folder, here / "fruit.csv", theirs))
        server.start()
        client = Client(mine.recv(), folder, attempt)
        killer = Timer(draw.uniform(0, 0.4), server.kill)
        killer.start()
        client.decide()
        killer.join()
        sent.update(client.sent)
        confirmed.update(client.confirmed)
        server.join()
        history = Decisions(folder, load_audit(folder)).history()
        notes = Counter(decision.note for decision in history if "/" in decision.note)
        assert confirmed <= notes.keys() <= sent
        assert set(notes.values()) <= {1}
    assert history[0].person == "Ada"


def test_an_interrupt_ends_a_review_that_was_started_deaf_to_it(here):
    # As in the background of a script; the server of the page listens all the same.
    deaf = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import hardy.__main__ as m"
    options = ["review", "fruit.audit", "--file", "fruit.csv", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{deaf}; m.main()", *options],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http\S+", process.stdout.readline())[0]
        port = int(re.search(r":(\d+)/", address)[1])
        # It answers once its own handlers are there.
        page = http.client.HTTPConnection("127.0.0.1", port)
        page.request("GET", "/static/report.css")
        page.getresponse().read()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=AT_MOST)
    finally:
        process.kill()
    assert (process.returncode, said) == (2, "hardy: interrupted\n")


@pytest.mark.parametrize("is_watched", [False, True])
def test_ctrl_c_ends_a_review_with_one_line(here, is_watched):
    command = [sys.executable, "-m", "hardy", "review", "fruit.audit", "--file", "fruit.csv"]
    process = subprocess.Popen(
        [*command, "--no-browser", "--port", "0"],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http\S+", process.stdout.readline())[0]
        if is_watched:
            # A browser keeps its connection, and another one has said half of what it wants.
            port = int(re.search(r":(\d+)/", address)[1])
            idle = http.client.HTTPConnection("127.0.0.1", port)
            idle.request("GET", "/static/report.css")
            idle.getresponse().read()
            slow = http.client.HTTPConnection("127.0.0.1", port)
            slow.putrequest("POST", "/row/1")
            slow.putheader("Content-Length", "99")
            slow.endheaders()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=AT_MOST)
    finally:
        process.kill()
    assert (process.returncode, said) == (2, "hardy: interrupted\n")
