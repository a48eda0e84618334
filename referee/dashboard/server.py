"""Where is the dashboard to be opened, and how does it start and stop beside the match?"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from referee.dashboard.access import Access
from referee.dashboard.app import create_app
from referee.dashboard.certificate import Certificate
from referee.dashboard.desk import Desk, Picture, Senses, Viewfinder
from referee.dashboard.door import Door
from referee.dashboard.phones import LARGEST_FRAME
from referee.store import Secrets, Store
from referee.table.evidence import Evidence
from referee.table.session import Session
from referee.text import say
from referee.text.faults import RefereeError

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
PING_EVERY: Final = 20.0
PONG_WITHIN: Final = 20.0
"""Seconds between two questions whether a page's browser is still there, and those it has to answer."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of a request's head; a browser's has about 1000."""


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A dashboard that is running.

    Attributes:
        port: where it listens.
        address: the machine's address to open it at: loopback, or with `lan` the one that phones reach.
        token: what makes a browser the host's.
        code: what makes a phone a seat's, or a guest's.
        https: whether it is encrypted, as phones want it before they lend camera and microphone.
        once: makes a word that does once what the token does.
    """

    port: int
    address: str
    token: str = field(repr=False)
    code: str = field(default="", repr=False)
    https: bool = False
    once: Callable[[], str] = field(default=str, repr=False)

    @property
    def url(self) -> str:
        """The host's link: whoever opens it may tap. The token stands after `#`, so it is in no log."""
        return f"{self.watch_url}#token={self.token}"

    @property
    def url_once(self) -> str:
        """A host's link that is good once and for a short while: a command line can be read by all on this machine."""
        return f"{self.watch_url}#token={self.once()}"

    @property
    def watch_url(self) -> str:
        """The link for those who only watch."""
        return f"http{'s' if self.https else ''}://{self.address}:{self.port}/"

    @property
    def join_url(self) -> str:
        """The link with which phones join: the code stands after `#`, so it is in no log."""
        return f"{self.watch_url}join#code={self.code}"

    @property
    def lend_url(self) -> str:
        """The link with which a phone becomes the table's camera or microphone."""
        return f"{self.watch_url}phone#code={self.code}"


@asynccontextmanager
async def serve(
    session: Session,
    *,
    port: int = 0,
    lan: bool = False,
    picture: Picture | None = None,
    senses: Senses | None = None,
    seen: Picture | None = None,
    evidence: Evidence | None = None,
    viewfinder: Viewfinder | None = None,
    store: Store | None = None,
    secrets: Secrets | None = None,
    certificate: Certificate | None = None,
    listener: Door | None = None,
) -> AsyncIterator[Dashboard]:
    """Run the dashboard of `session` on this loop until the block ends.

    Args:
        port: 0 takes any free one.
        lan: let other machines in too, not this one alone.
        picture, senses, seen, evidence, viewfinder, store, secrets: what the table offers, as for `Desk`.
        certificate: serve HTTPS with it.
        listener: where it listens, if not at `port` (`listen`).

    Raises:
        RefereeError: the port is busy or may not be used.
    """
    access = Access(lan=lan, seats=session.standing.players)
    if secrets:
        access.take_up(secrets.read())
    door = listener or listen(port, lan)
    dashboard = Dashboard(
        door.getsockname()[1],
        own_address() if lan else LOOPBACK,
        access.token,
        access.code,
        certificate is not None,
        access.once,
    )
    home = dashboard.watch_url.removesuffix("/")
    desk = Desk(session, access, picture, senses, seen, evidence, viewfinder, home, store, secrets)
    desk.keep_access()
    server = _Server(
        uvicorn.Config(
            door.serving(create_app(desk)),
            http="h11",  # httptools takes heads of any size
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ws=_Connection,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            ws_ping_interval=PING_EVERY,
            ws_ping_timeout=PONG_WITHIN,
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,  # the program's own
            log_level="warning",
            timeout_graceful_shutdown=1,
            ssl_certfile=certificate.chain if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
    )
    logging.getLogger("uvicorn.error").addFilter(_told)
    logging.getLogger("uvicorn").propagate = True  # into the log, too
    running = asyncio.create_task(server.serve(sockets=[door]))
    watching = asyncio.create_task(door.watch())
    try:
        yield dashboard
    finally:
        watching.cancel()
        server.should_exit = True
        await running


MOST_PIECES: Final = 1000
"""Pieces of one message; a browser sends it in one."""


class _Connection(WebSocketsSansIOProtocol):
    """A page's connection, which ends although its page reads nothing any more."""

    def data_received(self, data: bytes) -> None:
        """Take what the page sends; one that has us answer without end and reads no answer is cut off."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > LARGEST_FRAME or len(self.frames) > MOST_PIECES:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """The page no longer answers: nor will it take what waits to be sent."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """Close it, for this server ends; the page may be closing it that moment."""
        try:
            super().shutdown()
        except InvalidState:
            self.transport.abort()


USUAL: Final = (
    "graceful shutdown exceeded",
    "Invalid HTTP request",
    "Invalid UTF-8",
    "Unsupported upgrade",
    "No supported WebSocket",
)
"""What the server reports of visitors who speak nonsense or leave without a word; it is no fault of ours."""


def _told(record: logging.LogRecord) -> bool:
    """Whether it is worth a line."""
    return not any(usual in str(record.msg) for usual in USUAL)


class _Server(uvicorn.Server):
    """A server that leaves Ctrl-C to whoever runs the match."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(port: int, lan: bool = False) -> Door:
    """A listening socket: a browser that comes before the server runs is kept waiting, not turned away.

    Raises:
        RefereeError: the port is busy or may not be used.
    """
    address = EVERYWHERE if lan else LOOPBACK
    listener = Door(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(128)
    except (OSError, OverflowError) as fault:
        listener.close()
        busy = isinstance(fault, OSError) and fault.errno == errno.EADDRINUSE
        raise RefereeError(say("cli.port-busy" if busy else "cli.port", port=port, why=fault)) from None
    return listener


def own_address() -> str:
    """The address at which other machines of the home reach this one; loopback when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: this picks a route, nothing is sent
        except OSError:
            return LOOPBACK
        address: str = probe.getsockname()[0]
        return address
