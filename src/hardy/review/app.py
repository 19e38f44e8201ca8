"""The pages of a review, and what their buttons do."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from hardy._quoting import shown
from hardy.audit._lost import describe_lost
from hardy.audit.decisions import ConflictError, NotSavedError
from hardy.audit.result import LabelAudit
from hardy.exceptions import InputError
from hardy.review import downloads
from hardy.review._numbers import read_number
from hardy.review._sources import assets, templates
from hardy.review.queue import ORDERS, STATES, View, select, suggested_code
from hardy.review.rows import describe_row, describe_saved, list_lines
from hardy.review.session import Session

Form = dict[str, str]
_NAME_COOKIE = "hardy-person"
_KEYS_COOKIE = "hardy-keys"
_LONGEST_NAME = 60
_A_YEAR = 365 * 24 * 3600
_ROWS_A_PAGE = 50
# What a cookie holds.
_MOST_UNDONE = 200


def make_app(session: Session, person: str) -> Starlette:
    """Make the application.

    Parameters
    ----------
    session : Session
        The folder under review.
    person : str
        The name of whoever hasn't given one.

    Returns
    -------
    Starlette
        It trusts whoever reaches it; :class:`hardy.review.security.Guard` stands before it.
    """
    app = Starlette(
        routes=[
            Route("/", _start),
            Route("/row/{number}", _show_row),
            Route("/row/{number}", _decide, methods=["POST"]),
            Route("/undo", _undo, methods=["POST"]),
            Route("/name", _name, methods=["POST"]),
            Route("/table", _show_table),
            Route("/again", _show_again),
            Route("/again", _audit_again, methods=["POST"]),
            Route("/finish", _show_finish),
            Route("/finish/{what}", _download),
            Route("/static/{name}", _static),
        ],
        exception_handlers={InputError: _show_error, HTTPException: _show_error},
    )
    app.state.session, app.state.person = session, person
    return app


def _start(request: Request) -> Response:
    view = View.read(request.query_params)
    state = request.app.state.session.state()
    rows = select(state.audit, state.decisions.latest(), view)
    if not rows:
        page = "/table" if view.fields(state="open", order="doubt") else "/finish"
        return _go(page + (view.query() if page == "/table" else ""))
    return _go(f"/row/{rows[0] + state.audit.first_row}{view.query()}")


def _show_row(request: Request, problem: str = "", status: int = 200, note: str = "") -> Response:
    state = request.app.state.session.state()
    row = _find_row(request)
    view = View.read(request.query_params)
    latest = state.decisions.latest()
    rows = select(state.audit, latest, view)
    following = [other for other in rows if other != row]
    at = rows.index(row) if row in rows else -1
    first = state.audit.first_row
    return _page(
        request,
        "row.html",
        status,
        latest,
        problem=problem,
        draft=note,
        view=view,
        row=describe_row(state, row, latest),
        place=at + 1,
        n_rows=len(rows),
        before=rows[at - 1] + first if at > 0 else None,
        after=(rows[at + 1] + first if 0 <= at < len(rows) - 1 else None)
        if at >= 0
        else (following[0] + first if following else None),
    )


async def _decide(request: Request) -> Response:
    form = _read_form(await request.body())
    return await _in_thread(_record, request, form)


def _record(request: Request, form: Form) -> Response:
    state = request.app.state.session.state()
    row, view = _find_row(request), View.read(request.query_params)
    verdict, note = form.get("verdict", ""), form.get("note", "").strip()
    before = select(state.audit, state.decisions.latest(), view)
    label = None
    if verdict.startswith("label-") or verdict == "relabel":
        label = _find_label(state, row, verdict, form.get("label", ""))
        verdict = "relabel"
    if verdict == "note":
        current = state.decisions.latest().get(row)
        verdict = current.verdict if current else "open"
        label = current.label if current else None
    try:
        made = state.decisions.record(
            row,
            verdict,
            label=label,
            note=note,
            person=_person(request),
            version=_read_version(form.get("version", "")),
        )
    except InputError as error:
        return _show_row(request, str(error), _status(error), note)
    response = _go(_telling(_next_place(state, row, verdict, before, view), made.number))
    _remember_made(request, response, [*_read_made(request), made.number])
    return response


def _next_place(state: Any, row: int, verdict: str, before: list[int], view: View) -> str:
    """Give the address of the next row that is to be seen after a decision."""
    first = state.audit.first_row
    if verdict == "open":
        return f"/row/{row + first}{view.query()}"
    rows = select(state.audit, state.decisions.latest(), view)
    later = before[before.index(row) + 1 :] if row in before else before
    there = set(rows)
    following = [other for other in later if other in there] or [r for r in rows if r != row]
    if not following:
        return f"/finish{view.query()}"
    return f"/row/{following[0] + first}{view.query()}"


def _telling(place: str, number: int) -> str:
    """Let the next page tell what was decided."""
    return f"{place}{'&' if '?' in place else '?'}saved={number}"


async def _undo(request: Request) -> Response:
    return await _in_thread(_take_back, request)


def _take_back(request: Request) -> Response:
    state = request.app.state.session.state()
    made = _read_made(request)
    decision = state.decisions.undo(_person(request), among=made)
    query = View.read(request.query_params).query()
    place = f"/row/{decision.row + state.audit.first_row}{query}"
    response = _go(_telling(place, decision.number))
    _remember_made(request, response, [n for n in made if n != decision.undoes])
    return response


def _made_cookie(request: Request) -> str:
    # Browsers send cookies to all ports, where other folders may be under review.
    place = str(request.app.state.session.folder.resolve())
    return f"hardy-made-{sha256(place.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"


def _read_made(request: Request) -> list[int]:
    """Give the numbers of the decisions that were made in this browser, whoever sits there."""
    numbers = request.cookies.get(_made_cookie(request), "").split(".")
    return [number for number in map(read_number, numbers) if number is not None]


def _remember_made(request: Request, response: Response, made: list[int]) -> None:
    text = ".".join(map(str, made[-_MOST_UNDONE:]))
    response.set_cookie(_made_cookie(request), text, httponly=True, samesite="strict")


async def _name(request: Request) -> Response:
    form = _read_form(await request.body())
    name = " ".join(form.get("name", "").split())[:_LONGEST_NAME]
    back = form.get("back", "")
    # Only a page of ours: "//elsewhere" would be another host.
    response = _go(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")
    keys = "on" if form.get("keys") else "off"
    response.set_cookie(_KEYS_COOKIE, keys, max_age=_A_YEAR, httponly=True, samesite="strict")
    response.set_cookie(
        _NAME_COOKIE, quote(name), max_age=_A_YEAR, httponly=True, samesite="strict"
    )
    return response


def _show_table(request: Request) -> Response:
    state = request.app.state.session.state()
    view = View.read(request.query_params)
    latest = state.decisions.latest()
    rows = select(state.audit, latest, view)
    n_pages = max(-(-len(rows) // _ROWS_A_PAGE), 1)
    page = min(read_number(request.query_params.get("page", "")) or 1, n_pages)
    everywhere = [] if rows else select(state.audit, latest, replace(view, state="all"))
    part = rows[(page - 1) * _ROWS_A_PAGE : page * _ROWS_A_PAGE]
    return _page(
        request,
        "table.html",
        200,
        latest,
        view=view,
        lines=list_lines(state, part, latest),
        n_rows=len(rows),
        n_elsewhere=len(everywhere),
        page=page,
        n_pages=n_pages,
    )


def _show_again(request: Request) -> Response:
    session = request.app.state.session
    if not session.is_auditing and not session.failure:
        return _go("/")
    text, done, total = session.step
    response = _page(
        request,
        "again.html",
        200 if not session.failure else 409,
        step=text,
        share=round(100 * done / max(total, 1)),
        failure=session.failure,
        view=View(),
    )
    if session.is_auditing:
        response.headers["refresh"] = "1"
    return response


def _audit_again(request: Request) -> Response:
    request.app.state.session.audit_again()
    return _go("/again")


def _show_finish(request: Request) -> Response:
    state = request.app.state.session.state()
    latest = state.decisions.latest()
    return _page(
        request,
        "finish.html",
        200,
        latest,
        view=View(),
        summary=downloads.summarise(state),
        is_file="sha256" in state.audit.source,
    )


def _download(request: Request) -> Response:
    state = request.app.state.session.state()
    what = request.path_params["what"]
    if what not in downloads.KINDS:
        raise HTTPException(404, "There is nothing of that name to download.")
    name, kind, data = downloads.KINDS[what](state, request.app.state.session.file)
    disposition = f"attachment; filename*=UTF-8''{quote(name, errors='replace')}"
    return Response(data, media_type=kind, headers={"content-disposition": disposition})


def _static(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "There is no such file.")
    return Response(found[0], media_type=found[1])


class _Page(HTMLResponse):
    """A page on which half a character, as names of files may have, is shown as an escape."""

    def render(self, content: Any) -> bytes:
        """Give the bytes of a page."""
        return str(content).encode(self.charset, "backslashreplace")


def _show_error(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        status, message = error.status_code, error.detail
    else:
        status, message = _status(error), str(error)
    page = templates().get_template("message.html")
    return _Page(page.render(message=message), status)


def _status(error: Exception) -> int:
    return {ConflictError: 409, NotSavedError: 507}.get(type(error), 400)


def _page(
    request: Request,
    name: str,
    status: int,
    latest: Mapping[int, Any] | None = None,
    **values: Any,
) -> Response:
    state = request.app.state.session.state()
    latest = state.decisions.latest() if latest is None else latest
    page = templates().get_template(name)
    text = page.render(
        audit=state.audit,
        source={"file": None, "target": None, **state.audit.source},
        progress=state.progress(latest),
        changes=state.changes(latest),
        lost=describe_lost(state.audit, state.decisions.lost()),
        person=_person(request),
        saved=describe_saved(state, read_number(request.query_params.get("saved", ""))),
        has_keys=request.cookies.get(_KEYS_COOKIE) != "off",
        here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        orders=ORDERS,
        states=STATES,
        **values,
    )
    return _Page(text, status)


def _find_row(request: Request) -> int:
    audit: LabelAudit = request.app.state.session.state().audit
    number = str(request.path_params["number"])
    told = read_number(number)
    if told is None or not 0 <= told - audit.first_row < len(audit.doubt):
        raise HTTPException(404, f"There is no row {shown(number, 20)} in this audit.")
    return told - audit.first_row


def _read_version(text: str) -> int:
    """Read which version of a row a person saw: they overwrite no other."""
    version = read_number(text)
    if version is None:
        raise InputError(
            f"The version of the row, {shown(text, 20)!r}, is no whole number: load the page again."
        )
    return version


def _find_label(state: Any, row: int, verdict: str, label: str) -> Any:
    """Find the label that was chosen by its number."""
    number = verdict.removeprefix("label-") if verdict != "relabel" else label
    if number == "suggested":
        return state.audit.classes.tolist()[suggested_code(state.audit, row)]
    code = read_number(number)
    if code is None or code >= len(state.audit.classes):
        raise InputError("Choose one of the labels.")
    return state.audit.classes.tolist()[code]


def _person(request: Request) -> str:
    return unquote(request.cookies.get(_NAME_COOKIE, ""))[:_LONGEST_NAME] or str(
        request.app.state.person
    )


def _read_form(body: bytes) -> Form:
    # What the pages send is simple; starlette's own reader would need one more package.
    # Browsers count the end of a line as one letter, and send two.
    text = body.decode("utf-8", "replace").replace("%0D%0A", "%0A")
    return dict(parse_qsl(text, keep_blank_values=True))


def _go(place: str) -> RedirectResponse:
    return RedirectResponse(place, status_code=303)


async def _in_thread(work: Any, *arguments: Any) -> Response:
    # SQLite waits for the disk, and other people's pages must not wait with it.
    response: Response = await run_in_threadpool(work, *arguments)
    return response
