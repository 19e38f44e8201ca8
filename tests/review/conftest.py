import http.client
import json
import shutil
import threading
import time
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest

from audit.conftest import build_audit
from hardy.audit import audit_file

pytest.importorskip("starlette", reason="the extra `review` isn't installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra `review` isn't installed")

from hardy.review import server as review_server  # noqa: E402
from hardy.review.app import make_app  # noqa: E402
from hardy.review.security import Guard  # noqa: E402
from hardy.review.session import Session  # noqa: E402

TOKEN = "key-of-the-tests"
WRONG = (4, 9, 21, 30)


def write_fish(path):
    """Two kinds of fish with four labels wrong; a note whose words tell them apart, with script."""
    rng = np.random.default_rng(1)
    kind = np.arange(80) % 2
    words = np.array([["small", "minnow", "brook"], ["large", "shark", "ocean"]])
    frame = pd.DataFrame(
        {
            "case": [f"F{n:02d}" for n in range(80)],
            "size": (1 + 4 * kind + rng.normal(scale=0.3, size=80)).round(3),
            "sea": np.where(rng.random(80) < 0.8, np.array(["East", "North"])[kind], "South"),
            "note": [
                " ".join(
                    [*rng.permutation(words[k]), "<script>alert(1)</script>", f"seen {n} times"]
                )
                for n, k in enumerate(kind)
            ],
            "kind": np.array(["minnow", "shark"])[kind],
        }
    )
    for row in WRONG:
        frame.loc[row, "kind"] = "shark" if kind[row] == 0 else "minnow"
    frame.to_csv(path, index=False)


@pytest.fixture(scope="session")
def audited_fish(tmp_path_factory):
    """The audit of the fish, made once, to be copied."""
    place = tmp_path_factory.mktemp("fish")
    write_fish(place / "fish.csv")
    audit_file(place / "fish.csv", "kind", text=["note"], id="case", output=place / "fish.audit")
    return place


class Server:
    """A review in a thread of this process."""

    def __init__(self, folder, file=None):
        self.session = Session(folder, file)
        listener = review_server._listen("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        guarded = Guard(
            make_app(self.session, "Tess"), token=TOKEN, host="127.0.0.1", port=self.port
        )
        settings = uvicorn.Config(guarded, log_level="error", lifespan="off")
        self.server = uvicorn.Server(settings)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listener]})
        self.thread.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path, method="GET", form=None, cookie=True, **headers):
        """Send one request as the page would; give status, headers and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"Origin": self.address} if method == "POST" else {}
        own |= {"Cookie": f"hardy-{self.port}={TOKEN}"} if cookie else {}
        if form is not None:
            own["Content-Type"] = "application/x-www-form-urlencoded"
        sent = {name.replace("_", "-"): value for name, value in {**own, **headers}.items()}
        sent = {name: value for name, value in sent.items() if value is not None}
        connection.request(method, path, urlencode(form) if form is not None else None, sent)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), text.decode()

    def decide(self, number, verdict, version=0, path="", **form):
        form = {"verdict": verdict, "version": version, **form}
        return self.ask(f"/row/{number}{path}", "POST", form)

    def stop(self):
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture
def fish(audited_fish, tmp_path):
    """A folder of its own with table and audit."""
    shutil.copytree(audited_fish, tmp_path / "fish")
    document = tmp_path / "fish" / "fish.audit" / "audit.json"
    facts = json.loads(document.read_text())
    facts["source"]["path"] = str(tmp_path / "fish" / "fish.csv")
    document.write_text(json.dumps(facts))
    return tmp_path / "fish"


@pytest.fixture
def serve():
    running = []

    def start(folder, file=None):
        server = Server(folder, file)
        running.append(server)
        return server

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def server(serve, fish):
    return serve(fish / "fish.audit")


@pytest.fixture
def wait_for():
    """Wait until something holds, however long it takes."""

    def wait(condition, most=120):
        for _ in range(most * 20):
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError("it never came")

    return wait


@pytest.fixture
def make_audit():
    return build_audit
