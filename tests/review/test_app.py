import csv
import http.client
import io
import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from hardy.audit import Decisions, audit_file, load_audit


def progress(text):
    return re.search(r'id="progress-text">([^<]*)<', text)[1]


def saved(text):
    return re.sub("<[^>]*>", "", re.search(r'id="saved"[^>]*>(.*?)</p>', text)[1])


def verdicts(server):
    state = server.session.state()
    return {row + 1: d.verdict for row, d in state.decisions.latest().items()}


class Browser:
    """One that keeps the cookies it is given."""

    def __init__(self, server):
        self.server, self.cookies = server, {f"hardy-{server.port}": "key-of-the-tests"}

    def post(self, path, **form):
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        status, headers, text = self.server.ask(path, "POST", form, Cookie=cookie)
        if "set-cookie" in headers:
            name, _, value = headers["set-cookie"].split(";")[0].partition("=")
            self.cookies[name] = value
        return status, headers, text


class TestDeciding:
    def test_one_leads_to_the_next_and_the_end_to_what_was_changed(self, server):
        rows = server.session.state().audit.suspects.tolist()
        place = server.ask("/")[1]["location"]
        for row in rows:
            assert place == f"/row/{row + 1}"
            status, headers, _ = server.decide(row + 1, "label-suggested")
            assert status == 303
            place, _, saved = headers["location"].partition("?saved=")
        assert (place, saved) == ("/finish", str(len(rows)))
        text = server.ask("/finish")[2]
        assert "All rows are settled" in text
        assert f"{len(rows)} relabelled, 0 dropped, 0 kept" in text
        assert progress(text) == f"{len(rows)} of {len(rows)}; estimated errors left: 0"

    @pytest.mark.parametrize(
        ("button", "verdict"),
        [("keep", "keep"), ("drop", "drop"), ("skip", "skip"), ("label-0", "relabel")],
    )
    def test_each_button_is_a_verdict(self, server, button, verdict):
        server.decide(5, button, note="because")
        decision = server.session.state().decisions.latest()[4]
        assert (decision.verdict, decision.note, decision.person) == (verdict, "because", "Tess")

    def test_a_note_alone_decides_nothing(self, server):
        server.decide(5, "note", note="ask Ada")
        assert verdicts(server) == {5: "open"}
        assert "ask Ada" in server.ask("/row/5")[2]

    def test_undo_goes_back_to_the_row(self, server):
        browser = Browser(server)
        browser.post("/row/5", verdict="drop", version=0)
        status, headers, _ = browser.post("/undo")
        assert (status, headers["location"]) == (303, "/row/5?saved=2")
        assert verdicts(server) == {5: "open"}
        status, _, text = browser.post("/undo")
        assert (status, "nothing to undo" in text) == (400, True)

    def test_undo_takes_back_what_this_browser_decided_under_whatever_name(self, server):
        one, other = Browser(server), Browser(server)
        one.post("/row/5", verdict="drop", version=0)
        one.post("/row/10", verdict="drop", version=0)
        one.post("/name", name="Ada", back="/")
        other.post("/row/22", verdict="keep", version=0)
        assert one.post("/undo")[1]["location"] == "/row/10?saved=4"
        assert one.post("/undo")[1]["location"] == "/row/5?saved=5"
        assert one.post("/undo")[0] == 400
        assert verdicts(server) == {5: "open", 10: "open", 22: "keep"}
        assert other.post("/undo")[1]["location"] == "/row/22?saved=6"

    @pytest.mark.parametrize(
        ("verdict", "told"),
        [
            ("keep", "row 5 is kept"),
            ("label-0", "row 5 is now minnow"),
            ("note", "the note on row 5"),
        ],
    )
    def test_the_next_page_tells_what_was_saved(self, server, verdict, told):
        browser = Browser(server)
        place = browser.post("/row/5", verdict=verdict, version=0, note="x")[1]["location"]
        assert saved(server.ask(place)[2]) == f"Saved: {told}"
        place = browser.post("/undo?state=all")[1]["location"]
        assert place == "/row/5?state=all&saved=2"
        assert saved(server.ask(place)[2]) == "Undone: row 5 is open"
        assert saved(server.ask("/row/5?saved=99")[2]) == ""

    def test_a_note_as_long_as_its_field_takes_is_taken(self, server):
        note = "a\n" * 4_999 + "bb"
        assert server.decide(5, "skip", note=note.replace("\n", "\r\n"))[0] == 303
        assert server.session.state().decisions.latest()[4].note == note
        status, _, text = server.decide(10, "skip", note=note + "c")
        assert (status, "A note may have 10,000 letters" in text) == (400, True)
        assert f">{note}c</textarea>" in text

    def test_an_older_copy_put_back_hides_no_decision(self, server):
        ann, bob = Browser(server), Browser(server)
        ann.post("/row/5", verdict="keep", version=0)
        path = server.session.state().decisions.path
        copy = path.read_bytes()
        ann.post("/row/10", verdict="drop", version=0)
        seen = server.session.state().decisions.latest()[9].number
        path.write_bytes(copy)
        bob.post("/row/10", verdict="keep", version=0)
        assert ann.post("/row/10", verdict="drop", version=seen)[0] == 409
        ann.post("/undo")
        latest = server.session.state().decisions.latest()
        assert {row: entry.verdict for row, entry in latest.items()} == {4: "open", 9: "keep"}

    def test_single_keys_can_be_turned_off(self, server):
        assert "data-keys" not in server.ask("/table")[2]
        browser = Browser(server)
        browser.post("/name", name="Ada", back="/")
        cookie = f"hardy-{server.port}=key-of-the-tests; hardy-keys=off"
        assert 'data-keys="off"' in server.ask("/table", Cookie=cookie)[2]

    def test_a_search_tells_of_rows_that_are_settled(self, server):
        server.decide(5, "keep")
        text = server.ask("/table?search=F04")[2]
        assert "No open row is like that, but 1 among all" in text
        assert server.ask("/?search=F04")[1]["location"] == "/table?search=F04"
        assert "1 row<" in server.ask("/table?search=F04&state=all")[2]
        assert 'href="/row/12?' in server.ask("/table?search=F11&state=all")[2]

    def test_numbers_of_any_length_are_no_fault_of_the_server(self, server):
        many = "9" * 5_000
        assert server.decide(5, "drop", version=many)[0] == 400
        assert server.decide(5, f"label-{many}")[0] == 400
        assert server.ask(f"/table?page={many}")[0] == 200
        assert server.ask(f"/table?search={many}"[:4_000])[0] == 200
        for method in ("GET", "POST"):
            status, _, text = server.ask(f"/row/{many}", method, {} if method == "POST" else None)
            assert (status, "There is no row 9999" in text) == (404, True)
        assert server.ask("/row/x")[0] == 404

    @pytest.mark.parametrize("version", ["junk", "-1", "", " 0", "0.0", "٠", "²"])
    def test_a_version_that_is_no_number_decides_nothing(self, server, version):
        status, _, text = server.decide(5, "drop", version, note="why")
        assert (status, "is no whole number: load the page again" in text) == (400, True)
        assert ">why</textarea>" in text
        assert server.session.state().decisions.history() == []

    def test_nor_does_one_that_is_not_told(self, server):
        assert server.ask("/row/5", "POST", {"verdict": "drop"})[0] == 400
        assert server.session.state().decisions.history() == []

    def test_digits_of_other_scripts_name_no_row_and_no_label(self, server):
        five = "%D9%A5"
        assert server.ask(f"/row/{five}")[0] == 404
        assert server.ask(f"/row/{five}", "POST", {"verdict": "drop", "version": "0"})[0] == 404
        assert server.decide(5, "label-٠")[0] == 400
        assert server.session.state().decisions.history() == []

    def test_where_all_are_skipped_one_goes_on_with_them(self, server):
        rows = (server.session.state().audit.suspects + 1).tolist()
        for row in rows:
            server.decide(row, "skip")
        text = server.ask("/finish")[2]
        assert ">Go on</a>" not in text
        assert 'href="/?state=skip">Go on with the skipped ones</a>' in text
        assert 'href="/?state=skip">One by one</a>' in text
        assert server.ask("/?state=skip")[1]["location"] == f"/row/{rows[0]}?state=skip"
        for row in rows:
            version = server.session.state().decisions.latest()[row - 1].number
            server.decide(row, "keep", version)
        text = server.ask("/finish")[2]
        assert "Go on" not in text
        assert 'href="/?state=all">One by one</a>' in text

    def test_the_last_decision_can_be_undone_where_the_review_ends(self, server):
        assert 'action="/undo"' in server.ask("/finish")[2]

    def test_a_name_is_kept_for_the_log(self, server):
        _, headers, _ = server.ask("/name", "POST", {"name": "Ada  Ünlü", "back": "/table"})
        assert headers["location"] == "/table"
        cookie = f"hardy-{server.port}=key-of-the-tests; {headers['set-cookie'].split(';')[0]}"
        form = {"verdict": "keep", "version": "0"}
        server.ask("/row/5", "POST", form, Cookie=cookie)
        assert server.session.state().decisions.latest()[4].person == "Ada Ünlü"

    def test_what_makes_no_sense_is_told(self, server):
        assert server.ask("/row/81")[0] == 404
        assert server.ask("/row/0")[0] == 404
        assert server.decide(5, "burn")[0] == 400
        assert server.decide(5, "label-9")[0] == 400
        assert server.ask("/finish/everything")[0] == 404
        assert server.ask("/row/5", "POST", {})[0] == 400
        assert server.session.state().decisions.history() == []


