"""How is a phone's browser the camera or the microphone of the table?

The phone opens one WebSocket for each and says what it sends: `{"kind": "camera"}` or `{"kind": "microphone",
"rate": 16000}`. Then every binary message is the capture time (float64, little-endian, seconds of the phone's own
clock) and a JPEG, or mono int16 sound. Each message is answered with `{"type": "go"}`: a camera waits for it and then
sends the newest frame it has, so a slow network costs frames and never time.
"""

from __future__ import annotations

import contextlib
import json
import struct
from typing import Any, Final

from fastapi import APIRouter, WebSocket

from referee.dashboard.desk import Desk, Senses
from referee.dashboard.live import TOO_LONG
from referee.faults import RefereeError
from referee.text import say

LARGEST_FRAME: Final = 1 << 20
"""Bytes of a frame or a piece of sound; a sharp 720p frame has about 200 000."""
RATES: Final = range(8_000, 48_001)
"""Samples a second that are taken."""
REFUSED: Final = 1008
REPLACED: Final = 4000
"""WebSocket close code of ours: another phone took over."""
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


def phone_routes(desk: Desk) -> APIRouter:
    """The connections of phones that see or hear for the table of `desk`; the newest phone of a kind wins."""
    router = APIRouter()
    sending: dict[str, WebSocket] = {}

    @router.websocket("/push")
    async def push(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            kind, rate = _greeting(desk, websocket, await websocket.receive())
        except RefereeError as fault:
            await websocket.close(REFUSED, str(fault))
            return
        senses = desk.senses
        assert senses is not None  # or the greeting would have been refused
        before = sending.get(kind)
        sending[kind] = websocket
        if before is not None:
            await _close(before, REPLACED, say("pages.error.replaced"))
        timing = Timing()
        try:
            await websocket.send_text('{"type":"go"}')
            while (message := await websocket.receive())["type"] == "websocket.receive" and sending[kind] is websocket:
                if not desk.bearer(websocket).inside or not _take(desk, senses, kind, rate, message, timing):
                    await _close(websocket, TOO_LONG, say("pages.error.message"))
                    return
                await websocket.send_text('{"type":"go"}')
        except RuntimeError:
            pass  # it left while it was being answered
        finally:
            if sending.get(kind) is websocket:
                del sending[kind]

    return router


def _greeting(desk: Desk, websocket: WebSocket, message: Any) -> tuple[str, int]:
    """What the phone is to be: the kind, and for a microphone its rate.

    Raises:
        RefereeError: it may not be that, or the table does not want it.
    """
    if not desk.bearer(websocket).inside:
        raise RefereeError(say("pages.error.code"))
    try:
        greeting = json.loads(message.get("text") or "")
        kind, rate = greeting["kind"], greeting.get("rate", 0)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        kind, rate = "", 0
    if kind not in ("camera", "microphone") or (kind == "microphone" and rate not in RATES):
        raise RefereeError(say("pages.error.message"))
    if desk.senses is None or kind not in desk.senses.wants:
        raise RefereeError(say(f"pages.error.no-{kind}"))
    return kind, int(rate)


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


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError):  # it is gone already
        await websocket.close(code, reason)
