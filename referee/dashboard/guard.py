"""Which requests are answered at all, and what does every answer tell the browser to keep out?"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.dashboard.access import Access
from referee.text import say

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
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
    "permissions-policy": "camera=(self), microphone=(self), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


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
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if meant and (reads or same_origin(headers, scope["scheme"].replace("ws", "http"))):
            await self.app(scope, receive, send_safely)
            return
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        why = say("pages.error.origin" if meant else "pages.error.host")
        refusal: Response = PlainTextResponse(why + "\n", 403) if reads else JSONResponse({"error": why}, 403)
        await refusal(scope, receive, send_safely)