class TestTwoPeople:
    def test_the_second_is_told_and_their_note_is_still_there(self, server):
        assert server.decide(5, "drop")[0] == 303
        status, _, text = server.decide(5, "keep", note="my own words")
        assert status == 409
        assert "Tess dropped this row while you were looking at it" in text
        assert "my own words" in text
        assert verdicts(server) == {5: "drop"}

    def test_two_servers_on_one_folder_see_each_other(self, serve, fish):
        one, other = serve(fish / "fish.audit"), serve(fish / "fish.audit")
        one.decide(5, "drop")
        assert "Now: <b>dropped</b>" in other.ask("/row/5")[2]
        assert other.decide(5, "keep")[0] == 409

    def test_an_audit_renewed_elsewhere_is_seen(self, server, fish):
        server.decide(5, "label-suggested")
        before = server.session.state()
        audit_file(fish / "fish.csv", "kind", text=["note"], id="case", output=fish / "fish.audit")
        after = server.session.state()
        assert after is not before
        assert 4 not in after.audit.suspects
        assert server.ask("/row/5")[0] == 200


class TestFinding:
    def test_filters_and_search(self, server):
        rows = server.session.state().audit.suspects + 1
        server.decide(rows[0], "skip", note="for Ada")

        def shown(query):
            return re.findall(
                r'<th scope="row"><a href="/row/(\d+)', server.ask("/table" + query)[2]
            )

        assert shown("") == [str(row) for row in rows[1:]]
        assert shown("?state=skip") == shown("?state=all&search=ADA") == [str(rows[0])]
        assert shown("?state=settled") == []
        assert sorted(shown("?state=all&order=row"), key=int) == shown("?state=all&order=row")
        assert shown(f"?search=F{rows[1] - 1:02d}") == [str(rows[1])]
        both = shown("?change=0-1") + shown("?change=1-0")
        assert sorted(both) == sorted(shown(""))
        assert shown("?search=zzzz") == []

    def test_a_page_of_filtered_rows_goes_on_in_them(self, server):
        rows = server.session.state().audit.suspects + 1
        ordered = sorted(rows.tolist())
        status, headers, _ = server.decide(ordered[0], "keep", path="?order=row")
        assert (status, headers["location"]) == (303, f"/row/{ordered[1]}?order=row&saved=1")

    def test_the_row_shows_what_speaks_for_each_label(self, server):
        row = int(server.session.state().audit.suspects[0]) + 1
        text = server.ask(f"/row/{row}")[2]
        for what in ("Values", "Nearest rows", "size", "sea", "<polygon", 'class="shares"'):
            assert what in text
        assert re.search(r'<mark class="new">(minnow|shark|ocean|brook)</mark>', text)

    def test_without_the_file_the_audit_s_own_values_are_shown(self, serve, fish):
        (fish / "fish.csv").unlink()
        server = serve(fish / "fish.audit")
        row = int(server.session.state().audit.suspects[0]) + 1
        assert (
            "the audit has kept, because the file isn’t where it was"
            in server.ask(f"/row/{row}")[2]
        )
        status, _, text = server.ask("/finish/table")
        assert (status, "isn&#39;t there" in text) == (400, True)


