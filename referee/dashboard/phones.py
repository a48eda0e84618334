"""How is a phone's browser the camera or the microphone of the table?

The phone opens one WebSocket for each and says what it sends: `{"kind": "camera"}` or `{"kind": "microphone",
"rate": 16000}`. Then every binary message is the capture time (float64, little-endian, seconds of the phone's own
clock) and a JPEG, or mono int16 sound. Each message is answered with `{"type": "go"}`: a camera waits for it and then
sends the newest frame it has, so a slow network costs frames and never time.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
import time
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import PRIVATE, Desk, Senses
from referee.dashboard.live import TOO_LONG
from referee.dashboard.requests import asked, object_in, reason, text_of
from referee.text import say
from referee.text.faults import RefereeError

LARGEST_FRAME: Final = 1 << 20
"""Bytes of a frame or a piece of sound; a sharp 720p frame has about 200 000."""
RATES: Final = range(8_000, 48_001)
"""Samples a second that are taken."""
GREETING: Final = 10.0
"""Seconds in which a phone says what it is to be."""
GONE: Final = 5.0
"""Seconds without a frame or a sound after which another phone may take the place."""
STOPPED: Final = 1000
"""WebSocket close code of a phone that stops on purpose."""
REFUSED: Final = 1008
REPLACED: Final = 4000
"""WebSocket close code of ours: the phone is not to try again."""
WINDOW: Final = 30.0
STAMP: Final = struct.Struct("<d")


class Timing:
    """When, on the match clock, was that captured which a phone stamped with its own clock?

    The message that travelled fastest tells how far the two clocks are apart; only messages of the last 30 to 60
    seconds count, since clocks drift.
    """

    def __init__(self) -> None:
        self._began = 0.0
        self._apart: tuple[float, float] | None = None  # smallest difference in this window, and the one before

    def at(self, stamp: float, now: float) -> float:
        """Seconds of the match clock at which `stamp` was, for a message that arrived `now`."""
        apart = now - stamp
        if self._apart is None:
            self._began, self._apart = now, (apart, apart)
        elif now - self._began > WINDOW:
            self._began, self._apart = now, (apart, self._apart[0])
        else:
            self._apart = min(apart, self._apart[0]), self._apart[1]
        return max(0.0, min(now, stamp + min(self._apart)))


@dataclass(eq=False, slots=True)
class Lender:
    """A phone that is the camera or the microphone of the table.

    Attributes:
        secret: who lent it.
        connection: what it sends along; None while that is lost.
        heard: when it sent something last.
    """

    secret: str
    connection: WebSocket | None
    heard: float


class Lending:
    """Which phone is the table's camera, and which its microphone?

    Whoever lends keeps the place until they stop, the host frees it, or nothing has come for `GONE` seconds.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lenders: dict[str, Lender] = {}

    @property
    def wants(self) -> frozenset[str]:
        """What phones may be for this table."""
        return self._desk.senses.wants if self._desk.senses else frozenset()

    def lender(self, kind: str) -> Lender | None:
        """Who is `kind` now."""
        lender = self._lenders.get(kind)
        return lender if lender is not None and time.monotonic() - lender.heard < GONE else None

    async def take(self, kind: str, secret: str, connection: WebSocket) -> Lender:
        """From now on `connection` is `kind`.

        Raises:
            RefereeError: somebody else is.
        """
        now = self.lender(kind)
        if now is not None and now.secret != secret:
            raise RefereeError(say(f"pages.error.lent-{kind}"))
        before = self._lenders.get(kind)
        lender = self._lenders[kind] = Lender(secret, connection, time.monotonic())
        self._desk.session.touch()
        if before is not None and before.connection is not None:
            await _close(before.connection, REPLACED, say("pages.error.replaced"))
        return lender

    def still(self, kind: str, lender: Lender) -> bool:
        """Whether `lender` is `kind`: it has just sent something."""
        lender.heard = time.monotonic()
        return self._lenders.get(kind) is lender

    def leave(self, kind: str, lender: Lender, meant: bool) -> None:
        """The connection of `lender` is gone; only if it was `meant` can another phone be `kind` at once."""
        if self._lenders.get(kind) is lender:
            lender.connection = None
            if meant:
                del self._lenders[kind]
            self._desk.session.touch()

    async def free(self, kind: str) -> None:
        """Nobody is `kind` any more."""
        lender = self._lenders.pop(kind, None)
        self._desk.session.touch()
        if lender is not None and lender.connection is not None:
            await _close(lender.connection, REPLACED, say("pages.error.freed"))

    def awaited(self) -> dict[str, Any]:
        """For the view: `kinds` that no phone sends, and whether phones reach the table by `lan`."""
        sending = {kind for kind, lender in self._lenders.items() if lender.connection is not None}
        return {"kinds": sorted(self.wants - sending), "lan": self._desk.access.lan}


