"""What is sent along the one connection that each page keeps open, and what is done with what it sends?"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from referee.dashboard.access import Bearer, Bucket, Role
from referee.dashboard.desk import Desk, address_of
from referee.dashboard.feed import Page
from referee.dashboard.requests import LARGEST, reason
from referee.dashboard.taps import EDITS, AskFirstError, carry_out, parse
from referee.record.observations import UNKNOWN
from referee.table.session import Session
from referee.text import say
from referee.text.faults import RefereeError

MOST_PAGES: Final[Mapping[Role, int]] = {"host": 16, "seat": 64, "guest": 24, "spectator": 40}
"""Pages that may be open, by who has them: nobody's take the place of the host's or of a player's.
Together they leave room at the door (`door.MOST`) for what the pages ask for."""
MOST_OF_ONE: Final = 8
"""Pages of one player, and of guests or spectators at one address."""
TOO_MANY: Final = 1013
"""WebSocket close code "try again later"."""
TOO_LONG: Final = 1009
MESSAGES: Final = 40
"""Messages that a page may send at once, and then one every `MESSAGE_EVERY` seconds."""
MESSAGE_EVERY: Final = 0.1


def live_routes(desk: Desk) -> APIRouter:
    """The connection of `desk`'s pages."""
    router = APIRouter()
    opened: Counter[tuple[Role, str]] = Counter()

    def room(whose: tuple[Role, str]) -> bool:
        """Whether one more page of theirs may be open."""
        role, _ = whose
        of_role = sum(many for (other, _), many in opened.items() if other == role)
        return of_role < MOST_PAGES[role] and (role == "host" or opened[whose] < MOST_OF_ONE)

    @router.websocket("/live")
    async def live(websocket: WebSocket) -> None:
        await websocket.accept()
        bearer = desk.bearer(websocket)
        by_secret = bearer.role in ("host", "seat")  # a guest can have as many as they like
        whose = bearer.role, desk.secret(websocket) if by_secret else address_of(websocket)
        if not room(whose):
            await websocket.close(TOO_MANY, reason(say("pages.error.many")))
            return
        opened[whose] += 1
        page = desk.feed.open()
        try:
            with desk.present(websocket):
                if not await _send(websocket, json.dumps(_hello(desk, bearer))):
                    return
                async with asyncio.TaskGroup() as tasks:
                    telling = tasks.create_task(_tell(websocket, desk, page, bearer))
                    await _listen(websocket, desk, page)
                    telling.cancel()
        finally:
            desk.feed.close(page)
            opened[whose] -= 1
            if not opened[whose]:
                del opened[whose]

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


async def _tell(websocket: WebSocket, desk: Desk, page: Page, known: Bearer) -> None:
    """Tell the page everything that is news to it, and who it is when that is no longer what it was told."""
    while await _send(websocket, await page.message()):
        bearer = desk.bearer(websocket)
        if bearer != known:
            known = bearer
            await _send(websocket, json.dumps(_hello(desk, bearer)))


async def _listen(websocket: WebSocket, desk: Desk, page: Page) -> None:
    """Answer the page's messages until it is gone or sends too much."""
    patience = Bucket(MESSAGES, MESSAGE_EVERY)
    while (message := await websocket.receive())["type"] == "websocket.receive":
        text = message.get("text") or ""
        if max(len(text), len(message.get("bytes") or b"")) > LARGEST:
            await websocket.close(TOO_LONG, reason(say("pages.error.message")))
            return
        if not patience.take():
            await websocket.close(TOO_MANY, reason(say("pages.error.fast")))
            return
        await _send(websocket, json.dumps(await _answer(desk, page, desk.bearer(websocket), text)))


async def _send(websocket: WebSocket, text: str) -> bool:
    """Send `text`, unless the page left meanwhile."""
    try:
        await websocket.send_text(text)
    except (WebSocketDisconnect, RuntimeError):
        return False
    return True


async def _answer(desk: Desk, page: Page, bearer: Bearer, text: str) -> dict[str, Any]:
    """Do what a page asks for; `bearer` is who it is now, not when it connected.

    What is put right is judged, and safe, before it is answered; the loop works on meanwhile.
    """
    number: object = None
    error, of = "", None
    try:
        message = parse(text)
        number = message.get("id")
        if message["do"] == "snapshot":
            page.again()
        elif message["do"] == "free" and bearer.role == "host":
            desk.access.free(str(message.get("seat", UNKNOWN)))
            desk.keep_access()
            desk.feed.wake()
        elif message["do"] == "spoke" and bearer.inside and desk.session.speaker is not None:
            desk.session.speaker.report(message.get("number"), page, message.get("state") == "began")
        else:
            edits = message["do"] in EDITS and bearer.role in ("host", "seat")
            if edits:
                await _judged(desk.session)
            carry_out(desk.session, message, bearer)
            if edits:
                await _judged(desk.session)
            error = desk.session.unsafe()
    except AskFirstError as fault:
        error, of = str(fault), fault.of
    except RefereeError as fault:
        error = str(fault)
    return {"type": "answer", "id": number if type(number) is int else None, "error": error, "of": of}


async def _judged(session: Session) -> None:
    """Everything noticed so far is judged."""
    session.hasten()
    while session.busy:
        session.tick()
        await asyncio.sleep(0)
