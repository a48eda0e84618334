"""Where is the dashboard to be opened, and how does it start and stop beside the match?"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
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
from referee.evidence import Evidence
from referee.faults import RefereeError
from referee.session import Session
from referee.store import Secrets, Store

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A dashboard that is running.

    Attributes:
        port: where it listens.
        address: the machine's address to open it at: loopback, or with `lan` the one that phones reach.
        token: what makes a browser the host's.
        code: what makes a phone a seat's, or a guest's.
        https: whether it is encrypted, as phones want it before they lend camera and microphone.
    """

    port: int
    address: str
    token: str
    code: str = ""
    https: bool = False

    @property
    def url(self) -> str:
        """The host's link: whoever opens it may tap. The token stands after `#`, so it is in no log."""
        return f"{self.watch_url}#token={self.token}"

    @property
    def watch_url(self) -> str:
        """The link for those who only watch."""
        return f"http{'s' if self.https else ''}://{self.address}:{self.port}/"

    @property
    def join_url(self) -> str:
        """The link with which phones join: the code stands after `#`, so it is in no log."""
        return f"{self.watch_url}join#code={self.code}"


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
    listener: socket.socket | None = None,
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
    listener = listener or listen(port, lan)
    dashboard = Dashboard(
        listener.getsockname()[1],
        own_address() if lan else LOOPBACK,
        access.token,
        access.code,
        certificate is not None,
    )
    home = dashboard.watch_url.removesuffix("/")
    desk = Desk(session, access, picture, senses, seen, evidence, viewfinder, home, store, secrets)
    desk.keep_access()
    server = _Server(
        uvicorn.Config(
            create_app(desk),
            ws=_Connection,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=1,
            ssl_certfile=certificate.chain if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
    )
    logging.getLogger("uvicorn.error").addFilter(_told)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield dashboard
    finally:
        server.should_exit = True
        await running


class _Connection(WebSocketsSansIOProtocol):
    """A page's connection, which may be closing already when the table closes: a page left that moment."""

    def shutdown(self) -> None:
        """Close it, for this server ends."""
        try:
            super().shutdown()
        except InvalidState:
            self.transport.abort()


def _told(record: logging.LogRecord) -> bool:
    """Whether people are told: not that a page did not say goodbye, for its phone sleeps."""
    return "graceful shutdown exceeded" not in str(record.msg)


class _Server(uvicorn.Server):
    """A server that leaves Ctrl-C to whoever runs the match."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(port: int, lan: bool = False) -> socket.socket:
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
        if isinstance(fault, OSError) and fault.errno == errno.EADDRINUSE:
            why = "is busy: another program, perhaps another referee, listens there"
        else:
            why = f"cannot be used ({fault})"
        raise RefereeError(f"port {port} {why}; choose another with --port (0 takes any free one)") from None
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