def phone_routes(desk: Desk) -> APIRouter:
    """The connections of phones that see or hear for the table of `desk`, and who may lend one."""
    router = APIRouter()
    lending = Lending(desk)
    desk.session.shows["awaited"] = lending.awaited

    @router.get("/lend")
    async def lent(request: Request) -> Response:
        """Who we are, and for each kind that the table wants who sends it: `me`, `other`, or nobody."""
        bearer, secret = desk.bearer(request), desk.secret(request)
        told: dict[str, Any] = {"error": "", "inside": bearer.inside, "host": bearer.role == "host", "lent": {}}
        if bearer.inside:
            lenders = {kind: lending.lender(kind) for kind in sorted(lending.wants)}
            told["lent"] = {
                kind: "" if lender is None else "me" if lender.secret == secret else "other"
                for kind, lender in lenders.items()
            }
        return JSONResponse(told, headers=PRIVATE)

    @router.post("/lend")
    async def free(request: Request) -> Response:
        """Let another phone be the `free` in the body, as the host or whoever lends it may."""
        bearer, secret = desk.bearer(request), desk.secret(request)
        kind = text_of(await asked(request), "free")
        lender = lending.lender(kind)
        if bearer.role != "host" and (lender is None or not secret or lender.secret != secret):
            return JSONResponse({"error": say("pages.error.host-only")}, 403, headers=PRIVATE)
        await lending.free(kind)
        return JSONResponse({"error": ""}, headers=PRIVATE)

    @router.websocket("/push")
    async def push(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            if not desk.bearer(websocket).inside:
                raise RefereeError(say("pages.error.code"))
            async with asyncio.timeout(GREETING):
                message = await websocket.receive()
            kind, rate = _greeting(desk, message)
            lender = await lending.take(kind, desk.secret(websocket), websocket)
        except (RefereeError, TimeoutError) as fault:
            await _close(websocket, REFUSED, str(fault) or say("pages.error.message"))
            return
        timing, senses = Timing(), desk.senses
        assert senses is not None  # or the greeting would have been refused
        message = {}
        try:
            with desk.present(websocket):
                await websocket.send_text('{"type":"go"}')
                while (message := await websocket.receive())["type"] == "websocket.receive":
                    if not lending.still(kind, lender):
                        break
                    if not desk.bearer(websocket).inside or not _take(desk, senses, kind, rate, message, timing):
                        await _close(websocket, TOO_LONG, say("pages.error.message"))
                        break
                    await websocket.send_text('{"type":"go"}')
        except (RuntimeError, WebSocketDisconnect):
            pass  # it left while it was being answered
        finally:
            lending.leave(kind, lender, message.get("code") == STOPPED)

    return router


def _greeting(desk: Desk, message: Any) -> tuple[str, int]:
    """What the phone is to be: the kind, and for a microphone its rate.

    Raises:
        RefereeError: that makes no sense, or the table does not want it.
    """
    greeting = object_in(message.get("text") or "")
    kind, rate = greeting.get("kind"), greeting.get("rate", 0)
    if kind not in ("camera", "microphone") or (kind == "microphone" and rate not in RATES):
        raise RefereeError(say("pages.error.message"))
    if desk.senses is None or kind not in desk.senses.wants:
        raise RefereeError(say(f"pages.error.no-{kind}"))
    return kind, int(rate) if kind == "microphone" else 0


def _take(desk: Desk, senses: Senses, kind: str, rate: int, message: Any, timing: Timing) -> bool:
    """Hand on one message; whether it was a fit one."""
    data = message.get("bytes") or b""
    if len(data) <= STAMP.size:
        return False
    (stamp,) = STAMP.unpack_from(data)
    if not 0 <= stamp < 1e9:  # not a number, too
        return False
    body, now = data[STAMP.size :], desk.session.clock()
    if kind == "camera":
        senses.see(body, timing.at(stamp, now))
    elif len(body) % 2:
        return False
    else:
        seconds = len(body) / 2 / rate  # a piece of sound can be sent when its last sample was captured
        senses.hear(body, rate, max(0.0, timing.at(stamp + seconds, now) - seconds))
    return True


async def _close(websocket: WebSocket, code: int, why: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it is gone already
        await websocket.close(code, reason(why))
