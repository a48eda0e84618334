"""Who may do what on the dashboard, and which requests are answered at all?"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from typing import Final, Literal

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.text import say

Role = Literal["host", "spectator"]

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from elsewhere, nothing inline: a player's name that slipped through as markup could still do nothing."""

HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@dataclass
class Access:
    """What this table lets in.

    Attributes:
        lan: other machines may open the dashboard too.
        token: proves that one holds the host's link; printed at the start, never stored.
    """

    lan: bool = False
    token: str = field(default_factory=lambda: token_urlsafe(16))
    _hosts: set[str] = field(default_factory=set)

    def answers_to(self, host: str, address: str) -> bool:
        """Whether a request that calls this machine `host` means us, and not a stranger's name bent to our address.

        Args:
            host: the request's Host header, `name`, `name:port`, `[::1]:port`.
            address: the address of ours at which the request came in.
        """
        name = _without_port(host)
        try:
            literal = ipaddress.ip_address(name)
        except ValueError:
            ours = socket.gethostname().lower()
            return name == "localhost" or (self.lan and name in (ours, ours.removesuffix(".local") + ".local"))
        return literal.is_loopback or (self.lan and address != "" and literal == ipaddress.ip_address(address))

    def enter(self, token: str) -> str | None:
        """The secret for the cookie of a browser that shows the host's token; None for a wrong token."""
        if not compare_digest(token.encode(), self.token.encode()):
            return None
        secret = token_urlsafe(16)
        self._hosts.add(secret)
        return secret

    def role(self, cookies: Mapping[str, str], port: int) -> Role:
        """What the bearer of `cookies` is at this table."""
        return "host" if cookies.get(cookie_name(port)) in self._hosts else "spectator"


def cookie_name(port: int) -> str:
    """Cookies do not tell ports apart, two tables on one machine do."""
    return f"referee-{port}"


def same_origin(headers: Headers, scheme: str) -> bool:
    """Whether a page of ours sent this, by its Origin header; `scheme` is `http` or `https`."""
    return headers.get("origin") == f"{scheme}://{headers.get('host')}"


class Guard:
    """Turns away what is not meant for us before anything is accepted, and gives every answer the safe headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or connection, as ASGI asks for it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        address = (scope.get("server") or ("",))[0]
        meant = len(hosts) == 1 and self.access.answers_to(hosts[0], address)
        if meant and (scope["type"] == "http" or same_origin(headers, scope["scheme"].replace("ws", "http"))):
            await self.app(scope, receive, send_safely)
            return
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = PlainTextResponse(say("pages.error.host") + "\n", 403)
        await refusal(scope, receive, send_safely)


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