class TestAgain:
    def test_settled_rows_are_trusted_and_the_rest_is_ranked_anew(self, server, wait_for):
        first = int(server.session.state().audit.suspects[0])
        server.decide(first + 1, "keep")
        assert server.ask("/again", "POST", {})[1]["location"] == "/again"
        status, headers, text = server.ask("/again")
        if status == 200:
            assert headers["refresh"] == "1"
            assert "Auditing again" in text
        wait_for(lambda: not server.session.is_auditing)
        assert server.ask("/again")[1]["location"] == "/"
        after = server.session.state().audit
        assert first not in after.suspects
        assert after.judged_codes[first] == after.given_codes[first]

    def test_a_file_that_changed_in_the_meantime_is_told(self, server, fish, wait_for):
        (fish / "fish.csv").write_text("other\n")
        server.ask("/again", "POST", {})
        wait_for(lambda: not server.session.is_auditing)
        status, _, text = server.ask("/again")
        assert (status, "checksum differs" in text) == (409, True)


class TestDownloads:
    def test_the_cleaned_table_is_the_file_with_the_decisions(self, server, fish):
        server.decide(5, "label-suggested")
        server.decide(10, "drop")
        _, headers, text = server.ask("/finish/table")
        assert headers["content-disposition"] == "attachment; filename*=UTF-8''fish.cleaned.csv"
        lines = (fish / "fish.csv").read_text().splitlines(keepends=True)
        lines[5] = lines[5].replace(",shark", ",minnow")
        del lines[10]
        assert text == "".join(lines)
        changes = list(csv.DictReader(io.StringIO(server.ask("/finish/changes")[2])))
        assert [(c["row"], c["change"], c["who"]) for c in changes] == [
            ("5", "relabel", "Tess"),
            ("10", "drop", "Tess"),
        ]

    def test_exports_have_a_task_for_each_row(self, server):
        server.decide(5, "label-suggested")
        tasks = json.loads(server.ask("/finish/label-studio")[2])
        records = json.loads(server.ask("/finish/argilla")[2])
        assert len(tasks) == len(records) == len(server.session.state().audit.suspects)
        settled = next(task for task in tasks if task["data"]["hardy_row"] == 5)
        assert settled["annotations"][0]["result"][0]["value"] == {"choices": ["minnow"]}
        assert "/finish/label-studio-interface" in server.ask("/finish")[2]
        _, headers, interface = server.ask("/finish/label-studio-interface")
        assert headers["content-disposition"].endswith("fish.label-studio.xml")
        shown = re.findall(r'value="\$(.*?)"', interface)
        assert "note" in shown
        assert set(shown) <= set(tasks[0]["data"])


