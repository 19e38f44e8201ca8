import http.client

import pytest

from hardy.review.security import Guard, is_local

TOKEN = "key-of-the-tests"


class TestWhoMayCome:
    def test_the_token_opens_the_page_once_and_leaves_the_address(self, server):
        status, headers, _ = server.ask("/table?state=all&token=" + TOKEN, cookie=False)
        assert status == 303
        assert headers["location"] == "/table?state=all"
        assert headers["set-cookie"].startswith(f"hardy-{server.port}=")
        assert "HttpOnly; SameSite=Strict" in headers["set-cookie"]

    def test_it_leads_to_no_other_host(self, server):
        _, headers, _ = server.ask("//evil.example/?token=" + TOKEN, cookie=False)
        assert headers["location"] == "/evil.example/"
        form = {"name": "Ada", "back": "//evil.example/"}
        assert server.ask("/name", "POST", form)[1]["location"] == "/"

    @pytest.mark.parametrize("path", ["/", "/table", "/finish/table", "/static/review.js"])
    def test_without_it_nothing_is_shown(self, server, path):
        assert server.ask(path, cookie=False)[0] == 403
        assert server.ask(path + "?token=guess", cookie=False)[0] == 403
        assert server.ask(path, Cookie=f"hardy-{server.port}=guess")[0] == 403

    @pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "http://127.0.0.1"])
    def test_other_origins_decide_nothing(self, server, origin):
        form = {"verdict": "drop", "version": "0"}
        assert server.ask("/row/5", "POST", form, Origin=origin)[0] == 403
        assert server.session.state().decisions.latest() == {}

    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "10.0.0.1:{port}"]
    )
    def test_other_names_of_this_machine_are_refused(self, server, host):
        assert server.ask("/", Host=host.format(port=server.port))[0] == 421

    def test_localhost_is_this_machine(self, server):
        assert server.ask("/", Host=f"localhost:{server.port}")[0] == 303

    def test_odd_cookies_of_other_programs_lock_nobody_out(self, server):
        own = f"hardy-{server.port}={TOKEN}"
        for cookie in (f'odd[1]={{"a": 1}}; {own}', f"; =x; é={own}; {own}; last"):
            assert server.ask("/table", Cookie=cookie.encode())[0] == 200

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "localhost:80"])
    def test_browsers_leave_out_the_usual_port(self, host):
        guard = Guard(None, token=TOKEN, host="127.0.0.1", port=80)
        assert guard._is_our_host(host)
        assert not Guard(None, token=TOKEN, host="127.0.0.1", port=81)._is_our_host(host)

    def test_names_are_the_same_in_capitals(self):
        guard = Guard(None, token=TOKEN, host="MyPC.lan", port=80)
        assert guard._is_our_host("mypc.lan")
        assert guard._is_our_host("MyPC.LAN")

    def test_what_is_too_large_is_refused(self, server):
        form = {"verdict": "keep", "note": "x" * 1_000_001}
        assert server.ask("/row/5", "POST", form)[0] == 413

    @pytest.mark.parametrize(("size", "status"), [(900_000, 400), (1_100_000, 413)])
    def test_so_is_what_comes_in_pieces_of_unknown_number(self, server, size, status):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        own = {"Origin": server.address, "Cookie": f"hardy-{server.port}={TOKEN}"}
        form = b"verdict=keep&version=0&note=" + b"x" * size
        pieces = iter([form[at : at + 50_000] for at in range(0, len(form), 50_000)])
        connection.request("POST", "/row/5", pieces, own, encode_chunked=True)
        assert connection.getresponse().status == status
        connection.close()
        assert server.session.state().decisions.latest() == {}


class TestHeaders:
    @pytest.mark.parametrize(
        "path", ["/table", "/static/review.css", "/nothing", "/finish/changes"]
    )
    def test_browsers_run_and_load_only_what_is_ours(self, server, path):
        _, headers, _ = server.ask(path)
        policy = headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"

    def test_pages_have_no_script_or_style_of_their_own(self, server):
        for path in ("/row/5", "/table", "/finish"):
            text = server.ask(path)[2]
            assert text.count("<script") == 1
            assert "<style" not in text
            assert " style=" not in text
            assert " onclick=" not in text


def test_values_are_escaped(server):
    server.decide(5, "skip", note="<img src=x onerror=alert(1)>")
    for path in ("/row/5", "/table?state=all"):
        text = server.ask(path)[2]
        assert "<img" not in text
        assert "&lt;img src=x" in text
    assert "&lt;<mark" not in text
    row = server.ask("/row/5")[2]
    assert "<script>alert" not in row
    assert "&lt;" in row


def test_which_addresses_are_local():
    assert [is_local(h) for h in ("127.0.0.1", "::1", "localhost")] == [True] * 3
    assert [is_local(h) for h in ("0.0.0.0", "192.168.1.2", "example.org")] == [False] * 3
