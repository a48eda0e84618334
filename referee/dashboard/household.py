"""How does the host read and change the household's settings, and what does a monitor ask for?"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import PRIVATE, Desk
from referee.dashboard.requests import asked
from referee.store.settings import Settings, fields, save, settings
from referee.table.session import Session
from referee.text import say
from referee.text.faults import RefereeError


def household_routes(desk: Desk) -> APIRouter:
    """The settings, and the health of `desk`'s table."""
    router = APIRouter()

    @router.get("/settings.json")
    async def read(request: Request) -> Response:
        """The settings with their titles, bounds and values."""
        if desk.bearer(request).role != "host":
            return JSONResponse({"error": say("pages.error.host-only")}, 403, headers=PRIVATE)
        return JSONResponse({"error": "", "fields": fields()}, headers=PRIVATE)

    @router.post("/settings.json")
    async def write(request: Request) -> Response:
        """Keep the values in the body; those that can hold at once do, the others from the next start on."""
        if desk.bearer(request).role != "host":
            return JSONResponse({"error": say("pages.error.host-only")}, 403, headers=PRIVATE)
        try:
            before = settings()
            save(await asked(request))
            _take_up(desk.session, before, settings())
        except RefereeError as fault:
            return JSONResponse({"error": str(fault)}, 422, headers=PRIVATE)
        return JSONResponse({"error": ""}, headers=PRIVATE)

    @router.get("/health")
    async def health(request: Request) -> Response:
        """`ok` or `ill`; those with the table's code also see what is, and since when."""
        session = desk.session
        ill = any(source.state != "ok" for source in session.health.values())
        told: dict[str, Any] = {"state": "ill" if ill else "ok"}
        if desk.bearer(request).inside:
            told |= {
                "clock": round(session.clock(), 1),
                "rows": len(session.match.record),
                "pages": len(desk.feed),
                "sources": {
                    name: {
                        "state": source.state,
                        "age": round(source.age, 1),
                        "detail": source.detail,
                        "counts": dict(source.counts),
                    }
                    for name, source in session.health.items()
                },
            }
        return JSONResponse(told, headers=PRIVATE)

    return router


def _take_up(session: Session, before: Settings, now: Settings) -> None:
    """Go on with what was changed and holds at once."""
    if now.hearing_grace != before.hearing_grace:
        session.sequencer.grace = now.hearing_grace
    session.touch()
