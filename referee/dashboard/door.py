"""Who is let in, who has to leave for others, and who is hung up on, before anybody has said who they are?

uvicorn bounds how long a request's head is, and closes a connection that is idle after an answer. It knows no limit
for a connection that says nothing, for half a TLS handshake, half a head or half a body, and for one that never reads
its answer. Hypercorn ends those in time too, but has no limit on their number either, and granian runs an application
in processes of its own. So the listening socket counts, and times, what it let in.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST: Final = 180
"""Open connections; with those that leave fewer than the files that a process may open where that is least (256)."""
PATIENCE: Final = 10.0
"""Seconds in which a visitor says what they want: from when they come, or from the last answer, to a request's end."""
UNREAD: Final = 20.0
"""Seconds for which a visitor may leave an answer unread that waits to be sent."""
PIECE: Final = 32 * 1024
"""Bytes of an answer that are sent at a time: a slow visitor has read all but the last of them when it is served."""
LEAVING: Final = 20
"""Connections that were hung up on and are not closed yet, beyond which nobody is let in for the moment."""
LOOK_EVERY: Final = 0.5
"""Seconds between two looks at who has been silent for too long."""

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Visitor:
    """One open connection.

    Attributes:
        owes_since: since when it owes us the rest of what it wants to say; None while it is served.
    """

    connection: socket.socket
    address: str
    owes_since: float | None
    left: bool = False

    @property
    def open(self) -> bool:
        return self.connection.fileno() >= 0


class Door(socket.socket):
    """A listening socket that hangs up on the silent: in time, and when others need the room.

    A program that runs out of files accepts nobody any more, and can write no evidence.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._visitors: dict[tuple[str, int], _Visitor] = {}

    @property
    def inside(self) -> int:
        """How many connections are open."""
        return sum(visitor.open for visitor in self._visitors.values())

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; when all room is taken the longest silent one of the largest crowd leaves for it.

        Raises:
            BlockingIOError: nobody waits for one, or those who were hung up on have yet to leave.
        """
        while True:
            self._visitors = {who: visitor for who, visitor in self._visitors.items() if visitor.open}
            if sum(visitor.left for visitor in self._visitors.values()) >= LEAVING:
                raise BlockingIOError
            connection, address = super().accept()
            visitor = _Visitor(connection, address[0], time.monotonic())
            self._visitors[address[:2]] = visitor
            inside = [other for other in self._visitors.values() if not other.left]
            if len(inside) > MOST:
                self._hang_up(_longest_silent(inside))
            if not visitor.left:
                return connection, address
            connection.close()

    def serving(self, app: ASGIApp) -> ASGIApp:
        """`app`, whose visitors are silent whenever it is not at work for them."""

        async def served(scope: Scope, receive: Receive, send: Send) -> None:
            visitor = self._visitors.get(tuple(scope.get("client") or ()))
            if visitor is None:
                await app(scope, receive, send)
                return
            owes_since, visitor.owes_since = visitor.owes_since, None

            async def listen() -> Message:
                if scope["type"] == "http":
                    visitor.owes_since = owes_since
                try:
                    return await receive()
                finally:
                    visitor.owes_since = None

            async def tell(message: Message) -> None:
                try:
                    for piece in _pieces(message):
                        async with asyncio.timeout(UNREAD):
                            await send(piece)
                except TimeoutError:
                    log.info("hung up on %s: it does not read what it asked for", visitor.address)
                    self._hang_up(visitor)

            try:
                await app(scope, listen, tell)
            finally:
                visitor.owes_since = time.monotonic()

        return served

    async def watch(self) -> None:
        """Hang up on whoever has been silent for too long, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            latest = time.monotonic() - PATIENCE
            for visitor in tuple(self._visitors.values()):
                if visitor.owes_since is not None and visitor.owes_since < latest and not visitor.left:
                    log.info("hung up on %s: it did not say what it wants", visitor.address)
                    self._hang_up(visitor)

    def _hang_up(self, visitor: _Visitor) -> None:
        """End the connection, whatever is half said on it; whoever serves it notices, and closes it."""
        visitor.left = True
        with suppress(OSError):  # the other side was quicker
            visitor.connection.shutdown(socket.SHUT_RDWR)


def _pieces(message: Message) -> Iterator[Message]:
    """The message, a long answer piece by piece: its visitor is served for as long as it reads one after the other."""
    body = message.get("body", b"")
    if message["type"] != "http.response.body" or len(body) <= PIECE:
        yield message
        return
    for start in range(0, len(body), PIECE):
        more = message.get("more_body", False) or start + PIECE < len(body)
        yield {**message, "body": body[start : start + PIECE], "more_body": more}


def _longest_silent(visitors: list[_Visitor]) -> _Visitor:
    """Whoever of the largest crowd of silent ones, by address, has been silent longest."""
    crowds = Counter(visitor.address for visitor in visitors if visitor.owes_since is not None)
    [(largest, _)] = crowds.most_common(1)
    return min(
        (visitor for visitor in visitors if visitor.address == largest and visitor.owes_since is not None),
        key=lambda visitor: visitor.owes_since or 0.0,
    )
