"""What does every part of the dashboard share while it serves one match?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from fastapi import Request, WebSocket

from referee.dashboard.access import Access, Bearer, cookie_name
from referee.dashboard.feed import Feed
from referee.store import Secrets, Store
from referee.store.settings import settings
from referee.table.evidence import Evidence
from referee.table.session import Session

Picture: TypeAlias = Callable[[], tuple[bytes, int] | None]
"""The newest picture of the table as JPEG and its number, which grows; None while there is none."""


PRIVATE: Final = {"cache-control": "no-store"}
"""Headers of what no browser may keep."""


class Senses(Protocol):
    """Where the frames and the sound go that a phone sends; both are called on the session's loop and return at once.

    Attributes:
        wants: which of `camera` and `microphone` are to come from a phone.
    """

    wants: frozenset[str]

    def see(self, jpeg: bytes, t: float) -> None:
        """A frame that was captured at `t`, seconds of the match clock; a newer one replaces it if it was not read."""

    def hear(self, pcm: bytes, rate: int, t: float) -> None:
        """Mono sound, int16 little-endian at `rate`, whose first sample was captured at `t`."""


class Viewfinder(Protocol):
    """The camera of a table, as far as it can be set up on a page."""

    def look(self) -> dict[str, Any]:
        """What the eye sees and where it looks, as JSON values (`referee.table.eye.calibration`); for any thread.

        Raises:
            RefereeError: there is no picture yet.
        """

    def lay_out(self, asked: Mapping[str, Any]) -> None:
        """Zones and seats are where `asked` says.

        Raises:
            RefereeError: it says nothing that could be, and nothing was changed; or it could not be kept.
        """


@dataclass(frozen=True)
class Desk:
    """One match, who may do what at it, and what its pages are told.

    Attributes:
        picture: what the live picture shows; None where there is no camera.
        senses: what phones may be for the table; None where it takes nothing from them.
        seen: the same picture with what the eye sees drawn in.
        evidence: what rulings rest on; None where nothing is kept.
        store: the matches that were played; None where none are kept.
        secrets: where it is kept who may come in; None where a restart asks everybody to join anew.
        viewfinder: where the camera is set up; None where it cannot be.
        home: the address at which phones find the dashboard, `https://192.168.1.5:8710`.
    """

    session: Session
    access: Access
    picture: Picture | None = None
    senses: Senses | None = None
    seen: Picture | None = None
    evidence: Evidence | None = None
    viewfinder: Viewfinder | None = None
    home: str = ""
    store: Store | None = None
    secrets: Secrets | None = None
    feed: Feed = field(init=False)

    def __post_init__(self) -> None:
        gentle = self.session.match.referee.panel.gentle
        self.session.shows["training"] = lambda: gentle or settings().training
        object.__setattr__(self, "feed", Feed(self.session))

    def keep_access(self) -> None:
        """Whoever may come in now still may after a restart."""
        if self.secrets:
            self.secrets.write(self.access.to_json())

    def bearer(self, request: Request | WebSocket) -> Bearer:
        """Who sends `request`."""
        return self.access.bearer(request.cookies, port_of(request))

    def secret(self, request: Request | WebSocket) -> str:
        """What tells the sender of `request` from all others; empty for one who only watches."""
        return request.cookies.get(cookie_name(port_of(request)), "") if self.bearer(request).inside else ""

    @contextmanager
    def present(self, websocket: WebSocket) -> Iterator[None]:
        """While the block lasts, whoever opened `websocket` is at the table."""
        secret = self.secret(websocket)
        if secret:
            self.access.opened(secret)
        try:
            yield
        finally:
            if secret:
                self.access.closed(secret)

    def link(self, page: str) -> str:
        """What the QR code for `page` holds: the table's code stands after `#`, so it is in no log."""
        return f"{self.home}/{page}#code={self.access.code}"


def address_of(request: Request | WebSocket) -> str:
    """The address that sent `request`."""
    return request.client.host if request.client else ""


def port_of(request: Request | WebSocket) -> int:
    """The port of ours at which `request` came in."""
    server: tuple[str, int | None] | None = request.scope.get("server")
    return (server and server[1]) or 0
