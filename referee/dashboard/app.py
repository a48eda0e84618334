"""Which requests does the dashboard answer beside its pages: coming in, joining, the picture, the QR code?"""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import segno
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response

from referee.dashboard.access import cookie_name
from referee.dashboard.archive import archive_routes
from referee.dashboard.calibration import calibration_routes
from referee.dashboard.desk import PRIVATE, Desk, address_of, port_of
from referee.dashboard.guard import Guard
from referee.dashboard.household import household_routes
from referee.dashboard.live import live_routes
from referee.dashboard.pages import page_routes
from referee.dashboard.phones import phone_routes
from referee.dashboard.proof import proof_routes
from referee.dashboard.requests import asked, text_of
from referee.dashboard.shell import shell_routes
from referee.record.observations import UNKNOWN
from referee.text import say
from referee.text.faults import RefereeError


def create_app(desk: Desk) -> FastAPI:
    """The dashboard of `desk`, to be run on the loop that its session belongs to."""
    access = desk.access

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.feed.stop()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, access=access)
    seen_by_all = page_routes, shell_routes, live_routes, phone_routes
    for routes in (*seen_by_all, proof_routes, archive_routes, household_routes, calibration_routes):
        app.include_router(routes(desk))

    @app.exception_handler(404)
    async def astray(request: Request, _: Exception) -> Response:
        """Whoever mistyped an address in a browser is brought to the table."""
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/", 303)
        return JSONResponse({"error": say("pages.error.page")}, 404)

    @app.exception_handler(405)
    @app.exception_handler(RequestValidationError)
    async def misunderstood(request: Request, _: Exception) -> Response:
        """Whoever asks for what cannot be is told so as by everything else here."""
        return _refused(say("pages.error.message"), 422)

    @app.post("/enter")
    async def enter(request: Request) -> Response:
        """Trade the host's token for a cookie."""
        try:
            secret = access.enter(text_of(await asked(request), "token"))
        except RefereeError as fault:
            return _refused(str(fault), 409)
        return _admitted(request, desk, secret) if secret else _refused(say("pages.error.token"), 403)

    @app.post("/join")
    async def join(request: Request) -> Response:
        """Trade the table's code for a cookie, as a seat or as a guest."""
        what, client = await asked(request), address_of(request)
        if not access.may_try(client):
            return _refused(say("pages.error.tries"), 429)
        known = request.cookies.get(cookie_name(port_of(request)), "")
        try:
            secret = access.join(text_of(what, "code"), text_of(what, "seat") or UNKNOWN, known)
        except RefereeError as fault:
            return _refused(str(fault), 409)
        if secret is None:
            return _refused(say("pages.error.code"), 403)
        access.did_well(client)
        return _admitted(request, desk, secret)

    @app.get("/picture")
    async def newest_picture(request: Request, after: int = 0, drawn: bool = False) -> Response:
        """The newest picture if it is newer than number `after`; with `drawn`, what the eye sees is drawn in.

        Where no picture shows the table as it is now, the answer is number 0: what was shown before is to go.
        """
        if not desk.bearer(request).inside:
            return Response(status_code=403, headers=PRIVATE)
        picture = desk.seen if drawn else desk.picture
        newest = picture() if picture else None
        if newest is None:
            return Response(status_code=204, headers={**PRIVATE, "x-picture": "0"})
        if newest[1] <= after:
            return Response(status_code=204, headers=PRIVATE)
        return Response(newest[0], media_type="image/jpeg", headers={**PRIVATE, "x-picture": str(newest[1])})

    @app.get("/qr.svg")
    async def qr(request: Request, page: Literal["join", "phone"] = "join") -> Response:
        """The table's address and code, for phones to scan off the host's screen; `phone` to lend it at once."""
        if desk.bearer(request).role != "host":
            return Response(status_code=403, headers=PRIVATE)
        drawn = io.BytesIO()
        segno.make(desk.link(page), error="m").save(drawn, kind="svg", scale=8, border=4, light="#fff", svgns=True)
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=PRIVATE)

    return app


def _admitted(request: Request, desk: Desk, secret: str) -> Response:
    """The cookie with which whoever sent `request` is known from now on."""
    desk.keep_access()
    answer = JSONResponse({"error": ""}, headers=PRIVATE)
    name = cookie_name(port_of(request))
    answer.set_cookie(name, secret, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return answer


def _refused(why: str, status: int) -> Response:
    return JSONResponse({"error": why}, status, headers=PRIVATE)
