"""What is sent along the one connection that each page keeps open, and what is done with what it sends?"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from referee.dashboard.access import Bearer, Bucket
from referee.dashboard.desk import Desk
from referee.dashboard.feed import Page
from referee.dashboard.taps import LARGEST, AskFirstError, carry_out, parse
from referee.faults import RefereeError
from referee.observations import UNKNOWN
from referee.text import say

MOST_PAGES: Final = 64
"""Pages that may watch; those with the table's code find room for as many again."""
TOO_MANY: Final = 1013
"""WebSocket close code "try again later"."""
TOO_LONG: Final = 1009
MESSAGES: Final = 40
"""Messages that a page may send at once, and then one every `MESSAGE_EVERY` seconds."""
MESSAGE_EVERY: Final = 0.1


def live_routes(desk: Desk) -> APIRouter:
    """The connection of `desk`'s pages."""
    router = APIRouter()

    @router.websocket("/live")
    async def live(websocket: WebSocket) -> None:
        await websocket.accept()
        bearer = desk.bearer(websocket)
        if len(desk.feed) >= MOST_PAGES * (2 if bearer.inside else 1):
            await websocket.close(TOO_MANY, say("pages.error.many"))
            return
        await websocket.send_text(json.dumps(_hello(desk, bearer)))
        page = desk.feed.open()
        try:
            async with asyncio.TaskGroup() as tasks:
                telling = tasks.create_task(_tell(websocket, page))
                await _listen(websocket, desk, page)
                telling.cancel()
        finally:
            desk.feed.close(page)

    return router


def _hello(desk: Desk, bearer: Bearer) -> dict[str, Any]:
    """What a page is told first: what it may do, and to the host how others get in."""
    hello: dict[str, Any] = {
        "type": "hello",
        "role": bearer.role,
        "seat": bearer.seat,
        "picture": desk.picture is not None,
    }
    if bearer.role == "host":
        hello["join"] = {"code": desk.access.code, "url": f"{desk.home}/join", "lan": desk.access.lan}
    return hello


async def _tell(websocket: WebSocket, page: Page) -> None:
    while await _send(websocket, await page.message()):
        pass


async def _listen(websocket: WebSocket, desk: Desk, page: Page) -> None:
    """Answer the page's messages until it is gone or sends too much."""
    patience = Bucket(MESSAGES, MESSAGE_EVERY)
    while (message := await websocket.receive())["type"] == "websocket.receive":
        text = message.get("text") or ""
        if max(len(text), len(message.get("bytes") or b"")) > LARGEST:
            await websocket.close(TOO_LONG)
            return
        if not patience.take():
            await websocket.close(TOO_MANY, say("pages.error.fast"))
            return
        await _send(websocket, json.dumps(_answer(desk, page, desk.bearer(websocket), text)))


async def _send(websocket: WebSocket, text: str) -> bool:
    """Send `text`, unless the page left meanwhile."""
    try:
        await websocket.send_text(text)
    except (WebSocketDisconnect, RuntimeError):
        return False
    return True


def _answer(desk: Desk, page: Page, bearer: Bearer, text: str) -> dict[str, Any]:
    """Do what a page asks for; `bearer` is who it is now, not when it connected."""
    number: object = None
    error, of = "", None
    try:
        message = parse(text)
        number = message.get("id")
        if message["do"] == "snapshot":
            page.again()
        elif message["do"] == "free" and bearer.role == "host":
            desk.access.free(str(message.get("seat", UNKNOWN)))
        elif message["do"] == "spoke" and bearer.inside and desk.session.speaker is not None:
            desk.session.speaker.report(message.get("number"), page, message.get("state") == "began")
        else:
            carry_out(desk.session, message, bearer)
    except AskFirstError as fault:
        error, of = str(fault), fault.of
    except RefereeError as fault:
        error = str(fault)
    return {"type": "answer", "id": number if type(number) is int else None, "error": error, "of": of}