class TestFaults:
    def test_a_browser_that_leaves_in_mid_click_decides_once_or_not_at_all(self, server, wait_for):
        body = b"verdict=drop&version=0"
        head = (
            f"POST /row/5 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.address}\r\n"
            f"Cookie: hardy-{server.port}=key-of-the-tests\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        for sent in (head + body[:9], head + body):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(sent)
        wait_for(lambda: verdicts(server) == {5: "drop"})
        assert len(server.session.state().decisions.history()) == 1
        assert server.ask("/row/5")[0] == 200

    def test_a_full_disk_is_told_and_nothing_is_lost(self, server, monkeypatch):
        server.decide(5, "keep")
        connect = sqlite3.connect

        def connect_to_full_disk(*args, **options):
            connection = connect(*args, **options)
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
            return connection

        monkeypatch.setattr("sqlite3.connect", connect_to_full_disk)
        status, _, text = server.decide(10, "drop", note="x" * 9_000)
        assert status == 507
        assert "could not be saved" in text
        assert "x" * 9_000 in text
        monkeypatch.undo()
        assert verdicts(server) == {5: "keep"}
        assert server.decide(10, "drop")[0] == 303

    def test_a_server_that_is_killed_loses_no_confirmed_decision(self, fish):
        command = [sys.executable, "-m", "hardy", "review", str(fish / "fish.audit")]
        command += ["--no-browser", "--port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = re.search(r"http\S+", process.stdout.readline())[0]
        port, token = re.search(r":(\d+)/\?token=(.*)", address).groups()
        confirmed = []
        for number in range(1, 41):
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            headers = {"Origin": f"http://127.0.0.1:{port}", "Cookie": f"hardy-{port}={token}"}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("POST", f"/row/{number}", "verdict=skip&version=0", headers)
            if connection.getresponse().status == 303:
                confirmed.append(number)
            connection.close()
            if number == 30:
                connection = http.client.HTTPConnection("127.0.0.1", int(port))
                connection.request("POST", "/row/31", "verdict=skip&version=0", headers)
                process.kill()
                break
        process.wait()
        process.stdout.close()
        connection.close()
        folder = fish / "fish.audit"
        found = Decisions(folder, load_audit(folder)).latest()
        assert confirmed == list(range(1, 31))
        assert set(found) >= {number - 1 for number in confirmed}


class TestCommandLine:
    def call(self, *arguments):
        command = [sys.executable, "-m", "hardy", "review", *map(str, arguments), "--no-browser"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def test_a_file_of_another_version_is_refused_in_one_line(self, fish):
        with (fish / "fish.csv").open("a") as file:
            file.write("F80,1.0,East,small,minnow\n")
        result = self.call(fish / "fish.audit")
        assert result.returncode == 2
        assert "checksum differs" in result.stderr
        assert result.stderr.count("\n") == 1

    def test_no_audit_no_review(self, tmp_path):
        result = self.call(tmp_path)
        assert (result.returncode, "holds no audit" in result.stderr) == (2, True)

    def test_a_port_in_use_is_named(self, fish):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = self.call(fish / "fish.audit", "--port", port)
        assert result.returncode == 2
        assert f"Port {port} of 127.0.0.1 can't be had" in result.stderr
        assert result.stderr.count("\n") == 1

    def test_a_folder_that_takes_no_decisions_is_refused(self, fish):
        # As on a read-only disk, also for those who may write everywhere.
        (fish / "fish.audit" / "decisions.sqlite").mkdir()
        result = self.call(fish / "fish.audit", "--port", "0")
        assert result.returncode == 2
        assert "can't take decisions" in result.stderr
        assert result.stderr.count("\n") == 1

    def test_decisions_of_another_audit_are_refused_at_the_start(self, fish):
        folder = fish / "fish.audit"
        audit = load_audit(folder)
        other = replace(audit, source={"path": "/other.csv", "target": "kind", "sha256": "0"})
        Decisions(folder, other).record(0, "keep")
        result = self.call(folder, "--port", "0")
        assert (result.returncode, result.stdout) == (2, "")
        assert "holds the decisions of another audit (of 'kind' in /other.csv)" in result.stderr
        assert result.stderr.count("\n") == 1

    def test_an_unmoved_copy_can_name_its_file(self, fish, tmp_path, serve):
        moved = shutil.move(fish / "fish.csv", tmp_path / "moved.csv")
        server = serve(fish / "fish.audit", moved)
        assert not server.session.state().evidence.missing
