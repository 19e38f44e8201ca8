"""Who may talk to the page: those who know the token, from the page itself."""

import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not no-referrer: with that, browsers say of no form where it comes from.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_SAFE = {"GET", "HEAD"}
_MOST_BYTES = 1_000_000


class Guard:
    """Middleware that lets only the page's own requests through, and sets what browsers may do.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    token : str
        Who shows it once, in the address, gets it as a cookie.
    host : str
        The address on which the server listens.
    port : int
        Its port; browsers send cookies to all ports of a host, so it is in the cookie's name.
    """

    def __init__(self, app: Any, *, token: str, host: str, port: int) -> None:
        self._app, self._token, self._host, self._port = app, token, host, port
        self._cookie = f"hardy-{port}"

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.pop("token", [""])[0]

        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        if not self._is_our_host(headers.get("host", "")):
            await _refuse(send_guarded, 421, "This address is not the one that hardy listens on.")
        elif given and scope["method"] == "GET" and self._is_token(given):
            # The path of an open redirect would begin with two slashes.
            place = "/" + quote(scope["path"].lstrip("/\\"))
            place += f"?{urlencode(query, doseq=True)}" if query else ""
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
            await _answer(send_guarded, 303, "", [("location", place), ("set-cookie", cookie)])
        elif not self._is_token(_read_cookie(headers.get("cookie", ""), self._cookie)):
            await _refuse(
                send_guarded,
                403,
                "Open the address that `hardy review` printed: it holds the key to this page.",
            )
        elif scope["method"] not in _SAFE and headers.get("origin") != f"http://{headers['host']}":
            await _refuse(send_guarded, 403, "Only this page itself may send decisions.")
        elif (body := await _read_body(receive)) is None:
            await _refuse(send_guarded, 413, "That is more than a decision can hold.")
        else:
            await self._app(scope, _replay(body, receive), send_guarded)

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())

    def _is_our_host(self, host: str) -> bool:
        """Refuse names that another site may have pointed to this machine."""
        name, port = host, "80"
        # Browsers leave the usual port out.
        if not host.endswith("]") and ":" in host:
            name, _, port = host.rpartition(":")
        if port != str(self._port):
            return False
        name = name.strip("[]").lower()
        if name in {"localhost", self._host.lower(), socket.gethostname().lower()}:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not is_local(self._host)


def is_local(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read_cookie(header: str, name: str) -> str:
    # Not by http.cookies, which gives up all cookies at the first odd one of another program.
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


async def _read_body(receive: Receive) -> bytes | None:
    """Read what was sent, however it came; None where it is too much, or breaks off."""
    parts, size, is_more = [], 0, True
    while is_more:
        message = await receive()
        is_more = message.get("more_body", False)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > _MOST_BYTES or message["type"] != "http.request":
            return None
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give again what was read, and then what comes."""
    kept = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return kept.pop() if kept else await receive()

    return receive_again


async def _refuse(send: Send, status: int, reason: str) -> None:
    await _answer(send, status, reason + "\n", [("content-type", "text/plain; charset=utf-8")])


async def _answer(send: Send, status: int, body: str, headers: list[tuple[str, str]]) -> None:
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body.encode()})
