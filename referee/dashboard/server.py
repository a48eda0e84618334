"""Where is the dashboard to be opened, and how does it start and stop beside the match?"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn

from referee.dashboard.access import Access
from referee.dashboard.app import Picture, create_app
from referee.dashboard.taps import LARGEST
from referee.faults import RefereeError
from referee.session import Session

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A dashboard that is running.

    Attributes:
        port: where it listens.
        address: the machine's address to open it at: loopback, or with `lan` the one that phones reach.
        token: what makes a browser the host's.
    """

    port: int
    address: str
    token: str

    @property
    def url(self) -> str:
        """The host's link: whoever opens it may tap. The token stands after `#`, so it is in no log."""
        return f"{self.watch_url}#token={self.token}"

    @property
    def watch_url(self) -> str:
        """The link for those who only watch."""
        return f"http://{self.address}:{self.port}/"


@asynccontextmanager
async def serve(
    session: Session, *, port: int = 0, lan: bool = False, picture: Picture | None = None
) -> AsyncIterator[Dashboard]:
    """Run the dashboard of `session` on this loop until the block ends.

    Args:
        port: 0 takes any free one.
        lan: let other machines in too, not this one alone.
        picture: see `create_app`.

    Raises:
        RefereeError: the port is busy or may not be used.
    """
    access = Access(lan=lan)
    listener = _listen(EVERYWHERE if lan else LOOPBACK, port)
    server = _Server(
        uvicorn.Config(
            create_app(session, picture=picture, access=access),
            ws="websockets-sansio",
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
    )
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield Dashboard(listener.getsockname()[1], _own_address() if lan else LOOPBACK, access.token)
    finally:
        server.should_exit = True
        await running


class _Server(uvicorn.Server):
    """A server that leaves Ctrl-C to whoever runs the match."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(address: str, port: int) -> socket.socket:
    """A listening socket: a browser that comes before the server runs is kept waiting, not turned away."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
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


def _own_address() -> str:
    """The address at which other machines of the home reach this one; loopback when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: this picks a route, nothing is sent
        except OSError:
            return LOOPBACK
        address: str = probe.getsockname()[0]
        return address
