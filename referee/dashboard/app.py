"""Which pages are there, and what is sent along the one connection that each keeps open?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, TypeAlias

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.cards import RANKS, SUITS
from referee.dashboard.access import Access, Guard, Role, cookie_name, same_origin
from referee.dashboard.feed import Feed, Page
from referee.dashboard.taps import LARGEST, carry_out, parse
from referee.faults import RefereeError
from referee.session import Session
from referee.text import has, say, section

Picture: TypeAlias = Callable[[], tuple[bytes, int] | None]
"""The newest picture of the table as JPEG and its number, which grows; None while there is none."""

MOST_PAGES: Final = 64
TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
TOO_MANY: Final = 1013
"""WebSocket close code "try again later"."""


def create_app(session: Session, *, picture: Picture | None = None, access: Access | None = None) -> FastAPI:
    """The dashboard of `session`, to be run on the loop that the session belongs to.

    Args:
        picture: what the live picture shows; None where there is no camera.
        access: who may do what; by default this machine only, with a token of its own.
    """
    access = access or Access()
    feed = Feed(session)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        feed.stop()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, access=access)
    static = _static()
    page = _page(session)

    def role(request: Request | WebSocket) -> Role:
        return access.role(request.cookies, _port(request))

    @app.get("/")
    async def table() -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    @app.get("/static/{name}")
    async def static_file(name: str, request: Request) -> Response:
        if name not in static:
            return Response(status_code=404)
        content, kind, tag = static[name]
        headers = {"cache-control": "no-cache", "etag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    @app.post("/enter")
    async def enter(request: Request) -> Response:
        """Trade the host's token for a cookie."""
        if not same_origin(request.headers, request.url.scheme):
            return JSONResponse({"error": say("pages.error.origin")}, 403)
        secret = access.enter(await _token(request))
        if secret is None:
            return JSONResponse({"error": say("pages.error.token")}, 403)
        answer = JSONResponse({"error": ""})
        answer.set_cookie(
            cookie_name(_port(request)), secret, httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
        return answer

    @app.get("/picture")
    async def newest_picture(request: Request, after: int = 0) -> Response:
        """The newest picture if it is newer than number `after`."""
        headers = {"cache-control": "no-store"}
        if role(request) != "host":
            return Response(status_code=403, headers=headers)
        newest = picture() if picture else None
        if newest is None or newest[1] <= after:
            return Response(status_code=204, headers=headers)
        return Response(newest[0], media_type="image/jpeg", headers={**headers, "x-picture": str(newest[1])})

    @app.websocket("/live")
    async def live(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(feed) >= MOST_PAGES:
            await websocket.close(TOO_MANY, say("pages.error.many"))
            return
        bearer = role(websocket)
        await websocket.send_text(json.dumps({"type": "hello", "role": bearer, "picture": picture is not None}))
        page = feed.open()
        try:
            async with asyncio.TaskGroup() as tasks:
                telling = tasks.create_task(_tell(websocket, page))
                while (message := await websocket.receive())["type"] == "websocket.receive":
                    answer = _answer(session, page, bearer, message.get("text") or "")
                    await _send(websocket, json.dumps(answer))
                telling.cancel()
        finally:
            feed.close(page)

    return app


async def _tell(websocket: WebSocket, page: Page) -> None:
    while await _send(websocket, await page.message()):
        pass


async def _send(websocket: WebSocket, text: str) -> bool:
    """Send `text`, unless the page left meanwhile."""
    try:
        await websocket.send_text(text)
    except (WebSocketDisconnect, RuntimeError):
        return False
    return True


def _answer(session: Session, page: Page, bearer: Role, text: str) -> dict[str, Any]:
    number: object = None
    error = ""
    try:
        message = parse(text)
        number = message.get("id")
        if message["do"] == "snapshot":
            page.again()
        elif bearer == "host":
            carry_out(session, message)
        else:
            raise RefereeError(say("pages.error.spectator"))
    except RefereeError as fault:
        error = str(fault)
    return {"type": "answer", "id": number if type(number) is int else None, "error": error}


async def _token(request: Request) -> str:
    """The token in the body, or an empty one when the body holds none."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return ""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return ""
    try:
        token = json.loads(body).get("token")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return token if isinstance(token, str) else ""


def _port(request: Request | WebSocket) -> int:
    server: tuple[str, int | None] | None = request.scope.get("server")
    return (server and server[1]) or 0


def _static() -> dict[str, tuple[bytes, str, str]]:
    """Every static file by its exact name: content, type, tag. Requests are looked up here, never on the disk."""
    found = {}
    for file in files("referee.dashboard").joinpath("static").iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind:
            content = file.read_bytes()
            found[file.name] = content, kind, f'"{sha256(content).hexdigest()[:16]}"'
    return found


def _page(session: Session) -> str:
    templates = Environment(
        loader=PackageLoader("referee.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    game = f"pages.game.{session.match.game.name}"
    faults = {code: fault for code, fault in section("penalty").items() if code != "other"}
    return templates.get_template("table.html").render(
        say=lambda key, **values: say(f"pages.{key}", **values),
        words=dict(section("pages.live")),
        title=say(game) if has(game) else session.match.game.name,
        faults=dict(sorted(faults.items(), key=lambda item: item[1])),
        ranks=RANKS,
        suits=dict(section("suit-name")),
        french=SUITS,
    )
