"""The server of the review page, on this machine unless it is asked to listen elsewhere."""

import getpass
import secrets
import socket
from collections.abc import Callable
from os import PathLike

from hardy._extras import import_extra
from hardy._files import as_path
from hardy.audit.decisions import claim_decisions
from hardy.exceptions import InputError

DEFAULT_PORT = 8477


def serve_review(
    folder: str | PathLike[str],
    *,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    file: str | PathLike[str] | None = None,
    started: Callable[[str], None] | None = None,
) -> None:
    """Serve the page on which people decide about an audit's suspects, until it is interrupted.

    Parameters
    ----------
    folder : path-like
        The audit's folder; decisions are written into it.
    host : str, default="127.0.0.1"
        The address to listen on; by default nobody can reach it from another machine.
    port : int, default=8477
        The port; 0 for any that is free.
    file : path-like, optional
        The audited file, where it was moved.
    started : callable, optional
        Called with the page's address, which holds the token that opens it.

    Raises
    ------
    InputError
        Where the folder holds no audit, or decisions of another one, or can't be written, the
        audited file was changed, or the port can't be had.
    KeyboardInterrupt
        When it is interrupted.
    MissingExtraError
        Where the extra `review` isn't installed.
    """
    import_extra("starlette", extra="review", purpose="The review page")
    uvicorn = import_extra("uvicorn", extra="review", purpose="The review page")
    from hardy.review.app import make_app
    from hardy.review.security import Guard
    from hardy.review.session import Session

    place = as_path(folder)
    session = Session(place, file)
    claim_decisions(place)
    # Those of another audit are refused before anybody is shown a page.
    session.state().decisions.latest()
    listener = _listen(host, port)
    with listener:
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)
        guarded = Guard(make_app(session, _who()), token=token, host=host, port=port)
        name = f"[{host}]" if ":" in host else host
        if started is not None:
            started(f"http://{name}:{port}/?token={token}")
        settings = uvicorn.Config(guarded, log_level="error", access_log=False, lifespan="off")
        uvicorn.Server(settings).run(sockets=[listener])
    # It ends for an interrupt only, even where that was not raised again: a program in the
    # background may have been started deaf to it.
    raise KeyboardInterrupt


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"Port {port} of {host} can't be had: {reason}. Choose another one with --port, or 0 "
            "for any that is free."
        ) from error
    return listener


def _who() -> str:
    try:
        return getpass.getuser()
    # Where nobody is logged in, as in a container.
    except (OSError, KeyError, ImportError):
        return ""
