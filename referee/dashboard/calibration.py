"""How is the camera set up on a page: what does the eye see, and where are the piles and the seats?"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import PRIVATE, Desk
from referee.dashboard.requests import asked
from referee.text import say
from referee.text.faults import RefereeError

LOOK_EVERY: Final = 0.8
"""Seconds between two looks for all pages together: the eye has a match to follow meanwhile."""
PARTS: Final = frozenset({"discard", "pick_up", "seats", "size"})


def calibration_routes(desk: Desk) -> APIRouter:
    """What the eye of `desk`'s table sees, for those with the code; where it looks, for the host."""
    router = APIRouter()
    looking = asyncio.Lock()
    newest: dict[str, Any] = {}
    looked = -LOOK_EVERY

    @router.get("/calibration.json")
    async def read(request: Request) -> Response:
        """What the eye sees in the newest picture, where zones and seats are, and whether they may be set here."""
        nonlocal newest, looked
        if not desk.bearer(request).inside:
            return _refused(say("pages.error.code"), 403)
        if desk.viewfinder is None:
            return JSONResponse({"error": "", "camera": False}, headers=PRIVATE)
        host = desk.bearer(request).role == "host"
        async with looking:
            if desk.session.clock() - looked >= LOOK_EVERY:
                try:
                    newest = await asyncio.to_thread(desk.viewfinder.look)
                except RefereeError as fault:
                    return JSONResponse({"error": str(fault), "camera": True}, headers=PRIVATE)
                looked = desk.session.clock()
        return JSONResponse({"error": "", "camera": True, "mine": host, **newest}, headers=PRIVATE)

    @router.post("/calibration.json")
    async def write(request: Request) -> Response:
        """The zones and the seats are where the body says, from now on."""
        nonlocal looked
        if desk.bearer(request).role != "host":
            return _refused(say("pages.error.host-only"), 403)
        if desk.viewfinder is None:
            return _refused(say("layout.no-camera"), 404)
        layout = await asked(request)
        if not layout or not set(layout) <= PARTS:
            return _refused(say("pages.error.message"), 422)
        try:
            desk.viewfinder.lay_out(layout)
        except RefereeError as fault:
            return _refused(str(fault), 422)
        looked = -LOOK_EVERY
        return JSONResponse({"error": ""}, headers=PRIVATE)

    return router


def _refused(why: str, status: int) -> Response:
    return JSONResponse({"error": why}, status, headers=PRIVATE)
